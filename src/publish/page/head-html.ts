import { htmlText } from '../../shared/escape-html.ts';
import type { Publication } from '../publication.ts';
import { seconds } from '../seconds.ts';
import { icon } from './icons.ts';

/** Verdict, what was measured and with what, in one look. */
export function headHtml(p: Publication): string {
  const { verdict } = p;
  const { source } = verdict;
  const referees = new Set(verdict.profiles.flatMap(({ referee }) => (referee ? [referee.pin] : [])));
  const servers = new Set(
    verdict.profiles.flatMap(({ probe }) =>
      probe?.answered && probe.serverInfo
        ? [`${probe.serverInfo.name} ${probe.serverInfo.version ?? ''}`.trim()]
        : [],
    ),
  );
  const facts: readonly (readonly [string, string, string?])[] = [
    ...(source.repository ? [['Repository', source.repository] as const] : []),
    ...(source.commit
      ? [
          [
            'Commit',
            source.commit.slice(0, 10) + (source.dirty ? ' + local edits' : ''),
            source.commit,
          ] as const,
        ]
      : []),
    ...(source.ref ? [['Ref', source.ref.replace(/^refs\/(heads|tags)\//, '')] as const] : []),
    ...(servers.size > 0 ? [['Server', [...servers].join(', ')] as const] : []),
    ...(referees.size > 0 ? [['Referee', [...referees].join(', ')] as const] : []),
    ['Finished', `${verdict.timing.finishedAt.slice(0, 16).replace('T', ' ')} UTC`],
    ['Took', seconds(verdict.timing.tookMs)],
  ];
  return `<header class="hero ${verdict.outcome}">
<div class="sign">${icon(verdict.outcome)}</div>
<div>
<p class="outcome">${verdict.outcome}</p>
<h1>${htmlText(verdict.headline)}</h1>
<dl class="facts">${facts
    .map(
      ([name, value, full]) =>
        `<div><dt>${name}</dt><dd${full ? ` title="${htmlText(full)}"` : ''}>${htmlText(value.slice(0, 300))}</dd></div>`,
    )
    .join('')}</dl>
</div>
</header>`;
}
