import type { Outcome } from '../../gate/verdict.ts';

const PATHS: Readonly<Record<Outcome, string>> = {
  pass: '<path d="M9 16.5l5 5 9.5-11"/>',
  fail: '<path d="M10.5 10.5l11 11M21.5 10.5l-11 11"/>',
  inconclusive: '<path d="M12 12.5a4 4 0 1 1 5.6 3.7c-1 .5-1.6 1.2-1.6 2.8M16 23.2v.1"/>',
};

/** The outcome's sign as inline SVG; its colour is the text's. Shape tells as much as colour does. */
export function icon(outcome: Outcome): string {
  return `<svg viewBox="0 0 32 32" width="48" height="48" aria-hidden="true"><circle cx="16" cy="16" r="15" class="disc"/><g class="stroke">${PATHS[outcome]}</g></svg>`;
}

const COLOURS: Readonly<Record<Outcome, string>> = {
  pass: '#17805a',
  fail: '#c62f3d',
  inconclusive: '#b36b00',
};

/** The same as a favicon, so that a tab shows the outcome. */
export function favicon(outcome: Outcome): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${COLOURS[outcome]}"/><g fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round">${PATHS[outcome]}</g></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
