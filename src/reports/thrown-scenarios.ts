import { hash } from 'node:crypto';

/** Where the referee says which scenario it is at: in a list of scenarios, alone on the server side, alone on the client side. */
const AT = [
  /^=== Running scenario: (\S+) ===$/,
  /^Running client scenario '(\S+)' against server: /,
  /^Starting scenario: (\S+)$/,
];
/** What it prints when a scenario throws: in a list it names the scenario, alone it does not. */
const THROWN_IN_LIST = /^Failed to run scenario (\S+): (.*)$/;
const THROWN_ALONE = /^(?:Server|Client) test error: (.*)$/;
/** `TypeError: `, `Et [JsonRpcError]: `: class names are minified and differ between builds of the referee. */
const CLASS = /^(?:[A-Za-z_$][\w$]* \[[\w$]+\]|[A-Za-z_$]*(?:Error|Exception)): /;
/** A line of the error's own stack; those of errors inside it are indented further. */
const FRAME = /^ {4}at .*(?::\d+:\d+\)?|\((?:<anonymous>|native|index \d+)\))(?: \{)?$/;
/** Other headings of the referee, such as that of its summary. */
const HEADING = /^=== .+ ===$/;
/** Longer errors are cut here: this is one line's worth of evidence, not a transfer channel. A hash stands for the rest. */
const MAX_ERROR = 16_384;
/** As far as an error is looked for its end. */
const MAX_SCAN = 256 * 1024;
/** A suite has some hundred scenarios; a log with more errors than this was flooded, and nothing in it is believed. */
const MAX_THROWN = 1_000;

/**
 * Reads from the referee's log which scenarios threw, and with which error.
 *
 * The log carries text of the target, so a line in it proves nothing by itself: the caller uses an error only for a scenario
 * whose folder the referee created and left without checks.json. The order of lines is no proof either, because the
 * referee names scenarios on stdout and errors on stderr.
 * @returns scenario → its different error messages, without class and stack. A scenario throws once: several mean that the
 * target wrote some of them.
 */
export function thrownScenarios(log: string): Map<string, readonly string[]> {
  const thrown = new Map<string, string[]>();
  const add = (scenario: string, message: string) => {
    const known = thrown.get(scenario);
    if (known === undefined) thrown.set(scenario, [message]);
    else if (!known.includes(message)) known.push(message);
  };
  const lines = log.split(/\r\n|\n/);
  let at: string | undefined;
  const headers = new Set<string>();
  const unplaced: string[] = [];
  let count = 0;
  for (const [n, line] of lines.entries()) {
    const header = AT.map((form) => form.exec(line)?.[1]).find((name) => name !== undefined);
    if (header !== undefined) {
      at = header;
      headers.add(header);
      continue;
    }
    const inList = THROWN_IN_LIST.exec(line);
    const first = inList?.[2] ?? THROWN_ALONE.exec(line)?.[1];
    if (first === undefined) continue;
    if (++count > MAX_THROWN) return new Map();
    const message = errorMessage(first, lines, n + 1);
    const scenario = inList?.[1] ?? at;
    if (scenario === undefined) unplaced.push(message);
    else add(scenario, message);
  }
  // A scenario that ran alone: its error may have come through before its name did.
  const [only] = headers;
  if (headers.size === 1 && only !== undefined) for (const message of unplaced) add(only, message);
  return thrown;
}

/**
 * The message of an inspected error: its first line without the class, and everything up to its stack. Text of the target
 * in it may hold blank lines, lines that look like a stack and lines that look like the referee's: the stack that ends
 * the error is the last one before the referee goes on, and an error with a class always has one.
 */
function errorMessage(first: string, lines: readonly string[], next: number): string {
  const hasStack = CLASS.test(first);
  let boundary: number | undefined;
  let stack: number | undefined;
  let length = first.length;
  let n = next;
  for (; n < lines.length && length < MAX_SCAN; n++) {
    const line = lines[n] ?? '';
    if (FRAME.test(line)) {
      if (n === next || !FRAME.test(lines[n - 1] ?? '')) stack = n;
    } else if (isBoundary(line)) {
      boundary ??= n;
      if (stack !== undefined || !hasStack) break;
    }
    length += line.length + 1;
  }
  const message = [first.replace(CLASS, ''), ...lines.slice(next, stack ?? boundary ?? n)];
  return cut(message.join('\n').trimEnd().replace(/ \{$/, ''));
}

const isBoundary = (line: string) =>
  HEADING.test(line) ||
  THROWN_IN_LIST.test(line) ||
  THROWN_ALONE.test(line) ||
  AT.some((form) => form.test(line));

const cut = (message: string) =>
  message.length <= MAX_ERROR
    ? message
    : `${message.slice(0, MAX_ERROR)}… (sha256:${hash('sha256', message)})`;
