import { bytes } from '../../shared/byte-budget.ts';
import type { DriftReport } from '../report.ts';
import { adoptSteps, type Sentence } from './adopt-steps.ts';
import type { Block, Section } from './section.ts';
import { block, code, plain } from './words.ts';

/** A patch up to this size is shown in the issue; a larger one is in the report folder only. */
const FOLDED_PATCH = 16_000;

/** The steps that adopt what moved. */
export function adoptSection(report: DriftReport): Section {
  const { steps, closing } = adoptSteps(report);
  return {
    blocks: [
      '## How to adopt it',
      steps.map((step, index) => `${index + 1}. ${markdown(step)}`).join('\n'),
      markdown(closing),
      ...patchBlocks(report),
    ],
  };
}

/** Our own words stay as they are; what they quote is foreign. */
function markdown(sentence: Sentence): string {
  return sentence.map((part) => (typeof part === 'string' ? part : code(part.code))).join('');
}

function patchBlocks({ proposal }: DriftReport): Block[] {
  if (proposal === undefined) return [];
  const notes = proposal.notes.map((note) => `- ${plain(note)}`).join('\n');
  if (proposal.patch === '') return [notes];
  const tooLong = `The proposed baseline is too long to show here; see ${code(proposal.file)} of the report folder.`;
  if (bytes(proposal.patch) > FOLDED_PATCH) return [notes, tooLong];
  return [
    notes,
    {
      items: [
        `<details><summary>Proposed baseline</summary>\n\n${block(proposal.patch, 'diff')}\n\n</details>`,
      ],
      separator: '\n',
      more: () => tooLong,
    },
  ];
}
