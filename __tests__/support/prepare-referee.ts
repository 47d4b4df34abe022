// Prepares a referee in a process of its own: node prepare-referee.ts <plan as JSON>. Prints its facts as JSON.
import { prepareReferee } from '../../src/referee/prepare.ts';

const { facts } = await prepareReferee(JSON.parse(process.argv[2] ?? ''), {
  progress: () => undefined,
  signal: new AbortController().signal,
});
console.log(JSON.stringify(facts));
