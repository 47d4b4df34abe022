/** A chapter of the protocol: the words that upstream uses for it, and what people call files about it. */
export interface Topic {
  readonly when: readonly string[];
  /** Whole words in a local file's path; the words of `when` count too. */
  readonly names: readonly string[];
}

/**
 * Topics of the protocol: what the specification's chapters, the schema's types and the referee's scenarios are named
 * after. Used when the configuration names no `ownership`.
 */
export const DEFAULT_TOPICS: readonly Topic[] = [
  { when: ['authorization', 'oauth', 'bearer', 'token', 'scope', 'PKCE'], names: ['auth', 'oidc', 'jwt'] },
  {
    when: ['transport', 'streamable', 'SSE', 'session', 'header', 'stdio'],
    names: ['http', 'headers', 'sessions'],
  },
  {
    when: ['lifecycle', 'initialize', 'discover', 'capabilities', 'version negotiation', 'stateless'],
    names: ['init', 'handshake', 'capability'],
  },
  { when: ['tool'], names: ['tools'] },
  { when: ['resource', 'template'], names: ['resources', 'templates'] },
  { when: ['prompt'], names: ['prompts'] },
  { when: ['completion'], names: ['complete', 'completions'] },
  { when: ['sampling', 'elicitation', 'roots', 'input required', 'MRTR'], names: ['elicit', 'sample'] },
  { when: ['task'], names: ['tasks'] },
  { when: ['logging', 'log level'], names: ['log', 'logger'] },
  { when: ['progress', 'cancel'], names: ['cancellation', 'abort'] },
  { when: ['pagination', 'cursor'], names: ['paginate', 'paging'] },
  {
    when: ['subscription', 'subscribe', 'list changed', 'notification'],
    names: ['subscriptions', 'notifications', 'notify'],
  },
  { when: ['schema', 'JSON-RPC', 'error code'], names: ['schemas', 'jsonrpc', 'errors', 'types'] },
  { when: ['security', 'origin', 'rebinding'], names: ['cors', 'hosts'] },
];
