import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ConfigError, type Place } from '../shared/errors.ts';
import { parseYaml } from '../shared/parse-yaml.ts';
import { readRegularText } from '../shared/read-regular-file.ts';
import { type ConfigFile, fileSchema } from './file-schema.ts';

/** Looked for in this order when `--config` is not given. */
const CONFIG_FILES = ['mcp-conformance.yaml', '.github/mcp-conformance.yaml'] as const;

export interface ReadConfig {
  /** Absolute; `undefined` when there is no file. */
  readonly file: string | undefined;
  /** Paths in the file are relative to this; absolute. */
  readonly folder: string;
  readonly content: ConfigFile;
  placeOf(path: readonly PropertyKey[]): Place | undefined;
}

/**
 * Reads the configuration file, if there is one.
 * @param cwd where the command runs
 * @param given the `--config` option
 * @throws ConfigError when a given file cannot be read or any file is not valid
 */
export async function readConfigFile(cwd: string, given: string | undefined): Promise<ReadConfig> {
  for (const candidate of given === undefined ? CONFIG_FILES : [given]) {
    const file = resolve(cwd, candidate);
    const text = await read(file, given !== undefined);
    if (text === undefined) continue;
    const parsed = parseYaml(text, {
      file,
      what: 'configuration',
      schema: fileSchema,
      maxBytes: 1024 * 1024,
    });
    return { file, folder: dirname(file), content: parsed.value, placeOf: parsed.placeOf };
  }
  return { file: undefined, folder: cwd, content: {}, placeOf: () => undefined };
}

async function read(file: string, required: boolean): Promise<string | undefined> {
  try {
    // A file that was given may well be a pipe; one that just lies there may not.
    return required ? await readFile(file, 'utf8') : await readRegularText(file);
  } catch (cause) {
    if (!required && (cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new ConfigError(`The configuration file cannot be read: ${(cause as Error).message}`, {
      place: { file },
      cause,
    });
  }
}
