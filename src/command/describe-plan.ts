import type { Plan, TargetSpec } from '../config/plan.ts';
import { redactor } from '../shared/redact.ts';

/**
 * The resolved plan in a few lines, each value with where it came from, so that nobody has to guess which file or option won.
 * Secrets are not in it.
 */
export function describePlan(plan: Plan): string[] {
  const from = (name: string): string => {
    const origin = plan.origins[name];
    return origin === undefined || origin === 'default' ? '' : `  (${origin})`;
  };
  return [
    ...plan.profiles.map(
      ({ profile, target }) => `profile    ${profile.id}${from('profile')}  ${describeTarget(target)}`,
    ),
    `referee    ${plan.referee.pin.text}${from('referee')}`,
    `baselines  ${plan.baselines}${from('baselines')}`,
    ...(plan.only ? [`partial    only ${plan.only.join(', ')}`] : []),
  ].map(redactor(plan.secrets).text);
}

function describeTarget(target: TargetSpec): string {
  switch (target.kind) {
    case 'url':
      return `at ${target.url}`;
    case 'command':
      return `started by: ${target.command}`;
    case 'stdio':
      return `bridged from stdio: ${target.command}`;
    case 'client':
      return `client: ${target.command}`;
  }
}
