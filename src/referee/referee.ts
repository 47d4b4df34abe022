import type { NotScored, RefereeFacts } from '../run/metadata.ts';

/** A revision's frozen requirement set, as the referee ships it (requirements/<revision>.yaml). */
export interface RequirementSet {
  readonly revision: string;
  readonly server: readonly string[];
  readonly client: readonly string[];
  readonly notScored: readonly (NotScored & { readonly leg: 'server' | 'client' })[];
  /** `sha256:…` of the file's bytes. */
  readonly hash: string;
}

/** A verified, installed, runnable referee. */
export interface Referee {
  readonly facts: Omit<RefereeFacts, 'requirements'>;
  /** The package's root folder, in the cache. Read-only. */
  readonly root: string;
  /** `dist/index.js`, to be run with `node`. */
  readonly entry: string;
  /** The Node executable that runs it: the gate's own. */
  readonly node: string;
  /** What it can do, learnt from the referee itself, never from its version number. */
  readonly abilities: {
    /** Revisions that it has a requirement set for. */
    readonly requirements: readonly RequirementSet[];
    /** The `--requirements` option exists; without it a requirement set cannot be run. */
    readonly requirementsOption: { readonly server: boolean; readonly client: boolean };
    /** Dated revisions that its scenario list names, oldest first. */
    readonly revisions: readonly string[];
    /** The Node that its package.json asks for. */
    readonly nodeRange?: string | undefined;
    /** `server --timeout` exists. */
    readonly serverTimeout: boolean;
    /** `server --spec-version` exists. */
    readonly specVersion: boolean;
    /** `--force` exists (run a scenario out of its revision's window). */
    readonly force: boolean;
  };
}
