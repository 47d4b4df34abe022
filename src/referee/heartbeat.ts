import type { Progress } from '../shared/progress.ts';

/** Installing and building take many seconds without a word; after this long the last step is told again, with its time. */
const EVERY_MS = 5_000;

/**
 * Runs a long job whose steps are repeated while they last, so that nobody takes silence for a hang.
 * @param work gets the progress that it tells its steps to
 */
export async function withHeartbeat<T>(
  progress: Progress,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await work((event) => {
      progress(event);
      if (event.kind !== 'step') return;
      clearInterval(timer);
      const since = performance.now();
      timer = setInterval(() => {
        const seconds = Math.round((performance.now() - since) / 1000);
        progress({ ...event, text: `${event.text} (${seconds} s)` });
      }, EVERY_MS);
    });
  } finally {
    clearInterval(timer);
  }
}
