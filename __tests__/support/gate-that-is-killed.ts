// Starts a process that ignores TERM, makes a temporary folder, says both, and waits to be killed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startGroup } from '../../src/shared/process-group.ts';
import { temporaryFolder } from '../../src/shared/reaper.ts';

const folder = temporaryFolder('raw-');
writeFileSync(join(folder, 'secret'), 'geheimnis');
const group = startGroup({
  run: { shell: `trap '' TERM; while :; do sleep 0.05; done` },
  cwd: '/',
  env: { PATH: process.env.PATH ?? '' },
});
const ended = startGroup({ run: { shell: 'exit 0' }, cwd: '/', env: { PATH: process.env.PATH ?? '' } });
await ended.ended;
await ended.stop(0);
console.log(JSON.stringify({ pid: group.pid, folder }));
setInterval(() => undefined, 1_000);
