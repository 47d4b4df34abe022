import type { RunMetadata } from '../run/metadata.ts';
import type { Finding } from './finding.ts';
import { headline } from './headline.ts';
import { mergeShared } from './merge-shared.ts';
import { outcomeClassOf, outcomeOf } from './outcome.ts';
import { causesFirst } from './root-cause.ts';
import type { ProfileVerdict, Verdict } from './verdict.ts';

export interface CombineInput {
  readonly profiles: readonly { readonly verdict: ProfileVerdict; readonly findings: readonly Finding[] }[];
  /** Before any profile could run: no referee, for example. */
  readonly setupFindings: readonly Finding[];
  readonly name?: string | undefined;
  readonly source: RunMetadata['source'];
  readonly timing: Verdict['timing'];
  /** This tool's version. */
  readonly version: string;
}

/** Puts profiles together into verdict.json. Without a single judged profile nothing was measured. */
export function combine(input: CombineInput): Verdict {
  const all = [...input.setupFindings, ...mergeShared(input.profiles.flatMap(({ findings }) => findings))];
  const findings = causesFirst(
    all.length === 0 && input.profiles.length === 0 ? [{ kind: 'nothing-applicable' }] : all,
  );
  const profiles = input.profiles.map(({ verdict }) => verdict);
  return {
    schemaVersion: 1,
    tool: { name: 'mcp-conformance-gate', version: input.version },
    ...(input.name === undefined ? {} : { name: input.name }),
    outcome: outcomeOf(findings),
    outcomeClass: outcomeClassOf(findings),
    headline: headline(findings, profiles),
    findings,
    profiles,
    source: input.source,
    timing: input.timing,
  };
}
