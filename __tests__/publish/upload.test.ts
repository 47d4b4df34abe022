import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type UploadRequest, uploadReport } from '../../src/publish/upload.ts';
import { REPORT_MARKER } from '../../src/report-folder.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { type FakeResultsService, startFakeResultsService } from '../support/fake-results-service.ts';
import { obeyedCommands, readFileCommands } from '../support/read-runner.ts';

let service: FakeResultsService;
let folder: string;

beforeEach(async () => {
  service = await startFakeResultsService();
  folder = await mkdtemp(join(tmpdir(), 'report-'));
  await mkdir(join(folder, 'profiles/server-2025-11-25/raw/server-ping'), { recursive: true });
  await writeFile(join(folder, 'verdict.json'), '{"outcome":"pass"}');
  await writeFile(join(folder, '.mcp-conformance-report'), '');
  await writeFile(join(folder, 'profiles/server-2025-11-25/raw/server-ping/checks.json'), '[]');
  for (const [name, value] of Object.entries(service.env)) vi.stubEnv(name, value);
  vi.stubEnv('GITHUB_SERVER_URL', 'https://github.com');
  vi.stubEnv('ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS', '2000');
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const upload = (overrides: Partial<UploadRequest> = {}) =>
  uploadReport({
    folder,
    name: { name: 'demo', profiles: ['server-2025-11-25'], job: 'conformance', attempt: '1' },
    env: { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: '77' },
    ...overrides,
  });

describe('uploadReport', () => {
  test('puts every file, hidden ones too, into one artifact and says where it is', async () => {
    const result = await upload({ retentionDays: 3 });
    expect(result).toMatchObject({ kind: 'uploaded', id: 1000, files: 3, warnings: [] });
    if (result.kind !== 'uploaded') return;
    expect(result.url).toBe('https://github.com/o/r/actions/runs/77/artifacts/1000');
    expect(result.name).toMatch(/^mcp-conformance-demo-server-2025-11-25-conformance-[0-9a-f]{8}-1$/);
    expect([...(await service.files(result.name)).keys()].sort()).toEqual([
      '.mcp-conformance-report',
      'profiles/server-2025-11-25/raw/server-ping/checks.json',
      'verdict.json',
    ]);
    const zip = await service.zip(result.name);
    expect(result.digest).toBe(`sha256:${createHash('sha256').update(zip).digest('hex')}`);
    expect(result.size).toBe(zip.length);
    const kept = service.artifacts[0]?.expiresAt;
    expect(Math.round((Date.parse(kept ?? '') - Date.now()) / 86_400_000)).toBe(3);
  });

  test('compresses as asked', async () => {
    await writeFile(join(folder, 'big.txt'), 'x'.repeat(200_000));
    const [stored, best] = [await upload({ compressionLevel: 0 }), await upload({ compressionLevel: 9 })];
    if (stored.kind !== 'uploaded' || best.kind !== 'uploaded') throw new Error('not uploaded');
    expect(stored.size).toBeGreaterThan(200_000);
    expect(best.size).toBeLessThan(10_000);
  });

  test('a name that is taken is tried once more under another', async () => {
    const first = await upload();
    const second = await upload();
    expect(second.kind).toBe('uploaded');
    expect(second.name.startsWith(`${first.name}-`)).toBe(true);
    expect((await service.files(second.name)).has('verdict.json')).toBe(true);
  });

  test('a name that stays taken is a warning that names what was lost', async () => {
    service.fail('CreateArtifact', { status: 409, msg: 'taken' }, { status: 409, msg: 'taken' });
    const result = await upload();
    expect(result).toMatchObject({ kind: 'lost', reason: 'name-taken' });
    expect(result.warnings.join(' ')).toContain(folder);
    expect(result.warnings.join(' ')).toContain('3 files');
  });

  test('403: forbidden, tried once', async () => {
    service.fail('CreateArtifact', { status: 403, msg: '::error::no permission' });
    const result = await upload();
    expect(result).toMatchObject({ kind: 'lost', reason: 'forbidden' });
    expect(result.warnings[0]).toContain('was not uploaded');
    expect(service.calls).toHaveLength(1);
  });

  test('500 and then success', async () => {
    service.fail('CreateArtifact', { status: 500 });
    expect(await upload()).toMatchObject({ kind: 'uploaded' });
    expect(service.calls.map(({ method }) => method)).toEqual([
      'CreateArtifact',
      'CreateArtifact',
      'FinalizeArtifact',
    ]);
  });

  test('a connection cut mid-way ends within the deadline as a warning', async () => {
    await writeFile(join(folder, 'big.bin'), Buffer.alloc(2_000_000, 7));
    service.blobs.mode = { cutAfterBytes: 50_000 };
    const result = await upload({ compressionLevel: 0, deadlineMs: 4000 });
    expect(result.kind).toBe('lost');
    expect(service.blobs.connections).toBeGreaterThan(0);
    expect(service.artifacts.some(({ finalized }) => finalized)).toBe(false);
  });

  test.each(['service', 'blob store'])('a %s that never answers ends at the deadline', async (who) => {
    if (who === 'service') service.fail('CreateArtifact', 'hang');
    else service.blobs.mode = 'hang';
    const began = Date.now();
    const result = await upload({ deadlineMs: 1500 });
    expect(result).toMatchObject({ kind: 'lost', reason: 'timeout' });
    expect(Date.now() - began).toBeLessThan(10_000);
  });

  test('on a GitHub server without the service nothing is even tried', async () => {
    vi.stubEnv('GITHUB_SERVER_URL', 'https://git.example.org');
    expect(await upload()).toMatchObject({ kind: 'lost', reason: 'not-on-this-server' });
    expect(service.calls).toHaveLength(0);
  });

  test('without the runtime token: lost, and it says why', async () => {
    vi.stubEnv('ACTIONS_RUNTIME_TOKEN', '');
    expect(await upload()).toMatchObject({ kind: 'lost', reason: 'no-runtime-token' });
  });

  test.each(['missing', 'empty'])('a %s folder: nothing to upload', async (which) => {
    const other = await mkdtemp(join(tmpdir(), 'report-'));
    onTestFinished(() => rm(other, { recursive: true, force: true }));
    const result = await upload({ folder: which === 'empty' ? other : join(other, 'no') });
    expect(result).toMatchObject({ kind: 'lost', reason: 'nothing-to-upload' });
  });

  test('what cannot go into an artifact is left out by name, the rest is kept', async () => {
    await symlink('/etc/passwd', join(folder, 'planted'));
    await writeFile(join(folder, 'a:b|c.log'), 'x');
    const result = await upload();
    expect(result).toMatchObject({ kind: 'uploaded', files: 3 });
    expect([...result.warnings].sort()).toEqual([
      'Left out of the artifact: a:b|c.log, because its name has a character that artifacts may not have.',
      'Left out of the artifact: planted, because it is a symbolic link.',
    ]);
  });

  test.each<[string, () => void, Record<string, string>]>([
    ['success', () => {}, {}],
    ['403', () => service.fail('CreateArtifact', { status: 403 }), {}],
    ['409 twice', () => service.fail('CreateArtifact', { status: 409 }, { status: 409 }), {}],
    ['500, then success', () => service.fail('FinalizeArtifact', { status: 500 }), {}],
    ['a GitHub server without the service', () => {}, { GITHUB_SERVER_URL: 'https://git.example.org' }],
    ['no runtime token', () => {}, { ACTIONS_RUNTIME_TOKEN: '' }],
  ])(
    'as a step of its own, %s: it ends in success and says what became of the report',
    async (name, arrange, env) => {
      arrange();
      await writeFile(join(folder, '.mcp-conformance-report'), REPORT_MARKER);
      const outputs = join(folder, '..', `${basename(folder)}-output`);
      await writeFile(outputs, '');
      onTestFinished(() => rm(outputs, { force: true }));
      const child = spawn(process.execPath, [join(packageRoot(), 'src/entry/upload.ts')], {
        env: {
          PATH: process.env.PATH ?? '',
          ...service.env,
          GITHUB_SERVER_URL: 'https://github.com',
          GITHUB_REPOSITORY: 'o/r',
          GITHUB_RUN_ID: '77',
          GITHUB_OUTPUT: outputs,
          'INPUT_REPORT-PATH': folder,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      const [code] = await once(child, 'close');
      expect(code).toBe(0);
      const warnings = obeyedCommands(Buffer.concat(chunks).toString()).filter(
        ({ command }) => command === 'warning',
      );
      const set = readFileCommands(await readFile(outputs, 'utf8'));
      if (name.includes('success')) {
        expect(warnings).toEqual([]);
        expect(set.get('artifact-digest')).toMatch(/^sha256:[0-9a-f]{64}$/);
      } else {
        expect(warnings.map(({ data }) => data).join()).toContain(folder);
        expect(set.size).toBe(0);
      }
    },
  );

  test('as a step of its own, a folder of somebody else: nothing of it is taken', async () => {
    await rm(join(folder, '.mcp-conformance-report'), { force: true });
    const child = spawn(process.execPath, [join(packageRoot(), 'src/entry/upload.ts')], {
      env: { PATH: process.env.PATH ?? '', ...service.env, 'INPUT_REPORT-PATH': folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, 'close');
    expect(code).toBe(0);
    expect(Buffer.concat(chunks).toString()).toContain('is not a report folder of this tool');
  });
});
