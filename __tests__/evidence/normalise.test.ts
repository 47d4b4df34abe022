import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Evidence, evidenceOf } from '../../src/evidence/normalise.ts';
import { textNormaliser } from '../../src/evidence/normalise-text.ts';
import type { RunContext } from '../../src/evidence/run-context.ts';
import type { Check } from '../../src/reports/report.ts';
import { aCheck, aFailure, aReport } from '../support/a-report.ts';

const RUN: RunContext = {
  leg: 'server',
  urls: ['http://localhost:3902/mcp'],
  window: { from: '2026-11-30T12:00:00.000Z', to: '2026-11-30T12:00:10.000Z' },
};
const START = Date.parse(RUN.window.from);

const normalised = (check: Check, run: Partial<RunContext> = {}, others: Check[] = []): Evidence =>
  evidenceOf(aReport({ checks: [check, ...others] }), textNormaliser({ ...RUN, ...run }))(check);
const text = (message: string, run: Partial<RunContext> = {}) =>
  normalised(aFailure('a', message), run).errorMessage;
const details = (value: Record<string, unknown>, run: Partial<RunContext> = {}) =>
  normalised(aFailure('a', 'x', { details: value }), run).details;

describe('what evidence is', () => {
  test('error, details, metadata, logs and whatever a newer referee adds; not what identifies or dates the check', () => {
    const check = aFailure('a', 'bad', {
      details: { a: 1 },
      metadata: { b: 2 },
      logs: ['c'],
      specReferences: [{ id: 'S', url: 'https://example.com' }],
      source: { introducedIn: '2025-11-25' },
      severity: 'high',
    });
    expect(normalised(check)).toEqual({
      errorMessage: 'bad',
      details: { a: 1 },
      metadata: { b: 2 },
      logs: ['c'],
      severity: 'high',
    });
  });

  test('empty members are none', () => {
    expect(normalised(aFailure('a', 'bad', { details: {}, logs: [] }))).toEqual({ errorMessage: 'bad' });
  });

  test('without any, name and description stand in', () => {
    const check = aCheck({ id: 'a', status: 'FAILURE', details: {}, description: 'At localhost:3902' });
    expect(normalised(check)).toEqual({ name: 'Name of a', description: 'At ⟨target⟩' });
  });

  test.each([
    ['a number', 5],
    ['zero', 0],
    ['a truth value', false],
    ['null', null],
    ['empty text', ''],
  ])('%s is something that a check says', (_what, value) => {
    const check = aCheck({ id: 'a', status: 'FAILURE', severity: value });
    expect(normalised(check)).toEqual({ severity: value });
  });

  test('members whose value is undefined are none', () => {
    expect(normalised(aFailure('a', 'bad', { details: { a: undefined, b: 1 } }))).toStrictEqual({
      errorMessage: 'bad',
      details: { b: 1 },
    });
    expect(normalised(aCheck({ id: 'a', status: 'FAILURE', errorMessage: undefined }))).toEqual({
      name: 'Name of a',
      description: 'Description of a',
    });
  });

  test('members called __proto__ are evidence', () => {
    const value = JSON.parse('{"__proto__":{"x":1}}');
    expect(JSON.stringify(details(value))).toBe('{"__proto__":{"x":1}}');
  });
});

