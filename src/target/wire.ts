/** The revision that did away with the handshake; later ones have no session either. */
const FIRST_STATELESS = '2026-07-28';

/** @returns whether a dated revision is spoken without `initialize` and sessions */
export function isStateless(revision: string): boolean {
  return revision >= FIRST_STATELESS;
}

/** How the gate introduces itself. */
const CLIENT_INFO = { name: 'mcp-conformance-gate', version: '1' };

export interface ProbeRequest {
  readonly method: 'initialize' | 'server/discover';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The id of every probe: the connection is its own, so it needs no counter. */
export const PROBE_ID = 1;

/**
 * @param revision decides the method unless `method` does
 * @returns the request that a client of that revision sends first
 */
export function probeRequest(revision: string, method?: ProbeRequest['method']): ProbeRequest {
  const asked = method ?? (isStateless(revision) ? 'server/discover' : 'initialize');
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (asked === 'initialize') {
    return {
      method: asked,
      headers,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: PROBE_ID,
        method: asked,
        params: { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT_INFO },
      }),
    };
  }
  return {
    method: asked,
    // Standard headers of the stateless wire: SEP-2575, SEP-2243.
    headers: { ...headers, 'mcp-protocol-version': revision, 'mcp-method': asked },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: PROBE_ID,
      method: asked,
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  };
}
