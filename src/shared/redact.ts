import { escapeRegExp, longestBegun, longestOf, patternOf, spellingsOf, type Unit } from './spellings.ts';

/** What stands where a secret stood. */
export const REDACTED = '[redacted]';

/** Shorter values would tear holes into every text ("1", "on"), so they are not treated as secrets. */
export const SHORTEST_SECRET = 4;

/** Values that say nothing although their variable's name sounds secret (`USE_TOKEN=true`). */
const SAYS_NOTHING = new Set(['true', 'false', 'null', 'none', 'undefined']);

/** Keys that only name a member: a secret that is a word ("name") must not rename it. */
const PLAIN_NAME = /^[A-Za-z]{1,24}$/;

/** A time as a whole value; a secret that is a year must not hide it from what masks times. */
const WHOLE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Members of the referee's checks that it fills with its own words. */
const CHECK_WORDS = new Set(['id', 'name', 'status', 'timestamp', 'specReferences']);

/** Redacts a text that arrives in pieces: a secret that is cut by a border between two pieces is found all the same. */
export interface RedactingStream {
  /** @returns what can be said already; the rest is held back until it is certain */
  push(text: string): string;
  /** @returns what was held back; the beginning of a secret that was never finished is redacted too */
  end(): string;
}

/** Removes secrets from text, in all the forms in which servers and referees write them down. */
export interface Redactor {
  /** False when there is nothing to look for; then everything comes back unchanged. */
  readonly active: boolean;
  text(text: string): string;
  /**
   * A JSON document stays one: strings are redacted inside, and keys that are no plain names; numbers that hold a secret
   * become strings. In a list of checks, ids, names, statuses and times stay. What does not parse is redacted as text.
   * Unchanged documents come back byte for byte.
   */
  json(text: string): string;
  /** The same inside a value: a deep copy without secrets. */
  value<T>(value: T): T;
  stream(): RedactingStream;
}

/**
 * @param secrets bytes that must never be kept; whole header values (`Bearer abc`) give up their credential (`abc`) too
 * @returns a redactor for these values and their hexadecimal, base64 and twice base64 forms, and for every mixture of JSON's,
 *   JavaScript's, URLs' and HTML's ways to write their characters
 */
export function redactor(secrets: readonly string[]): Redactor {
  const values = [...new Set(secrets.flatMap(credentials))];
  const forms = [...new Set(values.flatMap(formsOf))]
    .filter((form) => form.length >= SHORTEST_SECRET)
    // Longest first, so that an alternative never wins over one that it begins.
    .sort((a, b) => b.length - a.length);
  if (forms.length === 0) return NOTHING_TO_HIDE;
  const spelt = values.map(spellingsOf).filter((units) => units.length > 0);
  const plain = new RegExp(forms.map(escapeRegExp).join('|'), 'g');
  const branches = [
    ...spelt.map((units) => ({ source: patternOf(units), length: units.length })),
    ...forms.map((form) => ({ source: escapeRegExp(form), length: form.length })),
  ].sort((a, b) => b.length - a.length);
  let every: RegExp | undefined;
  // Without one of these signs nothing is spelt otherwise, and the shorter pattern is much quicker.
  const patternFor = (input: string): RegExp => {
    if (!/[\\%&]/.test(input)) return plain;
    every ??= new RegExp(branches.map(({ source }) => source).join('|'), 'g');
    return every;
  };
  const text = (input: string): string => input.replace(patternFor(input), REDACTED);

  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return WHOLE_TIME.test(value) ? value : text(value);
    if (typeof value === 'number') {
      const written = String(value);
      const cleaned = text(written);
      return cleaned === written ? value : cleaned;
    }
    if (Array.isArray(value)) return value.map(deep);
    if (value !== null && typeof value === 'object') {
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [PLAIN_NAME.test(key) ? key : text(key), deep(inner)]),
      );
    }
    return value;
  };
  // What the referee says of a check in its own words has to stay: reports are read by it.
  const check = (value: unknown): unknown =>
    value === null || typeof value !== 'object' || Array.isArray(value)
      ? deep(value)
      : Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [key, CHECK_WORDS.has(key) ? inner : deep(inner)]),
        );

  return {
    active: true,
    text,
    json(input) {
      if (text(input) === input) return input;
      try {
        const parsed: unknown = JSON.parse(input);
        return JSON.stringify(Array.isArray(parsed) ? parsed.map(check) : deep(parsed), null, 2);
      } catch {
        // No JSON, or nested so deeply that nothing can read it.
        return text(input);
      }
    },
    value: <T>(value: T) => deep(value) as T,
    stream: () => redactingStream(forms, spelt, patternFor, text),
  };
}

