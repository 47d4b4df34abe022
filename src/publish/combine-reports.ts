import type { Finding } from '../gate/finding.ts';
import { combine } from '../gate/judge.ts';
import type { CheckResult, Verdict } from '../gate/verdict.ts';
import type { Publication } from './publication.ts';

/** One report folder of a matrix, as it was read. */
export type PartReport =
  | {
      readonly label: string;
      readonly verdict: Verdict;
      readonly checks: Readonly<Record<string, readonly CheckResult[]>>;
    }
  /** A folder without a verdict that can be read: its run ended before it had one. */
  | { readonly label: string; readonly problem: string };

/**
 * Merges the report folders of a matrix into one verdict and one publication. What any of them could not measure is not
 * measured in the whole; a folder without a verdict makes the whole inconclusive. Profiles that occur in several folders
 * get the folder's label in front, so that none covers another.
 * @param parts at least one; `label` names a folder for people and is made unique here
 * @param version this tool's version
 */
export function combineReports(parts: readonly PartReport[], version: string): Publication {
  const labelled = uniqueLabels(parts);
  const counts = new Map<string, number>();
  for (const part of labelled)
    if ('verdict' in part)
      for (const { profile } of part.verdict.profiles) counts.set(profile, (counts.get(profile) ?? 0) + 1);
  const profiles: { verdict: Verdict['profiles'][number]; findings: Finding[] }[] = [];
  const setupFindings: Finding[] = [];
  const checks: Record<string, readonly CheckResult[]> = {};
  for (const part of labelled) {
    if (!('verdict' in part)) {
      setupFindings.push({
        kind: 'malformed-report',
        folder: part.label,
        message: part.problem,
        of: 'gate',
      });
      continue;
    }
    const rename = (profile: string) =>
      (counts.get(profile) ?? 0) > 1 ? `${part.label} ${profile}` : profile;
    const own = new Set(part.verdict.profiles.map(({ profile }) => profile));
    for (const profile of part.verdict.profiles) {
      const id = rename(profile.profile);
      const slug = id === profile.profile ? profile.slug : `${slugOf(part.label)}-${profile.slug}`;
      profiles.push({
        verdict: { ...profile, profile: id, slug },
        findings: part.verdict.findings
          .filter((finding) => finding.profile === profile.profile)
          .map((finding) => ({
            ...finding,
            profile: id,
            ...(finding.alsoIn ? { alsoIn: finding.alsoIn.map(rename) } : {}),
          })),
      });
      checks[id] = part.checks[profile.profile] ?? [];
    }
    setupFindings.push(
      ...part.verdict.findings.filter(({ profile }) => profile === undefined || !own.has(profile)),
    );
  }
  const verdicts = labelled.flatMap((part) => ('verdict' in part ? [part.verdict] : []));
  const started = verdicts.map(({ timing }) => timing.startedAt).sort()[0];
  const finished = verdicts
    .map(({ timing }) => timing.finishedAt)
    .sort()
    .at(-1);
  const epoch = new Date(0).toISOString();
  const verdict = combine({
    profiles,
    setupFindings,
    ...(same(verdicts.map(({ name }) => name)) ? { name: verdicts[0]?.name } : {}),
    source: commonSource(verdicts),
    timing: {
      startedAt: started ?? epoch,
      finishedAt: finished ?? epoch,
      tookMs: started && finished ? Date.parse(finished) - Date.parse(started) : 0,
    },
    version,
  });
  return { verdict, checks };
}

function uniqueLabels(parts: readonly PartReport[]): PartReport[] {
  const seen = new Map<string, number>();
  return parts.map((part) => {
    const wanted = ('verdict' in part && part.verdict.name) || part.label;
    const times = (seen.get(wanted) ?? 0) + 1;
    seen.set(wanted, times);
    return { ...part, label: times === 1 ? wanted : `${wanted} (${times})` };
  });
}

/** Facts of the source that all parts agree on. */
function commonSource(verdicts: readonly Verdict[]): Verdict['source'] {
  const first = verdicts[0]?.source ?? {};
  return Object.fromEntries(
    Object.entries(first).filter(([key, value]) =>
      verdicts.every(({ source }) => source[key as keyof Verdict['source']] === value),
    ),
  );
}

const same = (values: readonly unknown[]): boolean => values.every((value) => value === values[0]);

const slugOf = (label: string): string =>
  label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'report';
