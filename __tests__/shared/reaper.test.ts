import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { isRunning, until } from '../support/process-table.ts';

const GATE = fileURLToPath(new URL('../support/gate-that-is-killed.ts', import.meta.url));

test('a gate that is killed leaves neither processes nor temporary files', async () => {
  const gate = spawn(process.execPath, [GATE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(gate.stdout, 'data')) as [Buffer];
  const { pid, folder } = JSON.parse(line.toString('utf8')) as { pid: number; folder: string };
  expect(await isRunning(pid)).toBe(true);
  expect(existsSync(folder)).toBe(true);
  gate.kill('SIGKILL');
  await once(gate, 'exit');
  await until(async () => !(await isRunning(pid)));
  await until(() => !existsSync(dirname(folder)));
});
