import * as core from '@actions/core';
import { type Verdict, verdictSchema } from '../gate/verdict.ts';
import { verdictDoubt } from '../gate/verdict-doubt.ts';
import { setOutputs } from '../publish/set-outputs.ts';
import { oneLine } from '../shared/escape-controls.ts';
import { escapeLog } from '../shared/escape-log.ts';
import { readRegularText } from '../shared/read-regular-file.ts';

/**
 * The last step: turns the verdict into the job's result. Only a verdict file that the gate step itself named counts, because
 * a verdict.json of an earlier run on the same disk proves nothing. Without one the answer is inconclusive, and fails.
 */
export async function verdictStep(): Promise<void> {
  const found = await readVerdict(core.getInput('verdict-file'));
  if (typeof found === 'string') {
    const status = core.getInput('gate-status');
    const headline = `Inconclusive: the gate step ended without a verdict${status ? ` (${status})` : ''}. ${found}`;
    report('inconclusive', 'setup', '0');
    if (core.getInput('summary') !== 'false') await addToSummary(headline);
    core.setFailed(headline);
    return;
  }
  report(found.outcome, found.outcomeClass, String(found.findings.length));
  const headline = escapeLog(oneLine(found.headline));
  if (found.outcome === 'pass') core.info(headline);
  else core.setFailed(headline);
  if (core.getInput('drift-failed') === 'true')
    core.setFailed('Upstream moved, and fail-on-drift asks to fail for it.');
}

async function readVerdict(file: string): Promise<Verdict | string> {
  if (file === '')
    return 'See the log of the gate step; evidence so far is in the artifact, if it had begun to measure.';
  try {
    const parsed = verdictSchema.safeParse(JSON.parse(await readRegularText(file)));
    if (!parsed.success) return 'Its verdict file is not of the form that this version writes.';
    return doubt(parsed.data) ?? parsed.data;
  } catch (error) {
    return `Its verdict file cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The file lies where the target's processes can write; what the gate step itself put out does not. */
function doubt(verdict: Verdict): string | undefined {
  const [status, told] = [core.getInput('gate-status'), core.getInput('outcome')];
  if (status !== '' && status !== 'success') return 'The gate step did not end in success.';
  if (told !== '' && told !== verdict.outcome) {
    return `Its verdict file says ${verdict.outcome}, but the gate step said ${oneLine(told)}.`;
  }
  return verdictDoubt(verdict);
}

function report(outcome: string, outcomeClass: string, findings: string): void {
  for (const text of setOutputs({ outcome, 'outcome-class': outcomeClass, findings })) core.warning(text);
}

async function addToSummary(headline: string): Promise<void> {
  try {
    await core.summary.addRaw(`**${escapeLog(headline)}**`, true).write();
  } catch {
    // The log has the sentence; a summary that cannot be written changes nothing.
  }
}
