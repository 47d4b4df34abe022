import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { DEFAULT_PROFILES, PROFILE_KINDS, type Profile, parseProfile } from '../profile.ts';
import { DEFAULT_PIN, parsePin } from '../referee/parse-pin.ts';
import { ConfigError, type Place } from '../shared/errors.ts';
import { isWithin } from '../shared/is-within.ts';
import { suggest } from '../shared/nearest.ts';
import { parseDuration } from './duration.ts';
import type { ConfigFile } from './file-schema.ts';
import type { GivenOptions, OptionName } from './options.ts';
import { parseWatch } from './parse-watch.ts';
import type { Origin, Plan, RefereePlan, Settings } from './plan.ts';
import type { ReadConfig } from './read-config-file.ts';
import { givenEnv, resolveTarget } from './resolve-target.ts';
import { secretsOf } from './secrets.ts';

/** Where `git:` pins come from unless told otherwise. */
export const UPSTREAM_REPOSITORY = 'https://github.com/modelcontextprotocol/conformance.git';

const DEFAULT_OUTPUT = 'conformance-report';

/** Folder of the referee's locks, beside the baselines. */
const LOCKS = 'referee';

export interface PlanContext {
  readonly given: GivenOptions;
  readonly config: ReadConfig;
  /** Absolute; paths that were given as options are relative to it. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Turns what was given into one typed Plan: explicit option, then file, then default.
 * @throws ConfigError for unknown names, values out of range and choices that contradict each other
 */
export function resolvePlan(context: PlanContext): Plan {
  const profiles = profilesAsked(context).map(({ profile, override, path }) => ({
    profile,
    target: resolveTarget(profile, override, path, context),
  }));
  const variables = { ...context.config.content.server?.env, ...givenEnv(context) };
  const secrets = secretsOf(profiles, context.environment, variables);
  return { ...resolveSettings(context), profiles, secrets };
}

/** The names of the profiles that were asked for, for commands that start nothing. */
export function resolveProfiles(context: PlanContext): readonly Profile[] {
  return profilesAsked(context).map(({ profile }) => profile);
}

/**
 * Everything but the targets, for commands that start nothing.
 * @throws ConfigError like resolvePlan
 */
export function resolveSettings(context: PlanContext): Settings {
  const { config, cwd, environment } = context;
  const choose = chooser(context);
  const folder = (name: 'baselines' | 'output' | 'cache', fallback: string): string =>
    choose(name, (text, origin) => absolute(text, origin === 'file' ? config.folder : cwd), fallback);

  const name = choose('name', parseName, undefined);
  const output = folder('output', join(cwd, DEFAULT_OUTPUT));
  const cache = folder('cache', defaultCache(environment));
  choose.origins.profile = listOf(context.given, 'profile')
    ? 'input'
    : config.content.profiles
      ? 'file'
      : 'default';
  const baselinesRoot = folder('baselines', join(config.folder, 'baselines'));
  refuseToSwallow(output, {
    'this folder': cwd,
    'the configuration': config.folder,
    'the baselines': baselinesRoot,
    'the cache': cache,
  });
  const referee: RefereePlan = {
    pin: choose(
      'referee',
      (text) => placed(config.placeOf(['referee']), () => parsePin(text)),
      parsePin(DEFAULT_PIN),
    ),
    repository: choose('referee-repository', (text) => text, UPSTREAM_REPOSITORY),
    locks: join(baselinesRoot, LOCKS),
    cache,
    offline: choose('offline', () => true, false),
  };
  return {
    name,
    referee,
    baselines: name === undefined ? baselinesRoot : join(baselinesRoot, name),
    output,
    only: listOf(context.given, 'scenario'),
    confirm: choose('confirm', (text) => wholeNumber('confirm', text, 0, 20), 1),
    strictInfrastructure: choose('strict-infrastructure', () => true, false),
    jobs: choose('jobs', (text) => wholeNumber('jobs', text, 1, 64), 2),
    deadlines: {
      scenarioMs: choose('scenario-timeout', (text) => duration('scenario-timeout', text), 30_000),
      profileMs: choose('profile-timeout', (text) => duration('profile-timeout', text), 15 * 60_000),
      runMs: choose('run-timeout', (text) => duration('run-timeout', text), 60 * 60_000),
    },
    watch: (config.content.watch ?? ['referee', 'spec']).map(parseWatch),
    ownership: config.content.ownership ?? [],
    origins: choose.origins,
  };
}

type Choose = {
  /** Resolves one option and records where its value came from. Durations in the file are already milliseconds. */
  <T, F = T>(
    name: OptionName & (keyof ConfigFile | 'offline'),
    parse: (text: string, origin: Origin) => T,
    fallback: F,
  ): T | F;
  readonly origins: Record<string, Origin>;
};

function chooser({ given, config }: PlanContext): Choose {
  const origins: Record<string, Origin> = {};
  const choose = <T, F = T>(
    name: OptionName,
    parse: (text: string, origin: Origin) => T,
    fallback: F,
  ): T | F => {
    const option = given[name];
    if (option !== undefined && option !== '' && option !== false) {
      origins[name] = 'input';
      return parse(String(option), 'input');
    }
    const fromFile = (config.content as Record<string, unknown>)[name];
    if (fromFile !== undefined && fromFile !== false) {
      origins[name] = 'file';
      return parse(
        typeof fromFile === 'number' && name.endsWith('-timeout') ? `${fromFile}ms` : String(fromFile),
        'file',
      );
    }
    origins[name] = 'default';
    return fallback;
  };
  return Object.assign(choose, { origins });
}

/** A list option's items; `undefined` when nothing was given. Items that are empty do not count. */
export function listOf(given: GivenOptions, name: OptionName): readonly string[] | undefined {
  const value = given[name];
  if (value === undefined || typeof value === 'boolean') return undefined;
  const items = (typeof value === 'string' ? value.split(/\r?\n/) : value)
    .map((item) => item.trim())
    .filter(Boolean);
  return items.length === 0 ? undefined : items;
}

interface AskedProfile {
  readonly profile: Profile;
  /** Its own section of the file, and where that stands. */
  readonly override: Override;
  readonly path: readonly PropertyKey[];
}

function profilesAsked(context: PlanContext): readonly AskedProfile[] {
  const { given, config } = context;
  type Entry = { text: string; override: Override; path: readonly PropertyKey[] };
  const fromFile = (config.content.profiles ?? []).flatMap((entry, index): Entry[] => {
    const path = ['profiles', index];
    if (typeof entry === 'string') return [{ text: entry, override: undefined, path }];
    return Object.entries(entry).map(([text, override]) => ({ text, override, path: [...path, text] }));
  });
  const asked = listOf(given, 'profile')?.flatMap((item) => item.split(/[\s,]+/).filter(Boolean));
  const texts = asked ?? (fromFile.length > 0 ? fromFile.map(({ text }) => text) : DEFAULT_PROFILES);

  const seen = new Set<string>();
  return texts.map((text, index) => {
    const section = fromFile.find((entry) => entry.text === text);
    const place = asked ? undefined : config.placeOf(fromFile[index]?.path ?? []);
    const profile = knownProfile(text, place);
    if (seen.has(text)) throw new ConfigError(`Profile ${text} is listed twice.`, place ? { place } : {});
    seen.add(text);
    return { profile, override: section?.override, path: section?.path ?? [] };
  });
}

type Override = NonNullable<Exclude<NonNullable<ConfigFile['profiles']>[number], string>[string]> | undefined;

function knownProfile(text: string, place: Place | undefined): Profile {
  const profile = parseProfile(text);
  if (profile) return profile;
  const revision = /\d{4}-\d{2}-\d{2}$/.exec(text)?.[0];
  const revisions = revision === undefined ? ['2025-11-25', '2026-07-28'] : [revision];
  const kinds = PROFILE_KINDS.map((kind) => (kind === 'suite' ? 'suite:active@' : `${kind}:`));
  const hint = suggest(
    text,
    revisions.flatMap((known) => kinds.map((kind) => `${kind}${known}`)),
  );
  throw new ConfigError(`"${text}" is not a profile.`, { ...(place ? { place } : {}), hint });
}

/** Adds the place of a value in the file to an error about it. */
function placed<T>(place: Place | undefined, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof ConfigError) || error.place || !place) throw error;
    throw new ConfigError(error.message, {
      place,
      ...(error.hint ? { hint: error.hint } : {}),
      cause: error,
    });
  }
}

