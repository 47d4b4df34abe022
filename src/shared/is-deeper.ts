/** @returns whether a parsed JSON value nests deeper than `depth` objects and arrays; looks no deeper than that itself */
export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}
