import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadPlan } from '../../src/config/load-plan.ts';
import type { Plan } from '../../src/config/plan.ts';
import { pickPort } from '../../src/target/ports.ts';
import { withTarget } from '../../src/target/with-target.ts';
import { run } from '../support/a-run.ts';
import { judgeRun } from '../support/judge-run.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const page = await readFile(new URL('../../docs/targets.md', import.meta.url), 'utf8');
const recipes = page.split(/^## /m).flatMap((section) => {
  const [, yaml] = /^```yaml\n([\s\S]*?)^```$/m.exec(section) ?? [];
  return yaml === undefined ? [] : [{ title: section.slice(0, section.indexOf('\n')), yaml }];
});
const support = (name: string) => JSON.stringify(join(import.meta.dirname, '..', 'support', name));

/** A folder as the page has it: the configuration, `server.js` and `client.js`. Fixed ports become free ones. */
async function project(yaml: string, port: number): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'mcp-conformance.yaml'), yaml.replaceAll('3000', String(port)));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'server.js'), `await import(${support('recipe-server.ts')});`);
  await writeFile(join(folder, 'client.js'), `await import(${support('small-client.ts')});`);
  await mkdir(join(folder, 'packages'));
  return folder;
}

/** Starts the server that the recipe takes for granted. */
async function startOwn(folder: string, port: number): Promise<void> {
  const child = spawn(process.execPath, ['server.js', '--port', String(port), '--print-address'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await new Promise((resolve) => child.stdout.once('data', resolve));
}

async function planOf(folder: string, environment: NodeJS.ProcessEnv): Promise<Plan> {
  return loadPlan({}, folder, { ...process.env, ...environment });
}

test('the page shows ten start styles and more', () => {
  expect(recipes.length).toBeGreaterThanOrEqual(10);
});

describe.each(recipes)('$title', ({ title, yaml }) => {
  test('works as written', { timeout: 60_000 }, async () => {
    const port = await pickPort();
    const folder = await project(yaml, port);
    // A token comes by the environment, to the gate and to the server.
    const token = yaml.includes('TOKEN') ? { TOKEN: 'a-token-of-this-test' } : {};
    const plan = await planOf(folder, token);
    if (title === 'A server that already runs') await startOwn(folder, port);
    for (const { profile, target } of plan.profiles) {
      if (target.kind === 'client') {
        const { metadata } = await run(target, { profile: profile.id, only: ['initialize'] });
        expect(metadata.clients).toEqual([{ scenario: 'initialize', exitCode: 0, timedOut: false }]);
        continue;
      }
      const spec = target.kind === 'url' ? target : { ...target, env: { ...target.env, ...token } };
      const context = {
        profile,
        targetLog: join(folder, 'target.log'),
        secrets: plan.secrets,
        progress: () => undefined,
        signal: new AbortController().signal,
      };
      await withTarget(spec, context, async (server) => {
        expect(server.before).toMatchObject({ answered: true, serverInfo: { name: 'my-server' } });
        expect(await server.probe()).toMatchObject({ answered: true });
      });
    }
    const [first] = plan.profiles;
    // The referee itself, once for each recipe: what it is given is what the server is reached at.
    if (first && first.target.kind !== 'client') {
      const target =
        first.target.kind === 'url'
          ? first.target
          : { ...first.target, env: { ...first.target.env, ...token } };
      const ran = await run(target, { profile: first.profile.id, only: ['ping'] });
      expect((await judgeRun(ran)).outcome).toBe('pass');
    }
  });
});
