import { ConfigError } from '../shared/errors.ts';

/** Referees since 0.2.0 use fs.globSync; on an older Node they exit 1 and write nothing, which looks like a failure. */
const OLDEST_NODE = 22;

/**
 * @param version of the Node that will run the referee, which is the gate's own: `24.21.0`
 * @throws ConfigError when it is too old
 */
export function requireNode(version: string): void {
  const major = Number.parseInt(version.replace(/^v/, ''), 10);
  if (major >= OLDEST_NODE) return;
  throw new ConfigError(`The referee needs Node ${OLDEST_NODE} or newer, and this is Node ${version}.`, {
    hint: `Run the gate with Node ${OLDEST_NODE} or newer.`,
  });
}
