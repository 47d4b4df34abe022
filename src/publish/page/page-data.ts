import type { Finding } from '../../gate/finding.ts';
import { textOf } from '../../gate/texts.ts';
import type { CheckResult } from '../../gate/verdict.ts';
import { bytes, fitBytes } from '../../shared/byte-budget.ts';
import { escapeControls } from '../../shared/escape-controls.ts';
import { fitLines } from '../../shared/fit-lines.ts';
import { grouped } from '../../shared/grouped.ts';
import { indexFindings } from '../findings-of-check.ts';
import { titleOf } from '../group-findings.ts';
import type { Publication } from '../publication.ts';
import type { Cell, PageCheck, PageDetails, PageFinding, PageIndex } from './page-types.ts';

/** Bytes: of one piece of evidence, of one string inside raw JSON, of all raw JSON of the page together. */
const EVIDENCE = 32 * 1024;
const STRING = 8 * 1024;
const RAW = 8 * 1024 * 1024;

export function pageIndex(p: Publication): PageIndex {
  const { profiles, findings } = p.verdict;
  const index = indexFindings(findings);
  const names = new Set(profiles.flatMap(({ scenarios }) => scenarios.map(({ scenario }) => scenario)));
  const changed = new Set(
    p.comparison?.found ? p.comparison.changes.map((c) => JSON.stringify([c.profile, c.scenario])) : [],
  );
  const cells = profiles.map(({ profile, scenarios }) => {
    const checks = Map.groupBy(p.checks[profile] ?? [], ({ scenario }) => scenario);
    return new Map(
      scenarios.map(({ scenario, result, reason }): [string, Cell] => {
        const of = checks.get(scenario) ?? [];
        const found = index.scenario(profile, scenario, new Set()).length;
        const classes = [
          ...new Set(of.flatMap(({ exception }) => (exception ? [show(exception.class)] : []))),
        ];
        return [
          scenario,
          {
            r: result,
            c: [of.length, of.filter((check) => !succeeded(check)).length],
            ...(found > 0 ? { f: found } : {}),
            ...(reason ? { n: show(reason) } : {}),
            ...(classes.length > 0 ? { x: classes } : {}),
            ...(changed.has(JSON.stringify([profile, scenario])) ? { d: true as const } : {}),
          },
        ];
      }),
    );
  });
  return {
    profiles: profiles.map(({ profile, slug }) => ({ id: show(profile), slug: show(slug) })),
    rows: [...names].map((name) => ({ s: show(name), c: cells.map((of) => of.get(name) ?? null) })),
  };
}

/** Details of each profile, in the order of the index. Raw JSON of what did not succeed goes first when not all fits. */
export function pageDetails(p: Publication): PageDetails[] {
  const index = indexFindings(p.verdict.findings);
  const keep = rawThatFits(p);
  return p.verdict.profiles.map(({ profile, scenarios }) => {
    const checks = Map.groupBy(p.checks[profile] ?? [], ({ scenario }) => scenario);
    return Object.fromEntries(
      scenarios.map(({ scenario }) => {
        const of = checks.get(scenario) ?? [];
        const known = new Set(of.map(({ check }) => check));
        return [
          show(scenario),
          {
            findings: index.scenario(profile, scenario, known).map((f) => pageFinding(f)),
            checks: of.map((check) =>
              pageCheck(check, index.check(profile, scenario, check.check), keep.get(check)),
            ),
          },
        ];
      }),
    );
  });
}

function pageCheck(
  check: CheckResult,
  findings: readonly Finding[],
  raw: readonly unknown[] | undefined,
): PageCheck {
  const { exception } = check;
  return {
    check: show(check.check),
    description: show(check.description || check.name),
    statuses: check.statuses.map(show),
    disposition: check.disposition,
    ...(check.fingerprint ? { fingerprint: show(check.fingerprint) } : {}),
    ...(check.evidence ? { evidence: escapeControls(fitLines(check.evidence, EVIDENCE)) } : {}),
    ...(exception
      ? {
          exception: {
            ...exception,
            class: show(exception.class),
            reason: escapeControls(fitLines(exception.reason, EVIDENCE)),
          },
        }
      : {}),
    references: (check.specReferences ?? []).map(({ id, url }) => ({
      id: show(id),
      ...(url && isWeb(url) ? { url: new URL(url).href } : {}),
    })),
    findings: findings.map((finding) => pageFinding(finding)),
    ...(raw ? { raw } : {}),
  };
}

/** A finding in words, bounded and safe to show. */
export function pageFinding(finding: Finding): PageFinding {
  const { title, detail, remedy } = textOf(finding);
  const lines = (text: readonly string[]) =>
    text.length === 0 ? [] : escapeControls(fitLines(text.join('\n'), EVIDENCE)).split('\n');
  const diff = 'diff' in finding ? finding.diff : undefined;
  // The page shows the diff in colours, so its lines need not stand among the words too.
  const inDiff = new Set(diff?.split('\n'));
  const told = diff
    ? detail.filter((line) => !inDiff.has(line) && !line.startsWith('What changed ('))
    : detail;
  return {
    kind: titleOf(finding.kind),
    title: show(title),
    detail: lines(told),
    remedy: lines(remedy),
    ...(finding.place
      ? { place: show(`${finding.place.file}${finding.place.line ? `:${finding.place.line}` : ''}`) }
      : {}),
    ...(diff ? { diff: escapeControls(fitLines(diff, EVIDENCE)) } : {}),
  };
}

function rawThatFits(p: Publication): Map<CheckResult, readonly unknown[]> {
  const all = Object.values(p.checks).flat();
  const inOrder = [...all.filter((c) => !succeeded(c)), ...all.filter(succeeded)];
  const kept = new Map<CheckResult, readonly unknown[]>();
  let left = RAW;
  for (const check of inOrder) {
    const raw = check.occurrences.map((occurrence) => shorten(occurrence));
    left -= bytes(JSON.stringify(raw));
    if (left < 0) break;
    kept.set(check, raw);
  }
  return kept;
}

/** The same value with long strings cut; what is left out is said in place. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string') {
    const well = value.toWellFormed();
    if (bytes(well) <= STRING) return well;
    const kept = fitBytes(well, STRING);
    return `${kept}… ${grouped(bytes(well) - bytes(kept))} more bytes in checks.json`;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key.toWellFormed(), shorten(member)]),
    );
  return value;
}

const succeeded = (check: CheckResult): boolean =>
  check.statuses.every((status) => status === 'SUCCESS' || status === 'INFO');

/** A name as the page shows it everywhere: one form, so that links and rows find each other. */
export const show = (text: string): string => escapeControls(fitBytes(text.toWellFormed(), 1024));

const isWeb = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
