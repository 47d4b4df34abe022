import pLimit, { type LimitFunction } from 'p-limit';
import type { Plan, ProfilePlan } from '../config/plan.ts';

/**
 * Who may run beside whom: started targets side by side up to `jobs`; profiles that share a server, a fixed port or a file
 * one after the other; client profiles alone, because each already starts `jobs` clients at once.
 */
export function lanesOf(plan: Plan): (group: readonly ProfilePlan[]) => LimitFunction {
  const all = pLimit(plan.jobs);
  const lanes = new Map<string, LimitFunction>();
  return ([job]) => {
    const key = job === undefined ? undefined : sharedBy(job);
    if (key === undefined) return all;
    const lane = lanes.get(key) ?? pLimit(1);
    lanes.set(key, lane);
    return ((run: () => Promise<unknown>) => lane(() => all(run))) as LimitFunction;
  };
}

function sharedBy({ target }: ProfilePlan): string | undefined {
  switch (target.kind) {
    case 'stdio':
      return undefined;
    case 'client':
      return 'clients';
    case 'url':
      return target.url;
    case 'command': {
      if (target.url.from === 'template' && target.url.template.includes('{port}')) return undefined;
      return target.url.from === 'file' ? target.url.path : target.command;
    }
  }
}