function parseName(text: string): string {
  if (text === LOCKS) {
    throw new ConfigError(`name: "${text}" is taken: the locks of pinned referees lie in that folder.`);
  }
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw new ConfigError(`name: "${text}" cannot be the name of a folder.`, {
    hint: 'Use letters, digits, dots, dashes and underscores, 64 at most, a letter or digit first.',
  });
}

function wholeNumber(name: OptionName, text: string, min: number, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text.trim()) && value >= min && value <= max) return value;
  throw new ConfigError(`${name}: "${text}" is not a whole number from ${min} to ${max}.`);
}

function duration(name: OptionName, text: string): number {
  const value = parseDuration(text);
  if (value !== undefined) return value;
  throw new ConfigError(`${name}: "${text}" is no length of time.`, {
    hint: 'Write 500ms, 60s or 5m; a bare number is seconds.',
  });
}

function absolute(text: string, base: string): string {
  return isAbsolute(text) ? text : resolve(base, text);
}

/**
 * The report folder is emptied at the start of each run, so nothing that anybody wants to keep may lie in it.
 * @param kept by what a person calls it; absolute
 */
function refuseToSwallow(output: string, kept: Readonly<Record<string, string>>): void {
  for (const [what, folder] of Object.entries(kept)) {
    if (!isWithin(folder, output)) continue;
    throw new ConfigError(
      `output: ${output} holds ${what}, and the report folder is emptied at the start of each run.`,
      {
        hint: 'Choose a folder of its own, such as conformance-report.',
      },
    );
  }
}

function defaultCache(environment: NodeJS.ProcessEnv): string {
  const runner = environment.RUNNER_TOOL_CACHE;
  if (runner) return join(runner, 'mcp-conformance-gate');
  return join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'mcp-conformance-gate');
}
