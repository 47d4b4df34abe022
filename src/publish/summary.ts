import { bytes, fitBytes, takeWhole } from '../shared/byte-budget.ts';
import { markdownText } from '../shared/escape-markdown.ts';
import { OUTCOME_SIGNS } from './outcome-signs.ts';
import type { Publication } from './publication.ts';
import { comparisonSection } from './summary/comparison-section.ts';
import { detailSections } from './summary/detail-sections.ts';
import { findingSections } from './summary/finding-sections.ts';
import { profileSection } from './summary/profile-section.ts';
import { provenance } from './summary/provenance.ts';
import type { Section } from './summary/section.ts';
import { trendSection } from './summary/trend-section.ts';

/** The runner drops a step's summary whole when it is larger. */
export const SUMMARY_LIMIT = 1024 * 1024;

/**
 * The job summary: the verdict in its first line, then what to do about it, then everything else.
 * @param options.maxBytes UTF-8 bytes of the whole; longer content is cut at whole items, with a count of what was left out
 * @returns GitHub-flavoured Markdown; text from the referee and the server in it is neutralised
 */
export function renderSummary(
  p: Publication,
  { maxBytes = SUMMARY_LIMIT }: { maxBytes?: number } = {},
): string {
  const { verdict } = p;
  const name = verdict.name ? `${markdownText(fitBytes(verdict.name, 200))}: ` : '';
  const head = `## ${OUTCOME_SIGNS[verdict.outcome].sign} ${name}${markdownText(fitBytes(verdict.headline, 2000))}`;
  const foot = provenance(p);
  // Shares of what is left when a section's turn comes, so that a huge early section cannot starve the later ones.
  const sections: readonly (readonly [Section, number])[] = [
    ...findingSections(p).map((section) => [section, 0.5] as const),
    ...(p.comparison ? [[comparisonSection(p.comparison), 0.3] as const] : []),
    [profileSection(verdict), 0.5],
    ...(p.trend && p.trend.length > 1 ? [[trendSection(p.trend), 0.5] as const] : []),
    ...detailSections(p).map((section) => [section, 0.5] as const),
  ];
  let left = maxBytes - bytes(head) - bytes(foot) - 8;
  const parts = [head];
  for (const [section, share] of sections) {
    const text = renderSection(section, Math.floor(left * share));
    if (text === undefined) continue;
    parts.push(text);
    left -= bytes(text) + 2;
  }
  return `${[...parts, foot].join('\n\n')}\n`;
}

/** A section within its bytes; undefined when not even one item fits. */
function renderSection(section: Section, max: number): string | undefined {
  const { before, items, separator, after, left } = section;
  const frame = bytes(before) + bytes(after) + 4;
  const taken = takeWhole(items, max - frame, separator, left);
  if (taken.length === 0 || max <= frame) return undefined;
  return [before, taken.join(separator), after].filter((part) => part !== '').join(section.glue);
}
