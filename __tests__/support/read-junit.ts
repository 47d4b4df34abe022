import { readFile } from 'node:fs/promises';
import { parse } from 'junit2json';
import { validateXML } from 'xmllint-wasm';

const SCHEMA = new URL('../fixtures/schemas/junit-10.xsd', import.meta.url);

export interface JunitCase {
  readonly suite: string;
  readonly name: string;
  readonly result: 'passed' | 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly text: string;
}

/**
 * Validates a JUnit document with libxml2 against the schema of Jenkins' xUnit plugin and reads it with a public parser.
 * @throws Error with the validator's words
 */
export async function readJunit(
  xml: string,
): Promise<{ cases: JunitCase[]; totals: Record<string, number> }> {
  const { valid, errors } = await validateXML({
    xml: { fileName: 'junit.xml', contents: xml },
    schema: { fileName: 'junit-10.xsd', contents: await readFile(SCHEMA, 'utf8') },
    initialMemoryPages: 256,
    maxMemoryPages: 16_384,
  });
  if (!valid) throw new Error(errors.map(({ rawMessage }) => rawMessage).join('\n'));
  const document = await parse(xml);
  if (!document || !('testsuite' in document)) throw new Error('no testsuites');
  const cases = (document.testsuite ?? []).flatMap((suite) =>
    (suite.testcase ?? []).map((each): JunitCase => {
      for (const result of ['failure', 'error', 'skipped'] as const) {
        const [first] = each[result] ?? [];
        if (first)
          return {
            suite: suite.name ?? '',
            name: each.name ?? '',
            result,
            message: first.message ?? '',
            text: 'inner' in first ? String(first.inner) : '',
          };
      }
      return { suite: suite.name ?? '', name: each.name ?? '', result: 'passed', message: '', text: '' };
    }),
  );
  const { tests = 0, failures = 0, errors: faults = 0 } = document;
  return { cases, totals: { tests, failures, errors: faults } };
}
