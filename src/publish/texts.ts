import type { Finding } from '../gate/finding.ts';
import { type FindingText, textOf } from '../gate/texts.ts';

/** The words for a finding: plain text lines, nothing escaped. */
export type TextOf = (finding: Finding) => FindingText;

/** The gate's own table of words, for those who take the words as an argument. */
export const plainTextOf: TextOf = textOf;
