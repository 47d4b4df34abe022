import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_REPORT_BYTES } from '../../src/reports/read-checks.ts';
import { readReports } from '../../src/reports/read-reports.ts';
import type { ScenarioList } from '../../src/run/metadata.ts';
import { aCheck } from '../support/a-report.ts';
import { aProfile } from '../support/some-metadata.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TIME = '2026-11-30T17-39-16-690Z';
const LIST: ScenarioList = {
  scored: ['tools-list', 'ping', 'server-initialize'],
  notScored: [{ scenario: 'tasks', reason: 'extension' }],
};

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});

async function write(path: string, content: string | Uint8Array): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
const report = (scenario: string, ...checks: unknown[]) =>
  write(`raw/server-${scenario}-${TIME}/checks.json`, JSON.stringify(checks));
const read = (profile = 'server:2025-11-25', list = LIST) => readReports(folder, list, aProfile(profile));

describe('readReports', () => {
  test('reads the reports in the order of the scenarios', async () => {
    await report('ping', aCheck({ id: 'ping' }));
    await report('server-initialize', aCheck({ id: 'init' }));
    await report('tools-list', aCheck({ id: 'list' }), aCheck({ id: 'list' }));
    const { reports, findings } = await read();
    expect(findings).toEqual([]);
    expect(
      reports.map(({ scenario, origin, folder: at, checks }) => [scenario, origin, at, checks.length]),
    ).toEqual([
      ['tools-list', 'checks.json', `server-tools-list-${TIME}`, 2],
      ['ping', 'checks.json', `server-ping-${TIME}`, 1],
      ['server-initialize', 'checks.json', `server-server-initialize-${TIME}`, 1],
    ]);
  });

  test('reads nested folders of client scenarios', async () => {
    await write(`raw/auth/basic-${TIME}/checks.json`, JSON.stringify([aCheck()]));
    await write(`raw/auth/basic-${TIME}/stdout.txt`, 'x');
    await write(`raw/initialize-${TIME}/checks.json`, JSON.stringify([aCheck()]));
    const { reports } = await read('client:2025-11-25', {
      scored: ['initialize', 'auth/basic'],
      notScored: [],
    });
    expect(reports.map(({ scenario }) => scenario)).toEqual(['initialize', 'auth/basic']);
  });

  test('keeps unknown members and fills in missing words', async () => {
    await report('ping', { id: 'a', status: 'SUCCESS', novelty: { deep: [1] } });
    const { reports } = await read();
    expect(reports[0]?.checks).toEqual([
      { id: 'a', status: 'SUCCESS', name: '', description: '', novelty: { deep: [1] } },
    ]);
  });

  test('returns second and unknown reports too: the judge decides', async () => {
    await report('ping', aCheck());
    await write('raw/server-ping-2026-11-30T17-39-17-000Z/checks.json', '[]');
    await report('surprise', aCheck());
    const { reports, findings } = await read();
    expect(findings).toEqual([]);
    expect(reports.map(({ scenario }) => scenario)).toEqual(['ping', 'ping', 'surprise']);
  });

  test('reads checks.json also from a folder that the referee would not have named so', async () => {
    await write('raw/stray/checks.json', JSON.stringify([aCheck()]));
    const { reports } = await read();
    expect(reports.map(({ scenario, folder: at }) => [scenario, at])).toEqual([['stray', 'stray']]);
  });

  test('ignores other files', async () => {
    await write('raw/run.json', '{}');
    await write('raw/notes/readme.txt', 'x');
    expect(await read()).toEqual({ reports: [], findings: [] });
  });

  test('without a raw folder there is nothing', async () => {
    expect(await read()).toEqual({ reports: [], findings: [] });
  });

  describe('a scenario that threw', () => {
    beforeEach(() => mkdir(join(folder, `raw/server-tasks-${TIME}`), { recursive: true }));

    test('becomes one FAILURE named like the scenario', async () => {
      await write(
        'referee.log',
        'Failed to run scenario tasks: Error: not spoken here\n    at x (y.js:1:2)\n',
      );
      const { reports } = await read();
      expect(reports).toEqual([
        {
          scenario: 'tasks',
          origin: 'thrown',
          folder: `server-tasks-${TIME}`,
          checks: [
            {
              id: 'tasks',
              name: 'tasks',
              description: 'Failed to run scenario',
              status: 'FAILURE',
              errorMessage: 'not spoken here',
            },
          ],
        },
      ]);
    });

    test('with two different errors is not believed', async () => {
      const error = (text: string) => `Failed to run scenario tasks: Error: ${text}\n    at x (y.js:1:2)\n`;
      await write('referee.log', error('reviewed') + error('real'));
      expect(await read()).toMatchObject({
        reports: [],
        findings: [{ kind: 'malformed-report', scenario: 'tasks', message: expect.stringContaining('real') }],
      });
    });

    test('without a word in the log stays missing', async () => {
      await write('referee.log', 'nothing\n');
      expect((await read()).reports).toEqual([]);
    });

    test('without a log stays missing', async () => {
      expect((await read()).reports).toEqual([]);
    });
  });

  test('a forged line makes no report for a scenario that has one, and none without a folder', async () => {
    await report('ping', aCheck({ id: 'real' }));
    await write(
      'referee.log',
      'Failed to run scenario ping: Error: forged\n    at x\nFailed to run scenario tools-list: Error: forged\n',
    );
    const { reports } = await read();
    expect(reports.map(({ scenario, checks }) => [scenario, checks[0]?.id])).toEqual([['ping', 'real']]);
  });

  describe('what cannot be read is malformed-report, with the reason', () => {
    const deep = `${'['.repeat(300)}${']'.repeat(300)}`;
    test.each([
      ['not JSON', '{"a":', 'is not JSON'],
      ['empty', '', 'is not JSON'],
      ['an object', '{}', 'is not an array of checks'],
      ['null', 'null', 'is not an array of checks'],
      ['a check without id', '[{"status":"SUCCESS"}]', 'check 1: '],
      ['an empty id', '[{"id":"","status":"SUCCESS"}]', 'check 1: '],
      ['a later check', '[{"id":"a","status":"SUCCESS"},{"id":"b"}]', 'check 2: '],
      ['a status that is no string', '[{"id":"a","status":1}]', 'check 1: '],
      ['endless nesting', `[{"id":"a","status":"FAILURE","details":{"x":${deep}}}]`, 'nests deeper than 200'],
    ])('%s', async (_what, content, message) => {
      await write(`raw/server-ping-${TIME}/checks.json`, content);
      const { reports, findings } = await read();
      expect(reports).toEqual([]);
      expect(findings).toEqual([
        {
          kind: 'malformed-report',
          profile: 'server:2025-11-25',
          scenario: 'ping',
          folder: `server-ping-${TIME}`,
          message: expect.stringContaining(message),
        },
      ]);
    });

    test('not UTF-8', async () => {
      await write(`raw/server-ping-${TIME}/checks.json`, Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d));
      expect((await read()).findings).toMatchObject([{ message: 'is not valid UTF-8' }]);
    });

    test('too large, without reading it', async () => {
      await write(`raw/server-ping-${TIME}/checks.json`, '[');
      await truncate(join(folder, `raw/server-ping-${TIME}/checks.json`), MAX_REPORT_BYTES + 1);
      expect((await read()).findings).toMatchObject([
        { kind: 'malformed-report', message: expect.stringContaining(`${MAX_REPORT_BYTES + 1} bytes`) },
      ]);
    });

    test('a folder in place of the file', async () => {
      await mkdir(join(folder, `raw/server-ping-${TIME}/checks.json`), { recursive: true });
      const { findings } = await read();
      expect(findings).toMatchObject([{ kind: 'malformed-report', scenario: 'ping' }]);
    });

    test('symbolic links, to files and to folders', async () => {
      await write('elsewhere/checks.json', JSON.stringify([aCheck()]));
      await mkdir(join(folder, `raw/server-ping-${TIME}`), { recursive: true });
      await symlink(
        join(folder, 'elsewhere/checks.json'),
        join(folder, `raw/server-ping-${TIME}/checks.json`),
      );
      await symlink(join(folder, 'elsewhere'), join(folder, `raw/server-tools-list-${TIME}`));
      const { reports, findings } = await read();
      expect(reports).toEqual([]);
      expect(findings.map((finding) => 'folder' in finding && finding.folder).sort()).toEqual([
        `server-ping-${TIME}`,
        `server-tools-list-${TIME}`,
      ]);
      for (const finding of findings) {
        expect(finding).toMatchObject({ message: 'is a symbolic link; the referee writes none' });
      }
    });

    test('folders without end', async () => {
      await mkdir(join(folder, 'raw/1/2/3/4/5/6/7/8'), { recursive: true });
      expect((await read()).findings).toMatchObject([
        { kind: 'malformed-report', folder: '1/2/3/4/5/6/7', message: 'nests deeper than any scenario' },
      ]);
    });

    test('a file in place of the raw folder', async () => {
      await write('raw', 'x');
      expect((await read()).findings).toMatchObject([
        { kind: 'malformed-report', folder: '', message: expect.stringContaining('cannot be listed') },
      ]);
    });
  });

  test('members called __proto__ stay evidence and change nothing else', async () => {
    await write(
      `raw/server-ping-${TIME}/checks.json`,
      '[{"id":"a","status":"FAILURE","__proto__":{"status":"SUCCESS"},"details":{"__proto__":{"x":1}}}]',
    );
    const { reports } = await read();
    const check = reports[0]?.checks[0];
    expect(check?.status).toBe('FAILURE');
    expect(Object.keys(check ?? {})).toContain('__proto__');
    expect(({} as { status?: string }).status).toBeUndefined();
  });
});
