import type { RefereeFacts } from '../../run/metadata.ts';
import { fitBytes } from '../../shared/byte-budget.ts';
import { markdownCode, markdownText } from '../../shared/escape-markdown.ts';
import type { Publication } from '../publication.ts';
import { seconds } from '../seconds.ts';

/** The foot: exactly what was measured, with what, when. */
export function provenance(p: Publication): string {
  const { verdict } = p;
  const { source } = verdict;
  const referees = new Map<string, RefereeFacts>();
  for (const { referee } of verdict.profiles)
    if (referee) referees.set(`${referee.pin} ${referee.lock}`, referee);
  const servers = new Set(
    verdict.profiles.flatMap(({ probe }) =>
      probe?.answered && probe.serverInfo
        ? [`${probe.serverInfo.name} ${probe.serverInfo.version ?? ''}`.trim()]
        : [],
    ),
  );
  const tested = [
    source.repository ? markdownText(source.repository) : '',
    source.commit ? `commit ${markdownCode(source.commit)}${source.dirty ? ' with local edits' : ''}` : '',
    source.ref ? `on ${markdownCode(source.ref)}` : '',
    servers.size > 0
      ? `server ${[...servers].map((name) => markdownCode(fitBytes(name, 200))).join(', ')}`
      : '',
  ].filter((part) => part !== '');
  const lines = [
    tested.length > 0 ? `Tested: ${tested.join(', ')}` : '',
    ...[...referees.values()].slice(0, 5).map(refereeLine),
    `${markdownText(verdict.tool.name)} ${markdownText(verdict.tool.version)}, finished ${verdict.timing.finishedAt} after ${seconds(verdict.timing.tookMs)}`,
  ].filter((line) => line !== '');
  return `---\n\n<sub>${lines.join('<br>\n')}</sub>`;
}

function refereeLine(facts: RefereeFacts): string {
  const parts = [
    `Referee: ${markdownCode(facts.pin)}`,
    facts.integrity ? markdownCode(facts.integrity) : '',
    facts.commit ? `commit ${markdownCode(facts.commit)}` : '',
    `lock ${markdownCode(facts.lock)}`,
    `Node ${markdownText(facts.node)}`,
    `cache ${facts.cache}, ready after ${seconds(facts.prepareMs)}`,
    facts.buildMs === undefined ? '' : `built in ${seconds(facts.buildMs)}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
