import type { Verdict } from '../../gate/verdict.ts';
import type { TrendPoint } from '../publication.ts';

/** Points that are carried from run to run. */
export const MOST_POINTS = 60;

/**
 * This run as a point of the trend.
 * @param env the runner's environment; absent values leave the run's number and address out
 */
export function trendPoint(
  verdict: Verdict,
  env: Readonly<Record<string, string | undefined>> = {},
): TrendPoint {
  const sum = (pick: (s: Verdict['profiles'][number]['counts']['scenarios']) => number) =>
    verdict.profiles.reduce((total, { counts }) => total + pick(counts.scenarios), 0);
  const pin = verdict.profiles.find(({ referee }) => referee)?.referee?.pin;
  const run = Number(env.GITHUB_RUN_NUMBER);
  return {
    at: verdict.timing.finishedAt,
    outcome: verdict.outcome,
    passed: sum((s) => s.passed),
    excepted: sum((s) => s.excepted),
    failing: sum((s) => s.failing),
    findings: verdict.findings.length,
    ...(verdict.source.commit ? { commit: verdict.source.commit } : {}),
    ...(pin ? { pin } : {}),
    ...(Number.isInteger(run) && run > 0 ? { run } : {}),
    ...(env.GITHUB_RUN_ID && env.GITHUB_REPOSITORY
      ? {
          url: `${env.GITHUB_SERVER_URL ?? 'https://github.com'}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`,
        }
      : {}),
  };
}

/** Earlier points and this one, oldest first, the newest ones when there are too many. */
export function continueTrend(earlier: readonly TrendPoint[], now: TrendPoint): TrendPoint[] {
  return [...earlier.filter(({ at }) => at < now.at), now]
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .slice(-MOST_POINTS);
}
