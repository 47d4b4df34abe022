import { Buffer } from 'node:buffer';
import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { ConfigError, type Place } from './errors.ts';
import { suggest } from './nearest.ts';

/** A parsed file that still knows where each value stands. */
export interface ParsedYaml<T> {
  readonly value: T;
  /** The document, for edits that keep a person's comments. */
  readonly document: Document;
  /** Where the value at a path stands; the nearest enclosing place when the path is not there. */
  placeOf(path: readonly PropertyKey[]): Place;
}

export interface ParseYamlOptions<T> {
  /** How the file is called in messages. */
  readonly file: string;
  /** "configuration", "baseline": what the file is. */
  readonly what: string;
  readonly schema: z.ZodType<T>;
  /** Largest size, in bytes. */
  readonly maxBytes: number;
}

/**
 * Parses a YAML file that a person wrote and checks it against a schema.
 *
 * Anchors, aliases and merge keys are refused: nothing that this project reads needs them, and they are how a small file
 * becomes a huge one.
 * @param text the file's content
 * @returns the value, typed, with places
 * @throws ConfigError with file, line, column and the nearest valid name of the first mistake; `all` has the others
 */
export function parseYaml<T>(text: string, options: ParseYamlOptions<T>): ParsedYaml<T> {
  const { file, what } = options;
  const bytes = Buffer.byteLength(text);
  if (bytes > options.maxBytes) {
    throw new ConfigError(`The ${what} is ${bytes} bytes; the limit is ${options.maxBytes}.`, {
      place: { file, line: 1, column: 1 },
    });
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    merge: false,
  });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return line === 0 ? { file } : { file, line, column: col };
  };
  const broken = document.errors[0] ?? document.warnings[0];
  if (broken) {
    throw new ConfigError(`The ${what} is not valid YAML: ${broken.message}`, {
      place: placeAt(broken.pos[0]),
      ...(broken.code === 'TAB_AS_INDENT' ? { hint: 'Indent with spaces.' } : {}),
    });
  }
  refuseReferences(document, what, placeAt);

  const placeOf = (path: readonly PropertyKey[]): Place => {
    for (let length = path.length; length > 0; length--) {
      const node = nodeAt(document, path.slice(0, length));
      if (node !== undefined) return placeAt(node);
    }
    return isNode(document.contents) && document.contents.range
      ? placeAt(document.contents.range[0])
      : { file };
  };
  const parsed = options.schema.safeParse(document.toJS({ maxAliasCount: 0 }), { reportInput: true });
  if (!parsed.success) throw issuesToError(parsed.error.issues, options, placeOf);
  return { value: parsed.data, document, placeOf };
}

function refuseReferences(document: Document, what: string, placeAt: (offset: number) => Place): void {
  visit(document, {
    Node(_key, node) {
      if (isAlias(node) || (isNode(node) && 'anchor' in node && node.anchor)) {
        throw new ConfigError(`The ${what} uses a YAML anchor or alias, which is not allowed.`, {
          ...(node.range ? { place: placeAt(node.range[0]) } : {}),
          hint: 'Write the value out where it is needed.',
        });
      }
    },
    Pair(_key, pair) {
      if (isScalar(pair.key) && pair.key.value === '<<') {
        throw new ConfigError(`The ${what} uses a YAML merge key (<<), which is not allowed.`, {
          ...(pair.key.range ? { place: placeAt(pair.key.range[0]) } : {}),
          hint: 'Write the keys out where they are needed.',
        });
      }
    },
  });
}

/** Offset of the key that a path names (for list items: of the item). */
function nodeAt(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isScalar(item.key) && String(item.key.value) === String(last));
    if (pair && isScalar(pair.key) && pair.key.range) return pair.key.range[0];
    return undefined;
  }
  const node = document.getIn(path, true);
  return isNode(node) && node.range ? node.range[0] : undefined;
}

type Issue = z.core.$ZodIssue;

