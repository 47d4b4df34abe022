import { major, satisfies, validRange } from 'semver';
import { ConfigError } from '../shared/errors.ts';
import type { Referee } from './referee.ts';

/** Referees since 0.2.0 use fs.globSync; on an older Node they exit 1 and write nothing, which looks like a failure. */
const OLDEST_NODE = 22;

/**
 * @param version of the Node that will run the referee, which is the gate's own: `24.21.0`
 * @param referee when it is built: what its own package.json asks for counts too
 * @throws ConfigError when this Node will not do
 */
export function requireNode(version: string, referee?: Referee): void {
  if (major(version) < OLDEST_NODE) {
    throw new ConfigError(`The referee needs Node ${OLDEST_NODE} or newer, and this is Node ${version}.`, {
      hint: `Run the gate with Node ${OLDEST_NODE} or newer.`,
    });
  }
  const range = referee?.abilities.nodeRange;
  // A range that nobody can read is no reason to refuse: the referee printed its help on this Node.
  if (range === undefined || validRange(range) === null || satisfies(version, range)) return;
  throw new ConfigError(
    `Referee ${referee?.facts.pin} asks for Node ${range}, and this is Node ${version}.`,
    { hint: 'Run the gate with such a Node, or pin another referee.' },
  );
}
