import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { RequirementSet } from './referee.ts';

const names = z.array(z.string().min(1)).default([]);

/**
 * requirements/<revision>.yaml, as the referee ships it. Strict, because a key that we do not know could be one that
 * changes what is scored, and the gate would pass having required less.
 */
const fileSchema = z.strictObject({
  server: names,
  client: names,
  not_scored: z
    .array(
      z.strictObject({
        scenario: z.string().min(1),
        leg: z.enum(['server', 'client']),
        reason: z.string().min(1),
        note: z.string().optional(),
      }),
    )
    .default([]),
});

const FILE = /^(\d{4}-\d{2}-\d{2})\.yaml$/;

/**
 * Reads the frozen requirement sets of an installed referee.
 * @param root the referee's package folder
 * @returns one set a revision, oldest first; empty for referees that have none
 * @throws Error when a set is there and cannot be understood
 */
export function readRequirementSets(root: string): RequirementSet[] {
  const folder = join(root, 'requirements');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const revision = FILE.exec(name)?.[1];
      return revision === undefined ? [] : [parseRequirementSet(revision, readFileSync(join(folder, name)))];
    });
}

/**
 * @param bytes the file's content; its SHA-256 is the set's identity
 * @throws Error that names the revision and what is wrong
 */
export function parseRequirementSet(revision: string, bytes: Uint8Array): RequirementSet {
  const yaml: unknown = parse(Buffer.from(bytes).toString('utf8'));
  const parsed = fileSchema.safeParse(yaml);
  if (!parsed.success) {
    throw new Error(`requirements/${revision}.yaml: ${z.prettifyError(parsed.error)}`);
  }
  const { server, client, not_scored } = parsed.data;
  const set: RequirementSet = {
    revision,
    server,
    client,
    notScored: not_scored.map(({ scenario, leg, reason, note }) => ({
      scenario,
      leg,
      reason,
      ...(note === undefined ? {} : { note: note.trim() }),
    })),
    hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  };
  for (const leg of ['server', 'client'] as const) {
    const all = [...set[leg], ...set.notScored.filter((entry) => entry.leg === leg).map((e) => e.scenario)];
    const twice = all.find((name, index) => all.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`requirements/${revision}.yaml: ${leg} names ${twice} twice`);
  }
  return set;
}
