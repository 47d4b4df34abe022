import type { Check, Report } from '../reports/report.ts';
import { MARK, type TextNormaliser, wellFormed } from './normalise-text.ts';
import { isWireSchemaCheck, wireSchemaEvidence } from './wire-schema.ts';

/**
 * Raised when the same evidence would get another fingerprint than before. A baseline names the version it was made with;
 * the judge says so instead of calling every exception changed.
 */
export const NORMALISER_VERSION = 2;

/** Normalised evidence of one occurrence of a check: JSON, ready to be made canonical. */
export type Evidence = { readonly [member: string]: unknown };

/** What identifies or describes a check is not evidence; what it says is. Unknown members of a newer referee are. */
const NOT_EVIDENCE = new Set([
  'id',
  'name',
  'description',
  'status',
  'timestamp',
  'specReferences',
  'source',
]);

/** Named normalisation `session`: members whose value is an identifier that the target or referee makes up in each run. */
const SESSION_KEYS = new Set([
  'sessionid',
  'sessionidsent',
  'mcp-session-id',
  'eventid',
  'lasteventid',
  'lasteventidused',
  'last-event-id',
  'subscriptionid',
  'io.modelcontextprotocol/subscriptionid',
  'taskid',
  'requeststate',
]);
/**
 * Named normalisation `peer-version`: how a server or client calls its own release (`Implementation` in the specification's
 * schema, so beside a name). It is another one after each release, and no failure is a different failure for it.
 */
const PEER_KEYS = new Set([
  'serverInfo',
  'clientInfo',
  'io.modelcontextprotocol/serverInfo',
  'io.modelcontextprotocol/clientInfo',
]);
/**
 * Only what looks like a token is replaced wherever else it occurs: shorter identifiers ("1", "main") are too common, and
 * words would let a target erase any text by calling it its identifier.
 */
const TOKEN = /^(?=\D*\d)\S{8,}$/;
/** No scenario has as many identifiers; every one is looked for in every text. */
const MAX_LITERALS = 200;
const MAX_TOKEN = 1_000;

/**
 * Gives the normalised evidence of a report's checks (DESIGN.md section 8.2).
 * @param text the normaliser of the run that the report comes from
 * @returns a function for this report's checks; it collects the report's own session identifiers once
 */
export function evidenceOf(report: Report, text: TextNormaliser): (check: Check) => Evidence {
  let literals: readonly string[] | undefined;
  return (check) => {
    literals ??= sessionLiterals(report.checks);
    return checkEvidence(check, text, literals);
  };
}

/** Normalises JSON that belongs to no check: no identifiers are known but those that their member names. */
export const normaliseValue = (value: unknown, text: TextNormaliser): unknown =>
  normalise(value, '', text, []);

function checkEvidence(check: Check, text: TextNormaliser, literals: readonly string[]): Evidence {
  const source = isWireSchemaCheck(check) ? wireSchemaEvidence(check) : check;
  const evidence: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(source)) {
    if (NOT_EVIDENCE.has(member) || value === undefined || isEmpty(value)) continue;
    define(evidence, member, normalise(value, member, text, literals));
  }
  if (Object.keys(evidence).length > 0) return evidence;
  return {
    name: normalise(check.name, 'name', text, literals),
    description: normalise(check.description, 'description', text, literals),
  };
}

function normalise(value: unknown, key: string, text: TextNormaliser, literals: readonly string[]): unknown {
  if (typeof value === 'string') {
    if (isSessionKey(key) && value !== '') return MARK.session;
    let out = text.text(value);
    for (const literal of literals) if (out.includes(literal)) out = replaceWord(out, literal);
    return out;
  }
  if (typeof value === 'number') {
    if (isSessionKey(key)) return MARK.session;
    if (text.isTime(value)) return MARK.time;
    if (key === 'port' && text.isPort(value)) return MARK.port;
    return Number.isFinite(value) ? value : String(value);
  }
  if (Array.isArray(value)) {
    // A peer is one: a list under its name is something else.
    const inner = PEER_KEYS.has(key) ? '' : key;
    return value.map((element) => normalise(element, inner, text, literals));
  }
  if (typeof value === 'object' && value !== null) {
    const out: Record<string, unknown> = {};
    const rpc = isJsonRpc(value);
    for (const [member, inner] of Object.entries(value)) {
      if (inner === undefined) continue;
      // Named normalisation `request-id`: the referee counts its requests through all scenarios, so the number says which
      // scenarios ran before. Whether there is an id, and of which type, stays.
      const counted = rpc && member === 'id' && typeof inner === 'number';
      const named = typeof inner === 'string' && inner !== '';
      const eventId = named && member === 'id' && key === 'event';
      const release = member === 'version' && PEER_KEYS.has(key) && isRelease(value);
      const mark = counted ? MARK.requestId : eventId ? MARK.session : release ? MARK.version : undefined;
      define(out, member, mark ?? normalise(inner, member, text, literals));
    }
    return out;
  }
  return value;
}

/** The identifiers of a report, longest first, so that one that holds another is replaced as a whole. */
function sessionLiterals(checks: readonly Check[]): string[] {
  const found = new Set<string>();
  const collect = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (isSessionKey(key) && value.length <= MAX_TOKEN && TOKEN.test(value)) found.add(value);
    } else if (Array.isArray(value)) {
      for (const element of value) collect(element, key);
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, inner] of Object.entries(value)) {
        collect(inner, member === 'id' && key === 'event' ? 'eventid' : member);
      }
    }
  };
  for (const check of checks) {
    collect(check.details, '');
    collect(check.metadata, '');
  }
  return [...found].sort((a, b) => b.length - a.length || (a < b ? -1 : 1)).slice(0, MAX_LITERALS);
}

/** Replaces a token where it stands by itself, not inside a longer word. */
function replaceWord(text: string, token: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at)) {
    const end = at + token.length;
    if (WORD_BEFORE.test(text.slice(Math.max(0, at - 2), at)) || WORD_AFTER.test(text.slice(end, end + 2))) {
      at += 1;
      continue;
    }
    parts.push(text.slice(from, at));
    from = end;
    at = end;
  }
  return [...parts, text.slice(from)].join(MARK.session);
}
const WORD_BEFORE = /[\p{L}\p{N}]$/u;
const WORD_AFTER = /^[\p{L}\p{N}]/u;

/** One word: prose under that name says something about the failure. */
const RELEASE = /^\S{1,64}$/;
const isRelease = (peer: object) =>
  'name' in peer &&
  typeof peer.name === 'string' &&
  'version' in peer &&
  typeof peer.version === 'string' &&
  RELEASE.test(peer.version);
const isSessionKey = (key: string) => SESSION_KEYS.has(key.toLowerCase());
const isJsonRpc = (value: object) => 'jsonrpc' in value && value.jsonrpc === '2.0';
const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Assignment would set the prototype when a member is called `__proto__`. */
function define(object: object, member: string, value: unknown): void {
  Object.defineProperty(object, wellFormed(member), {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
