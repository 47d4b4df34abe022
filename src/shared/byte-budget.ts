/** UTF-8 bytes of a text. */
export function bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/**
 * The longest beginning of a text that fits into a number of UTF-8 bytes, never cutting a character in two.
 * @param max bytes
 */
export function fitBytes(text: string, max: number): string {
  // A UTF-16 unit is at least one byte, so the first `max` units are enough to look at.
  const head = Buffer.from(text.slice(0, max), 'utf8');
  if (head.length <= max && text.length <= max) return text;
  let end = Math.min(max, head.length);
  // A byte 10xxxxxx continues a character: step back to where one begins.
  while (end > 0 && end < head.length && ((head[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return head.subarray(0, end).toString('utf8');
}

/**
 * Takes whole items while they fit, the first ones first.
 * @param max bytes for all items together, the separator's included
 * @param more what to say about the number of items left out; its bytes are part of `max`
 */
export function takeWhole(
  items: readonly string[],
  max: number,
  separator: string,
  more: (left: number) => string,
): string[] {
  const gap = bytes(separator);
  const taken: string[] = [];
  let used = 0;
  const sizes = items.map(bytes);
  const all = sizes.reduce((sum, size) => sum + size + gap, 0);
  if (all <= max + gap) return [...items];
  const reserve = bytes(more(items.length)) + gap;
  for (const [index, item] of items.entries()) {
    const cost = (sizes[index] ?? 0) + gap;
    if (used + cost + reserve > max) break;
    taken.push(item);
    used += cost;
  }
  const rest = more(items.length - taken.length);
  return bytes(rest) + used <= max ? [...taken, rest] : taken;
}
