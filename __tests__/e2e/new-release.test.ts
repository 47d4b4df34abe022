import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';

/** Knows nothing but initialize, and takes requests for any host: the referee quotes its whole answer as evidence. */
const SERVER = `
import { createServer } from 'node:http';
const [port, version, sorry] = process.argv.slice(2);
createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method } = JSON.parse(body || '{}');
  if (id === undefined) return response.writeHead(request.method === 'POST' ? 202 : 405).end();
  const answer = method === 'initialize'
    ? { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'mini', version } } }
    : { error: { code: -32601, message: sorry } };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}).listen(Number(port), '127.0.0.1');
`;

describe('a server that is released again', () => {
  let cwd: string;
  const baseline = () => join(cwd, 'baselines/server-2025-11-25.yaml');
  const gate = (command: 'run' | 'accept', version: string, sorry = 'unknown') =>
    runCli(
      [command, '--profile', 'server:2025-11-25', '--confirm', '0', '--server-command'].concat(
        `node server.mjs {port} ${version} ${sorry}`,
      ),
      { cwd },
    );

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'mcp-gate-release-'));
    await writeFile(join(cwd, 'server.mjs'), SERVER);
    await gate('run', '1.0.0');
    const { code, stderr } = await gate('accept', '1.0.0');
    expect(code, stderr).toBe(0);
    const text = await readFile(baseline(), 'utf8');
    expect(text).toContain('serverInfo');
    await writeFile(baseline(), text.replaceAll(/reviewed:$/gm, 'reviewed: 2026-11-30'));
    return () => rm(cwd, { recursive: true, force: true });
  });

  test('passes under its new number', async () => {
    const { code, stderr } = await gate('run', '1.0.1');
    expect(stderr).toMatch(/^PASS /m);
    expect(code).toBe(0);
  });

  test('without a new run: accept takes no release for a volatile part of another', async () => {
    const before = await readFile(baseline(), 'utf8');
    const { code, stderr } = await gate('accept', '2.0.0', 'gone');
    expect(stderr).toContain(
      'error: The report of server:2025-11-25 is of mini 1.0.1, and the server that was started is mini 2.0.0.',
    );
    expect(code).toBe(2);
    expect(await readFile(baseline(), 'utf8')).toBe(before);
  });

  test('what a changed server under the same number leaves unrecognisable stays as it was reviewed', async () => {
    const listed = async () =>
      (await readFile(baseline(), 'utf8')).match(/^ {2}- scenario: .*\n {4}check: .*/gm);
    const before = await listed();
    const { code, stderr } = await gate('accept', '1.0.1', 'Entschuldigung');
    expect(stderr).toMatch(/^ {2}0 added, \d+ changed, \d+ kept, 0 removed$/m);
    expect(code).toBeLessThan(2);
    expect(await listed()).toEqual(before);
  });
});
