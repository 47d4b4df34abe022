import { bytes, takeWhole } from '../../shared/byte-budget.ts';
import { grouped } from '../../shared/grouped.ts';

/** A list within a text: its items are taken whole or not at all. */
export interface Part {
  readonly before?: string;
  readonly items: readonly string[];
  readonly separator: string;
  readonly after?: string;
  /** What to say of the number of items left out. */
  readonly more: (left: number) => string;
}

/** Markdown that is either always there (text) or may be cut (a part). */
export type Block = string | Part;

/** A piece of the issue that later runs can take over as it stands, when it has a key. */
export interface Section {
  readonly key?: string;
  readonly blocks: readonly Block[];
}

/**
 * Puts sections together within a number of bytes (never fewer than characters, so the limit of an issue's body holds
 * too). What is text stays; parts get what is left, each at most a share, so that no long list starves the rest.
 * @param open the comment that opens a section with a key, and the one that opens what belongs to none
 */
export function fitSections(
  sections: readonly Section[],
  max: number,
  open: (key: string) => string = () => '',
): string {
  const frame = sections.flatMap((section, index) => {
    const comment = section.key === undefined && index === 0 ? '' : open(section.key ?? '');
    return [...(comment === '' ? [] : [comment]), ...section.blocks];
  });
  const fixed = frame.reduce(
    (sum, block) =>
      sum +
      2 +
      (typeof block === 'string' ? bytes(block) : bytes(block.before ?? '') + bytes(block.after ?? '') + 4),
    0,
  );
  let left = max - fixed;
  let parts = frame.filter((block) => typeof block !== 'string' && block.items.length > 0).length;
  const texts = frame.flatMap((block) => {
    if (typeof block === 'string') return block === '' ? [] : [block];
    if (block.items.length === 0) return [];
    parts -= 1;
    const share = parts === 0 ? left : Math.floor(left * 0.6);
    const taken = takeWhole(block.items, share, block.separator, block.more);
    const text = taken.join(block.separator);
    left -= bytes(text);
    return [[block.before, text, block.after].filter((one) => one !== undefined && one !== '').join('\n\n')];
  });
  return texts.join('\n\n');
}

/** A Markdown list with its heading. */
export function list(before: string, items: readonly string[], what: string, after?: string): Part {
  return {
    before,
    items,
    separator: '\n',
    more: (left) => `- … and ${grouped(left)} more ${what}`,
    ...(after === undefined ? {} : { after }),
  };
}
