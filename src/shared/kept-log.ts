import { closeSync, openSync, writeSync } from 'node:fs';
import type { Redactor } from './redact.ts';

/** A log file of somebody else's output: redacted, written as it comes, and never larger than its limits. */
export interface KeptLog {
  /**
   * One stream of bytes that goes into this log. Bytes that are no UTF-8 become U+FFFD; characters and secrets that are
   * cut by a border between two chunks are put together again.
   */
  source(): LogSource;
  /**
   * A part that belongs together while other things are being logged: held in memory and added as one piece.
   * @param edit changes the finished text before it is added
   */
  block(edit?: (text: string) => string): LogBlock;
  /** A line of the gate's own. */
  note(text: string): void;
  /** The last lines, redacted, each cut to a readable length. */
  tail(lines?: number): string[];
  /** Writes what was held back. Later writes are ignored. */
  close(): void;
}

export interface LogSource {
  write(chunk: Uint8Array): void;
  end(): void;
}

export interface LogBlock {
  source(): LogSource;
  /** The text so far, redacted. */
  text(): string;
  /** Adds it to the log. */
  end(): void;
}

const MEBIBYTE = 1024 * 1024;
/** The beginning of a log says how it started, its end how it ended; a hundred megabytes between say nothing more. */
const HEAD_BYTES = 8 * MEBIBYTE;
const TAIL_CHARACTERS = MEBIBYTE;
const BLOCK_CHARACTERS = MEBIBYTE;
const REMEMBERED_CHARACTERS = 32 * 1024;
const LINE_LENGTH = 400;

/**
 * Opens (and empties) a log file. Writing is synchronous, so that a killed gate leaves everything that was said.
 * @throws the file system's error when the file cannot be created
 */
export function keepLog(file: string, redactor: Redactor): KeptLog {
  const descriptor = openSync(file, 'w', 0o644);
  const sources = new Set<LogSource>();
  let headLeft = HEAD_BYTES;
  let beyond: string[] = [];
  let beyondLength = 0;
  let leftOut = 0;
  let remembered = '';
  let closed = false;

  const append = (text: string): void => {
    if (text === '' || closed) return;
    remembered = (remembered + text).slice(-REMEMBERED_CHARACTERS);
    if (headLeft > 0) {
      const bytes = Buffer.from(text, 'utf8');
      writeAll(descriptor, bytes);
      headLeft -= bytes.length;
      return;
    }
    beyond.push(text);
    beyondLength += text.length;
    while (beyondLength > 2 * TAIL_CHARACTERS && beyond.length > 1) {
      const dropped = beyond.shift() ?? '';
      beyondLength -= dropped.length;
      leftOut += Buffer.byteLength(dropped);
    }
  };

  const openSource = (add: (text: string) => void, open: Set<LogSource>): LogSource => {
    const decoder = new TextDecoder();
    const stream = redactor.stream();
    const source: LogSource = {
      write: (chunk) => add(stream.push(decoder.decode(chunk, { stream: true }))),
      end() {
        if (!open.delete(source)) return;
        add(stream.push(decoder.decode()));
        add(stream.end());
      },
    };
    open.add(source);
    return source;
  };

  const log: KeptLog = {
    source: () => openSource(append, sources),
    block(edit = (text) => text) {
      const own = new Set<LogSource>();
      const parts: string[] = [];
      let length = 0;
      const add = (text: string): void => {
        length += text.length;
        if (length <= BLOCK_CHARACTERS) parts.push(text);
      };
      return {
        source: () => openSource(add, own),
        text: () => parts.join(''),
        end() {
          for (const source of [...own]) source.end();
          const text = edit(parts.join(''));
          const over = length > BLOCK_CHARACTERS ? '\n[gate] the rest of this part is left out\n' : '';
          append(text + (text.endsWith('\n') ? '' : '\n') + over);
        },
      };
    },
    note(text) {
      append(`${remembered === '' || remembered.endsWith('\n') ? '' : '\n'}[gate] ${redactor.text(text)}\n`);
    },
    tail(lines = 20) {
      return remembered
        .split(/\r?\n/)
        .map((line) => (line.length > LINE_LENGTH ? `${line.slice(0, LINE_LENGTH)}…` : line))
        .filter((line) => line.trim() !== '')
        .slice(-lines);
    },
    close() {
      if (closed) return;
      for (const source of [...sources]) source.end();
      if (leftOut > 0) writeAll(descriptor, Buffer.from(`\n[gate] ${leftOut} bytes left out here\n`));
      if (beyond.length > 0) writeAll(descriptor, Buffer.from(beyond.join(''), 'utf8'));
      beyond = [];
      closed = true;
      closeSync(descriptor);
    },
  };
  return log;
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
