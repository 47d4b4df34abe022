import { readIndex } from './data.ts';
import { startDrawer } from './drawer.ts';
import { startFilter } from './filter.ts';
import { drawMatrix, placeOf } from './matrix.ts';
import { startTheme } from './theme.ts';

startTheme();
const index = readIndex();
const drawer = startDrawer(index);
const matrix = drawMatrix(index, drawer.open);
startFilter(index, matrix);

/** Opens what `[profile, scenario, check]` names, if the page has it. */
function openNamed([profile, scenario, check]: readonly (string | undefined)[]): void {
  const column = index.profiles.findIndex(({ id }) => id === profile);
  const row = index.rows.findIndex(({ s }) => s === scenario);
  if (row >= 0 && column >= 0) drawer.open(row, column, check || undefined);
}

document.addEventListener('click', (event) => {
  const target = (event.target as Element).closest('[data-open]');
  if (target) openNamed(JSON.parse(target.getAttribute('data-open') ?? '[]') as string[]);
  else if ((event.target as Element).matches('.tiles [data-at]')) {
    const at = placeOf(event.target);
    if (at) drawer.open(at[0], at[1]);
  }
});

// A tile says what it is when the pointer rests on it; made on demand, there may be thousands.
document.addEventListener('pointerover', (event) => {
  const tile = event.target as HTMLElement;
  if (!tile.matches?.('.tiles [data-at]') || tile.title) return;
  const at = placeOf(tile);
  const row = at && index.rows[at[0]];
  if (row) tile.title = `${row.s}: ${row.c[at[1]]?.r.replaceAll('-', ' ')}`;
});

// Folded parts are opened for paper.
addEventListener('beforeprint', () => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});

const fromAddress = () => {
  try {
    if (location.hash.length > 1) openNamed(location.hash.slice(1).split('/').map(decodeURIComponent));
  } catch {
    // Not one of our addresses.
  }
};
addEventListener('hashchange', fromAddress);
fromAddress();
document.documentElement.dataset.ready = '';
