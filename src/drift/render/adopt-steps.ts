import { type DriftReport, isMoved } from '../report.ts';

/** A sentence whose parts in `code` are commands, names and values. */
export type Sentence = readonly (string | { readonly code: string })[];

const code = (text: string) => ({ code: text });

/** What a person does to adopt what moved, in order; and how the issue closes, or a candidate is passed over. */
export function adoptSteps(report: DriftReport): { steps: Sentence[]; closing: Sentence } {
  const moved = report.sources.filter(isMoved);
  const candidate = moved.find((source) => source.watch.kind === 'referee')?.candidate;
  const others = moved.some((source) => source.watch.kind !== 'referee');
  const { proposal, command } = report;
  const record = [code(`${command} drift --adopt`), ', and commit ', code('upstream.json')] as const;
  const steps: Sentence[] = [];
  if (candidate !== undefined) {
    if (report.needsLock)
      steps.push(['Lock its dependencies: ', code(`${command} referee pin ${candidate}`), '.']);
    steps.push(['Set ', code(`referee: ${candidate}`), ' in the configuration or the workflow.']);
    if (proposal !== undefined && proposal.patch !== '')
      steps.push([
        'Apply the proposed baseline, ',
        code(proposal.file),
        ' of the report folder, with ',
        code('git apply'),
        ', and review each entry that has no ',
        code('reviewed'),
        ' date.',
      ]);
  }
  if (others) steps.push(['Record what you have looked at: ', ...record, '.']);
  const closing: Sentence =
    candidate === undefined
      ? ['The next run closes this issue.']
      : [
          'The next run with the new pin closes this issue. To pass ',
          code(candidate),
          ' over instead, keep the pin, run ',
          ...record,
          '.',
        ];
  return { steps, closing };
}
