import { ExecaError, execa } from 'execa';
import { z } from 'zod';
import { toolEnv } from '../../referee/child-env.ts';
import { locateNpm } from '../../referee/locate-npm.ts';
import { firstLine, UnknownError, type UnknownReason } from '../unknown.ts';
import type { ObserveContext } from './context.ts';

const packageAnswer = z.object({
  versions: z.union([z.array(z.string()), z.string().transform((only) => [only])]),
  'dist-tags': z.record(z.string(), z.string()),
});
export interface PackageVersions {
  readonly versions: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** npm's own names of failures. */
const REASONS: Readonly<Record<string, UnknownReason>> = {
  E401: 'unauthorised',
  E403: 'forbidden',
  E404: 'not-found',
  E429: 'rate-limited',
  ENEEDAUTH: 'unauthorised',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ETIMEDOUT: 'timeout',
  ERR_SOCKET_TIMEOUT: 'timeout',
  FETCH_ERROR: 'unreachable',
  ENOTCACHED: 'unreachable',
};

const errorAnswer = z.object({
  error: z.object({ code: z.string().optional(), summary: z.string().optional() }),
});

/**
 * Which versions a package has. npm itself is asked, so the user's registry, proxy and credentials are honoured and
 * none of them is known here.
 * @throws UnknownError
 */
export async function viewPackage(name: string, ctx: ObserveContext): Promise<PackageVersions> {
  try {
    const npm = await locateNpm({ node: ctx.node, env: ctx.env });
    if (npm === undefined)
      throw new UnknownError({ reason: 'tool-missing', message: 'npm is not on the PATH' });
    const { stdout } = await execa(
      npm.file,
      [
        ...npm.args,
        'view',
        '--json',
        '--fetch-retries=1',
        '--fetch-retry-maxtimeout=5000',
        '--',
        name,
        'versions',
        'dist-tags',
      ],
      {
        env: toolEnv(ctx.env),
        extendEnv: false,
        timeout: ctx.timeoutMs,
        cancelSignal: ctx.signal,
        stdin: 'ignore',
        maxBuffer: 20_000_000,
      },
    );
    const parsed = packageAnswer.parse(JSON.parse(stdout));
    return { versions: parsed.versions, tags: parsed['dist-tags'] };
  } catch (error) {
    if (error instanceof UnknownError) throw error;
    throw new UnknownError(causeOf(error), { cause: error });
  }
}

function causeOf(error: unknown): { reason: UnknownReason; message: string } {
  if (error instanceof ExecaError) {
    if (error.timedOut || error.isCanceled)
      return { reason: 'timeout', message: 'npm gave no answer in time' };
    const code = errorCode(error.stdout) ?? /npm error code (\S+)/.exec(String(error.stderr))?.[1] ?? '';
    const reason = REASONS[code] ?? (/^E5\d\d$/.test(code) ? 'server-error' : 'refused');
    // Only the code: npm's sentence names the user's registry.
    return {
      reason,
      message:
        code === '' ? `npm ended with ${error.exitCode ?? error.signal}` : `npm says ${firstLine(code)}`,
    };
  }
  return { reason: 'malformed', message: 'npm answered something that is not a list of versions' };
}

function errorCode(stdout: unknown): string | undefined {
  try {
    return errorAnswer.parse(JSON.parse(String(stdout))).error.code;
  } catch {
    return undefined;
  }
}
