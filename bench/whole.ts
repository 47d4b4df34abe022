// The whole gate, as people run it, against what it wraps: the bare referee, run once for each revision against a server that
// already runs. Both are processes, both end with their reports on disk, and they take turns, so that a busy moment of the
// machine hits both. Needs dist/ (`npm run build`).
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
    const { bare, gate, ratio } = await turns(folder, entry);
    return [
      { name: 'bare referee, both revisions, running server', value: bare, unit: 'ms' },
      { name: 'whole gate, both profiles, managed servers', value: gate, unit: 'ms' },
      { name: 'whole gate ÷ bare referee', value: ratio, unit: '×', goal: 1 },
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

/** The medians; that of the ratio is over the rounds, whose two halves the machine was equally busy in. */
async function turns(folder: string, entry: string): Promise<{ bare: number; gate: number; ratio: number }> {
  const demo = await startDemo();
  const times = { bare: [] as number[], gate: [] as number[], ratio: [] as number[] };
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const bare = await timed(async () => {
        for (const revision of REVISIONS) {
          const out = join(folder, `bare-${round}-${revision}`);
          await node([entry, 'server', '--url', demo.url, '--requirements', revision, '-o', out], [0, 1]);
        }
      });
      const gate = await timed(() => node(gateArguments(folder, round), [0]));
      // The first round fills the disk's and the compiler's caches.
      if (round > 0) {
        times.bare.push(bare);
        times.gate.push(gate);
        times.ratio.push(gate / bare);
      }
    }
  } finally {
    demo.child.kill('SIGTERM');
    await once(demo.child, 'exit');
  }
  return { bare: median(times.bare), gate: median(times.gate), ratio: median(times.ratio) };
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

async function startDemo(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(root, 'dist/demo-server.js'), '--port', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /listens on (\S+)/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error('The demo server ended before it listened.');
}