describe('address', () => {
  test.each([
    ['http://localhost:3902/mcp', 'http://⟨target⟩/mcp'],
    ['127.0.0.1:3902', '⟨target⟩'],
    ['[::1]:3902', '⟨target⟩'],
    ['::1:3902', '⟨target⟩'],
    ['::ffff:127.0.0.1:3902', '⟨target⟩'],
    ['0.0.0.0:3902', '⟨target⟩'],
    ['LOCALHOST:3902', '⟨target⟩'],
    ['http%3A%2F%2Flocalhost%3A3902%2Fmcp', 'http%3A%2F%2F⟨target⟩%2Fmcp'],
    ['connect ECONNREFUSED 127.0.0.1:3902', 'connect ECONNREFUSED ⟨target⟩'],
  ])('%s becomes %s', (given, expected) => {
    expect(text(given)).toBe(expected);
  });

  test.each([
    'localhost:39020',
    'localhost:3903',
    'localhost',
    'port 3902',
    'notlocalhost:3902',
    'my.localhost:3902',
    'code -3902',
    'example.com:3902',
  ])('%s stays', (given) => {
    expect(text(given)).toBe(given);
  });

  test('the port alone is normalised only where a member says that it is one', () => {
    expect(details({ port: 3902, other: 3902, nested: { port: 3903 } })).toEqual({
      port: '⟨port⟩',
      other: 3902,
      nested: { port: 3903 },
    });
  });

  test('a host of its own goes with and without its port', () => {
    const run = { urls: ['https://pr-7.example.com/mcp'] };
    expect(text('https://pr-7.example.com/x and pr-7.example.com.', run)).toBe(
      'https://⟨target⟩/x and ⟨target⟩.',
    );
    expect(text('https://pr-8.example.com and xpr-7.example.com', run)).toBe(
      'https://pr-8.example.com and xpr-7.example.com',
    );
    expect(text('pr-7.example.com: refused', run)).toBe('⟨target⟩: refused');
    const ported = { urls: ['https://pr-7.example.com:8443/mcp'] };
    expect(
      text('pr-7.example.com:8443 pr-7.example.com pr-7.example.com:84430 pr-7xexample.com', ported),
    ).toBe('⟨target⟩ ⟨target⟩ ⟨target⟩:84430 pr-7xexample.com');
  });

  test('a loopback address without a port is not recognised by its host', () => {
    const run = { urls: ['http://localhost/mcp'] };
    expect(text('see localhost', run)).toBe('see localhost');
    expect(text('localhost: refused', run)).toBe('localhost: refused');
  });

  test('an address without a port makes no port its own', () => {
    expect(details({ port: 0 }, { urls: ['https://pr-7.example.com/mcp'] })).toEqual({ port: 0 });
  });

  test('a run without an address leaves texts alone', () => {
    expect(text('Expected an id, got undefined', { urls: [] })).toBe('Expected an id, got undefined');
  });

  test('all addresses of the run are the target, and what is no address is ignored', () => {
    const run = {
      urls: ['http://localhost:1111/', 'http://127.0.0.1:2222/mcp', 'not an address', 'mailto:x'],
    };
    expect(text('localhost:1111, 127.0.0.1:2222 (localhost:3902)', run)).toBe(
      '⟨target⟩, ⟨target⟩ (localhost:3902)',
    );
  });

  test("a client's own ports stay, the referee's ephemeral ones go", () => {
    const run: Partial<RunContext> = { leg: 'client', urls: [] };
    expect(
      text('http://localhost:3000/cb http://localhost:45123/mcp localhost:32768 localhost:32767', run),
    ).toBe('http://localhost:3000/cb http://⟨target⟩/mcp ⟨target⟩ localhost:32767');
    expect(text('localhost:60999 127.0.0.1:65535 localhost:329991', run)).toBe(
      '⟨target⟩ ⟨target⟩ localhost:329991',
    );
    expect(text('localhost:45123')).toBe('localhost:45123');
  });

  test.each(['32768', '32769', '32770', '32800', '32999', '33000', '39999', '40000', '49152', '65535'])(
    'port %s is ephemeral',
    (port) => {
      expect(text(`localhost:${port}`, { leg: 'client', urls: [] })).toBe('⟨target⟩');
    },
  );
  test.each(['80', '3000', '8080', '32767', '32700', '30000', '31999'])('port %s is not', (port) => {
    expect(text(`localhost:${port}`, { leg: 'client', urls: [] })).toBe(`localhost:${port}`);
  });
});

