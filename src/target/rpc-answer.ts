import { z } from 'zod';
import type { Probe } from '../run/metadata.ts';
import { PROBE_ID } from './wire.ts';

const rpcSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.unknown().optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number(), message: z.string().catch('') }).optional(),
});
type Rpc = z.infer<typeof rpcSchema>;

const implementationSchema = z.looseObject({ name: z.string(), version: z.string().optional() });
const capabilitiesSchema = z.record(z.string(), z.unknown());

/** What a probe learns from a JSON-RPC answer. */
export type Learnt = Pick<
  Extract<Probe, { answered: true }>,
  'protocolVersion' | 'serverInfo' | 'capabilities' | 'error'
>;

/**
 * Finds the answer to the probe in what came back. Any JSON-RPC response counts, one with a wrong id or inside a batch too:
 * such a server is non-conformant, not unreachable, and judging that is the referee's business.
 * @param message one parsed JSON value of the answer
 * @returns what it says, or undefined when it is no JSON-RPC response (a notification, a request, something else)
 */
export function learnFrom(message: unknown): Learnt | undefined {
  const responses = (Array.isArray(message) ? message : [message])
    .map((item) => rpcSchema.safeParse(item).data)
    .filter((item): item is Rpc => item !== undefined && (item.result ?? item.error) !== undefined);
  const response = responses.find((item) => item.id === PROBE_ID) ?? responses[0];
  if (!response) return undefined;
  if (response.error) {
    return { capabilities: null, error: { code: response.error.code, message: response.error.message } };
  }
  const result = response.result ?? {};
  const meta = capabilitiesSchema.safeParse(result._meta).data ?? {};
  const info = implementationSchema.safeParse(
    result.serverInfo ?? meta['io.modelcontextprotocol/serverInfo'],
  ).data;
  const version = z.string().safeParse(result.protocolVersion).data;
  return {
    capabilities: capabilitiesSchema.safeParse(result.capabilities).data ?? null,
    ...(info ? { serverInfo: info as NonNullable<Learnt['serverInfo']> } : {}),
    ...(version === undefined ? {} : { protocolVersion: version }),
  };
}

/** Takes the JSON values out of a server-sent event stream as its pieces arrive. */
export function eventReader(): { push(text: string): unknown[] } {
  let buffer = '';
  let data: string[] = [];
  return {
    push(text) {
      buffer += text;
      const lines = buffer.split(/\r\n|\n|\r(?!$)/);
      buffer = lines.pop() ?? '';
      const values: unknown[] = [];
      for (const line of lines) {
        if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
        if (line !== '' || data.length === 0) continue;
        const parsed = parseJson(data.join('\n'));
        if (parsed !== undefined) values.push(parsed);
        data = [];
      }
      return values;
    },
  };
}

/** @returns the value, or undefined when the text is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
