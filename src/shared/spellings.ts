/** Ways in which one character may be written. */
export interface Unit {
  /** Exactly so. */
  readonly exact: readonly string[];
  /** In upper, lower or mixed case; each begins with one of \ % & */
  readonly coded: readonly string[];
}

/** Longer secrets are machine-made and of plain characters: only their special ones are looked for in other spellings. */
const EVERY_CHARACTER_UP_TO = 256;

const CONTROLS: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\f': 'f',
  '\r': 'r',
};

/** Named character references of HTML for the ASCII characters that have one. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '\t': ['tab'],
  '\n': ['newline'],
  '!': ['excl'],
  '"': ['quot'],
  '#': ['num'],
  $: ['dollar'],
  '%': ['percnt'],
  '&': ['amp'],
  "'": ['apos'],
  '(': ['lpar'],
  ')': ['rpar'],
  '*': ['ast', 'midast'],
  '+': ['plus'],
  ',': ['comma'],
  '.': ['period'],
  '/': ['sol'],
  ':': ['colon'],
  ';': ['semi'],
  '<': ['lt'],
  '=': ['equals'],
  '>': ['gt'],
  '?': ['quest'],
  '@': ['commat'],
  '[': ['lsqb', 'lbrack'],
  '\\': ['bsol'],
  ']': ['rsqb', 'rbrack'],
  '^': ['hat'],
  _: ['lowbar', 'underbar'],
  '`': ['grave'],
  '{': ['lcub', 'lbrace'],
  '|': ['vert', 'verbar'],
  '}': ['rcub', 'rbrace'],
  '~': ['tilde'],
};

/**
 * Every character of a secret in the spellings of JSON, JavaScript, URLs and HTML, once and twice encoded. Encoders differ in
 * which characters they change, so each character may be written in any of them.
 */
export function spellingsOf(secret: string): Unit[] {
  // Between backslashes and their escapes there are too many ways to tell one from the other.
  if (/\\{8}/.test(secret)) return [];
  const characters = [...Buffer.from(secret, 'utf8').toString('utf8')];
  const all = characters.length <= EVERY_CHARACTER_UP_TO;
  return characters.map((c) => (all || !/[A-Za-z0-9_.-]/.test(c) ? spelling(c) : { exact: [c], coded: [] }));
}

function spelling(c: string): Unit {
  const hex = (c.codePointAt(0) ?? 0).toString(16);
  const utf16 = [...Array(c.length).keys()].map((i) => c.charCodeAt(i).toString(16).padStart(4, '0'));
  const bytes = Buffer.from(c, 'utf8').toString('hex');
  const references = [
    ...numeric(String(c.codePointAt(0)), '&#'),
    ...numeric(hex, '&#x'),
    ...(NAMES[c] ?? []).map((name) => `&${name};`),
  ];
  const control = CONTROLS[c];
  const escapes = [
    utf16.map((unit) => `\\u${unit}`).join(''),
    `\\u{${hex}}`,
    ...(hex.length <= 2 ? [`\\x${hex.padStart(2, '0')}`] : []),
    ...(control === undefined ? [] : [`\\${control}`]),
    ...(isSpecial(c) ? [`\\${c}`] : []),
  ];
  return {
    // A raw backslash is left to the secret as it is: beside its own escapes it would be ambiguous.
    exact: [...(c === '\\' ? [] : [c]), ...(c === ' ' ? ['+'] : [])],
    coded: [
      ...escapes,
      ...escapes.map((text) => text.replaceAll('\\', '\\\\').replace(/["/]$/, '\\$&')),
      ...escapes.map((text) => text.replaceAll('\\', '\\\\')),
      ...['%', '%25'].map((sign) => bytes.replace(/../g, `${sign}$&`)),
      ...references,
      ...references.map((text) => `&amp;${text.slice(1)}`),
    ]
      .filter((text, n, texts) => texts.indexOf(text) === n)
      // Longest first, so that an alternative never wins over one that it begins.
      .sort((a, b) => b.length - a.length),
  };
}

/** With and without the zeros that some encoders put before. */
function numeric(digits: string, sign: string): string[] {
  return [
    ...new Set([digits, digits.padStart(2, '0'), digits.padStart(3, '0'), digits.padStart(4, '0')]),
  ].map((text) => `${sign}${text};`);
}

const isSpecial = (c: string): boolean => /[!-/:-@[-`{-~]/.test(c);

/** @returns the source of a regular expression that finds the secret in every mixture of its spellings */
export function patternOf(units: readonly Unit[]): string {
  return units
    .map(({ exact, coded }) => {
      const branches = [...exact.map(escapeRegExp), ...coded.map(anyCase)];
      return branches.length === 1 ? branches[0] : `(?:${branches.join('|')})`;
    })
    .join('');
}

/** @returns length of the longest end of `text` that is the beginning, but not the whole, of the secret in some spelling */
export function longestBegun(text: string, units: readonly Unit[], longest: number): number {
  for (let start = Math.max(0, text.length - longest); start < text.length; start++) {
    if (begins(text, start, units, 0)) return text.length - start;
  }
  return 0;
}

/** @returns the most characters that the secret can take */
export function longestOf(units: readonly Unit[]): number {
  return units.reduce(
    (sum, { exact, coded }) => sum + Math.max(...[...exact, ...coded].map(({ length }) => length)),
    0,
  );
}

function begins(text: string, at: number, units: readonly Unit[], from: number): boolean {
  let n = from;
  let place = at;
  for (;;) {
    const unit = units[n];
    if (unit === undefined) return false;
    if (place === text.length) return true;
    const [only] = unit.exact;
    const first = text[place] ?? '';
    if (first === '\\' || first === '%' || first === '&') {
      const left = text.length - place;
      for (const coded of unit.coded) {
        const there = text.slice(place, place + coded.length).toLowerCase();
        const fits = there === coded.slice(0, left).toLowerCase();
        if (fits && (coded.length > left || begins(text, place + coded.length, units, n + 1))) return true;
      }
    }
    if (only === undefined) return false;
    const fitting = unit.exact.find((exact) => text.startsWith(exact.slice(0, text.length - place), place));
    if (fitting === undefined) return false;
    place += fitting.length;
    if (place > text.length) return true;
    n += 1;
  }
}

function anyCase(text: string): string {
  return escapeRegExp(text).replace(
    /[a-z]/gi,
    (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`,
  );
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
