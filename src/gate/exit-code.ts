import type { Profile } from '../profile.ts';
import type { RefereeRun, RunMetadata } from '../run/metadata.ts';
import type { FindingOf } from './finding.ts';
import type { MeasuredScenario, Measurement } from './measurement.ts';

/**
 * Holds the referee's exit code against the reports: a referee that says 0 beside a scored FAILURE, or 1 without one, was
 * not understood or not read whole (src/index.ts and src/runner/client.ts upstream).
 *
 * - a requirement set: 1 when a scored scenario has a FAILURE
 * - a suite: 1 when any scenario has one
 * - one server scenario: 1 when it has one
 * - one client scenario: 1 when it has a FAILURE or WARNING; a client that timed out, or exited with an error that the
 *   scenario does not allow, is a FAILURE of its own (measurement.ts)
 */
export function exitCodeFindings(
  profile: Profile,
  metadata: RunMetadata,
  measurement: Measurement,
): FindingOf<'exit-code-disagrees'>[] {
  return metadata.runs.flatMap((run) => {
    // Other ends are not codes to agree with; they are `referee-crashed` and `profile-timeout`.
    if (run.timedOut || run.signal !== null || (run.exitCode !== 0 && run.exitCode !== 1)) return [];
    const alone = optionValue(run.argv, '--scenario');
    const expected = expectation(profile, alone, run, measurement);
    if (expected === undefined || expected.exitCode === run.exitCode) return [];
    return [
      {
        kind: 'exit-code-disagrees' as const,
        profile: profile.id,
        exitCode: run.exitCode,
        scoredFailures: expected.scenarios.filter(hasFailure).length,
        ...(alone === undefined ? {} : { scenario: alone }),
      },
    ];
  });
}

/** @returns the scenarios that a process speaks of, and the code that they explain; `undefined` when nothing is to be expected */
function expectation(
  profile: Profile,
  alone: string | undefined,
  run: RefereeRun,
  measurement: Measurement,
): { scenarios: readonly MeasuredScenario[]; exitCode: 0 | 1 } | undefined {
  if (alone === undefined) {
    // An extension profile shares the run of the required one, whose exit code speaks of other scenarios.
    if (profile.kind.endsWith('-extensions')) return undefined;
    const all = [...measurement.scenarios.values()];
    const counted = run.argv.includes('--suite') ? all : all.filter(({ scored }) => scored);
    return { scenarios: counted, exitCode: counted.some(hasFailure) ? 1 : 0 };
  }
  const scenario = measurement.scenarios.get(alone);
  // Its report is missing, which is a finding of its own.
  if (scenario === undefined) return undefined;
  const failed = hasFailure(scenario) || (profile.leg === 'client' && hasWarning(scenario));
  return { scenarios: [scenario], exitCode: failed ? 1 : 0 };
}

const hasStatus = ({ groups }: MeasuredScenario, status: string) =>
  groups.some(({ statuses }) => statuses.includes(status));
const hasFailure = (scenario: MeasuredScenario) => hasStatus(scenario, 'FAILURE');
const hasWarning = (scenario: MeasuredScenario) => hasStatus(scenario, 'WARNING');

function optionValue(argv: readonly string[], option: string): string | undefined {
  const inline = argv.find((argument) => argument.startsWith(`${option}=`));
  if (inline !== undefined) return inline.slice(option.length + 1);
  const index = argv.indexOf(option);
  return index === -1 ? undefined : argv[index + 1];
}