/** Each is looked up in the file and compared with valid names, so an accident of a file must not have thousands. */
const MOST_TOLD = 200;

function issuesToError<T>(
  issues: readonly Issue[],
  options: ParseYamlOptions<T>,
  placeOf: (path: readonly PropertyKey[]) => Place,
): ConfigError {
  const single = firstToMendFirst(issues.flatMap(inUnions)).flatMap(oneKeyEach);
  const all = single.slice(0, MOST_TOLD).map((issue) => issueToError(issue, options, placeOf));
  const [first] = all;
  if (!first) throw new Error('a failed parse has at least one issue');
  if (single.length === 1) return first;
  const { place, hint } = first;
  return new ConfigError(first.message.replace(/\.$/, ` (and ${single.length - 1} more).`), {
    ...(place === undefined ? {} : { place }),
    ...(hint === undefined ? {} : { hint }),
    all,
    left: single.length - all.length,
  });
}

function issueToError<T>(
  issue: Issue,
  options: ParseYamlOptions<T>,
  placeOf: (path: readonly PropertyKey[]) => Place,
): ConfigError {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const where = issue.path.length > 0 ? ` in ${showPath(issue.path)}` : '';
    return new ConfigError(`Unknown key "${key}"${where}.`, {
      place: placeOf([...issue.path, key]),
      hint: suggest(key, keysAt(options.schema, issue.path)),
    });
  }
  const subject = issue.path.length > 0 ? showPath(issue.path) : `The ${options.what}`;
  const place = placeOf(issue.path);
  if (issue.code === 'invalid_value' && 'input' in issue && typeof issue.input === 'string') {
    const valid = issue.values.map(String);
    return new ConfigError(`${subject} cannot be "${issue.input}".`, {
      place,
      hint: suggest(issue.input, valid),
    });
  }
  return new ConfigError(`${subject}: ${wordsOf(issue)}.`, { place });
}

/** A mistyped key is the reason why another one is missing. */
function firstToMendFirst(issues: readonly Issue[]): Issue[] {
  const mistyped = issues.filter(({ code }) => code === 'unrecognized_keys');
  return [...mistyped, ...issues.filter(({ code }) => code !== 'unrecognized_keys')];
}

function oneKeyEach(issue: Issue): Issue[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue];
}

function wordsOf(issue: Issue): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message;
  if (issue.code === 'invalid_type' && 'input' in issue && issue.input === undefined) return 'is missing';
  if (issue.code === 'invalid_format' && issue.format === 'date') return 'is not a date such as 2027-01-31';
  return issue.message.replace(/^Invalid input: /, '');
}

/**
 * A union reports nothing but "invalid": what the person wants to know is what the branch says that was meant, which is the
 * one that understood most.
 */
function inUnions(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const branches = issue.errors
    .map((branch) => firstToMendFirst(branch.flatMap(inUnions)))
    .filter((branch) => branch.length > 0)
    .sort(([a], [b]) => depth(b) - depth(a) || Number(isOtherType(a)) - Number(isOtherType(b)));
  const best = branches[0];
  if (!best) return [issue];
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }) as Issue);
}

const depth = (issue: Issue | undefined) => issue?.path.length ?? 0;
const isOtherType = (issue: Issue | undefined) => issue?.code === 'invalid_type';

/** `profiles[1].server.env`, as a person would point at it. */
function showPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

interface SchemaDef {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly valueType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

/** The keys that the schema allows at a path, over all branches of a union. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const def = schema._zod.def as unknown as SchemaDef;
  const inner = def.innerType ?? def.in;
  if (inner && def.type !== 'object') return keysAt(inner, path);
  if (def.options) return [...new Set(def.options.flatMap((option) => keysAt(option, path)))];
  const [head, ...rest] = path;
  if (head === undefined) return def.shape ? Object.keys(def.shape) : [];
  const next = def.shape?.[String(head)] ?? def.element ?? def.valueType;
  return next ? keysAt(next, rest) : [];
}
