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
 * - one client scenario: 1 when it has a FAILURE or WARNING, or the client timed out or exited with an error that the
 *   scenario does not allow
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
    const { scenarios, expected } = expectation(profile, alone, run, metadata, measurement);
    if (expected === undefined || expected === run.exitCode) return [];
    return [
      {
        kind: 'exit-code-disagrees' as const,
        profile: profile.id,
        exitCode: run.exitCode,
        scoredFailures: scenarios.filter(hasFailure).length,
        ...(alone === undefined ? {} : { scenario: alone }),
      },
    ];
  });
}

function expectation(
  profile: Profile,
  alone: string | undefined,
  run: RefereeRun,
  metadata: RunMetadata,
  measurement: Measurement,
): { scenarios: MeasuredScenario[]; expected: 0 | 1 | undefined } {
  const all = [...measurement.scenarios.values()];
  // An extension profile shares the run of the required one, whose exit code speaks of other scenarios.
  if (alone === undefined && profile.kind.endsWith('-extensions'))
    return { scenarios: [], expected: undefined };
  if (alone === undefined) {
    const counted = run.argv.includes('--suite') ? all : all.filter(({ scored }) => scored);
    return { scenarios: counted, expected: counted.some(hasFailure) ? 1 : 0 };
  }
  const scenario = measurement.scenarios.get(alone);
  // Its report is missing, which is a finding of its own.
  if (scenario === undefined) return { scenarios: [], expected: undefined };
  if (profile.leg === 'server' || scenario.report.origin === 'thrown') {
    return { scenarios: [scenario], expected: hasFailure(scenario) ? 1 : 0 };
  }
  const end = metadata.clients?.find((client) => client.scenario === alone);
  // Whether the scenario allows its client to fail is known only to the referee.
  const undecided = end !== undefined && !end.timedOut && end.exitCode !== 0 && end.allowed === undefined;
  const expected = hasFailure(scenario) || hasWarning(scenario) ? 1 : undecided ? undefined : 0;
  return { scenarios: [scenario], expected };
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