describe('time', () => {
  test.each([
    '2026-11-30T12:00:05.123Z',
    '2026-11-30T12:00:05Z',
    '2026-11-30T12:00:05.123456789Z',
    '2026-11-30T12:00:05',
    '2026-11-30T13:00:05.123+01:00',
    '2026-11-30T11:00:05-01:00',
    'Mon, 30 Nov 2026 12:00:05 GMT',
    String(START + 5000),
    // HTTP dates have whole seconds.
    '2026-11-30T11:59:59.000Z',
    '2026-11-30T12:00:11.000Z',
  ])('%s is inside the window', (time) => {
    expect(text(`at ${time}`)).toBe('at ⟨time⟩');
  });

  test.each([
    '2025-11-30T12:00:05.123Z',
    '2026-11-30T12:00:11.001Z',
    '2026-11-30T11:59:58.999Z',
    '2026-11-30T12:00:05+01:00',
    'Mon, 30 Nov 2026 12:01:05 GMT',
    String(START - 1001),
    String(START + 11_001),
    String(START + 5000).slice(1),
    `9${START + 5000}`,
    '2026-11-30',
    '12:00:05',
  ])('%s is not', (time) => {
    expect(text(`at ${time}`)).toBe(`at ${time}`);
  });

  test('a time without a zone is UTC, wherever this runs', () => {
    vi.stubEnv('TZ', 'America/New_York');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(text('at 2026-11-30T12:00:05')).toBe('at ⟨time⟩');
    expect(text('at 2026-11-30T07:00:05')).toBe('at 2026-11-30T07:00:05');
  });

  test('inside a longer word too', () => {
    expect(text(`stream_${START + 5000}_x`)).toBe('stream_⟨time⟩_x');
  });

  test('numbers in milliseconds, never others', () => {
    expect(
      details({
        now: START + 5000,
        edge: START - 1000,
        before: START - 1001,
        code: -32_602,
        seconds: (START + 5000) / 1000,
        fraction: START + 0.5,
      }),
    ).toEqual({
      now: '⟨time⟩',
      edge: '⟨time⟩',
      before: START - 1001,
      code: -32_602,
      seconds: (START + 5000) / 1000,
      fraction: START + 0.5,
    });
  });

  test('a window long ago does not make small numbers times', () => {
    const run = { window: { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:01:00.000Z' } };
    expect(details({ count: 5 }, run)).toEqual({ count: 5 });
  });

  test('thirteen digits make a time, as a number and in a text', () => {
    const run = { window: { from: '2001-09-09T01:46:40.000Z', to: '2001-09-09T01:46:41.000Z' } };
    expect(details({ n: 1_000_000_000_000, t: '1000000000000' }, run)).toEqual({ n: '⟨time⟩', t: '⟨time⟩' });
    expect(details({ n: 999_999_999_999, t: '999999999999' }, run)).toEqual({
      n: 999_999_999_999,
      t: '999999999999',
    });
  });
});

describe('session', () => {
  const id = '3b0d8ceb-aaaf-4227-a936-97768522c07b';

  test.each([
    'sessionId',
    'sessionIdSent',
    'mcp-session-id',
    'Mcp-Session-Id',
    'eventId',
    'lastEventId',
    'lastEventIdUsed',
    'last-event-id',
    'subscriptionId',
    'io.modelcontextprotocol/subscriptionId',
    'taskId',
    'requestState',
  ])('%s names an identifier', (key) => {
    expect(details({ [key]: id, n: { [key]: 7 } })).toEqual({
      [key]: '⟨session⟩',
      n: { [key]: '⟨session⟩' },
    });
  });

  test('whether there is one stays evidence', () => {
    expect(details({ sessionId: null, eventId: '', taskId: true })).toEqual({
      sessionId: null,
      eventId: '',
      taskId: true,
    });
  });

  test('the id of an event is one, the id of anything else is not', () => {
    expect(details({ event: { id, data: 'x' }, tool: { id }, results: [{ event: { id: '' } }] })).toEqual({
      event: { id: '⟨session⟩', data: 'x' },
      tool: { id: '⟨session⟩' },
      results: [{ event: { id: '' } }],
    });
    expect(details({ tool: { id } })).toEqual({ tool: { id } });
  });

  test('the id of an event goes however short it is, and when there is none that stays', () => {
    expect(details({ event: { id: '7', data: '7' }, tool: { id: '7' } })).toEqual({
      event: { id: '⟨session⟩', data: '7' },
      tool: { id: '7' },
    });
    expect(details({ event: { id: null } })).toEqual({ event: { id: null } });
  });

  test('what else an event carries is no identifier', () => {
    const check = aFailure('a', 'Lost order-1234', { details: { event: { id: '7', data: 'order-1234' } } });
    expect(normalised(check)).toEqual({
      errorMessage: 'Lost order-1234',
      details: { event: { id: '⟨session⟩', data: 'order-1234' } },
    });
  });

  test('the same identifier goes wherever else the report has it, also when another check named it', () => {
    const check = aFailure('a', `Session ${id} was lost`);
    const other = aCheck({ id: 'b', status: 'INFO', details: { headers: { 'mcp-session-id': id } } });
    expect(normalised(check, {}, [other])).toEqual({ errorMessage: 'Session ⟨session⟩ was lost' });
    const inMetadata = aCheck({ id: 'b', metadata: { ids: { sessionId: [id] } } });
    expect(normalised(check, {}, [inMetadata])).toEqual({ errorMessage: 'Session ⟨session⟩ was lost' });
    expect(normalised(check)).toEqual({ errorMessage: `Session ${id} was lost` });
  });

  test('short identifiers go only where a member names them', () => {
    const check = aFailure('a', 'Case 1234567 failed', { details: { eventId: '1234567' } });
    expect(normalised(check)).toEqual({
      errorMessage: 'Case 1234567 failed',
      details: { eventId: '⟨session⟩' },
    });
    const long = aFailure('a', 'Case 12345678 failed', { details: { eventId: '12345678' } });
    expect(normalised(long)).toMatchObject({ errorMessage: 'Case ⟨session⟩ failed' });
  });

  test('very long identifiers go only where a member names them', () => {
    const lost = (sessionId: string) =>
      normalised(aFailure('a', `Lost ${sessionId}`, { details: { sessionId } }));
    const longest = '7'.repeat(1_000);
    expect(lost(longest)).toEqual({ errorMessage: 'Lost ⟨session⟩', details: { sessionId: '⟨session⟩' } });
    expect(lost(`${longest}7`)).toEqual({
      errorMessage: `Lost ${longest}7`,
      details: { sessionId: '⟨session⟩' },
    });
  });

  test('the order in which a report names its identifiers means nothing', () => {
    const check = aFailure('a', 'At abc-1234-abc');
    const one = aCheck({ id: 'b', details: { sessionId: 'abc-1234' } });
    const other = aCheck({ id: 'c', details: { sessionId: '1234-abc' } });
    expect(normalised(check, {}, [one, other])).toEqual({ errorMessage: 'At abc-⟨session⟩' });
    expect(normalised(check, {}, [other, one])).toEqual({ errorMessage: 'At abc-⟨session⟩' });
  });

  test.each([
    ['all data of all users', 'Expected a result, got all data of all users'],
    ['secretdata', 'Expected a result, got secretdata'],
    ['error500x', 'Expected a result, got terror500xs'],
    ['error500x', 'Expected a result, got terror500x'],
    ['error500x', 'Expected a result, got error500xs'],
    ['error500x', 'Expected a result, got 𝓽error500x or error500x𝓼'],
    ['error500x', 'terror500x instead of a result'],
    ['line\n12345678', 'Expected line\n12345678'],
  ])('text is not erased by calling it an identifier: %j', (sessionId, text) => {
    expect(normalised(aFailure('a', text, { details: { sessionId } })).errorMessage).toBe(text);
  });

  test('identifiers without end cost little', () => {
    const ids = Array.from({ length: 50_000 }, (_, n) => `session-${n}`);
    const check = aFailure('a', 'session-x '.repeat(500_000), { details: { sessionId: ids } });
    const before = performance.now();
    normalised(check);
    expect(performance.now() - before).toBeLessThan(20_000);
  }, 60_000);

  test('an identifier that holds another one is replaced as a whole', () => {
    const check = aFailure('a', `${id}::stream lost`, {
      details: { sessionId: id, eventId: `${id}::stream` },
    });
    expect(normalised(check).errorMessage).toBe('⟨session⟩ lost');
  });
});

describe('request-id', () => {
  test('the number goes, presence and type stay', () => {
    expect(
      details({
        a: { jsonrpc: '2.0', id: 67, result: {} },
        b: { jsonrpc: '2.0', id: null, error: { code: -32_600, data: { id: 5 } } },
        c: { jsonrpc: '2.0', id: '67' },
        d: { jsonrpc: '2.0', result: 1 },
        e: { jsonrpc: '1.0', id: 67 },
        f: { id: 67 },
      }),
    ).toEqual({
      a: { jsonrpc: '2.0', id: '⟨request-id⟩', result: {} },
      b: { jsonrpc: '2.0', id: null, error: { code: -32_600, data: { id: 5 } } },
      c: { jsonrpc: '2.0', id: '67' },
      d: { jsonrpc: '2.0', result: 1 },
      e: { jsonrpc: '1.0', id: 67 },
      f: { id: 67 },
    });
  });
});

describe('peer-version', () => {
  test.each([
    'serverInfo',
    'clientInfo',
    'io.modelcontextprotocol/serverInfo',
    'io.modelcontextprotocol/clientInfo',
  ])('the release in %s goes, its name and everything else stay', (key) => {
    const peer = (version: unknown) =>
      details({ body: { result: { [key]: { name: 'mine', title: 'Mine', version } }, version } });
    expect(peer('1.0.1')).toEqual({
      body: { result: { [key]: { name: 'mine', title: 'Mine', version: '⟨version⟩' } }, version: '1.0.1' },
    });
  });

  test.each([
    ['', ''],
    [undefined, undefined],
    [2, 2],
    [null, null],
    [['1'], ['1']],
  ])('what is no release stays: %j', (version, kept) => {
    expect(details({ serverInfo: { name: 'mine', version } })).toEqual({
      serverInfo: kept === undefined ? { name: 'mine' } : { name: 'mine', version: kept },
    });
  });

  test.each<Record<string, unknown>>([
    { serverInfo: { nested: { version: '1' } } },
    { server: { version: '1' } },
    { serverInfo: 'version' },
    { serverInfo: { version: '1' } },
    { serverInfo: { name: 7, version: '1' } },
    { serverInfo: { name: 'mine', version: 'crashed with a stack' } },
    { serverInfo: { name: 'mine', version: 'x'.repeat(65) } },
    { serverInfo: [{ name: 'mine', version: '1' }] },
    { version: '1', protocolVersion: '2025-11-25' },
    { constructor: { version: '1' } },
  ])('another version stays: %j', (value) => {
    expect(details(value)).toEqual(value);
  });

  test('a server cannot pass for one without a version', () => {
    expect(details({ serverInfo: { name: '⟨version⟩' } })).not.toEqual({ serverInfo: { name: '⟨version⟩' } });
  });
});

describe('text', () => {
  test('CRLF is LF', () => {
    expect(text('a\r\nb\rc')).toBe('a\nb\rc');
  });

  test('nobody can print a mark', () => {
    expect(text('⟨time⟩')).toBe('⟨⟨time⟩');
    expect(text('⟨time⟩')).not.toBe(text('2026-11-30T12:00:05Z'));
  });

  test('lone surrogates are written out, in values and names', () => {
    expect(details({ 'k\ud800': 'v\udfffv', ok: '😀' })).toEqual({ 'k\\ud800': 'v\\udfffv', ok: '😀' });
  });

  test('numbers that JSON cannot hold are words', () => {
    expect(details({ a: JSON.parse('1e999'), b: JSON.parse('-1e999') })).toEqual({
      a: 'Infinity',
      b: '-Infinity',
    });
  });
});
