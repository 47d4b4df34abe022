import { baselineFile, loadBaseline } from '../baseline/load.ts';
import { planContext } from '../config/load-plan.ts';
import { OPTION_NAMES } from '../config/options.ts';
import type { Settings } from '../config/plan.ts';
import { resolvePlan, resolveProfiles, resolveSettings } from '../config/resolve-plan.ts';
import type { Profile } from '../profile.ts';
import { cachedReferee } from '../referee/commands/cached.ts';
import { preflight } from '../referee/preflight.ts';
import type { Referee } from '../referee/referee.ts';
import { scenariosOf } from '../referee/scenarios.ts';
import { ConfigError, MissingTargetError } from '../shared/errors.ts';
import { escapeControls } from '../shared/escape-controls.ts';
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
import { describeError, describePlace } from './show-error.ts';

/** A file that is not what it says it is can have as many mistakes as it has lines. */
const MOST_MISTAKES = 50;

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
}

async function check({ given, json }: Invocation): Promise<number> {
  const cwd = process.cwd();
  const found: Found = { plan: [], checked: [], notes: [], mistakes: [] };
  await collect(found, async () => {
    const context = await planContext(given, cwd, process.env);
    const settings = resolveSettings(context);
    const profiles = resolveProfiles(context);
    const referee = await collect(found, () => knownReferee(settings, found));
    for (const profile of profiles) await checkProfile(profile, settings, referee, found);
    await collect(found, async () => void found.plan.push(...describePlan(resolvePlan(context))));
  });
  for (const line of linesOf(found, cwd)) process.stderr.write(`${line}\n`);
  if (json) {
    const mistakes = found.mistakes.map(({ message, place, hint }) => ({ message, place, hint }));
    const told = { baselines: found.checked, notes: found.notes, mistakes };
    process.stdout.write(`${JSON.stringify(told, null, 2)}\n`);
  }
  return found.mistakes.length > 0 ? 2 : 0;
}

/** Does a part of the work; a mistake of the user's ends that part and is kept. */
async function collect<T>(found: Found, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // A target may come as an input of the workflow that this command does not see, so its absence is no mistake here.
    if (error instanceof MissingTargetError) found.notes.push({ message: error.message });
    else found.mistakes.push(...error.all.toSorted(byPlace));
    return undefined;
  }
}

/** As they stand in the file; what has no place comes first. */
function byPlace({ place: a }: ConfigError, { place: b }: ConfigError): number {
  return (a?.line ?? 0) - (b?.line ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
}

async function knownReferee(settings: Settings, found: Found): Promise<Referee | undefined> {
  const io = { progress: () => undefined, signal: new AbortController().signal };
  const referee = await cachedReferee(settings.referee, io);
  if (referee === undefined) {
    const { text } = settings.referee.pin;
    const message = `${text} is not in the cache, so nothing was compared with what it contains; \`referee install\` puts it there.`;
    found.notes.push({ message });
  }
  return referee;
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
    if (contents !== undefined) found.mistakes.push(...strangeScenarios(profile, baseline, contents.list));
  });
}

function linesOf({ plan, checked, notes, mistakes }: Found, cwd: string): string[] {
  const left = mistakes.length - MOST_MISTAKES;
  return [
    ...plan,
    ...checked.map(baselineLine),
    ...notes.flatMap(({ message, place }) => [
      escapeControls(`note: ${message}`),
      ...(place === undefined ? [] : [escapeControls(`  at ${describePlace(place, cwd)}`)]),
    ]),
    ...mistakes.slice(0, MOST_MISTAKES).map((mistake) => describeError(mistake, cwd)),
    ...(left > 0 ? [`… and ${left} more mistakes`] : []),
  ];
}
