import { arch, release, type } from 'node:os';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { ProfilePlan } from '../config/plan.ts';
import type { Finding } from '../gate/finding.ts';
import type { Referee } from '../referee/referee.ts';
import type { Redactor } from '../shared/redact.ts';
import { redactFields } from '../shared/redact-fields.ts';
import type { RunMetadata, ScenarioList } from './metadata.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** metadata.json while it comes into being. */
export interface Record {
  /** Changed in place by whoever learns something. */
  readonly draft: Writable<RunMetadata>;
  fault(finding: Finding): void;
  /** A fault that ended the run early; the scenarios without a report are named in it when the run is over. */
  stopped(finding: Finding): void;
  took(what: string, sinceMs: number): void;
  /** Writes what is known so far, marked as unfinished: a killed gate must not leave what looks complete. */
  keep(): Promise<void>;
  /** Writes the final state. @returns it, redacted like the file */
  finish(): Promise<RunMetadata>;
}

export interface RecordOptions {
  readonly job: ProfilePlan;
  readonly referee: Referee;
  readonly scenarios: ScenarioList;
  readonly requirements?: string;
  readonly source: RunMetadata['source'];
  readonly folder: string;
  readonly redactor: Redactor;
}

/** Stands in metadata.json until the run is over. */
const UNFINISHED: Finding = { kind: 'interrupted', signal: 'unfinished' };

export function startRecord(options: RecordOptions): Record {
  const { job, referee, redactor } = options;
  const now = new Date().toISOString();
  const file = join(options.folder, 'metadata.json');
  const draft: Writable<RunMetadata> = {
    schemaVersion: 1,
    profile: job.profile.id,
    source: options.source,
    referee: {
      ...referee.facts,
      ...(options.requirements === undefined ? {} : { requirements: options.requirements }),
    },
    runs: [],
    target: { kind: job.target.kind, notes: [] },
    scenarios: options.scenarios,
    probes: { before: null, after: null },
    window: { from: now, to: now },
    reruns: [],
    faults: [],
    system: { node: process.version, os: `${type()} ${release()}`, arch: arch() },
    durations: {},
  };
  const write = async (metadata: RunMetadata): Promise<RunMetadata> => {
    const clean = redactFields(metadata, redactor);
    await writeFileAtomic(file, `${JSON.stringify(clean, null, 2)}\n`);
    return clean;
  };
  return {
    draft,
    fault(finding) {
      draft.faults = [...draft.faults, { ...finding, profile: job.profile.id }];
    },
    stopped(finding) {
      if (draft.faults.some(({ kind }) => kind === finding.kind)) return;
      draft.faults = [...draft.faults, { ...finding, notRun: [], profile: job.profile.id }];
    },
    took(what, sinceMs) {
      draft.durations = { ...draft.durations, [what]: Math.round(performance.now() - sinceMs) };
    },
    async keep() {
      await write({ ...draft, faults: [...draft.faults, { ...UNFINISHED, profile: job.profile.id }] });
    },
    finish: () => write(draft),
  };
}
