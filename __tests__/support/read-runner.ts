/** A command that the runner would obey, found in a log. */
export interface ObeyedCommand {
  readonly command: string;
  readonly data: string;
}

/**
 * Reads a log as the runner does (actions/runner, ActionCommand and ActionCommandManager): a line ends at LF, CR or both,
 * leading space is trimmed before `::`, `##[` counts anywhere, and between `::stop-commands::token` and `::token::` nothing is
 * obeyed.
 */
export function obeyedCommands(log: string): ObeyedCommand[] {
  const found: ObeyedCommand[] = [];
  let stop: string | undefined;
  for (const line of log.split(/\r\n|\r|\n/)) {
    const command = /^\s*::([a-zA-Z-]+|[\w-]+)(?:\s[^:]*)?::(.*)$/.exec(line);
    const old = /##\[([a-zA-Z-]+)[^\]]*\](.*)$/.exec(line);
    const obeyed = command ?? old;
    if (!obeyed?.[1]) continue;
    if (stop !== undefined) {
      if (obeyed[1] === stop) stop = undefined;
      continue;
    }
    if (obeyed[1] === 'stop-commands') stop = obeyed[2];
    found.push({ command: obeyed[1], data: unescapeData(obeyed[2] ?? '') });
  }
  return found;
}

function unescapeData(data: string): string {
  return data.replace(/%0D/g, '\r').replace(/%0A/g, '\n').replace(/%25/g, '%');
}

/**
 * Reads a file of the runner's file commands (GITHUB_OUTPUT and others; actions/runner, EnvFileKeyValuePairs).
 * @throws Error where the runner would refuse the file
 */
export function readFileCommands(content: string): Map<string, string> {
  const values = new Map<string, string>();
  const lines = content.split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line === '') continue;
    const equals = line.indexOf('=');
    const heredoc = line.indexOf('<<');
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) {
      if (equals === 0) throw new Error(`no name: ${line}`);
      values.set(line.slice(0, equals), line.slice(equals + 1));
      continue;
    }
    if (heredoc <= 0) throw new Error(`neither name=value nor name<<delimiter: ${line}`);
    const delimiter = line.slice(heredoc + 2);
    const end = lines.indexOf(delimiter, at + 1);
    if (delimiter === '' || end < 0) throw new Error(`no end of ${line}`);
    values.set(line.slice(0, heredoc), lines.slice(at + 1, end).join('\n'));
    at = end;
  }
  return values;
}
