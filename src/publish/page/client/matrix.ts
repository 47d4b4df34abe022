import type { Cell, PageIndex } from '../page-types.ts';
import { RESULT_WORDS } from './data.ts';
import { byId, h } from './dom.ts';

/** Profiles up to this number get cells that say their result in words. */
const ROOMY = 4;
/** From so many rows on, those out of sight are not laid out. */
const MANY = 200;

export interface Matrix {
  readonly rows: readonly HTMLElement[];
  /** Gives the keyboard a cell. */
  focus(row: number, column: number): void;
}

/**
 * Draws scenarios × profiles. One cell at a time is in the tab order; arrows, Home, End and Page keys move it.
 * @param open what to do when a cell is chosen
 */
export function drawMatrix(index: PageIndex, open: (row: number, column: number) => void): Matrix {
  const grid = byId('grid');
  const roomy = index.profiles.length <= ROOMY;
  grid.classList.toggle('roomy', roomy);
  grid.classList.toggle('many', index.rows.length > MANY);
  grid.style.setProperty('--columns', String(index.profiles.length));
  const head = h(
    'div',
    { role: 'row', class: 'row head' },
    h('div', { role: 'columnheader', class: 'name' }, 'Scenario'),
  );
  for (const { id } of index.profiles)
    head.append(h('div', { role: 'columnheader', class: 'col' }, h('span', { title: id }, id)));
  const body = document.createDocumentFragment();
  const rows = index.rows.map(({ s, c }, row) => {
    const element = h(
      'div',
      { role: 'row', class: 'row' },
      h('div', { role: 'rowheader', class: 'name' }, h('span', { title: s }, s)),
    );
    for (const [column, cell] of c.entries())
      element.append(
        h(
          'div',
          { role: 'cell', class: 'col' },
          cell ? cellButton(cell, `${row},${column}`, s, index.profiles[column]?.id ?? '', roomy) : undefined,
        ),
      );
    body.append(element);
    return element;
  });
  grid.append(head, body);

  let current: HTMLElement | undefined;
  const focus = (row: number, column: number, move = true) => {
    const next = grid.querySelector<HTMLElement>(`[data-at="${row},${column}"]`);
    if (!next) return;
    if (current) current.tabIndex = -1;
    current = next;
    next.tabIndex = 0;
    if (move) next.focus();
  };
  const first = grid.querySelector<HTMLElement>('[data-at]');
  if (first) {
    first.tabIndex = 0;
    current = first;
  }
  grid.addEventListener('click', (event) => {
    const at = placeOf(event.target);
    if (!at) return;
    focus(at[0], at[1], false);
    open(at[0], at[1]);
  });
  grid.addEventListener('keydown', (event) => {
    const at = placeOf(event.target);
    const step = at && STEPS[event.key];
    if (!at || !step) return;
    event.preventDefault();
    const next = findCell(index, rows, at, step);
    if (next) focus(next[0], next[1]);
  });
  return { rows, focus };
}

function cellButton(cell: Cell, at: string, scenario: string, profile: string, roomy: boolean): HTMLElement {
  const word = RESULT_WORDS[cell.r] ?? cell.r;
  const more = cell.f ? `, ${cell.f} ${cell.f === 1 ? 'finding' : 'findings'}` : '';
  const why = cell.x?.join(', ') ?? cell.n ?? '';
  const button = h(
    'button',
    {
      type: 'button',
      class: `cell r-${cell.r}${cell.d ? ' changed' : ''}`,
      tabindex: '-1',
      'data-at': at,
      'aria-label': `${scenario}, ${profile}: ${word}${more}${cell.d ? ', changed' : ''}`,
      title: `${scenario}\n${profile}\n${word}${more}${why ? `\n${why}` : ''}`,
    },
    h('i', { class: `t r-${cell.r}` }),
  );
  if (roomy)
    button.append(
      h('span', { class: 'word' }, word),
      h('span', { class: 'why' }, why || `${cell.c[0]} ${cell.c[0] === 1 ? 'check' : 'checks'}`),
    );
  return button;
}

type Step = readonly [rows: number, columns: number];
const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [-Number.MAX_SAFE_INTEGER, 0],
  End: [Number.MAX_SAFE_INTEGER, 0],
};

/** The cell that a step leads to: hidden rows and gaps are skipped, edges hold. */
function findCell(
  { rows: data, profiles }: PageIndex,
  rows: readonly HTMLElement[],
  [row, column]: readonly [number, number],
  [down, right]: Step,
): readonly [number, number] | undefined {
  if (right !== 0) {
    for (let c = column + right; c >= 0 && c < profiles.length; c += right)
      if (data[row]?.c[c]) return [row, c];
    return undefined;
  }
  const shown = rows.flatMap((element, r) => (!element.hidden && data[r]?.c[column] ? [r] : []));
  const at = shown.indexOf(row);
  const next = shown[Math.min(shown.length - 1, Math.max(0, at + down))];
  return next === undefined ? undefined : [next, column];
}

/** `data-at` of the nearest element that has it, as numbers. */
export function placeOf(target: EventTarget | null): readonly [number, number] | undefined {
  const at = (target as Element | null)
    ?.closest?.('[data-at]')
    ?.getAttribute('data-at')
    ?.split(',')
    .map(Number);
  return at?.[0] !== undefined && at[1] !== undefined ? [at[0], at[1]] : undefined;
}
