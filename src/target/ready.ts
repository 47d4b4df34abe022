import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '../config/plan.ts';
import type { Finding } from '../gate/finding.ts';
import type { Probe } from '../run/metadata.ts';
import { MeasurementFault } from '../shared/errors.ts';
import { candidateAddresses, isLoopback, portOf } from './addresses.ts';
import { accepts } from './ports.ts';
import { probeTarget } from './probe.ts';

export interface ReadyOptions {
  readonly ready: Readiness;
  readonly revision: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** Where it should answer; undefined while it has not said so yet. */
  readonly address: () => Promise<string | undefined>;
  /** `{port}` is replaced already. */
  readonly healthUrl?: string;
  /** Aborts when waiting is pointless; its reason is a MeasurementFault. */
  readonly signal: AbortSignal;
  /** Milliseconds after which a target that nobody listens for is given up, when that is sooner than the readiness limit. */
  readonly nobodyListensMs?: number;
  /** What to say when time is up; `last` is what was seen last. */
  readonly lateFinding: (last: Unanswered | undefined, words: string) => Finding;
}

type Unanswered = Extract<Probe, { answered: false }>;

/** The address that answered and its proof. */
export interface Ready {
  readonly url: string;
  readonly probe: Extract<Probe, { answered: true }>;
  readonly notes: readonly string[];
}

/** A server that is still starting is asked often, one that takes its time less so. */
const EAGER_MS = 3_000;
const EAGER_PAUSE_MS = 25;
const PATIENT_PAUSE_MS = 250;
/** An attempt that hangs must not use up all the time, but a slow first answer must be able to arrive. */
const SHORTEST_ATTEMPT_MS = 5_000;
/** In less time nothing can be learnt but that there was too little of it. */
const LAST_ATTEMPT_MS = 250;
/** A gateway may refuse everybody for a moment while it starts; after this it means it. */
const REFUSAL_SETTLES_MS = 2_000;

/**
 * Waits until the target answers an MCP probe.
 * @throws MeasurementFault: the signal's reason, `target-mismatch`, `probe-failed` when it refuses us, or the caller's late finding
 */
export async function waitUntilReady(options: ReadyOptions): Promise<Ready> {
  const { ready, signal } = options;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  const left = (): number => ready.timeoutMs - elapsed();
  let last: Unanswered | undefined;
  let words = 'no address is known yet';
  let refusedSince: number | undefined;

  for (;;) {
    signal.throwIfAborted();
    const url = await options.address();
    const healthy = options.healthUrl === undefined || (await isHealthy(options.healthUrl, left(), signal));
    if (url !== undefined && !healthy) words = `the health URL ${options.healthUrl} does not answer 2xx`;
    if (url !== undefined && healthy) {
      for (const candidate of candidateAddresses(url)) {
        // While nobody listens a bare connection tells as much, and takes less from a server that is just starting.
        if (last?.reason === 'refused' && isLoopback(candidate) && !(await isListening(candidate))) continue;
        const longest = Math.min(left(), Math.max(SHORTEST_ATTEMPT_MS, elapsed()));
        const timeoutMs = Math.max(LAST_ATTEMPT_MS, longest);
        const { probe, redirectedTo } = await probeTarget(candidate, { ...options, timeoutMs });
        signal.throwIfAborted();
        if (probe.answered) {
          await assertName(probe, options);
          return { url: candidate, probe, notes: notesOf(url, candidate, redirectedTo) };
        }
        // The given address is the one to talk about, unless only another one said something.
        if (candidate === url || probe.reason !== 'refused') last = probe;
      }
      if (last) words = `${last.reason}: ${last.message}`;
      refusedSince = last?.reason === 'unauthorised' ? (refusedSince ?? elapsed()) : undefined;
      if (last && refusedSince !== undefined && elapsed() - refusedSince >= REFUSAL_SETTLES_MS) {
        throw new MeasurementFault(probeFailed(last, 'before'));
      }
    }
    const nobody = last?.reason === 'refused';
    const givenUp = nobody && elapsed() >= (options.nobodyListensMs ?? Number.POSITIVE_INFINITY);
    if (givenUp || left() < LAST_ATTEMPT_MS) throw new MeasurementFault(options.lateFinding(last, words));
    const pause = elapsed() < EAGER_MS ? EAGER_PAUSE_MS : PATIENT_PAUSE_MS;
    await sleep(Math.max(1, Math.min(pause, left())), undefined, { signal }).catch(() => undefined);
  }
}

/** @returns the finding for a probe that was not answered */
export function probeFailed(probe: Unanswered, when: 'before' | 'after'): Finding {
  const { url, reason, message } = probe;
  return { kind: 'probe-failed', when, url, reason, message };
}

async function assertName(probe: Extract<Probe, { answered: true }>, options: ReadyOptions): Promise<void> {
  const expected = options.ready.name;
  if (expected === undefined) return;
  let found = probe.serverInfo?.name;
  if (found === undefined) {
    // A server that does not speak this revision answers its probe with an error; the other one may tell the name.
    const method = probe.method === 'initialize' ? 'server/discover' : 'initialize';
    const other = (await probeTarget(probe.url, { ...options, method, timeoutMs: SHORTEST_ATTEMPT_MS }))
      .probe;
    found = other.answered ? other.serverInfo?.name : undefined;
  }
  if (found !== expected) {
    throw new MeasurementFault({ kind: 'target-mismatch', expected, found: found ?? '(it gave no name)' });
  }
}

function notesOf(given: string, answered: string, redirectedTo: string | undefined): string[] {
  const notes: string[] = [];
  if (given !== answered) {
    notes.push(`${given} did not answer, ${answered} did: that is the address the referee was given.`);
  }
  if (redirectedTo !== undefined) notes.push(`${answered} redirects to ${redirectedTo}.`);
  return notes;
}

function isListening(url: string): Promise<boolean> {
  return accepts(portOf(url), new URL(url).hostname.replace(/^\[|\]$/g, ''));
}

async function isHealthy(url: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  for (const candidate of candidateAddresses(url)) {
    const deadline = AbortSignal.timeout(Math.max(1, Math.min(timeoutMs, SHORTEST_ATTEMPT_MS)));
    const response = await fetch(candidate, { signal: AbortSignal.any([deadline, signal]) }).catch(
      () => undefined,
    );
    await response?.body?.cancel().catch(() => undefined);
    if (response?.ok) return true;
  }
  return false;
}
