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
const FRAME = /^\s+at /;
/** Longer errors are cut here: this is one line's worth of evidence, not a transfer channel. */
const MAX_ERROR = 16_384;

/**
 * Reads from the referee's log which scenarios threw, and with which error.
 *
 * The log carries text of the target, so a line in it proves nothing by itself: the caller uses an error only for a scenario
 * whose folder the referee created and left without checks.json. The order of lines is no proof either, because the
 * referee names scenarios on stdout and errors on stderr.
 * @returns scenario → error message, without its class and stack; the first one per scenario
 */
export function thrownScenarios(log: string): Map<string, string> {
  const thrown = new Map<string, string>();
  const lines = log.split(/\r\n|\n/);
  let at: string | undefined;
  const headers = new Set<string>();
  const unplaced: string[] = [];
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
    const message = errorMessage(first, lines, n + 1);
    const scenario = inList?.[1] ?? at;
    if (scenario === undefined) unplaced.push(message);
    else if (!thrown.has(scenario)) thrown.set(scenario, message);
  }
  // A scenario that ran alone: its error may have come through before its name did.
  const [only] = headers;
  const [message] = unplaced;
  if (headers.size === 1 && only !== undefined && message !== undefined && !thrown.has(only)) {
    thrown.set(only, message);
  }
  return thrown;
}

/** The message of an inspected error: its first line without the class, and all lines up to the stack. */
function errorMessage(first: string, lines: readonly string[], next: number): string {
  const message = [first.replace(CLASS, '')];
  let length = first.length;
  for (let n = next; n < lines.length && length < MAX_ERROR; n++) {
    const line = lines[n] ?? '';
    // Without a stack the error ends at the blank line that the referee puts before the next scenario.
    if (FRAME.test(line) || line === '') break;
    message.push(line);
    length += line.length;
  }
  return message.join('\n').slice(0, MAX_ERROR).replace(/ \{$/, '');
}
