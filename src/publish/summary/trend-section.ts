import type { TrendPoint } from '../publication.ts';
import type { Section } from './section.ts';

/** Runs that a chart of this width can label. */
const MOST = 20;

/** The last runs as a mermaid chart: scored scenarios that passed, passed with an exception, and did not. */
export function trendSection(trend: readonly TrendPoint[]): Section {
  const points = trend.slice(-MOST);
  const labels = points.map((p, index) =>
    index === points.length - 1 ? '"this run"' : `"${p.run ?? p.at.slice(5, 10)}"`,
  );
  const top = Math.max(1, ...points.map((p) => p.passed + p.excepted + p.failing));
  const series = (pick: (p: TrendPoint) => number) => points.map(pick).join(', ');
  return {
    before: '### Trend',
    items: [
      [
        '```mermaid',
        '%%{init: {"themeVariables": {"xyChart": {"plotColorPalette": "#2da44e, #8250df"}}}}%%',
        'xychart-beta',
        '  title "Scored scenarios: passed (bars), settled with exceptions (upper line)"',
        `  x-axis [${labels.join(', ')}]`,
        `  y-axis "scenarios" 0 --> ${top}`,
        `  bar [${series((p) => p.passed)}]`,
        `  line [${series((p) => p.passed + p.excepted)}]`,
        '```',
      ].join('\n'),
    ],
    separator: '\n',
    after: '',
    glue: '\n\n',
    left: () => '',
  };
}
