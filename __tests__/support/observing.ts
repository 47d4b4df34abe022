import type { Pin, Watch } from '../../src/config/plan.ts';
import { emptyMemory } from '../../src/drift/memory.ts';
import { type ObserveOptions, observe } from '../../src/drift/observe.ts';
import type { SourceReport } from '../../src/drift/source.ts';
import type { Upstream } from '../../src/drift/state.ts';
import type { FakeGitHub } from './fake-github.ts';

export const PIN: Pin = { kind: 'npm', version: '0.2.0-alpha.11', text: 'npm:0.2.0-alpha.11' };
export const TODAY = '2026-11-30';
export const NOW = '2026-11-30T03:17:00.000Z';

/** Options of an observation against a fake GitHub; override what the test is about. */
export function observeOptions(github: FakeGitHub, overrides: Partial<ObserveOptions> = {}): ObserveOptions {
  return {
    github: github.client(),
    audience: 'token',
    memory: emptyMemory(),
    env: process.env,
    node: process.execPath,
    timeoutMs: 20_000,
    sourceTimeoutMs: 30_000,
    signal: new AbortController().signal,
    pin: PIN,
    repository: 'https://github.com/modelcontextprotocol/conformance.git',
    revisions: ['2025-11-25', '2026-07-28'],
    today: TODAY,
    now: () => new Date(NOW),
    offline: false,
    ...overrides,
  };
}

/** What `--adopt` would write now: the state that later looks are compared with. */
export async function adoptNow(watch: readonly Watch[], options: ObserveOptions): Promise<Upstream> {
  const reports = await observe(watch, undefined, { ...options, memory: emptyMemory() });
  return {
    schema: 1,
    sources: Object.fromEntries(
      reports.map((report) => {
        if (report.value === undefined) throw new Error(`nothing to adopt: ${JSON.stringify(report)}`);
        return [report.id, report.value];
      }),
    ),
  };
}

/** One look at one source. */
export async function look(
  watch: Watch,
  pinned: Upstream | undefined,
  options: ObserveOptions,
): Promise<SourceReport> {
  const [report] = await observe([watch], pinned, options);
  if (report === undefined) throw new Error('no report');
  return report;
}
