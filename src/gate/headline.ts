import { type Finding, profilesOf } from './finding.ts';
import { outcomeOf } from './outcome.ts';
import { textOf } from './texts.ts';
import type { ProfileVerdict } from './verdict.ts';

/** One sentence: the outcome first, then the numbers or the first cause. */
export function headline(findings: readonly Finding[], profiles: readonly ProfileVerdict[]): string {
  const [first] = findings;
  const outcome = outcomeOf(findings);
  if (first === undefined || outcome === 'pass') {
    const scored = sum(profiles, (profile) => profile.counts.scenarios.scored);
    const excepted = sum(profiles, (profile) => profile.counts.scenarios.excepted);
    const reviewed = excepted === 0 ? '' : `, ${excepted} with reviewed exceptions`;
    return `Pass: ${scored} scored ${plural(scored, 'scenario')} in ${profiles.length} ${plural(profiles.length, 'profile')}${reviewed}.`;
  }
  const where = profilesOf(first).length === 0 ? '' : ` (${profilesOf(first).join(', ')})`;
  const more = findings.length - 1;
  const others = more === 0 ? '' : ` And ${more} more ${plural(more, 'finding')}.`;
  const word = outcome === 'inconclusive' ? 'Inconclusive, not measured' : 'Fail';
  return `${word}: ${textOf(first).title}${where}.${others}`;
}

const plural = (count: number, word: string) => (count === 1 ? word : `${word}s`);
const sum = <T>(items: readonly T[], of: (item: T) => number) =>
  items.reduce((total, item) => total + of(item), 0);
