import { join } from 'node:path';
import { packageRoot } from '../shared/package-root.ts';

/** Where the locks of pins that ship with this project lie. */
export function shippedLocks(): string {
  return join(packageRoot(), 'baselines', 'referee');
}
