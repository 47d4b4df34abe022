import type { Ownership } from '../config/plan.ts';
import type { Change } from './source.ts';
import { DEFAULT_TOPICS, type Topic } from './topics.ts';

/** Changed upstream things that concern a part of the local repository. */
export interface Concern {
  /** The keywords that were found, as configured. */
  readonly words: readonly string[];
  /** What changed: upstream paths, release tags, revisions. Hostile until escaped. */
  readonly changed: readonly string[];
  /** Local paths to look at. */
  readonly paths: readonly string[];
  /** Commands to run. */
  readonly checks: readonly string[];
}

export interface LocalFacts {
  /** Files of the local repository, with forward slashes. */
  readonly files: readonly string[];
  /** Scenarios of the gated profiles. */
  readonly scenarios: readonly string[];
  /** The command that runs the gate here, without options. */
  readonly command: string;
}

const MOST_PATHS = 6;
const MOST_SCENARIOS = 6;

/**
 * Maps upstream changes to local owners. Without `ownership` in the configuration, topics that every MCP server knows
 * are used: local paths are then those whose names speak of the topic, and the command runs the scenarios that do.
 * @returns one concern an entry that was hit, in the order of the entries
 */
export function concerns(
  changes: readonly Change[],
  configured: readonly Ownership[],
  local: LocalFacts,
): Concern[] {
  const entries =
    configured.length > 0 ? configured : DEFAULT_TOPICS.map((topic) => ownershipOf(topic, local));
  const texts = changes.map((change) => ({ label: labelOf(change), text: textOf(change) }));
  return entries.flatMap((entry) => {
    const words = new Set<string>();
    const changed = new Set<string>();
    for (const { label, text } of texts) {
      for (const word of entry.when) {
        if (!speaksOf(text, word)) continue;
        words.add(word);
        changed.add(label);
      }
    }
    if (changed.size === 0) return [];
    return [{ words: [...words], changed: [...changed], paths: entry.paths, checks: entry.checks }];
  });
}

function ownershipOf({ when, names }: Topic, local: LocalFacts): Ownership {
  const scenarios = local.scenarios.filter((scenario) => when.some((word) => speaksOf(scenario, word)));
  const isAbout = (file: string) =>
    when.some((word) => speaksOf(file, word)) || names.some((name) => speaksOf(file, name, 'whole'));
  return {
    when,
    paths: local.files.filter((file) => isOwnSource(file) && isAbout(file)).slice(0, MOST_PATHS),
    checks: [
      scenarios.length === 0 || scenarios.length > MOST_SCENARIOS
        ? `${local.command} run`
        : `${local.command} run ${scenarios.map((scenario) => `--scenario ${scenario}`).join(' ')}`,
    ],
  };
}

/** Not vendored, not generated, not prose: what a person would change. */
function isOwnSource(file: string): boolean {
  return (
    !/(^|\/)(node_modules|vendor|third_party|dist|build|out|target|baselines|docs?|\.github|fixtures|__snapshots__)\//.test(
      file,
    ) &&
    /\.(c|m)?(ts|js|tsx|jsx|py|go|rs|java|kt|kts|cs|rb|php|swift|ex|exs|scala|dart|c|cc|cpp|h|hpp|zig)$/.test(
      file,
    )
  );
}

/**
 * Whether a text holds a word: in a path, in a camelCase name, in prose; case does not matter.
 * @param extent `beginning`: longer words that begin with it count (tool, tools); `whole`: they do not
 */
export function speaksOf(text: string, word: string, extent: 'beginning' | 'whole' = 'beginning'): boolean {
  const needle = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/[\s_-]+/g, '[\\s_-]*');
  const end = extent === 'whole' ? '(?![a-z0-9])' : '';
  const pattern = new RegExp(`(?<![a-z0-9])${needle}${end}`, 'i');
  return pattern.test(text) || pattern.test(text.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
}

function labelOf(change: Change): string {
  switch (change.kind) {
    case 'file':
      return change.path;
    case 'release':
      return change.tag;
    case 'revision':
      return change.revision;
  }
}

/** What the keywords are looked for in: of a patch only the lines that changed. */
function textOf(change: Change): string {
  switch (change.kind) {
    case 'file':
      return `${change.path}\n${changedLines(change.patch ?? '')}`;
    case 'release':
      return `${change.tag}\n${change.name ?? ''}\n${change.notes}`;
    case 'revision':
      return change.revision;
  }
}

function changedLines(patch: string): string {
  return patch
    .split('\n')
    .filter((line) => /^[+-]/.test(line) && !/^(\+\+\+|---)/.test(line))
    .join('\n');
}