const NOTHING_TO_HIDE: Redactor = {
  active: false,
  text: (text) => text,
  json: (text) => text,
  value: (value) => value,
  stream: () => ({ push: (text) => text, end: () => '' }),
};

function redactingStream(
  forms: readonly string[],
  spelt: readonly (readonly Unit[])[],
  patternFor: (text: string) => RegExp,
  redact: (text: string) => string,
): RedactingStream {
  let held = '';
  const longest = spelt.map(longestOf);
  const begun = (text: string): number =>
    spelt.reduce(
      (most, units, n) => Math.max(most, longestBegun(text, units, longest[n] ?? 0)),
      longestBeginning(text, forms),
    );
  return {
    push(text) {
      const buffer = held + text;
      let cut = buffer.length - begun(buffer);
      // A secret that is complete but reaches over the cut stays whole: something longer may be coming.
      for (const match of buffer.matchAll(patternFor(buffer))) {
        if (match.index < cut && match.index + match[0].length > cut) cut = match.index;
      }
      held = buffer.slice(cut);
      return redact(buffer.slice(0, cut));
    },
    end() {
      const rest = redact(held);
      held = '';
      const unfinished = begun(rest);
      return unfinished >= SHORTEST_SECRET ? rest.slice(0, rest.length - unfinished) + REDACTED : rest;
    },
  };
}

/** Length of the longest end of `text` that is the beginning, but not the whole, of one of the forms. */
function longestBeginning(text: string, forms: readonly string[]): number {
  let longest = 0;
  for (const form of forms) {
    for (let length = Math.min(form.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(form.slice(0, length))) {
        longest = length;
        break;
      }
    }
  }
  return longest;
}

/** `Bearer abc` is a secret, and so is `abc`; `Basic <base64>` holds a password that may be echoed in the clear. */
function credentials(secret: string): string[] {
  const trimmed = secret.trim();
  const scheme = /^[A-Za-z][A-Za-z0-9-]{1,15}\s+(\S.*)$/s.exec(trimmed);
  const found = [secret, trimmed];
  if (scheme?.[1]) {
    found.push(scheme[1]);
    if (/^basic\s/i.test(trimmed)) {
      const decoded = Buffer.from(scheme[1], 'base64').toString('utf8');
      found.push(decoded, decoded.slice(decoded.indexOf(':') + 1));
    }
  }
  return found.filter((value) => value.length >= SHORTEST_SECRET && !SAYS_NOTHING.has(value.toLowerCase()));
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  const hex = bytes.toString('hex');
  const everyByte = hex.replace(/../g, (byte) => `%${byte}`);
  const component = encodeURIComponent(toWellFormed(secret));
  const strict = component.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const urlForms = [component, strict, form, encodeURI(toWellFormed(secret)), everyByte.toUpperCase()];
  const escaped = JSON.stringify(secret).slice(1, -1);
  const base64 = base64Forms(bytes);
  return [
    secret,
    ...urlForms,
    ...urlForms.map((text) => text.replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())),
    encodeURIComponent(component),
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    asciiOnly(escaped),
    htmlEscaped(secret),
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.flatMap((text) => base64Forms(Buffer.from(text))),
  ];
}

/** Base64 of the value itself, and what of it shows when it stands at any offset inside a longer encoded text. */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // The first and last characters also carry bits of the neighbours, so only the ones between are certain.
    const certain = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    forms.push(certain);
    if (offset === 0) forms.push(encoded, encoded.replace(/=+$/, ''));
  }
  return [...forms, ...forms.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}

function asciiOnly(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function htmlEscaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function toWellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
