import type { RefereePlan } from '../../config/plan.ts';
import { prepareReferee } from '../prepare.ts';
import type { PrepareIo } from '../recipe.ts';
import type { Referee } from '../referee.ts';

export interface InstalledReferee {
  readonly facts: Referee['facts'];
  readonly root: string;
  /** What it can do, in the words of the profiles: revisions with a requirement set, and whether servers can be timed out. */
  readonly requirements: readonly { readonly revision: string; readonly hash: string }[];
  readonly revisions: readonly string[];
  readonly serverTimeout: boolean;
}

/**
 * Prepares the pinned referee ahead of a run: to fill a cache, or to see that a pin works.
 * @throws ConfigError | MeasurementFault from prepareReferee
 */
export async function installReferee(plan: RefereePlan, io: PrepareIo): Promise<InstalledReferee> {
  const { facts, root, abilities } = await prepareReferee(plan, io);
  return {
    facts,
    root,
    requirements: abilities.requirements.map(({ revision, hash }) => ({ revision, hash })),
    revisions: abilities.revisions,
    serverTimeout: abilities.serverTimeout,
  };
}
