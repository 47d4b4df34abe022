// The whole gate, as people run it, against what it wraps: the bare referee, run once for each revision against a server that
// already runs. Both are processes, both end with their reports on disk, and they take turns, so that a busy moment of the
// machine hits both. The bare referee gets a server that was just started, as the gate's are and as in any job; waiting for
// it to listen counts for the gate alone. A server that has answered twenty referees before, whose code is all compiled by
// then, is measured too: that is the least that a referee can take. Needs dist/ (`npm run build`).
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { RefereePlan } from '../src/config/plan.ts';
import { DEFAULT_PIN, parsePin } from '../src/referee/parse-pin.ts';
import { prepareReferee } from '../src/referee/prepare.ts';
import { type BenchRow, median } from './row.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** One round varies by a few hundredths, so that fewer would tell little about the ratio. */
const ROUNDS = 11;
const REVISIONS = ['2025-11-25', '2026-07-28'];

export default async function whole(): Promise<readonly BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-gate-bench-'));
  try {
    const { cold, warm, entry } = await preparation(join(folder, 'cache'));
    const { bare, practised, gate, ratio, least } = await turns(folder, entry);
    return [
      { name: 'bare referee, both revisions, server just started', value: bare, unit: 'ms' },
      { name: 'bare referee, both revisions, server long in use', value: practised, unit: 'ms' },
      { name: 'whole gate, both profiles, managed servers', value: gate, unit: 'ms' },
      { name: 'whole gate ÷ bare referee, server just started', value: ratio, unit: '×', goal: 1 },
      { name: 'whole gate ÷ bare referee, server long in use', value: least, unit: '×' },
      { name: 'referee from the cache ÷ its own cold install', value: warm / cold, unit: '×', goal: 0.1 },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How long the default referee takes on an empty cache, and from then on. */
async function preparation(cache: string): Promise<{ cold: number; warm: number; entry: string }> {
  const plan: RefereePlan = {
    pin: parsePin(DEFAULT_PIN),
    repository: '',
    locks: join(root, 'baselines/referee'),
    cache,
    offline: false,
  };
  const io = { progress: () => {}, signal: new AbortController().signal };
  const from = performance.now();
  const { entry } = await prepareReferee(plan, io);
  const cold = performance.now() - from;
  const warm: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const again = performance.now();
    await prepareReferee(plan, io);
    warm.push(performance.now() - again);
  }
  return { cold, warm: median(warm), entry };
}

interface Turns {
  readonly bare: number;
  readonly practised: number;
  readonly gate: number;
  readonly ratio: number;
  readonly least: number;
}

/** The medians; those of the ratios are over the rounds, whose parts the machine was equally busy in. */
async function turns(folder: string, entry: string): Promise<Turns> {
  const times = { bare: [] as number[], practised: [] as number[], gate: [] as number[] };
  const ratios = { fresh: [] as number[], practised: [] as number[] };
  const bothRevisions = async (url: string, out: string): Promise<void> => {
    for (const revision of REVISIONS) {
      const given = ['--url', url, '--requirements', revision, '-o', join(folder, `${out}-${revision}`)];
      await node([entry, 'server', ...given], [0, 1]);
    }
  };
  await withDemo(async (inUse) => {
    for (let round = 0; round <= ROUNDS; round++) {
      const bare = await withDemo((fresh) => timed(() => bothRevisions(fresh, `bare-${round}`)));
      const gate = await timed(() => node(gateArguments(folder, round), [0]));
      const practised = await timed(() => bothRevisions(inUse, `practised-${round}`));
      // The first round fills the disk's and the compiler's caches.
      if (round === 0) continue;
      times.bare.push(bare);
      times.gate.push(gate);
      times.practised.push(practised);
      ratios.fresh.push(gate / bare);
      ratios.practised.push(gate / practised);
    }
  });
  return {
    bare: median(times.bare),
    practised: median(times.practised),
    gate: median(times.gate),
    ratio: median(ratios.fresh),
    least: median(ratios.practised),
  };
}

function gateArguments(folder: string, round: number): string[] {
  const demo = `"${process.execPath}" "${join(root, 'dist/demo-server.js')}" --port {port}`;
  return [
    ...[join(root, 'dist/cli.js'), 'run', '--name', 'demo', '--baselines', join(root, 'baselines')],
    ...[
      '--server-command',
      demo,
      '--output',
      join(folder, `gate-${round}`),
      '--cache',
      join(folder, 'cache'),
    ],
    '--offline',
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** @throws Error with its output when it ends otherwise than with one of the codes */
async function node(args: readonly string[], codes: readonly number[]): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  }
  const [code] = await once(child, 'close');
  if (!codes.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}:\n${said.slice(-2000)}`);
}

/** A demo server that listens for as long as `use` needs it. @returns what `use` returned */
async function withDemo<T>(use: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [join(root, 'dist/demo-server.js'), '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  try {
    return await use(await addressOf(child));
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

async function addressOf({ stderr }: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url) return url;
  }
  throw new Error('The demo server ended before it listened.');
}
