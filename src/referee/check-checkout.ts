import { realpath, stat } from 'node:fs/promises';
import type { Pin } from '../config/plan.ts';
import { ConfigError } from '../shared/errors.ts';
import { type GitContext, git, gitComplaint } from './git.ts';

/**
 * Makes sure that a `path:` pin means what it says: the folder is the top of a work tree whose HEAD is that commit. Edits
 * in it do not matter, because the commit's object is built and not the files. Reads only.
 * @throws ConfigError when it does not
 */
export async function checkCheckout(pin: Extract<Pin, { kind: 'path' }>, context: GitContext): Promise<void> {
  const folder = await stat(pin.path).catch(() => undefined);
  if (folder?.isDirectory() !== true) {
    throw new ConfigError(`${pin.text}: there is no folder ${pin.path}.`, {
      hint: 'Check the referee out before the gate runs, or pin it with git:<commit>.',
    });
  }
  const answer = await git(pin.path, ['rev-parse', '--show-toplevel', 'HEAD^{commit}'], context);
  const [top, head] = answer.stdout.split(/\r?\n/);
  if (answer.exitCode !== 0 || top === undefined || head === undefined) {
    throw new ConfigError(`${pin.text}: ${pin.path} is not a git work tree: ${gitComplaint(answer)}.`, {
      hint: 'A path pin names a checkout of the referee, for example one that actions/checkout made.',
    });
  }
  if ((await realpath(top)) !== (await realpath(pin.path))) {
    throw new ConfigError(`${pin.text}: ${pin.path} is inside the work tree ${top}, not its top.`, {
      hint: `Write path:${top}@${head} if that is the referee.`,
    });
  }
  if (head !== pin.commit) {
    throw new ConfigError(`${pin.text}: the checkout is at ${head}.`, {
      hint: `Check out ${pin.commit}, or pin what is there: path:${pin.path}@${head}`,
    });
  }
}
