import type { ProfileVerdict } from '../../gate/verdict.ts';
import { htmlText } from '../../shared/escape-html.ts';
import { grouped } from '../../shared/grouped.ts';
import { plural } from '../plural.ts';
import type { Publication } from '../publication.ts';
import { pageIndex } from './page-data.ts';
import type { CellResult } from './page-types.ts';

/** Order and words of the results, as every part of the page shows them. */
export const RESULTS: readonly (readonly [CellResult, string])[] = [
  ['passed', 'passed'],
  ['excepted', 'excepted'],
  ['finding', 'with findings'],
  ['not-measured', 'not measured'],
  ['not-scored-passed', 'not scored, passed'],
  ['not-scored-failing', 'not scored, failing'],
  ['not-evaluated', 'not evaluated'],
];

/** Tiles up to this number are drawn larger. */
const FEW = 100;

/** A card for each profile: how many of what, and one tile for each scenario. */
export function profilesHtml(p: Publication): string {
  const { rows } = pageIndex(p);
  const cards = p.verdict.profiles.map((profile, column) => {
    const tiles = rows.flatMap(({ c }, row) => {
      const cell = c[column];
      return cell ? [`<i class="t r-${cell.r}" data-at="${row},${column}"></i>`] : [];
    });
    return `<section class="card ${profile.outcome}">
<h3><code>${htmlText(profile.profile)}</code><span class="pill ${profile.outcome}">${profile.outcome}</span></h3>
${bar(profile)}
<div class="tiles${tiles.length <= FEW ? ' few' : ''}" aria-hidden="true">${tiles.join('')}</div>
${exceptions(profile)}${notes(profile)}
</section>`;
  });
  return `<section class="profiles" aria-label="Profiles"><h2>Profiles</h2><div class="cards">${cards.join('\n')}</div></section>`;
}

function bar(profile: ProfileVerdict): string {
  const counted = RESULTS.map(
    ([result, word]) => [result, word, profile.scenarios.filter((s) => s.result === result).length] as const,
  ).filter(([, , count]) => count > 0);
  const total = profile.scenarios.length || 1;
  let x = 0;
  const parts = counted.map(([result, , count]) => {
    const width = (count / total) * 1000;
    const rect = `<rect class="f-${result}" x="${x.toFixed(1)}" width="${Math.max(0, width - 3).toFixed(1)}" height="10" rx="2"/>`;
    x += width;
    return rect;
  });
  const legend = counted.map(
    ([result, word, count]) => `<li><i class="t r-${result}"></i><b>${grouped(count)}</b> ${word}</li>`,
  );
  return `<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">${parts.join('')}</svg>
<ul class="legend">${legend.join('')}</ul>`;
}

function exceptions({ counts }: ProfileVerdict): string {
  const classes = Object.entries(counts.exceptions).filter(([, count]) => count > 0);
  if (classes.length === 0) return '';
  const items = classes.map(([name, count]) => `<li><b>${count}</b> ${htmlText(name)}</li>`);
  return `<p class="small">Exceptions by class</p><ul class="classes">${items.join('')}</ul>`;
}

function notes({ notes: list, newChecks, notEvaluated }: ProfileVerdict): string {
  const lines = [
    ...list.slice(0, 20),
    ...(list.length > 20 ? [plural(list.length - 20, 'more note')] : []),
    ...(newChecks.length > 0
      ? [`${plural(newChecks.length, 'passing check')} that the inventory does not know yet.`]
      : []),
    ...(notEvaluated.length > 0
      ? [`${plural(notEvaluated.length, 'exception')} of scenarios that did not run: not evaluated.`]
      : []),
  ];
  if (lines.length === 0) return '';
  return `<ul class="notes">${lines.map((line) => `<li>${htmlText(line.slice(0, 600))}</li>`).join('')}</ul>`;
}
