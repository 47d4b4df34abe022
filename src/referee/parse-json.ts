/** @returns what the text says, or `undefined` when it is not JSON; a schema then says what was wanted */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
