import type { Finding } from '../../gate/finding.ts';
import { textOf } from '../../gate/texts.ts';
import { OUTCOME_SIGNS } from '../../publish/outcome-signs.ts';
import { plural } from '../../publish/plural.ts';
import { fitLines } from '../../shared/fit-lines.ts';
import type { Difference, MeasuredProfileTrial, ProfileTrial, Side } from '../compare-trial.ts';
import { TRIAL_SECTION } from '../issue/effective.ts';
import type { MeasuredTrial, Trial } from '../trial.ts';
import { type Block, list, type Section } from './section.ts';
import { block, code, plain } from './words.ts';

/** Bytes of one piece of evidence: enough to recognise it; the trial's own report folder has all. */
const EVIDENCE = 600;

/** What adopting the candidate changes for this target. */
export function trialSection(trial: Trial): Section | undefined {
  const blocks = blocksOf(trial);
  if (blocks === undefined) return undefined;
  return {
    key: TRIAL_SECTION,
    blocks: [heading(trial), ...blocks],
  };
}

/** Names both referees: a section that is taken over later has to say what it is about. */
function heading(trial: Trial): string {
  if (trial.kind === 'not-needed') return '';
  const instead = trial.kind === 'not-tried' ? '' : ` in place of ${code(trial.current)}`;
  return `## What adopting ${code(trial.candidate)}${instead} changes here`;
}

function blocksOf(trial: Trial): Block[] | undefined {
  switch (trial.kind) {
    case 'not-needed':
      return undefined;
    case 'not-tried':
      return [
        trial.why === 'no-target'
          ? 'Not tried: no target was named.'
          : 'Not tried: the trial is switched off.',
      ];
    case 'not-measured':
      return notMeasured(trial);
    case 'measured':
      return measured(trial);
  }
}

function notMeasured(trial: Extract<Trial, { kind: 'not-measured' }>): Block[] {
  const pin = code(trial.which === 'candidate' ? trial.candidate : trial.current);
  if (trial.impossible !== undefined) {
    const { message, hint } = trial.impossible;
    return [
      `❌ ${pin} cannot run what is gated here: ${plain(message)}${hint === undefined ? '' : ` ${plain(hint)}`}`,
    ];
  }
  return [
    list(
      `⚠️ Not measured: the run with ${pin} came to nothing. This says nothing about what adopting the candidate changes.`,
      trial.findings.map((finding) => `- ${findingLine(finding)}`),
      'reasons',
    ),
  ];
}

function measured(trial: MeasuredTrial): Block[] {
  const profiles = trial.profiles.filter((profile) => profile.kind === 'measured');
  const differences = merge(
    profiles.flatMap((profile) => profile.differences.map((one) => ({ one, profile: profile.profile }))),
  );
  const of = <K extends Difference['kind']>(kind: K) =>
    differences.filter((entry) => entry.one.kind === kind) as Merged<Of<K>>[];
  const quiet = profiles.length > 0 && differences.length === 0 && profiles.every(nothingElse);
  return [
    'Both referees ran against the same target in the same job, so what differs comes from the referee.',
    table(trial),
    ...(quiet ? ['Every check came out the same.'] : []),
    findings('### To settle before adopting', profiles, 'breaks'),
    findings('### Baseline entries that would be stale', profiles, 'stale'),
    list('### New checks', of('new').map(newLine), 'new checks'),
    list('### Other results', of('status').map(statusLine), 'other results'),
    list('### Same result, other evidence', of('evidence').map(evidenceLine), 'checks with other evidence'),
    list('### Checks that no longer come', of('vanished').map(vanishedLine), 'vanished checks'),
    list('### Requirement sets', profiles.flatMap(requirementLines), 'scenarios'),
    list(
      '### Not measured',
      trial.profiles.flatMap((profile) =>
        profile.kind === 'measured' ? [] : [unmeasuredLine(profile, trial)],
      ),
      'profiles',
    ),
  ];
}

function nothingElse(profile: MeasuredProfileTrial): boolean {
  return profile.scenarios.length === 0 && profile.breaks.length === 0 && profile.stale.length === 0;
}

