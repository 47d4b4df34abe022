import { baselineFile, loadBaseline } from '../baseline/load.ts';
import { planContext } from '../config/load-plan.ts';
import { OPTION_NAMES } from '../config/options.ts';
import type { Settings } from '../config/plan.ts';
import { type PlanContext, resolvePlan, resolveProfiles, resolveSettings } from '../config/resolve-plan.ts';
import type { Profile } from '../profile.ts';
import { plural } from '../publish/plural.ts';
import { cachedReferee } from '../referee/commands/cached.ts';
import { preflight } from '../referee/preflight.ts';
import type { Referee } from '../referee/referee.ts';
import { scenariosOf } from '../referee/scenarios.ts';
import { ConfigError, MissingTargetError } from '../shared/errors.ts';
import {
  baselineLine,
  type CheckedBaseline,
  countExceptions,
  mistypedChecks,
  type Note,
  reviewedOtherwise,
  strangeScenarios,
} from './check-baseline.ts';
import { describePlan } from './describe-plan.ts';
import type { CommandSpec, Invocation } from './program.ts';
import { describeError, describePlace, shown } from './show-error.ts';

/** What people are shown, and what programs are given at the most: an accident of a file has as many as it has lines. */
const MOST_SHOWN = 50;
const MOST_KEPT = 1_000;

export const checkCommand: CommandSpec = {
  name: 'check',
  summary: 'validate configuration and baselines; runs nothing',
  description:
    'Reads the configuration and every baseline it names, and tells each mistake with file, line and column. Compares them with the pinned referee, too, when that is in the cache. Starts no server and asks no network.',
  options: OPTION_NAMES,
  examples: [
    'mcp-conformance-gate check',
    'mcp-conformance-gate check --config .github/mcp-conformance.yaml',
  ],
  handler: check,
};

/** Everything that was found, in the order in which it is told. */
interface Found {
  readonly plan: string[];
  readonly checked: CheckedBaseline[];
  readonly notes: Note[];
  readonly mistakes: ConfigError[];
  /** Mistakes beyond those. */
  left: number;
}

async function check({ given, json }: Invocation): Promise<number> {
  const cwd = process.cwd();
  const found: Found = { plan: [], checked: [], notes: [], mistakes: [], left: 0 };
  await collect(found, async () => {
    const context = await planContext(given, cwd, process.env);
    const settings = resolveSettings(context);
    const profiles = resolveProfiles(context);
    const referee = await collect(found, () => knownReferee(settings, found));
    for (const profile of profiles) await checkProfile(profile, settings, referee, found);
    // Each profile's target on its own: a mistake in one must not hide another's.
    for (const { id } of profiles)
      await collect(found, async () =>
        resolvePlan({ ...context, given: { ...context.given, profile: [id] } }),
      );
    found.plan.push(...planLines(context));
  });
  for (const line of linesOf(found, cwd)) process.stderr.write(`${line}\n`);
  if (json) {
    const mistakes = found.mistakes.map(({ message, place, hint }) => ({ message, place, hint }));
    const data = { baselines: found.checked, notes: found.notes, mistakes, left: found.left };
    process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
  }
  return found.mistakes.length > 0 ? 2 : 0;
}

/** The plan when it can be made; why not is told already. */
function planLines(context: PlanContext): string[] {
  try {
    return describePlan(resolvePlan(context));
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}

/** Does a part of the work; a mistake of the user's ends that part and is kept. */
async function collect<T>(found: Found, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // A target may come as an input of the workflow that this command does not see, so its absence is no mistake here.
    if (error instanceof MissingTargetError) found.notes.push({ message: error.message });
    else {
      addMistakes(found, error.all.toSorted(byPlace));
      found.left += error.left;
    }
    return undefined;
  }
}

/** What concerns several profiles is found with each of them, and told once. */
function addMistakes(found: Found, mistakes: readonly ConfigError[]): void {
  for (const mistake of mistakes) {
    const same = found.mistakes.some(
      ({ message, place }) =>
        message === mistake.message &&
        place?.file === mistake.place?.file &&
        place?.line === mistake.place?.line &&
        place?.column === mistake.place?.column,
    );
    if (same) continue;
    if (found.mistakes.length < MOST_KEPT) found.mistakes.push(mistake);
    else found.left += 1;
  }
}

/** As they stand in the file; what has no place comes first. */
function byPlace({ place: a }: ConfigError, { place: b }: ConfigError): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

async function knownReferee(settings: Settings, found: Found): Promise<Referee | undefined> {
  const { text } = settings.referee.pin;
  const unknown = (why: string) => {
    const message = `${text} ${why}, so nothing was compared with what it contains; \`referee install\` puts it there.`;
    found.notes.push({ message });
    return undefined;
  };
  const io = { progress: () => undefined, signal: new AbortController().signal };
  const referee = await cachedReferee(settings.referee, io);
  if (referee === 'absent') return unknown('is not in the cache');
  return referee === 'damaged' ? unknown('is damaged in the cache') : referee;
}

async function checkProfile(
  profile: Profile,
  settings: Settings,
  referee: Referee | undefined,
  found: Found,
): Promise<void> {
  const file = baselineFile(settings.baselines, profile);
  const possible =
    referee !== undefined &&
    (await collect(found, async () => {
      preflight(referee, [profile]);
      return true;
    }));
  await collect(found, async () => {
    const baseline = await loadBaseline(file, profile);
    found.checked.push(countExceptions(profile, file, baseline, new Date().toISOString().slice(0, 10)));
    // What a suite contains, only the referee itself can say, and nothing is started here.
    const contents =
      possible && profile.kind !== 'suite' ? await scenariosOf(referee, profile, settings.only) : undefined;
    if (baseline === undefined) return;
    const running = { pin: settings.referee.pin.text, requirements: contents?.requirements };
    found.notes.push(...reviewedOtherwise(baseline, file, running), ...mistypedChecks(baseline));
    if (contents !== undefined) addMistakes(found, strangeScenarios(profile, baseline, contents.list));
  });
}

function linesOf({ plan, checked, notes, mistakes, left }: Found, cwd: string): string[] {
  const moreNotes = notes.length - MOST_SHOWN;
  const moreMistakes = Math.max(0, mistakes.length - MOST_SHOWN) + left;
  return [
    ...plan.map(shown),
    ...checked.map(baselineLine).map(shown),
    ...notes
      .slice(0, MOST_SHOWN)
      .flatMap(({ message, place }) => [
        shown(`note: ${message}`),
        ...(place === undefined ? [] : [shown(`  at ${describePlace(place, cwd)}`)]),
      ]),
    ...(moreNotes > 0 ? [`… and ${plural(moreNotes, 'more note')}`] : []),
    ...mistakes.slice(0, MOST_SHOWN).map((mistake) => describeError(mistake, cwd)),
    ...(moreMistakes > 0 ? [`… and ${plural(moreMistakes, 'more mistake')}`] : []),
  ];
}
