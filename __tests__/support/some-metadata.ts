import { type Profile, parseProfile } from '../../src/profile.ts';
import type { Probe, RefereeRun, Rerun, RunMetadata } from '../../src/run/metadata.ts';

export function aProfile(id = 'server:2025-11-25'): Profile {
  const profile = parseProfile(id);
  if (profile === undefined) throw new Error(`${id} is no profile`);
  return profile;
}

export function aProbe(overrides: Partial<Extract<Probe, { answered: true }>> = {}): Probe {
  return {
    answered: true,
    url: 'http://localhost:3902/mcp',
    method: 'initialize',
    at: '2026-11-30T12:00:00.000Z',
    tookMs: 3,
    httpStatus: 200,
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'some-server', version: '1.0.0' },
    capabilities: { tools: {} },
    ...overrides,
  };
}

export function aFailedProbe(overrides: Partial<Extract<Probe, { answered: false }>> = {}): Probe {
  return {
    answered: false,
    url: 'http://localhost:3902/mcp',
    method: 'initialize',
    at: '2026-11-30T12:00:00.000Z',
    tookMs: 3,
    reason: 'refused',
    message: 'connect ECONNREFUSED 127.0.0.1:3902',
    ...overrides,
  };
}

export function aRefereeRun(overrides: Partial<RefereeRun> = {}): RefereeRun {
  return {
    argv: ['node', 'index.js', 'server', '--requirements', '2025-11-25'],
    exitCode: 0,
    signal: null,
    timedOut: false,
    tookMs: 1500,
    ...overrides,
  };
}

/** Metadata of a run of one scored scenario against a server that answers. */
export function someMetadata(overrides: Partial<RunMetadata> = {}): RunMetadata {
  return {
    schemaVersion: 1,
    profile: 'server:2025-11-25',
    source: {},
    referee: {
      pin: 'npm:0.2.0-alpha.12',
      integrity: 'sha512-abc',
      lock: `sha256:${'1'.repeat(64)}`,
      requirements: `sha256:${'2'.repeat(64)}`,
      node: 'v24.0.0',
      cache: 'hit',
      prepareMs: 10,
    },
    runs: [aRefereeRun()],
    target: { kind: 'command', url: 'http://localhost:3902/mcp', notes: [] },
    scenarios: { scored: ['some-scenario'], notScored: [] },
    probes: { before: aProbe(), after: aProbe({ at: '2026-11-30T12:00:10.000Z' }) },
    window: { from: '2026-11-30T12:00:00.000Z', to: '2026-11-30T12:00:10.000Z' },
    reruns: [],
    faults: [],
    system: { node: 'v24.0.0', os: 'Linux 6', arch: 'x64' },
    durations: {},
    ...overrides,
  };
}

export function aRerun(scenario: string, overrides: Partial<Rerun> = {}): Rerun {
  return {
    scenario,
    folder: `reruns/1/${scenario}`,
    purpose: 'confirm',
    run: aRefereeRun({ argv: ['node', 'index.js', 'server', '--scenario', scenario] }),
    url: 'http://localhost:4100/mcp',
    window: { from: '2026-11-30T12:00:20.000Z', to: '2026-11-30T12:00:30.000Z' },
    ...overrides,
  };
}
