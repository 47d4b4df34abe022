import { bytes } from '../../shared/byte-budget.ts';
import { type DriftReport, isMoved } from '../report.ts';
import type { Block, Section } from './section.ts';
import { block, code, plain } from './words.ts';

/** A patch up to this size is shown in the issue; a larger one is in the artifact only. */
const FOLDED_PATCH = 16_000;

/** The steps that adopt what moved. */
export function adoptSection(report: DriftReport): Section {
  const moved = report.sources.filter(isMoved);
  const candidate = moved.find((source) => source.watch.kind === 'referee')?.candidate;
  const others = moved.filter((source) => source.watch.kind !== 'referee');
  const { proposal, command } = report;
  const steps: string[] = [];
  if (report.needsLock) steps.push(`Lock its dependencies: ${code(`${command} referee pin ${candidate}`)}`);
  if (candidate !== undefined) {
    steps.push(`Set ${code(`referee: ${candidate}`)} in the configuration or the workflow.`);
    if (proposal !== undefined && proposal.patch !== '')
      steps.push(
        `Apply the proposed baseline, ${code(proposal.file)} of the report artifact, with ${code('git apply')}, and review each entry that has no ${code('reviewed')} date.`,
      );
  }
  const record = `${code(`${command} drift --adopt`)}, and commit ${code('upstream.json')}`;
  if (others.length > 0) steps.push(`Record what you have looked at: ${record}.`);
  const closing =
    candidate === undefined
      ? 'The next run closes this issue.'
      : `The next run with the new pin closes this issue. To pass ${code(candidate)} over instead, keep the pin, run ${record}.`;
  return {
    blocks: [
      '## How to adopt it',
      steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
      closing,
      ...patchBlocks(report),
    ],
  };
}

function patchBlocks({ proposal }: DriftReport): Block[] {
  if (proposal === undefined) return [];
  const notes = proposal.notes.map((note) => `- ${plain(note)}`).join('\n');
  if (proposal.patch === '') return [notes];
  if (bytes(proposal.patch) > FOLDED_PATCH) return [notes, 'The patch is too long to show here.'];
  return [
    notes,
    {
      items: [
        `<details><summary>Proposed baseline</summary>\n\n${block(proposal.patch, 'diff')}\n\n</details>`,
      ],
      separator: '\n',
      more: () => 'The patch is too long to show here.',
    },
  ];
}
