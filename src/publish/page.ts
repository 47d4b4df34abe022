import { createHash } from 'node:crypto';
import { htmlText, scriptJson } from '../shared/escape-html.ts';
import { PAGE_SCRIPT, PAGE_STYLE } from './page/assets.ts';
import { findingsHtml } from './page/findings-html.ts';
import { footHtml } from './page/foot-html.ts';
import { headHtml } from './page/head-html.ts';
import { historyHtml } from './page/history-html.ts';
import { favicon } from './page/icons.ts';
import { pageDetails, pageIndex } from './page/page-data.ts';
import { profilesHtml } from './page/profiles-html.ts';
import type { Publication } from './publication.ts';

/**
 * report.html: one file that works from disk and asks nothing of any network. Verdict, profiles, findings and history are
 * plain HTML; the matrix with its drill-down is drawn by the one script whose hash the page's policy allows. Foreign text
 * gets in as escaped text or as JSON in data elements, never as markup.
 */
export function renderPage(p: Publication): string {
  const { verdict } = p;
  const name = verdict.name ? htmlText(verdict.name.slice(0, 200)) : '';
  const policy = [
    "default-src 'none'",
    `script-src '${hash(PAGE_SCRIPT)}'`,
    `style-src '${hash(PAGE_STYLE)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  const details = pageDetails(p).map(
    (of, position) => `<script type="application/json" id="details-${position}">${scriptJson(of)}</script>`,
  );
  return `<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${verdict.outcome}: ${name || 'MCP conformance'}</title>
<link rel="icon" href="${favicon(verdict.outcome)}">
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#matrix">To the scenarios</a>
<div class="top"><div class="wrap">
<p class="brand"><b>MCP conformance</b>${name ? `<span>${name}</span>` : ''}</p>
<fieldset id="theme" class="switch"><legend>Theme</legend>${['auto', 'light', 'dark'].map((theme) => `<label><input type="radio" name="theme" value="${theme}"${theme === 'auto' ? ' checked' : ''}><span>${theme}</span></label>`).join('')}</fieldset>
</div></div>
<main class="wrap">
${headHtml(p)}
${findingsHtml(p)}
${profilesHtml(p)}
${historyHtml(p)}
<section class="matrix" id="matrix" aria-labelledby="matrix-title">
<div class="tools">
<h2 id="matrix-title">Scenarios</h2>
<label class="search"><span>Search</span><input id="search" type="search" placeholder="Scenario, check, evidence…" autocomplete="off" spellcheck="false"><kbd>/</kbd></label>
<div id="chips" class="chips" role="group" aria-label="Filter"></div>
<p id="shown" class="muted" role="status"></p>
</div>
<noscript><p class="muted">The matrix needs the script of this page. summary.md has the same in plain text.</p></noscript>
<div id="grid" class="grid" role="table" aria-label="Scenarios by profile"></div>
<p id="nothing" class="nothing muted" hidden>No scenario fits. Clear the search or choose another filter.</p>
</section>
${footHtml(p)}
</main>
<dialog id="drawer" aria-labelledby="drawer-title">
<div class="drawer-bar"><button type="button" id="drawer-previous" title="Previous scenario (k)">↑<span> Previous</span></button><button type="button" id="drawer-next" title="Next scenario (j)">↓<span> Next</span></button><button type="button" id="drawer-close" title="Close (Esc)">Close</button></div>
<div id="drawer-content" tabindex="-1"></div>
</dialog>
<script type="application/json" id="index">${scriptJson(pageIndex(p))}</script>
${details.join('\n')}
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/** A source expression of Content Security Policy for one inline element. */
function hash(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}
