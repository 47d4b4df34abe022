import type { PageIndex } from '../page-types.ts';
import { readDetails } from './data.ts';
import { byId, h } from './dom.ts';
import type { Matrix } from './matrix.ts';

type Cell = NonNullable<PageIndex['rows'][number]['c'][number]>;

/** A filter shows the rows that have at least one such cell. */
const FILTERS: readonly (readonly [id: string, label: string, test: (cell: Cell) => boolean])[] = [
  ['all', 'All', () => true],
  ['finding', 'Findings', (cell) => cell.r === 'finding' || (cell.f ?? 0) > 0],
  ['not-measured', 'Not measured', (cell) => cell.r === 'not-measured'],
  ['excepted', 'Excepted', (cell) => cell.r === 'excepted' || (cell.x?.length ?? 0) > 0],
  ['passed', 'Passed', (cell) => cell.r === 'passed'],
  ['not-scored', 'Not scored', (cell) => cell.r.startsWith('not-scored')],
  ['changed', 'Changed', (cell) => cell.d === true],
];

/** Search box and filter chips over the matrix. Words of the search must all occur, in any order. */
export function startFilter(index: PageIndex, matrix: Matrix): void {
  const search = byId<HTMLInputElement>('search');
  const chips = byId('chips');
  const status = byId('shown');
  let chosen = 'all';
  const counts = FILTERS.map(
    ([, , test]) => index.rows.filter(({ c }) => c.some((cell) => cell && test(cell))).length,
  );
  for (const [position, [id, label]] of FILTERS.entries()) {
    const count = counts[position] ?? 0;
    if (count === 0 && id !== 'all') continue;
    const chip = h(
      'button',
      { type: 'button', class: `chip c-${id}`, 'data-filter': id, 'aria-pressed': String(id === chosen) },
      label,
      h('b', {}, count.toLocaleString('en-US')),
    );
    chip.addEventListener('click', () => {
      chosen = id;
      for (const each of chips.children) each.setAttribute('aria-pressed', String(each === chip));
      apply();
    });
    chips.append(chip);
  }

  let haystacks: string[] | undefined;
  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length > 0) haystacks ??= index.rows.map((row) => haystack(index, row));
    const test = FILTERS.find(([id]) => id === chosen)?.[2] ?? (() => true);
    let shown = 0;
    for (const [row, element] of matrix.rows.entries()) {
      const fits =
        (index.rows[row]?.c.some((cell) => cell && test(cell)) ?? false) &&
        words.every((word) => haystacks?.[row]?.includes(word));
      element.hidden = !fits;
      if (fits) shown += 1;
    }
    status.textContent =
      shown === index.rows.length
        ? `${shown.toLocaleString('en-US')} scenarios`
        : `${shown.toLocaleString('en-US')} of ${index.rows.length.toLocaleString('en-US')} scenarios`;
    byId('nothing').hidden = shown > 0;
  };
  search.addEventListener('input', apply);
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && search.value !== '') {
      search.value = '';
      apply();
    }
    if (event.key === 'ArrowDown' || event.key === 'Enter') {
      const row = matrix.rows.findIndex((element) => !element.hidden);
      const column = index.rows[row]?.c.findIndex((cell) => cell !== null) ?? -1;
      if (row < 0 || column < 0) return;
      event.preventDefault();
      matrix.focus(row, column);
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing = (event.target as Element).matches?.('input:not([type=radio]), textarea');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]')) return;
    event.preventDefault();
    search.focus();
    search.select();
  });
  apply();
}

/** Everything about a scenario that someone may search for: names, checks, statuses, classes, evidence. */
function haystack({ profiles }: PageIndex, { s, c }: PageIndex['rows'][number]): string {
  const texts = [s];
  for (const [column, cell] of c.entries()) {
    if (!cell) continue;
    texts.push(profiles[column]?.id ?? '', cell.r, cell.n ?? '', ...(cell.x ?? []));
    const details = readDetails(column)[s];
    for (const finding of details?.findings ?? []) texts.push(finding.title, finding.kind);
    for (const check of details?.checks ?? []) {
      texts.push(check.check, check.description, check.evidence ?? '', check.exception?.reason ?? '');
      if (check.findings.length > 0 || check.exception) texts.push(...check.statuses);
    }
  }
  return texts.join('\n').toLowerCase();
}
