import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ConfigError } from '../shared/errors.ts';
import { readRegularText } from '../shared/read-regular-file.ts';
import { withHost } from './addresses.ts';

/** An address that the target itself makes known. */
export interface Announcement {
  /** Undefined until it did. */
  readonly address: () => Promise<string | undefined>;
  /** Shown everything that the target prints. */
  readonly watch: (chunk: Uint8Array) => void;
}

const LONGEST_LINE = 64 * 1024;
const LARGEST_FILE = 64 * 1024;

/**
 * Looks for the address in the target's output.
 * @param regex its first group (or the whole match) is a URL, `host:port`, or a port alone, which means `http://127.0.0.1:<port>/mcp`
 * @throws ConfigError when it is no regular expression
 */
export function announcedInLog(regex: string): Announcement {
  const pattern = compile(regex);
  const decoder = new TextDecoder();
  let line = '';
  let found: string | undefined;
  return {
    address: async () => found,
    watch(chunk) {
      if (found !== undefined) return;
      const pieces = (line + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
      line = (pieces.at(-1) ?? '').slice(-LONGEST_LINE);
      // The unfinished last line is looked at too, but only a finished one is certain to hold the whole address.
      for (const piece of pieces.slice(0, -1)) {
        const match = pattern.exec(stripVTControlCharacters(piece));
        if (match) found ??= readAddress(match[1] ?? match[0]);
      }
    },
  };
}

/**
 * Reads the address from a file that the target writes. A file that lies there from an earlier run does not count.
 * @param path relative to the target's working directory
 */
export async function announcedInFile(path: string, cwd: string): Promise<Announcement> {
  const file = resolve(cwd, path);
  const stamp = async () =>
    stat(file, { bigint: true }).then(
      (s) => `${s.ino} ${s.mtimeNs}`,
      () => undefined,
    );
  const before = await stamp();
  return {
    watch: () => undefined,
    async address() {
      const now = await stamp();
      if (now === undefined || now === before) return undefined;
      const text = await readRegularText(file, LARGEST_FILE).catch(() => '');
      return readAddress(text.trim().split(/\r?\n/)[0] ?? '');
    },
  };
}

/** @returns a URL that can be called, or undefined when the text holds none */
function readAddress(text: string): string | undefined {
  const trimmed = text.trim().replace(/[.,;]$/, '');
  if (/^\d{1,5}$/.test(trimmed)) return `http://127.0.0.1:${trimmed}/mcp`;
  const url = /^https?:\/\//.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (trimmed === '' || !URL.canParse(url)) return undefined;
  // "Listening on 0.0.0.0" names no address that one can call.
  const everywhere = ['0.0.0.0', '[::]'].includes(new URL(url).hostname);
  return everywhere ? withHost(url, '127.0.0.1') : url;
}

function compile(regex: string): RegExp {
  try {
    return new RegExp(regex);
  } catch (cause) {
    throw new ConfigError(`url-from-log is no regular expression: ${regex}`, {
      cause,
      hint: 'Its first group has to match the URL, as in "listening on (http\\S+)".',
    });
  }
}
