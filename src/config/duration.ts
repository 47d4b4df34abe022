import ms, { type StringValue } from 'ms';

/**
 * Reads a length of time that a person wrote.
 * @param text `60s`, `1.5m`, `500ms`; a bare number is seconds
 * @returns milliseconds, more than 0, or `undefined` when it is no such length
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^\d+(\.\d+)?\s*[a-z]*$/i.test(trimmed) || trimmed.length > 20) return undefined;
  const value = /[a-z]$/i.test(trimmed) ? ms(trimmed as StringValue) : Number(trimmed) * 1000;
  // setTimeout's limit is 2^31 - 1 ms (24.8 days); past it Node fires at once.
  return Number.isFinite(value) && value > 0 && value < 2 ** 31 ? Math.round(value) : undefined;
}
