import {
  type Document,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
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
  // Comments and blank lines that moved may be read as parts of their new neighbours: written again, they stay.
  return writeInto(writeInto(previous, baseline), baseline);
}

function writeInto(previous: string | undefined, baseline: Baseline): string {
  const document = previous === undefined ? newDocument() : parseDocument(previous);
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
  const before: unknown = root.get('exceptions');
  const old = new Map<string, YAMLMap>();
  if (isSeq(before)) {
    ownComment(before);
    for (const item of before.items as YAMLMap[])
      old.set(identity(item.get('scenario'), item.get('check')), item);
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
  root.set('exceptions', seq);
}

function putException(document: Document, item: YAMLMap, exception: Exception): void {
  put(document, item, 'scenario', exception.scenario);
  put(document, item, 'check', exception.check);
  const [only, ...more] = exception.statuses;
  put(document, item, 'status', more.length === 0 ? only : [...exception.statuses]);
  const status: unknown = item.get('status');
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
  const before: unknown = root.get(key);
  const map = isMap(before) ? before : (document.createNode({}) as YAMLMap);
  putMembers(document, map, sorted);
  map.flow = sorted.length === 0;
  if (key === 'information' && sorted.length === 0) root.delete(key);
  else root.set(key, map);
}

/** Sets a member, and leaves alone what already says this: its comments and its quoting are the author's. */
function put(document: Document, map: YAMLMap, key: string, value: unknown): void {
  if (value === undefined) {
    map.delete(key);
    return;
  }
  const before = map.get(key, true);
  if (says(document, before, value)) return;
  const node = document.createNode(value) as Node;
  if (isMap(before) && isMap(node)) {
    putMembers(document, before, Object.entries(value as object));
    before.flow = false;
  } else if (isSeq(before) && isSeq(node)) {
    putItems(document, before, value as readonly unknown[]);
    before.flow = false;
  } else {
    if (isNode(before)) Object.assign(node, { commentBefore: before.commentBefore, comment: before.comment });
    map.set(key, node);
  }
}

/** Makes a mapping hold these members and no others, in this order. */
function putMembers(
  document: Document,
  map: YAMLMap,
  members: readonly (readonly [string, unknown])[],
): void {
  ownComment(map);
  const names = members.map(([name]) => name);
  for (const { key } of [...map.items]) if (!names.includes(nameOf(key))) map.delete(key);
  for (const [name, value] of members) put(document, map, name, value);
  sortPairs(map, names);
}

/** Makes a list hold these values, in this order; those that it had stay the lines that they were. */
function putItems(document: Document, seq: YAMLSeq, values: readonly unknown[]): void {
  ownComment(seq);
  const old = [...seq.items];
  seq.items = values.map((value) => {
    const n = old.findIndex((node) => says(document, node, value));
    return n === -1 ? document.createNode(value) : old.splice(n, 1)[0];
  });
}

const says = (document: Document, node: unknown, value: unknown) =>
  isNode(node) && JSON.stringify(node.toJS(document)) === JSON.stringify(value);

function sortPairs(map: YAMLMap, order: readonly string[]): void {
  const rank = ({ key }: Pair) => order.indexOf(nameOf(key));
  map.items.sort((a, b) => rank(a) - rank(b));
}

/** A key that was added is no node yet. */
const nameOf = (key: unknown) => (isScalar(key) ? key.value : key) as string;

/** A comment in front of the first item is given to the list by the parser; it must move with the item. */
function ownComment(collection: YAMLMap | YAMLSeq): void {
  const [first] = collection.items as unknown[];
  const owner = isPair(first) ? first.key : first;
  const { commentBefore } = collection;
  if (!commentBefore || !isNode(owner)) return;
  owner.commentBefore = owner.commentBefore ? `${commentBefore}\n${owner.commentBefore}` : commentBefore;
  collection.commentBefore = null;
}

const identity = (scenario: unknown, check: unknown) => `${String(scenario)}\n${String(check)}`;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
