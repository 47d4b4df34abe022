/**
 * Topics of the protocol, as groups of words: what the specification's chapters, the schema's types and the referee's
 * scenarios are named after. Used when the configuration names no `ownership`.
 */
export const DEFAULT_TOPICS: readonly (readonly string[])[] = [
  ['authorization', 'oauth', 'bearer', 'token', 'scope', 'PKCE'],
  ['transport', 'streamable', 'SSE', 'session', 'header', 'stdio'],
  ['lifecycle', 'initialize', 'discover', 'capabilities', 'version negotiation', 'stateless'],
  ['tool'],
  ['resource', 'template'],
  ['prompt'],
  ['completion'],
  ['sampling', 'elicitation', 'roots', 'input required', 'MRTR'],
  ['task'],
  ['logging', 'log level'],
  ['progress', 'cancel'],
  ['pagination', 'cursor'],
  ['subscription', 'subscribe', 'list changed', 'notification'],
  ['schema', 'JSON-RPC', 'error code'],
  ['security', 'origin', 'rebinding'],
];
