import { htmlText } from '../../shared/escape-html.ts';
import type { Publication } from '../publication.ts';
import { seconds } from '../seconds.ts';

/** Provenance to the last hash, for whoever has to prove what was measured. */
export function footHtml(p: Publication): string {
  const { verdict } = p;
  const rows = verdict.profiles.slice(0, 100).map(({ profile, referee, target, probe }) => {
    const facts: readonly (readonly [string, string | undefined])[] = [
      ['referee', referee?.pin],
      ['integrity', referee?.integrity],
      ['referee commit', referee?.commit],
      ['lock', referee?.lock],
      ['requirement set', referee?.requirements],
      ['Node', referee?.node],
      ['cache', referee ? `${referee.cache}, ready after ${seconds(referee.prepareMs)}` : undefined],
      ['target', target ? `${target.kind}${target.url ? ` ${target.url}` : ''}` : undefined],
      ['protocol', probe?.answered ? probe.protocolVersion : undefined],
    ];
    return `<section><h3><code>${htmlText(profile)}</code></h3><dl>${facts
      .filter((fact): fact is readonly [string, string] => fact[1] !== undefined)
      .map(([name, value]) => `<div><dt>${name}</dt><dd>${htmlText(value.slice(0, 400))}</dd></div>`)
      .join('')}</dl></section>`;
  });
  return `<footer><details><summary>Provenance</summary>${rows.join('\n')}</details>
<p class="muted">${htmlText(verdict.tool.name)} ${htmlText(verdict.tool.version)}. This page is one file and asks nothing of any network.</p></footer>`;
}
