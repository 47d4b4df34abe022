import { fileURLToPath } from 'node:url';
import type { TargetSpec } from '../../src/config/plan.ts';
import { aServerCommand } from './a-run.ts';
import type { Script } from './scripted-server.ts';

/** Its file; see there for what a script can say. */
export const SCRIPTED = fileURLToPath(new URL('scripted-server.ts', import.meta.url));

/** @returns the command line of a server that misbehaves as told; exec, so that no shell stands between */
export function scriptedCommand(script: Script): string {
  return `exec '${process.execPath}' '${SCRIPTED}' '${JSON.stringify(script)}'`;
}

type ServerSpec = Extract<TargetSpec, { kind: 'command' }>;

export function scripted(script: Script, overrides: Partial<ServerSpec> = {}): ServerSpec {
  return aServerCommand(scriptedCommand(script), overrides);
}
