import { profilesOf } from '../../gate/finding.ts';
import { htmlText } from '../../shared/escape-html.ts';
import { grouped } from '../../shared/grouped.ts';
import { helpfulAccept } from '../accept-helps.ts';
import { groupFindings, subjectOf } from '../group-findings.ts';
import { plural } from '../plural.ts';
import type { Publication } from '../publication.ts';
import { diffWords } from './diff-words.ts';
import { pageFinding, show } from './page-data.ts';
import type { PageFinding } from './page-types.ts';
import { proseParts } from './prose-parts.ts';

/** Findings of one kind that the page writes out; each is in its scenario's drill-down too. */
const MOST_OF_A_KIND = 200;
/** Those that stand open; the rest is folded, so that a first run does not push everything else out of sight. */
const OPEN = 8;

/** Findings by cause, each with what to do. Empty when there are none. */
export function findingsHtml(p: Publication): string {
  const groups = groupFindings(p.verdict.findings);
  if (groups.length === 0) return '';
  const html = groups.map(({ title, level, findings }) => {
    const items = findings.slice(0, MOST_OF_A_KIND).map((finding) => {
      const { scenario, check } = subjectOf(finding);
      const shown = pageFinding(finding);
      const open = scenario !== undefined && finding.profile !== undefined;
      const about = scenario
        ? `<b>${htmlText(scenario)}</b>${check && check !== scenario ? `<span class="sep">›</span>${htmlText(check)}` : ''}`
        : `<b>${htmlText(shown.title)}</b>`;
      const target = open
        ? ` data-open="${htmlText(JSON.stringify([finding.profile ?? '', scenario ?? '', check ?? ''].map(show)))}"`
        : '';
      return `<li class="finding">
<div class="about">${open ? `<button type="button" class="link"${target}>${about}</button>` : about}${profilesOf(
        finding,
      )
        .map((profile) => ` <code class="profile">${htmlText(profile)}</code>`)
        .join('')}${shown.place ? ` <code class="place">${htmlText(shown.place)}</code>` : ''}</div>
${body(shown, scenario !== undefined)}${consequences(finding.consequences)}
</li>`;
    });
    const left = findings.length - items.length;
    if (left > 0) items.push(`<li class="more">… and ${plural(left, 'more finding')} of this kind</li>`);
    const remedies = [...new Set(findings.flatMap((finding) => pageFinding(finding).remedy))];
    return `<section class="group ${level}">
<h3><span class="count">${grouped(findings.length)}</span>${htmlText(title)}</h3>
${listHtml(items)}
${
  remedies.length > 0
    ? `<div class="remedy"><p>What to do</p><ul>${remedies
        .slice(0, 40)
        .map((line) => `<li>${proseHtml(line)}</li>`)
        .join('')}</ul></div>`
    : ''
}
</section>`;
  });
  const command = helpfulAccept(p);
  const accept =
    command === undefined
      ? ''
      : `<p class="accept">To write what differs into the baseline: <code>${htmlText(command)}</code></p>`;
  return `<section class="findings" aria-label="Findings"><h2>Findings</h2>${html.join('\n')}${accept}</section>`;
}

function listHtml(items: readonly string[]): string {
  const open = `<ul>${items.slice(0, OPEN).join('\n')}</ul>`;
  const folded = items.slice(OPEN);
  if (folded.length === 0) return open;
  return `${open}<details class="rest"><summary>${`${grouped(folded.length)} more`}</summary><ul>${folded.join('\n')}</ul></details>`;
}

function body(finding: PageFinding, withTitle: boolean): string {
  const title = withTitle ? `<p class="told">${htmlText(finding.title)}</p>` : '';
  const detail = finding.detail.slice(0, 40).join('\n');
  const diff = finding.diff ? `<pre class="diff">${diffHtml(finding.diff)}</pre>` : '';
  return `${title}${detail === '' ? '' : `<pre>${htmlText(detail)}</pre>`}${diff}`;
}

/** Words in which our own texts mark code with backticks. */
function proseHtml(sentence: string): string {
  return proseParts(sentence)
    .map(({ code, text }) => (code ? `<code>${htmlText(text)}</code>` : htmlText(text)))
    .join('');
}

function diffHtml(diff: string): string {
  return diffWords(diff)
    .map(({ kind, text }) => {
      if (kind === 'same') return htmlText(text);
      return kind === 'removed' ? `<del>${htmlText(text)}</del>` : `<ins>${htmlText(text)}</ins>`;
    })
    .join('');
}

function consequences(
  list: readonly { scenario: string; check: string; status?: string | undefined }[] = [],
): string {
  if (list.length === 0) return '';
  const items = list
    .slice(0, 500)
    .map(
      (ref) =>
        `<li>${htmlText(`${ref.scenario} › ${ref.check}${ref.status ? ` (${ref.status})` : ''}`)}</li>`,
    );
  return `<details><summary>${plural(list.length, 'check')} under this cause</summary><ul class="under">${items.join('')}</ul></details>`;
}
