import { diffWords } from '../diff-words.ts';
import type { PageCheck, PageFinding, PageIndex } from '../page-types.ts';
import { proseParts } from '../prose-parts.ts';
import { RESULT_WORDS, readDetails } from './data.ts';
import { byId, h } from './dom.ts';

export interface Drawer {
  /** Shows a scenario in a profile; `check` is opened and scrolled to. */
  open(row: number, column: number, check?: string): void;
}

/** The drill-down: a dialog with every check of one scenario, kept in the address so that it can be linked to. */
export function startDrawer(index: PageIndex): Drawer {
  const dialog = byId<HTMLDialogElement>('drawer');
  const content = byId('drawer-content');
  let at: readonly [number, number] | undefined;

  const open = (row: number, column: number, check?: string) => {
    const data = index.rows[row];
    const cell = data?.c[column];
    if (!data || !cell) return;
    at = [row, column];
    const details = readDetails(column)[data.s];
    const checks = details?.checks ?? [];
    content.replaceChildren(
      h(
        'p',
        { class: 'crumb' },
        h(
          'span',
          { class: `badge r-${cell.r}` },
          h('i', { class: `t r-${cell.r}` }),
          RESULT_WORDS[cell.r] ?? cell.r,
        ),
        cell.n ? h('span', { class: 'muted' }, `not scored: ${cell.n}`) : undefined,
      ),
      h('h2', { id: 'drawer-title' }, data.s),
      tabs(index, row, column, open),
      ...(details?.findings ?? []).map(findingBox),
      ...(checks.length === 0 && (details?.findings.length ?? 0) === 0
        ? [h('p', { class: 'muted' }, 'Nothing is known about this scenario but its result.')]
        : []),
      ...checks.map((each) =>
        checkBox(
          each,
          index.profiles[column]?.slug ?? '',
          check ? each.check === check : each.disposition === 'finding',
        ),
      ),
    );
    if (!dialog.open) dialog.showModal();
    content.scrollTop = 0;
    if (check) content.querySelector('details.check[open]')?.scrollIntoView({ block: 'nearest' });
    const hash = `#${[index.profiles[column]?.id ?? '', data.s, check ?? ''].map(encodeURIComponent).join('/')}`;
    if (location.hash !== hash) history.replaceState(null, '', hash);
  };

  const step = (by: number) => {
    if (!at) return;
    const [row, column] = at;
    for (let next = row + by; next >= 0 && next < index.rows.length; next += by) {
      const hidden = document.querySelectorAll<HTMLElement>('#grid .row:not(.head)')[next]?.hidden;
      if (!hidden && index.rows[next]?.c[column]) return open(next, column);
    }
  };
  byId('drawer-close').addEventListener('click', () => dialog.close());
  byId('drawer-previous').addEventListener('click', () => step(-1));
  byId('drawer-next').addEventListener('click', () => step(1));
  dialog.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'j') step(1);
    if (event.key === 'k') step(-1);
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => {
    history.replaceState(null, '', location.pathname + location.search);
    if (at) document.querySelector<HTMLElement>(`#grid [data-at="${at[0]},${at[1]}"]`)?.focus();
  });
  return { open };
}

function tabs(index: PageIndex, row: number, column: number, open: Drawer['open']): HTMLElement {
  const list = h('div', { class: 'tabs', role: 'group', 'aria-label': 'Profiles' });
  for (const [position, cell] of (index.rows[row]?.c ?? []).entries()) {
    if (!cell) continue;
    const tab = h(
      'button',
      { type: 'button', 'aria-pressed': String(position === column) },
      h('i', { class: `t r-${cell.r}` }),
      index.profiles[position]?.id ?? '',
    );
    tab.addEventListener('click', () => open(row, position));
    list.append(tab);
  }
  return list;
}

