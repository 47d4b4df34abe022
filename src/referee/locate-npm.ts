import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import which from 'which';

/** How npm is started: a program and what comes before npm's own arguments. */
export interface Npm {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Finds npm. The Node that a JavaScript action runs on has none beside it, so the runner image's npm on PATH counts too;
 * wherever npm is a script for Node, the gate's own Node runs it and not whichever `node` comes first on PATH.
 * @param where the running Node executable and the environment
 * @returns `undefined` when there is no npm anywhere
 */
export async function locateNpm(where: {
  readonly node: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<Npm | undefined> {
  const parent = where.env.npm_execpath;
  if (parent !== undefined && basename(parent) === 'npm-cli.js' && existsSync(parent)) {
    return { file: where.node, args: [parent] };
  }
  const home = dirname(where.node);
  for (const folder of [join(home, '..', 'lib'), home]) {
    const script = join(folder, 'node_modules', 'npm', 'bin', 'npm-cli.js');
    if (existsSync(script)) return { file: where.node, args: [script] };
  }
  const found = await which('npm', { path: where.env.PATH ?? where.env.Path ?? '', nothrow: true });
  if (found === null) return undefined;
  const target = await realpath(found);
  if (basename(target) === 'npm-cli.js') return { file: where.node, args: [target] };
  // npm.cmd on Windows: the script lies beside it, and a .cmd cannot be started without a shell.
  const beside = join(dirname(found), 'node_modules', 'npm', 'bin', 'npm-cli.js');
  if (existsSync(beside)) return { file: where.node, args: [beside] };
  return { file: found, args: [] };
}
