import type { CheckGroup } from '../evidence/evaluate-check.ts';
import type { Check } from '../reports/report.ts';
import type { Finding, FindingOf } from './finding.ts';
import { CLIENT_TIMED_OUT, type MeasuredScenario, type Measurement } from './measurement.ts';

/** What a check can say about the way to the target, or about the referee itself, instead of about the target's behaviour. */
export type Suspicion = 'scenario-timeout' | 'transport-failure' | 'harness-error';

/** What Node's fetch and sockets say when no answer came. */
const TRANSPORT =
  /(?:^|: )(?:fetch failed|terminated|other side closed|socket hang up|(?:connect|read|write) E[A-Z]+(?: \S+)?|getaddrinfo E[A-Z_]+ \S+)$/;
/** The referee's own words in front of it: "Failed: ", "tools/list request failed: ", "Expected a JSON-RPC error, got: ". */
const BY_THE_REFEREE = /(?:failed|error|missing|got|disconnected)[^:]*$/i;
/** An error that the target sent is an answer, whatever it says. */
const BY_THE_TARGET = /MCP error -?\d/;
/** Such messages are short; looking through a long one would only cost time. */
const LONGEST = 1_000;

/**
 * True for a whole message of the network stack, or one behind the referee's own prefix. An answer's text that merely
 * contains such words is none, nor is an error that the target sent ("MCP error -32603: fetch failed").
 */
function isTransportMessage(message: string): boolean {
  if (message.length > LONGEST || message.includes('\n')) return false;
  const found = TRANSPORT.exec(message);
  if (found === null) return false;
  const before = message.slice(0, found.index);
  return found.index === 0 || (BY_THE_REFEREE.test(before) && !BY_THE_TARGET.test(before));
}

/** @returns what makes the check's result doubtful, if anything does */
export function suspicionOf(group: CheckGroup): Suspicion | undefined {
  if (group.passed) return undefined;
  if (group.check === 'scenario-timeout' || group.check === CLIENT_TIMED_OUT) return 'scenario-timeout';
  if (group.check === 'wire-schema-harness-error') return 'harness-error';
  return group.occurrences.some(isTransport) ? 'transport-failure' : undefined;
}

const isTransport = (check: Check) =>
  check.status !== 'SUCCESS' && check.status !== 'INFO' && isTransportMessage(check.errorMessage ?? '');

/** A target is out of reach, not badly behaved, when at least this share of the scored scenarios says so. */
const SHARE = 0.8;
const AT_LEAST = 2;

/**
 * Recognises a target that nobody could reach or that never answered, from the reports alone: even then the referee reports
 * dozens of checks as passed, because nothing was there to contradict them.
 */
export function unreachable(measurement: Measurement): FindingOf<'target-unreachable'> | undefined {
  const scenarios = [...measurement.scenarios.values()];
  const scored = scenarios.filter((scenario) => scenario.scored);
  const considered = scored.length > 0 ? scored : scenarios;
  const told = considered.map(firstSuspect).filter((suspect) => suspect !== undefined);
  if (told.length < AT_LEAST || told.length < SHARE * considered.length) return undefined;
  const timeouts = told.filter(({ suspicion }) => suspicion === 'scenario-timeout').length;
  const [first] = told;
  return {
    kind: 'target-unreachable',
    reason: timeouts > told.length / 2 ? 'no-answer' : 'no-connection',
    scenarios: told.length,
    of: considered.length,
    message: first?.message ?? '',
  };
}

function firstSuspect({ groups }: MeasuredScenario): { suspicion: Suspicion; message: string } | undefined {
  for (const group of groups) {
    const suspicion = suspicionOf(group);
    if (suspicion === 'scenario-timeout' || suspicion === 'transport-failure') {
      return { suspicion, message: suspectMessage(group, suspicion) };
    }
  }
  return undefined;
}

/** The words of the occurrence that raised the suspicion. */
export function suspectMessage(group: CheckGroup, suspicion: Suspicion): string {
  const bad = group.occurrences.filter(({ status }) => status !== 'SUCCESS' && status !== 'INFO');
  const one = suspicion === 'transport-failure' ? bad.find(isTransport) : bad[0];
  return one?.errorMessage ?? one?.description ?? '';
}

/** The finding for a scenario whose result is in doubt. */
export function suspectFinding(
  suspicion: Suspicion,
  at: { profile: string; scenario: string; message: string },
): Finding {
  return { kind: suspicion, ...at };
}
