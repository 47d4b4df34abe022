import { oneLine } from '../../shared/escape-controls.ts';
import type { InstalledReferee } from './install.ts';
import type { RefereeList } from './list.ts';
import type { PinnedReferee } from './pin.ts';
import type { RefereeVerification } from './verify.ts';

/** What `referee …` says to people, as plain lines. With `--json` the data itself is printed instead. */

export function describeList(list: RefereeList): string[] {
  const mark = (pin: string) => (pin === list.wanted ? ' (wanted)' : '');
  return [
    'Locked',
    ...list.locked.map(
      ({ pin, ships, file }) => `  ${pin}${mark(pin)}  ${ships ? 'ships with the gate' : file}`,
    ),
    `Cached in ${list.cache}`,
    ...(list.cached.length === 0 ? ['  nothing'] : list.cached.map(describeCached)),
    'Published',
    list.published === undefined
      ? '  the registry was not asked, or did not answer'
      : `  ${[...list.published].reverse().join(', ') || 'nothing'}`,
  ];
}

function describeCached({
  pin,
  name,
  bytes,
  node,
  builtAt,
  lastUsed,
}: RefereeList['cached'][number]): string {
  if (pin === undefined) return `  ${name}  damaged: it is built again when it is wanted`;
  const used = lastUsed === undefined ? '' : `, last used ${lastUsed.slice(0, 10)}`;
  return `  ${pin}  ${megabytes(bytes)}, built ${builtAt?.slice(0, 10)} with Node ${node}${used}`;
}

export function describeInstalled({ facts, root, requirements, revisions }: InstalledReferee): string[] {
  const how = {
    hit: 'from the cache, every byte checked',
    miss: 'built',
    rebuilt: 'damaged in the cache, built again',
  };
  return [
    `${facts.pin} is ready: ${how[facts.cache]} (${seconds(facts.prepareMs)})`,
    `  ${facts.commit === undefined ? `integrity ${facts.integrity}` : `commit ${facts.commit}`}`,
    `  lock ${facts.lock}`,
    `  Node ${facts.node}`,
    `  requirement sets ${requirements.map(({ revision }) => revision).join(', ') || 'none'}`,
    `  revisions ${revisions.join(', ') || 'unknown'}`,
    `  ${root}`,
  ];
}

export function describeVerification(verification: RefereeVerification): string[] {
  const { pin, state, damage, folder, files, bytes, tookMs, again } = verification;
  if (state === 'absent') return [`${pin} is not in the cache: there is nothing to verify`, `  ${folder}`];
  if (state === 'damaged') {
    return [`${pin} is damaged; the next run builds it again`, ...indented(damage), `  ${folder}`];
  }
  const whole = `${pin} is what was built: ${files} files, ${megabytes(bytes)} (${seconds(tookMs)})`;
  if (again === undefined) return [whole, `  ${folder}`];
  return again.length === 0
    ? [whole, '  a second build gave the same files', `  ${folder}`]
    : [`${pin} is not what a second build gives`, ...indented(again), `  ${folder}`];
}

export function describePinned({ pin, commit, file, packages, lock, changed }: PinnedReferee): string[] {
  if (file === undefined) return [`${pin} can be built: commit ${commit}, lock ${lock}`];
  return [
    `${pin} is pinned with ${packages} packages, lock ${lock}`,
    ...indented(changed),
    `  ${file}`,
    '  Commit this file: without it the version is refused.',
  ];
}

/** Whether a verification is bad news: the command then ends like one that could not measure. */
export function isTrusted({ state, again }: RefereeVerification): boolean {
  return state === 'whole' && (again === undefined || again.length === 0);
}

const SHOWN = 20;

/** File names and versions come from outside and may hold anything. */
function indented(lines: readonly string[]): string[] {
  const more = lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more`] : [];
  return [...lines.slice(0, SHOWN).map((line) => `  ${oneLine(line)}`), ...more];
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
