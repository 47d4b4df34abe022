import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
  Document as YamlDocument,
} from 'yaml';
import { yamlText } from '../shared/escape-yaml.ts';
import type { Baseline, Exception } from './baseline.ts';

/**
 * Writes a baseline: sorted, LF, one value a line, the same bytes for the same content. What people wrote into the previous
 * file, comments above all, stays where it belongs.
 * @param previous text of the file that is replaced; valid
 */
export function writeBaseline(baseline: Baseline, previous: string | undefined): string {
  const document = previous === undefined ? newDocument() : parseDocument(previous, { version: '1.2' });
  const root = document.contents as YAMLMap;
  ownComment(root);
  put(document, root, 'schema', 1);
  put(document, root, 'profile', baseline.profile);
  put(document, root, 'referee', { ...baseline.referee });
  put(document, root, 'requirements', baseline.requirements);
  put(document, root, 'normaliser', baseline.normaliser);
  put(document, root, 'capabilities', baseline.capabilities);
  putExceptions(document, root, baseline.exceptions);
  putLists(document, root, 'inventory', baseline.inventory);
  putLists(document, root, 'information', baseline.information);
  sortPairs(root, ROOT_KEYS);
  return yamlText(document, { lineWidth: 0, nullStr: '', indentSeq: true });
}

const ROOT_KEYS = [
  'schema',
  'profile',
  'referee',
  'requirements',
  'normaliser',
  'capabilities',
  'exceptions',
  'inventory',
  'information',
];
const EXCEPTION_KEYS = [
  'scenario',
  'check',
  'status',
  'evidence',
  'class',
  'reason',
  'reference',
  'reviewed',
  'expires',
  'flaky',
  'masked',
  'observed',
];

const HEADER = [
  ' Reviewed exceptions of one conformance profile. Written by `mcp-conformance-gate accept`;',
  ' class, reason, reference, reviewed, expires, flaky and comments are yours and are kept.',
].join('\n');

function newDocument(): Document {
  const document = new YamlDocument({});
  document.commentBefore = HEADER;
  return document;
}

function putExceptions(document: Document, root: YAMLMap, exceptions: readonly Exception[]): void {
  const before: unknown = root.get('exceptions', true);
  const old = new Map<string, YAMLMap>();
  if (isSeq(before)) {
    ownComment(before);
    for (const item of before.items)
      if (isMap(item)) old.set(identity(item.get('scenario'), item.get('check')), item);
  }
  const items = [...exceptions]
    .sort((a, b) => compare(a.scenario, b.scenario) || compare(a.check, b.check))
    .map((exception) => {
      const item =
        old.get(identity(exception.scenario, exception.check)) ?? (document.createNode({}) as YAMLMap);
      putException(document, item, exception);
      return item;
    });
  const seq = isSeq(before) ? before : (document.createNode([]) as YAMLSeq);
  seq.items = items;
  seq.flow = items.length === 0;
  if (seq !== before) root.set('exceptions', seq);
}

function putException(document: Document, item: YAMLMap, exception: Exception): void {
  put(document, item, 'scenario', exception.scenario);
  put(document, item, 'check', exception.check);
  const [only, ...more] = exception.statuses;
  put(document, item, 'status', more.length === 0 ? only : [...exception.statuses]);
  const status = item.get('status', true);
  if (isSeq(status)) status.flow = true;
  put(document, item, 'evidence', exception.evidence);
  put(document, item, 'class', exception.class);
  put(document, item, 'reason', exception.reason);
  put(document, item, 'reference', exception.reference);
  // An empty line to fill in: the one thing that a person has to do with every new exception.
  put(document, item, 'reviewed', exception.reviewed ?? null);
  put(document, item, 'expires', exception.expires);
  if (exception.flaky || item.has('flaky')) put(document, item, 'flaky', exception.flaky);
  put(document, item, 'masked', exception.masked.length === 0 ? undefined : [...exception.masked]);
  put(document, item, 'observed', exception.observed);
  const observed = item.get('observed', true);
  if (isScalar(observed)) observed.type = 'BLOCK_LITERAL';
  sortPairs(item, EXCEPTION_KEYS);
}

function putLists(
  document: Document,
  root: YAMLMap,
  key: string,
  lists: ReadonlyMap<string, readonly string[]>,
): void {
  const sorted = [...lists].sort(([a], [b]) => compare(a, b));
  const before: unknown = root.get(key, true);
  const map = isMap(before) ? before : (document.createNode({}) as YAMLMap);
  ownComment(map);
  for (const { key: name } of [...map.items]) {
    if (!lists.has(isScalar(name) ? String(name.value) : '')) map.delete(name);
  }
  for (const [scenario, checks] of sorted) put(document, map, scenario, [...checks]);
  sortPairs(
    map,
    sorted.map(([scenario]) => scenario),
  );
  map.flow = sorted.length === 0;
  if (key === 'information' && sorted.length === 0) root.delete(key);
  else if (map !== before) root.set(key, map);
}

/** Sets a member, and leaves it alone when it already says this: its comments and its quoting are the author's. */
function put(document: Document, map: YAMLMap, key: string, value: unknown): void {
  if (value === undefined) {
    map.delete(key);
    return;
  }
  const before = map.get(key, true);
  if (before !== undefined && JSON.stringify(toJs(document, before)) === JSON.stringify(value)) return;
  const node = document.createNode(value);
  if (isScalar(before) && isScalar(node)) {
    before.value = node.value;
    before.source = undefined as never;
    delete before.type;
    return;
  }
  map.set(key, node);
}

function toJs(document: Document, node: unknown): unknown {
  return typeof node === 'object' && node !== null && 'toJS' in node
    ? (node as { toJS(document: Document): unknown }).toJS(document)
    : node;
}

function sortPairs(map: YAMLMap, order: readonly string[]): void {
  const rank = ({ key }: Pair) => order.indexOf(isScalar(key) ? String(key.value) : '');
  map.items.sort((a, b) => rank(a) - rank(b));
}

/** A comment in front of the first item is given to the list by the parser; it must move with the item. */
function ownComment(collection: YAMLMap | YAMLSeq): void {
  const [first] = collection.items as unknown[];
  const comment = collection.commentBefore;
  if (comment === undefined || comment === null || first === undefined) return;
  const owner = isSeq(collection) ? first : (first as Pair).key;
  if (
    typeof owner !== 'object' ||
    owner === null ||
    !('commentBefore' in owner || isMap(owner) || isScalar(owner))
  )
    return;
  const node = owner as { commentBefore?: string | null };
  node.commentBefore = node.commentBefore ? `${comment}\n${node.commentBefore}` : comment;
  collection.commentBefore = undefined as never;
}

const identity = (scenario: unknown, check: unknown) => `${String(scenario)}\n${String(check)}`;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
