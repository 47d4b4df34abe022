import { publishedVersions } from '../../src/referee/versions.ts';

/** Whether the real registry can be asked: some tests install published referees, and only its absence may skip them. */
export const registryAnswers = (await publishedVersions(new AbortController().signal)) !== undefined;

if (!registryAnswers) {
  console.warn('The npm registry does not answer: tests that install published referees are skipped.');
}
