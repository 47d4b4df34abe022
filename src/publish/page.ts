import { htmlText } from '../shared/escape-html.ts';
import { OUTCOME_SIGNS } from './outcome-signs.ts';
import type { Publication } from './publication.ts';

/** report.html: one self-contained page. */
export function renderPage(p: Publication): string {
  const { verdict } = p;
  const rows = verdict.profiles.flatMap(({ profile, scenarios }) =>
    scenarios.map(
      ({ scenario, result }) =>
        `<tr><td>${htmlText(profile)}</td><td>${htmlText(scenario)}</td><td>${htmlText(result)}</td></tr>`,
    ),
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>MCP conformance: ${verdict.outcome}</title>
<h1>${OUTCOME_SIGNS[verdict.outcome].sign} ${htmlText(verdict.headline)}</h1>
<table>${rows.join('\n')}</table>
</html>
`;
}
