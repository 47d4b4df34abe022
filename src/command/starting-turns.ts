import { setTimeout as sleep } from 'node:timers/promises';

/** A server that takes longer than this to start does not keep the next one waiting. */
const LONGEST_TURN_MS = 400;

/** One target's turn to start. */
export interface StartingTurn {
  /** Resolves when the one before has started, or takes too long from now on. */
  readonly comes: () => Promise<unknown>;
  /** Lets the next one start; may be called more than once. */
  readonly over: () => void;
}

/**
 * Targets that run side by side are started one after the other: on a small machine each is ready sooner than when all of
 * them start at the same time, and the first one's referee runs while the next one starts.
 * @param longestMs how long the next one waits at most, in milliseconds
 * @returns hands out the turns, in the order in which it is called
 */
export function startingTurns(longestMs = LONGEST_TURN_MS): () => StartingTurn {
  let free: Promise<unknown> = Promise.resolve();
  return () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = free;
    free = promise;
    return {
      comes: () => Promise.race([before, sleep(longestMs)]),
      over: resolve,
    };
  };
}
