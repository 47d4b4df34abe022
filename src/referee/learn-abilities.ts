import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { MeasurementFault } from '../shared/errors.ts';
import { foreignEnv } from './child-env.ts';
import type { Abilities } from './manifest.ts';
import { parseJson } from './parse-json.ts';
import { runTool, type ToolResult, tailOf } from './run-tool.ts';

/** Help texts come in under a second; a referee that takes this long will not run either. */
const HELP_TIMEOUT_MS = 30_000;

/** What its own words tell; its requirement sets are files. */
type Said = Omit<Abilities, 'requirements'>;

/**
 * Asks a built referee what it can do. Its own help and list say it, so a commit that nobody published yet is known as
 * well as a release; asking also proves that it starts on this Node.
 * @param root the referee's package folder
 * @param pin for the finding
 * @throws MeasurementFault `referee-build-failed` when it does not even print its help
 */
export async function learnAbilities(
  root: string,
  pin: string,
  io: { readonly node: string; readonly signal: AbortSignal },
): Promise<Said> {
  const entry = join(root, 'dist', 'index.js');
  const home = await mkdtemp(join(tmpdir(), 'mcp-referee-home-'));
  try {
    const ask = async (...args: string[]): Promise<string> => {
      const answer = await runTool({
        file: io.node,
        args: [entry, ...args],
        cwd: home,
        env: foreignEnv(process.env, home),
        timeoutMs: HELP_TIMEOUT_MS,
        signal: io.signal,
      });
      if (answer.exitCode !== 0) throw didNotStart(pin, args, answer);
      return answer.stdout;
    };
    const [server, client, list] = await Promise.all([
      ask('server', '--help'),
      ask('client', '--help'),
      ask('list', '--server'),
    ]);
    return { ...readAbilities({ server, client, list }), ...(await nodeRange(root)) };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const enginesSchema = z.looseObject({ engines: z.looseObject({ node: z.string() }) });

/** The Node that its package.json asks for; no published referee did so far. */
async function nodeRange(root: string): Promise<{ nodeRange?: string }> {
  const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
  const parsed = enginesSchema.safeParse(parseJson(text));
  return parsed.success ? { nodeRange: parsed.data.engines.node } : {};
}

/** Reads the abilities out of `server --help`, `client --help` and `list --server`. */
export function readAbilities(said: { server: string; client: string; list: string }): Said {
  return {
    requirementsOption: {
      server: hasOption(said.server, '--requirements'),
      client: hasOption(said.client, '--requirements'),
    },
    serverTimeout: hasOption(said.server, '--timeout'),
    specVersion: hasOption(said.server, '--spec-version'),
    force: hasOption(said.server, '--force'),
    revisions: revisionsIn(said.list),
  };
}

/** An option begins a line, little indented; the same word in another option's wrapped description does not count. */
function hasOption(help: string, option: string): boolean {
  return new RegExp(`^ {1,4}(-\\w, )?${option}(\\s|$)`, 'm').test(help);
}

/** Each line of the list ends with the revisions of its scenario: `- ping [2025-06-18,2025-11-25]`. */
function revisionsIn(list: string): string[] {
  const tags = [...list.matchAll(/^\s*- \S+ \[([^\]]*)\]\s*$/gm)].flatMap((line) =>
    (line[1] ?? '').split(','),
  );
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => /^\d{4}-\d{2}-\d{2}$/.test(tag)))].sort();
}

function didNotStart(pin: string, args: readonly string[], answer: ToolResult): MeasurementFault {
  return new MeasurementFault({
    kind: 'referee-build-failed',
    pin,
    step: `node dist/index.js ${args.join(' ')}`,
    logTail: tailOf(answer),
  });
}
