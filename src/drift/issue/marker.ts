import { z } from 'zod';

/**
 * The hidden memory: an HTML comment at the beginning of our part of the body, and one at its end. Everything
 * outside belongs to people. The issue is found by this and by its author, never by its title.
 */
const KEY = 'mcp-conformance-gate:drift';
const END = `<!-- ${KEY}:end -->`;

const markerSchema = z.object({
  v: z.literal(1),
  /** The gate's name, when a repository has several. */
  name: z.string().optional(),
  /** The run that wrote this. An older one writes nothing. */
  run: z.object({ startedAt: z.iso.datetime(), id: z.string() }),
  /** As we wrote it: a title that is another one was changed by a person and stays. */
  title: z.string(),
  /** Of everything that matters in the block: the same means nothing to write. */
  fingerprint: z.string(),
  /** What had moved, by source. */
  moved: z.record(z.string(), z.object({ from: z.string(), to: z.string() })),
  /** Fingerprint of the trial shown, and what was tried. */
  trial: z.object({ candidate: z.string(), current: z.string(), fingerprint: z.string() }).optional(),
  /** We closed it as resolved. Open all the same: a person reopened it. */
  closed: z.boolean().optional(),
  /** A person reopened it once: it is never closed for them again. */
  keep: z.boolean().optional(),
});
export type Marker = z.infer<typeof markerSchema>;

/** Our part of a body, and what people wrote around it. */
export interface ParsedBody {
  readonly before: string;
  readonly after: string;
  /** `undefined` when its content was damaged; the part is still ours. */
  readonly marker: Marker | undefined;
  /** Sections of our part by their key, as they were written. */
  readonly sections: Readonly<Record<string, string>>;
}

const BEGIN = new RegExp(`<!-- ${KEY}(?: name=([^ ]+))? (\\{[^\\n]*\\}) -->`);
const SECTION = new RegExp(`<!-- ${KEY}:section ([^ ]*) -->\\r?\\n`, 'g');

/** Foreign text that would be read as one of our comments is broken with a space that shows nothing. */
export function withoutMarkers(text: string): string {
  return text.replaceAll(KEY, `${KEY.slice(0, -6)}\u200b:drift`);
}

/**
 * @param name the gate's name; another gate's part is not ours
 * @returns `undefined` when the body has no part of ours
 */
export function parseBody(body: string, name: string | undefined): ParsedBody | undefined {
  const begin = BEGIN.exec(body);
  if (begin === null || begin[1] !== (name === undefined ? undefined : encodeURIComponent(name)))
    return undefined;
  const start = begin.index + begin[0].length;
  const end = body.indexOf(END, start);
  // Without its end nobody can tell ours from theirs: then only the comment is ours, and nothing of theirs is lost.
  const ours = end < 0 ? '' : body.slice(start, end);
  return {
    before: body.slice(0, begin.index),
    after: end < 0 ? body.slice(start) : body.slice(end + END.length),
    marker: parseMarker(begin[2] ?? ''),
    sections: sectionsOf(ours),
  };
}

function parseMarker(text: string): Marker | undefined {
  try {
    const parsed = markerSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

function sectionsOf(text: string): Record<string, string> {
  const sections: Record<string, string> = {};
  const found = [...text.matchAll(SECTION)];
  for (const [index, match] of found.entries()) {
    const start = match.index + match[0].length;
    const end = found[index + 1]?.index ?? text.length;
    sections[decodeURIComponent(match[1] ?? '')] = text.slice(start, end).trim();
  }
  return sections;
}

/** Opens a section that later runs can take over as it stands. The nameless section ends one. */
export function sectionComment(key: string): string {
  return `<!-- ${KEY}:section ${encodeURIComponent(key)} -->`;
}

/** @returns the first line of our part */
export function beginComment(marker: Marker): string {
  const name = marker.name === undefined ? '' : ` name=${encodeURIComponent(marker.name)}`;
  // Nothing in the JSON may end the comment.
  const json = JSON.stringify(marker).replace(/[<>]|--/g, (text) =>
    [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
  return `<!-- ${KEY}${name} ${json} -->`;
}

/** @returns our part, ready to stand in a body */
export function formatBlock(marker: Marker, content: string): string {
  return `${beginComment(marker)}\n${content.trim()}\n${END}`;
}

/** @returns the body with our part replaced, or appended to what people wrote */
export function placeBlock(parsed: Pick<ParsedBody, 'before' | 'after'> | undefined, block: string): string {
  return parsed === undefined ? block : `${parsed.before}${block}${parsed.after}`;
}
