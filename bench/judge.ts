import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { judgeInput, type Unpacked, unpack } from '../__tests__/support/recording.ts';
import { acceptProfile } from '../src/baseline/accept.ts';
import type { Baseline } from '../src/baseline/baseline.ts';
import { parseBaseline } from '../src/baseline/parse.ts';
import { combine, type JudgeInput, judgeProfile } from '../src/gate/judge.ts';
import { renderSummary } from '../src/publish/summary.ts';
import { readReports } from '../src/reports/read-reports.ts';
import type { Report } from '../src/reports/report.ts';
import { type BenchRow, median, medianMs } from './row.ts';

const PROFILES = ['server:2025-11-25', 'server:2026-07-28'];
const SCALES = [1, 10, 100, 1000];

interface Case {
  readonly unpacked: Unpacked;
  readonly baseline: Baseline;
}

/**
 * Two recorded profiles (83 reports): read, normalise, fingerprint, judge and render; then reading and judging one of them
 * many times over, each scale in a process of its own and in processor time, to see what grows.
 */
export default async function benchJudge(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-gate-bench-'));
  try {
    const cases = await Promise.all(PROFILES.map((profile) => prepare(profile, folder)));
    const whole = await medianMs(15, () => readJudgeRender(cases));
    const rows: BenchRow[] = [
      { name: 'read, judge and render two profiles (83 reports)', value: whole, unit: 'ms', goal: 60 },
    ];
    const perReport: number[] = [];
    let peak = 0;
    for (const scale of SCALES) {
      const measured = await inOwnProcess(scale);
      perReport.push(measured.usPerReport);
      peak = Math.max(peak, measured.peakMb);
      rows.push({
        name: `read and judge ${scale}× ${measured.reports / scale} reports, per report`,
        value: measured.usPerReport,
        unit: 'µs',
      });
      rows.push({ name: `  of which judging, ${scale}×`, value: measured.usJudging, unit: 'µs' });
    }
    const [first = 1] = perReport;
    const last = perReport.at(-1) ?? first;
    rows.push({
      name: 'read and judge: per report at 1,000× ÷ at 1×',
      value: last / first,
      unit: '×',
      goal: 1.2,
    });
    rows.push({ name: 'read and judge: peak memory at 1,000×', value: peak, unit: 'MB' });
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(profile: string, folder: string): Promise<Case> {
  const unpacked = await unpack('everything/run-a', profile, folder);
  const input = await judgeInput(unpacked);
  const accepted = acceptProfile({ ...input, calibrations: [], reviewed: '2026-11-30' });
  if (!accepted.accepted) throw new Error('the recording was not measured');
  return { unpacked, baseline: parseBaseline(accepted.yaml, 'baseline.yaml', input.profile) };
}

async function readJudgeRender(cases: readonly Case[]): Promise<void> {
  const judged = await Promise.all(
    cases.map(async ({ unpacked, baseline }) => judgeProfile(await judgeInput(unpacked, { baseline }))),
  );
  const verdict = combine({
    profiles: judged,
    setupFindings: [],
    source: {},
    timing: { startedAt: '2026-12-01T00:00:00.000Z', finishedAt: '2026-12-01T00:00:01.000Z', tookMs: 1000 },
    version: '0.0.0',
  });
  if (verdict.outcome !== 'pass') throw new Error(`the bench's pair does not pass: ${verdict.headline}`);
  const checks = Object.fromEntries(judged.map((one) => [one.verdict.profile, one.checks]));
  renderSummary({ verdict, checks }, { maxBytes: 1024 * 1024 });
}

interface Scaled {
  readonly reports: number;
  readonly usPerReport: number;
  /** Of which judging, the reports being in memory. */
  readonly usJudging: number;
  readonly peakMb: number;
}

/** A process of its own for each scale, so that its peak memory is its own. */
async function inOwnProcess(scale: number): Promise<Scaled> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), String(scale)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the scale ${scale} ended with ${code}`);
  return JSON.parse(text);
}

/**
 * Reads and judges the 2026-07-28 recording `scale` times over: as many files, scenarios, reports, exceptions and inventory
 * lists, from the files to the verdict.
 */
async function measureScale(scale: number): Promise<Scaled> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-gate-bench-'));
  try {
    const { unpacked, baseline } = await prepare('server:2026-07-28', folder);
    const input = multiplied(await judgeInput(unpacked, { baseline }), scale);
    const { folder: raw, metadata, profile } = unpacked;
    let kept: readonly Report[] = [];
    const readAndJudge = async () => {
      const reports: Report[] = [];
      for (let n = 0; n < scale; n++) {
        const read = await readReports(raw, metadata.scenarios, profile);
        const suffix = n === 0 ? '' : `-${n}`;
        for (const report of read.reports) reports.push({ ...report, scenario: report.scenario + suffix });
      }
      kept = reports;
      const { verdict } = judgeProfile({ ...input, reports });
      if (verdict.outcome !== 'pass') throw new Error('the multiplied pair does not pass');
    };
    // Small scales run often first, so that all of them run compiled code.
    for (let n = 0; n < 60 / scale; n++) await readAndJudge();
    const times = scale >= 100 ? 1 : 21;
    const ms = await medianCpuMs(times, readAndJudge);
    const judging = await medianCpuMs(times, async () => judgeProfile({ ...input, reports: kept }));
    const reports = input.reports.length * scale;
    return {
      reports,
      usPerReport: (ms * 1000) / reports,
      usJudging: (judging * 1000) / reports,
      peakMb: process.resourceUsage().maxRSS / 1024,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Like medianMs, but processor time: what else the machine does has no part in it. */
async function medianCpuMs(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let n = 0; n < times; n++) {
    const from = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(from);
    taken.push((user + system) / 1000);
  }
  return median(taken);
}

function multiplied(input: JudgeInput, scale: number): JudgeInput {
  const { baseline, metadata } = input;
  if (baseline === undefined) throw new Error('nothing to multiply');
  const times = Array.from({ length: scale }, (_, n) => (n === 0 ? '' : `-${n}`));
  const named = (lists: ReadonlyMap<string, readonly string[]>) =>
    new Map(
      times.flatMap((suffix) => [...lists].map(([scenario, ids]) => [scenario + suffix, ids] as const)),
    );
  return {
    ...input,
    metadata: {
      ...metadata,
      scenarios: {
        scored: times.flatMap((suffix) => metadata.scenarios.scored.map((scenario) => scenario + suffix)),
        notScored: times.flatMap((suffix) =>
          metadata.scenarios.notScored.map((entry) => ({ ...entry, scenario: entry.scenario + suffix })),
        ),
      },
    },
    baseline: {
      ...baseline,
      exceptions: times.flatMap((suffix) =>
        baseline.exceptions.map((one) => ({ ...one, scenario: one.scenario + suffix })),
      ),
      inventory: named(baseline.inventory),
      information: named(baseline.information),
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(JSON.stringify(await measureScale(Number(process.argv[2]))));
}