function checkBox(check: PageCheck, slug: string, opened: boolean): HTMLElement {
  const statuses = [...new Set(check.statuses)].map((status) => {
    const times = check.statuses.filter((each) => each === status).length;
    return h('span', { class: `status s-${status}` }, times > 1 ? `${status} ×${times}` : status);
  });
  return h(
    'details',
    { class: `check d-${check.disposition}`, ...(opened ? { open: '' } : {}) },
    h('summary', {}, h('span', { class: 'id' }, check.check), ...statuses),
    h('p', { class: 'description' }, check.description),
    ...check.findings.map(findingBox),
    check.exception ? exceptionBox(check.exception) : undefined,
    check.evidence
      ? h('div', {}, h('h4', {}, 'Evidence'), h('pre', { tabindex: '0' }, check.evidence))
      : undefined,
    check.fingerprint
      ? h('p', { class: 'print' }, 'Fingerprint ', h('code', {}, check.fingerprint))
      : undefined,
    check.references.length > 0 ? references(check.references) : undefined,
    rawBox(check, slug),
  );
}

function findingBox(finding: PageFinding): HTMLElement {
  const diff = finding.diff
    ? h(
        'div',
        {},
        h('h4', {}, 'Against the reviewed evidence'),
        h('pre', { class: 'diff', tabindex: '0' }, ...diffNodes(finding.diff)),
      )
    : undefined;
  return h(
    'div',
    { class: 'box finding' },
    h(
      'p',
      {},
      h('b', {}, finding.kind),
      finding.place ? h('code', { class: 'place' }, finding.place) : undefined,
    ),
    h('p', {}, finding.title),
    finding.detail.length > 0 ? h('pre', { tabindex: '0' }, finding.detail.join('\n')) : undefined,
    diff,
    finding.remedy.length > 0
      ? h(
          'div',
          {},
          h('h4', {}, 'What to do'),
          h('ul', { class: 'steps' }, ...finding.remedy.map((line) => h('li', {}, ...proseNodes(line)))),
        )
      : undefined,
  );
}

function proseNodes(sentence: string): (Node | string)[] {
  return proseParts(sentence).map(({ code, text }) => (code ? h('code', {}, text) : text));
}

function diffNodes(diff: string): Node[] {
  return diffWords(diff).map(({ kind, text }) =>
    kind === 'same' ? document.createTextNode(text) : h(kind === 'removed' ? 'del' : 'ins', {}, text),
  );
}

function exceptionBox(exception: NonNullable<PageCheck['exception']>): HTMLElement {
  const facts = [
    exception.reviewed ? `reviewed ${exception.reviewed}` : 'not reviewed yet',
    exception.expires ? `expires ${exception.expires}` : '',
  ].filter(Boolean);
  return h(
    'div',
    { class: 'box exception' },
    h('p', {}, h('b', {}, exception.class), h('span', { class: 'muted' }, facts.join(', '))),
    h('p', {}, exception.reason),
    exception.reference ? h('p', {}, webLink(exception.reference, exception.reference)) : undefined,
  );
}

function references(list: PageCheck['references']): HTMLElement {
  const box = h('p', { class: 'references' }, 'Specification: ');
  for (const [position, { id, url }] of list.entries())
    box.append(position > 0 ? ', ' : '', webLink(id, url));
  return box;
}

/** A link where the address is one of the web; plain text otherwise. */
function webLink(label: string, url: string | undefined): HTMLElement {
  return url && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
    ? h('a', { href: url, rel: 'noopener noreferrer' }, label)
    : h('span', {}, label);
}

/** Characters that JSON leaves as they are and that a screen would obey or hide. */
const HIDDEN = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Raw JSON, made when it is first opened. */
function rawBox(check: PageCheck, slug: string): HTMLElement {
  const { raw } = check;
  if (!raw)
    return h(
      'p',
      { class: 'muted' },
      `The raw JSON is in profiles/${slug}/checks.json: it was too large for this page.`,
    );
  const box = h('details', { class: 'raw' }, h('summary', {}, 'Raw JSON'));
  box.addEventListener('toggle', () => {
    if (!box.open || box.childElementCount > 1) return;
    const text = JSON.stringify(raw.length === 1 ? raw[0] : raw, null, 2).replace(
      HIDDEN,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    const copy = h('button', { type: 'button', class: 'copy' }, 'Copy');
    copy.addEventListener('click', () => {
      navigator.clipboard.writeText(text).then(
        () => copy.replaceChildren('Copied'),
        () => getSelection()?.selectAllChildren(code),
      );
    });
    const code = h('pre', { tabindex: '0' }, text);
    box.append(copy, code);
  });
  return box;
}
