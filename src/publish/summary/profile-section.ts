import type { Verdict } from '../../gate/verdict.ts';
import { markdownCode, markdownText } from '../../shared/escape-markdown.ts';
import { OUTCOME_SIGNS } from '../outcome-signs.ts';
import { plural } from '../plural.ts';
import type { Section } from './section.ts';

/** A row for each profile: scored, passed, excepted by class, failing, not scored. */
export function profileSection(verdict: Verdict): Section {
  return {
    before:
      '### Profiles\n\n| | profile | scored | passed | excepted | failing | not scored |\n| --- | --- | ---: | ---: | --- | ---: | --- |',
    items: verdict.profiles.map(({ profile, outcome, counts }) => {
      const { scenarios } = counts;
      const classes = Object.entries(counts.exceptions)
        .map(([name, count]) => `${count} ${markdownText(name)}`)
        .join('<br>');
      const cells = [
        OUTCOME_SIGNS[outcome].sign,
        markdownCode(profile),
        scenarios.scored,
        scenarios.passed,
        `${scenarios.excepted}${classes ? `<br><sub>${classes}</sub>` : ''}`,
        `${scenarios.failing}${scenarios.notMeasured > 0 ? `<br><sub>${scenarios.notMeasured} not measured</sub>` : ''}`,
        `${scenarios.notScored}${counts.notScored.failing > 0 ? ` (${counts.notScored.failing} failing)` : ''}`,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    separator: '\n',
    after: '',
    glue: '\n',
    left: (count) => `| | … and ${plural(count, 'more profile')} | | | | | |`,
  };
}
