import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { sarifToMarkdown } from '@security-alert/sarif-to-markdown';
import type { ValidateFunction } from 'ajv';
import Ajv from 'ajv-draft-04';

const SCHEMA = createRequire(import.meta.url).resolve(
  '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
);

let validate: ValidateFunction | undefined;

/**
 * Validates a SARIF log against the official 2.1.0 schema and reads it with a public package.
 * @throws Error with the validator's words
 */
export async function readSarif(text: string): Promise<{ log: SarifLog; markdown: string }> {
  const log: unknown = JSON.parse(text);
  validate ??= new Ajv.default({
    strict: false,
    allErrors: true,
    validateFormats: false,
    unicodeRegExp: false,
  }).compile(JSON.parse(await readFile(SCHEMA, 'utf8')));
  if (!validate(log)) throw new Error(JSON.stringify(validate.errors, null, 1));
  const toMarkdown = sarifToMarkdown({
    owner: 'o',
    repo: 'r',
    branch: 'main',
    sourceRoot: '',
    details: true,
  });
  const markdown = toMarkdown(log as Parameters<typeof toMarkdown>[0])
    .map(({ body }) => body)
    .join('\n');
  return { log: log as SarifLog, markdown };
}

/** What the tests look at; the schema has proved it to be there. */
export interface SarifLog {
  readonly runs: readonly {
    readonly tool: {
      readonly driver: { readonly rules: readonly { readonly id: string; readonly helpUri?: string }[] };
    };
    readonly invocations: readonly { readonly executionSuccessful: boolean }[];
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly message: { readonly text: string };
      readonly locations: readonly {
        readonly physicalLocation: {
          readonly artifactLocation: { readonly uri: string };
          readonly region: { readonly startLine: number };
        };
      }[];
      readonly partialFingerprints: Readonly<Record<string, string>>;
    }[];
  }[];
}
