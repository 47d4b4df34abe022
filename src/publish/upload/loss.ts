/** Why a report did not get into an artifact. */
export type LossReason =
  | 'nothing-to-upload'
  | 'not-on-this-server'
  | 'no-runtime-token'
  | 'name-taken'
  | 'forbidden'
  | 'quota'
  | 'network'
  | 'timeout'
  | 'other';

/**
 * Reads the reason out of what @actions/artifact throws. Its own error classes have names; answers of the service come as
 * `Failed to CreateArtifact: Received non-retryable error: Failed request: (409) Conflict: …`, Azure's with `statusCode`.
 */
export function lossOf(error: unknown): LossReason {
  const { name, message, code, statusCode } = shapeOf(error);
  if (name === 'DeadlineError') return 'timeout';
  if (name === 'GHESNotSupportedError') return 'not-on-this-server';
  if (name === 'FilesNotFoundError') return 'nothing-to-upload';
  if (name === 'UsageError' || message.includes('Artifact storage quota')) return 'quota';
  if (/Unable to get the ACTIONS_\w+ env variable|JWT token is invalid/.test(message))
    return 'no-runtime-token';
  if (message.includes('Upload progress stalled')) return 'timeout';
  const status = statusCode ?? Number(/Failed request: \((\d{3})\)/.exec(message)?.[1]);
  if (status === 409) return 'name-taken';
  if (status === 401 || status === 403) return 'forbidden';
  if (name === 'NetworkError' || name === 'RestError' || code?.startsWith('E') || status >= 500)
    return 'network';
  if (/after \d+ attempts|socket hang up|Unable to make request/.test(message)) return 'network';
  return 'other';
}

function shapeOf(error: unknown): { name: string; message: string; code?: string; statusCode?: number } {
  if (!(error instanceof Error)) return { name: '', message: String(error) };
  const { code, statusCode } = error as Error & { code?: unknown; statusCode?: unknown };
  return {
    name: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof statusCode === 'number' ? { statusCode } : {}),
  };
}