function table(trial: MeasuredTrial): string {
  const rows = trial.profiles.map((profile) =>
    profile.kind === 'measured'
      ? `| ${code(profile.profile)} | ${cell(profile.before)} | ${cell(profile.now)} | ${tally(profile)} |`
      : `| ${code(profile.profile)} | ⚠️ not measured | | |`,
  );
  return [
    `| Profile | Pinned: ${code(trial.current)} | Candidate: ${code(trial.candidate)} | Differences |`,
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function cell(side: Side): string {
  const sign = side.failing === 0 ? OUTCOME_SIGNS.pass.sign : OUTCOME_SIGNS.fail.sign;
  const findings = side.failing === 0 ? '' : `, ${plural(side.failing, 'finding')}`;
  return `${sign} ${plural(side.scored, 'scored scenario')}, ${plural(side.checks, 'check')}${findings}`;
}

function tally(profile: MeasuredProfileTrial): string {
  const names: Readonly<Record<Difference['kind'], string>> = {
    new: 'new',
    status: 'other result',
    evidence: 'other evidence',
    vanished: 'gone',
  };
  const counts = Object.entries(names).flatMap(([kind, name]) => {
    const count = profile.differences.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return counts.length === 0 ? 'none' : counts.join(', ');
}

interface Merged<D extends Difference = Difference> {
  readonly one: D;
  readonly profiles: readonly string[];
}

type Of<K extends Difference['kind']> = Extract<Difference, { kind: K }>;

/** The same difference in several profiles is one line. */
function merge(entries: readonly { one: Difference; profile: string }[]): Merged[] {
  const merged = new Map<string, { one: Difference; profiles: string[] }>();
  for (const { one, profile } of entries) {
    const key = JSON.stringify(one);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { one, profiles: [profile] });
    else known.profiles.push(profile);
  }
  return [...merged.values()];
}

function subject({ one, profiles }: Merged): string {
  const scored = one.scored ? '' : ', not scored';
  return `${code(one.scenario)} › ${code(one.check)} (${profiles.map(code).join(', ')}${scored})`;
}

function statuses(all: readonly string[]): string {
  return code(all.join(', '));
}

function newLine(entry: Merged<Of<'new'>>): string {
  const { one } = entry;
  const sign = one.passes ? '✅' : one.scored ? '❌' : '▫️';
  return `- ${sign} ${subject(entry)}: ${one.passes ? 'passes here' : statuses(one.statuses)}${shown(one.evidence)}`;
}

function statusLine(entry: Merged<Of<'status'>>): string {
  const { one } = entry;
  const sign = one.passes ? '✅' : one.scored ? '❌' : '▫️';
  return `- ${sign} ${subject(entry)}: ${statuses(one.before)} → ${statuses(one.now)}${shown(one.evidence)}`;
}

function evidenceLine(entry: Merged<Of<'evidence'>>): string {
  const { before, now } = entry.one;
  return `- ${subject(entry)}:\n${indent(block(diffLines(before, now), 'diff'))}`;
}

function vanishedLine(entry: Merged<Of<'vanished'>>): string {
  return `- ${subject(entry)}: was ${statuses(entry.one.statuses)}${entry.one.excepted ? ', with an exception' : ''}`;
}

function requirementLines(profile: MeasuredProfileTrial): string[] {
  const words = {
    added: 'is new in the set',
    removed: 'is no longer in the set',
    'scored-now': 'is scored now',
    'no-longer-scored': 'is no longer scored',
  } as const;
  const lines = profile.scenarios.map(
    (one) => `- ${code(one.scenario)} (${code(profile.profile)}) ${words[one.kind]}`,
  );
  return profile.requirementsChanged && lines.length === 0
    ? [`- The frozen set of ${code(profile.profile)} is another file with the same scenarios`]
    : lines;
}

function findings(
  heading: string,
  profiles: readonly MeasuredProfileTrial[],
  which: 'breaks' | 'stale',
): Block {
  return list(
    heading,
    profiles.flatMap((profile) =>
      profile[which].map((finding) => `- ${findingLine(finding)} (${code(profile.profile)})`),
    ),
    'findings',
  );
}

function findingLine(finding: Finding): string {
  return plain(textOf(finding).title);
}

function unmeasuredLine(
  profile: Extract<ProfileTrial, { kind: 'not-measured' }>,
  trial: MeasuredTrial,
): string {
  const pin = profile.which === 'candidate' ? trial.candidate : trial.current;
  const why = profile.findings.map((finding) => findingLine(finding)).join('; ');
  return `- ⚠️ ${code(profile.profile)} with ${code(pin)}${why === '' ? '' : `: ${why}`}`;
}

function shown(evidence: string | undefined): string {
  return evidence === undefined || evidence === '' ? '' : `\n${indent(block(fitLines(evidence, EVIDENCE)))}`;
}

function diffLines(before: string, now: string): string {
  const marked = (sign: string, text: string) =>
    fitLines(text, EVIDENCE)
      .split('\n')
      .map((line) => `${sign} ${line}`)
      .join('\n');
  return `${marked('-', before)}\n${marked('+', now)}`;
}

/** Into a list item. */
function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
