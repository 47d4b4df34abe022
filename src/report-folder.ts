import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { ConfigError } from './shared/errors.ts';
import { readRegularText } from './shared/read-regular-file.ts';

/** Marks a folder as ours, so that only our own reports are ever cleared. */
const MARKER = '.mcp-conformance-report';
/** Content of the marker; a file of that name with other words is not ours. */
export const REPORT_MARKER =
  'This folder belongs to mcp-conformance-gate, which empties it at the start of each run.\n';

/**
 * Looks whether the report folder may be used, and changes nothing.
 * @param folder absolute
 * @throws ConfigError when it holds something of someone else's, or is not a folder
 */
export async function assertReportFolder(folder: string): Promise<void> {
  if ((await list(folder)).length > 0 && !(await isOurs(folder))) {
    throw new ConfigError(`The report folder is not empty and not one of ours: ${folder}`, {
      hint: `It has no ${MARKER}. Choose another with --output, or empty it yourself.`,
    });
  }
}

/**
 * Makes the report folder ready: created when missing, emptied when it carries our marker, refused when it holds anything
 * of someone else's (DESIGN.md section 5).
 * @param folder absolute
 * @throws ConfigError when it is not ours or not a folder
 */
export async function prepareReportFolder(folder: string): Promise<void> {
  await assertReportFolder(folder);
  const names = await list(folder);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, MARKER), REPORT_MARKER);
  // Reports are evidence of one run, not sources: git leaves the folder alone wherever it lies.
  for (const name of names)
    if (name !== MARKER) await rm(join(folder, name), { recursive: true, force: true });
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' });
  await mkdir(join(folder, 'profiles'));
}

/** True when the folder carries our marker. */
export async function isOurs(folder: string): Promise<boolean> {
  return readRegularText(join(folder, MARKER)).then(
    (text) => text === REPORT_MARKER,
    () => false,
  );
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new ConfigError(`The report folder cannot be used: ${(cause as Error).message}`, {
      hint: 'Choose another with --output.',
      cause,
    });
  }
}

/** Where a profile's evidence lies. */
export function profileFolder(folder: string, slug: string): string {
  return join(folder, 'profiles', slug);
}

/** Writes a value as JSON with a final newline, atomically. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`);
}
