// `npm run bench`: every figure of the project in one table, measured in one run. `npm run bench -- judge target` runs some.
// A missed goal is printed, not failed: machines differ. Only a bench that breaks ends with 1.
import { styleText } from 'node:util';
import type { Bench, BenchRow } from './row.ts';

const all = ['judge', 'target', 'referee', 'whole'];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${all.join(', ')}.`);
  process.exit(2);
}

const rows: BenchRow[] = [];
for (const name of all.filter((one) => asked.length === 0 || asked.includes(one))) {
  console.error(`bench: ${name} …`);
  try {
    const bench: { default: Bench } = await import(`./${name}.ts`);
    rows.push(...(await bench.default()));
  } catch (error) {
    console.error(`bench: ${name} broke:`, error);
    process.exitCode = 1;
  }
}
print(rows);

function print(lines: readonly BenchRow[]): void {
  const cells = lines.map((row) => ({
    name: row.name,
    value: `${number(row.value)} ${row.unit}`,
    goal: row.goal === undefined ? '' : `≤ ${number(row.goal)} ${row.unit}`,
    met: row.goal === undefined ? '' : row.value <= row.goal ? 'met' : 'not met',
  }));
  const width = (key: 'name' | 'value' | 'goal') => Math.max(...cells.map((cell) => cell[key].length), 0);
  for (const cell of cells) {
    const met = cell.met === '' ? '' : styleText(cell.met === 'met' ? 'green' : 'yellow', cell.met);
    console.log(
      `${cell.name.padEnd(width('name'))}  ${cell.value.padStart(width('value'))}  ${cell.goal.padStart(width('goal'))}  ${met}`,
    );
  }
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
