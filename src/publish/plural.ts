import { grouped } from '../shared/grouped.ts';
/** "1 finding", "2 findings", "1,204 checks". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
