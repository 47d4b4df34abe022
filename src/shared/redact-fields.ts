import type { Redactor } from './redact.ts';

/**
 * Members that hold the gate's and the referee's own words in metadata.json, verdict.json and the results of checks: names,
 * enumerations, times, versions, file names. A secret that happens to be such a word ("pass", "2026") must not break them.
 */
const OWN = new Set(
  `profile slug kind at from to startedAt finishedAt scenario scored only notRun alsoIn check file folder folders method
  reason purpose pin version integrity commit ref repository lock requirements node cache os arch signal when why name
  outcome outcomeClass headline result status statuses expected first again disposition fingerprint expires reviewed running
  nearest class id tool source specReferences`.split(/\s+/),
);

/** Arguments of the referee behind which a foreign text stands; the others select scenarios and are read again. */
const FOREIGN_ARGUMENTS = new Set(['--url', '--command']);

/** Members that hold what the target said, as it said it. */
const FOREIGN = new Set(['capabilities', 'serverInfo', 'occurrences']);

/**
 * Redacts a record of the gate's own. Members, numbers, and the words of the gate and the referee stay, so that it still fits
 * its schema; every other text is redacted.
 * @param value metadata, a finding, a verdict, results of checks
 * @returns a deep copy without secrets
 */
export function redactFields<T>(value: T, redactor: Redactor): T {
  return redactor.active ? (walk(value, redactor) as T) : value;
}

function walk(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redactor.text(value);
  if (Array.isArray(value)) return value.map((item) => walk(item, redactor));
  if (value === null || typeof value !== 'object') return value;
  const object = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(object).map(([key, inner]) => {
      if (key === 'argv' && Array.isArray(inner)) return [key, argumentsOf(inner, redactor)];
      if (isForeign(key, object)) return [key, redactor.value(inner)];
      return [key, isOwn(key, inner, object) ? inner : walk(inner, redactor)];
    }),
  );
}

function isForeign(key: string, parent: Readonly<Record<string, unknown>>): boolean {
  return FOREIGN.has(key) || (parent.kind === 'capability-changed' && (key === 'before' || key === 'now'));
}

function isOwn(key: string, value: unknown, parent: Readonly<Record<string, unknown>>): boolean {
  if (!OWN.has(key)) return false;
  // What a person wrote about an exception, and which server was expected.
  if (key === 'reason' && 'class' in parent) return false;
  if (key === 'expected' && parent.kind === 'target-mismatch') return false;
  if (key === 'tool' || key === 'source' || key === 'specReferences') return true;
  return (
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  );
}

function argumentsOf(argv: readonly unknown[], redactor: Redactor): unknown[] {
  return argv.map((argument, n) =>
    typeof argument === 'string' && FOREIGN_ARGUMENTS.has(String(argv[n - 1]))
      ? redactor.text(argument)
      : argument,
  );
}
