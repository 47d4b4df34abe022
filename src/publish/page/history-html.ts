import { htmlText } from '../../shared/escape-html.ts';
import { plural } from '../plural.ts';
import type { Change, Comparison, Publication, TrendPoint } from '../publication.ts';
import { show } from './page-data.ts';

const MOST_CHANGES = 300;
const WORDS: Readonly<Record<Change['kind'], string>> = {
  broke: 'broke',
  mended: 'mended',
  status: 'other status',
  evidence: 'other evidence',
  appeared: 'new',
  vanished: 'gone',
  disposition: 'judged otherwise',
};

/** Trend and what changed since the run that this one is compared with; empty without either. */
export function historyHtml(p: Publication): string {
  const parts = [
    p.trend && p.trend.length > 1 ? trendHtml(p.trend) : '',
    p.comparison ? comparisonHtml(p.comparison) : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `<div class="history">${parts.join('\n')}</div>`;
}

const web = (url: string | undefined): url is string =>
  url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

function link(label: string, url: string | undefined): string {
  return web(url)
    ? `<a href="${htmlText(new URL(url).href)}" rel="noopener noreferrer">${htmlText(label)}</a>`
    : htmlText(label);
}

function comparisonHtml(comparison: Comparison): string {
  if (!comparison.found)
    return `<section class="card compare"><h2>What changed</h2><p class="muted">${htmlText(comparison.note)}</p></section>`;
  const { changes, moved } = comparison;
  const rows = changes
    .slice(0, MOST_CHANGES)
    .map(
      (c) =>
        `<li><span class="change ${c.kind}">${WORDS[c.kind]}</span><button type="button" class="link" data-open="${htmlText(JSON.stringify([c.profile, c.scenario, c.check].map(show)))}">${htmlText(c.check)}</button> <code class="profile">${htmlText(c.profile)}</code><span class="muted">${side(c.before)} → ${side(c.now)}</span></li>`,
    );
  if (changes.length > MOST_CHANGES)
    rows.push(`<li class="more">… and ${plural(changes.length - MOST_CHANGES, 'more change')}</li>`);
  return `<section class="card compare"><h2>What changed</h2>
<p class="muted">since ${link(comparison.with, comparison.url)}, ${comparison.at.slice(0, 10)}</p>
${moved.length > 0 ? `<dl class="moved">${moved.map((m) => `<div><dt>${htmlText(m.what)}</dt><dd><code>${htmlText(m.from)}</code> → <code>${htmlText(m.to)}</code></dd></div>`).join('')}</dl>` : ''}
${rows.length > 0 ? `<ul class="changes">${rows.join('\n')}</ul>` : '<p>No check changed.</p>'}</section>`;
}

const side = (s: Change['before']): string =>
  s ? htmlText([...new Set(s.statuses)].join(', ').toLowerCase()) : '—';

/** Stacked columns, one for each run, drawn with attributes alone. */
function trendHtml(trend: readonly TrendPoint[]): string {
  const points = trend.slice(-30);
  const top = Math.max(1, ...points.map((p) => p.passed + p.excepted + p.failing));
  const [width, height] = [36, 120];
  const columns = points.map((p, i) => {
    const x = i * width + 4;
    let y = height;
    const bars = (
      [
        ['passed', p.passed],
        ['excepted', p.excepted],
        ['finding', p.failing],
      ] as const
    ).map(([r, n]) => {
      const h = (n / top) * height;
      y -= h;
      return h > 0
        ? `<rect class="f-${r}" x="${x}" y="${(y + 1).toFixed(1)}" width="${width - 8}" height="${Math.max(0.5, h - 1).toFixed(1)}" rx="2"/>`
        : '';
    });
    const label = i === points.length - 1 ? 'now' : p.run === undefined ? p.at.slice(5, 10) : `#${p.run}`;
    const mark =
      p.outcome === 'inconclusive'
        ? `<text class="mark" x="${x + width / 2 - 4}" y="${height - 8}">?</text>`
        : '';
    const title = `${label}: ${p.outcome}, ${p.passed} passed, ${p.excepted} excepted, ${p.failing} failing`;
    return `<g><title>${htmlText(title)}</title><rect class="hit" x="${x - 4}" y="0" width="${width}" height="${height + 24}"/>${bars.join('')}${mark}<text class="label" x="${x + width / 2 - 4}" y="${height + 16}">${htmlText(label)}</text></g>`;
  });
  return `<section class="card trend"><h2>Trend</h2>
<svg viewBox="0 0 ${points.length * width} ${height + 24}" role="img" aria-label="Scored scenarios of the last ${points.length} runs">${columns.join('')}</svg>
<p class="muted">Scored scenarios of the last ${plural(points.length, 'run')}: passed, excepted, with findings.</p></section>`;
}
