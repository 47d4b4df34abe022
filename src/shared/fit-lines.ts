import { bytes, fitBytes } from './byte-budget.ts';
import { grouped } from './grouped.ts';

/**
 * A text of lines within a number of bytes: whole lines as long as they fit, then how much is missing. A single line that
 * is too long is cut at a whole character.
 * @param max bytes, the note's included
 */
export function fitLines(text: string, max: number): string {
  if (bytes(text) <= max) return text;
  const room = Math.max(0, max - 60);
  const head = fitBytes(text, room);
  const end = head.lastIndexOf('\n');
  // A cut inside the first line, or one that would throw most of it away, stays inside the line.
  const kept = end > room / 2 ? head.slice(0, end) : head;
  return `${kept}\n… ${grouped(bytes(text) - bytes(kept))} more bytes`;
}
