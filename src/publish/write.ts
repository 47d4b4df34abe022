import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { badge } from './badge.ts';
import { trendPoint } from './history/trend-point.ts';
import { renderJunit } from './junit.ts';
import { renderPage } from './page.ts';
import type { Publication } from './publication.ts';
import { sarif } from './sarif.ts';
import { renderSummary } from './summary.ts';

/** What is written for people and tools, and how each is made from the same publication. */
const OUTPUTS: Readonly<Record<string, (p: Publication) => string>> = {
  'summary.md': (p) => renderSummary(p),
  'report.html': renderPage,
  'junit.xml': renderJunit,
  'results.sarif': (p) => `${JSON.stringify(sarif(p), null, 2)}\n`,
  'trend.json': (p) => `${JSON.stringify(p.trend ?? [trendPoint(p.verdict)], null, 2)}\n`,
  'badge.json': (p) => `${JSON.stringify(badge(p.verdict), null, 2)}\n`,
};

/** Names of the files that `writePublication` writes. */
export const OUTPUT_FILES: readonly string[] = Object.keys(OUTPUTS);

/**
 * Writes summary.md, report.html, junit.xml, results.sarif, badge.json and trend.json, each atomically.
 * @param folder the report folder, which exists
 * @returns a warning for each file that could not be made or written; publishing never decides the verdict
 */
export async function writePublication(folder: string, p: Publication): Promise<string[]> {
  const warnings = await Promise.all(
    Object.entries(OUTPUTS).map(async ([name, render]) => {
      try {
        await writeFileAtomic(join(folder, name), render(p), 'utf8');
        return [];
      } catch (error) {
        return `${name} was not written: ${error instanceof Error ? error.message : String(error)}`;
      }
    }),
  );
  return warnings.flat();
}
