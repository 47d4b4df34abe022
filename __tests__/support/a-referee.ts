import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Profile } from '../../src/profile.ts';
import { parseProfile } from '../../src/profile.ts';
import type { Referee, RequirementSet } from '../../src/referee/referee.ts';
import type { ScenarioList } from '../../src/run/metadata.ts';

const ROOT = dirname(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'),
);

const setSchema = z.object({
  server: z.array(z.string()),
  client: z.array(z.string()),
  not_scored: z.array(
    z.object({
      scenario: z.string(),
      leg: z.enum(['server', 'client']),
      reason: z.string(),
      note: z.string().optional(),
    }),
  ),
});

function requirementSets(root: string): RequirementSet[] {
  return readdirSync(join(root, 'requirements')).map((file) => {
    const bytes = readFileSync(join(root, 'requirements', file));
    const { server, client, not_scored } = setSchema.parse(parse(bytes.toString('utf8')));
    return {
      revision: file.replace('.yaml', ''),
      server,
      client,
      notScored: not_scored.map(({ note, ...entry }) => (note === undefined ? entry : { ...entry, note })),
      hash: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    };
  });
}

/** The referee that is a devDependency, so that tests need no installation. */
export function aReferee(overrides: Partial<Referee> = {}): Referee {
  const version = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).version;
  return {
    facts: {
      pin: `npm:${version}`,
      version,
      lock: `sha256:${'0'.repeat(64)}`,
      node: process.version,
      cache: 'hit',
      prepareMs: 0,
    },
    root: ROOT,
    entry: join(ROOT, 'dist', 'index.js'),
    node: process.execPath,
    abilities: {
      requirements: requirementSets(ROOT),
      requirementsOption: { server: true, client: true },
      revisions: [],
      serverTimeout: true,
      specVersion: true,
      force: true,
    },
    ...overrides,
  };
}

/** @throws when the name is no profile */
export function aProfile(id = 'server:2025-11-25'): Profile {
  const profile = parseProfile(id);
  if (!profile) throw new Error(`no such profile: ${id}`);
  return profile;
}

/** The scenarios of a profile, from the referee's own requirement set. */
export function aScenarioList(profile: Profile, only?: readonly string[]): ScenarioList {
  const set = aReferee().abilities.requirements.find(({ revision }) => revision === profile.revision);
  if (!set) throw new Error(`no requirement set for ${profile.id}`);
  const notScored = set.notScored
    .filter(({ leg }) => leg === profile.leg)
    .map(({ leg: _, ...entry }) => entry);
  if (!profile.kind.endsWith('-extensions'))
    return { scored: [...set[profile.leg]], notScored, ...(only === undefined ? {} : { only: [...only] }) };
  const scored = notScored.filter(({ reason }) => reason === 'extension').map(({ scenario }) => scenario);
  return { scored, notScored: [] };
}
