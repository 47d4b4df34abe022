import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

/** Is a path the folder itself, or somewhere below it? Links are followed as far as the paths exist. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(real(folder), real(path));
  return way === '' || (way !== '..' && !/^\.\.[\\/]/.test(way) && !isAbsolute(way));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(real(parent), basename(path));
  }
}
