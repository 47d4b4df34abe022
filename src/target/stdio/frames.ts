/** A JSON-RPC message as it came: nothing about it is checked but that it is an object. */
export type Frame = Record<string, unknown>;

/** One line of a stdio server's output, judged. */
export type Line =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'empty' }
  | { readonly kind: 'broken'; readonly line: string; readonly message: string };

const SHOWN = 200;
/** A line without end is no message. */
const LONGEST_LINE = 256 * 1024 * 1024;

/**
 * Messages are delimited by newlines, must not contain any, and nothing else may be on stdout: MCP specification,
 * basic/transports, stdio.
 */
export function readLine(line: string): Line {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (text.trim() === '') return { kind: 'empty' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'broken', line: text.slice(0, SHOWN), message: 'this line is no JSON' };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { kind: 'frame', frame: value as Frame };
  }
  const what = Array.isArray(value) ? 'an array: a line holds one message' : `a ${typeof value}`;
  return { kind: 'broken', line: text.slice(0, SHOWN), message: `this line is JSON, but ${what}` };
}

/** Cuts a stream of text into lines; pieces without an end are kept apart, so that long lines cost nothing extra. */
export function lineCutter(onLine: (line: string) => void): (text: string) => void {
  let parts: string[] = [];
  let length = 0;
  return (text) => {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) {
      onLine(parts.join('') + line);
      parts = [];
      length = 0;
    }
    parts.push(last);
    length += last.length;
    if (length > LONGEST_LINE) {
      onLine(parts.join(''));
      parts = [];
      length = 0;
    }
  };
}

export type Id = string | number;

/** @returns the id of a request or response, or undefined */
export function idOf(frame: Frame): Id | undefined {
  return typeof frame.id === 'string' || typeof frame.id === 'number' ? frame.id : undefined;
}

export function isResponse(frame: Frame): boolean {
  return typeof frame.method !== 'string' && ('result' in frame || 'error' in frame);
}

export function isRequest(frame: Frame): boolean {
  return typeof frame.method === 'string' && idOf(frame) !== undefined;
}

/** @returns `params`, or an empty object */
export function paramsOf(frame: Frame): Frame {
  return asObject(frame.params);
}

export function metaOf(frame: Frame): Frame {
  return asObject(paramsOf(frame)._meta);
}

function asObject(value: unknown): Frame {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Frame) : {};
}
