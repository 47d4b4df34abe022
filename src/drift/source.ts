import type { Watch } from '../config/plan.ts';
import type { SourceState } from './state.ts';
import type { UnknownReason } from './unknown.ts';

/** Where a source stands, for people. Text from upstream: hostile until escaped. */
export interface Version {
  readonly label: string;
  readonly url?: string;
}

/** One upstream thing that changed. `patch`, `notes` and the like are searched for keywords, and hostile until escaped. */
export type Change =
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly change: 'added' | 'modified' | 'removed' | 'renamed';
      readonly patch?: string;
    }
  | {
      readonly kind: 'release';
      readonly tag: string;
      readonly name?: string;
      readonly url?: string;
      readonly published?: string;
      readonly notes: string;
    }
  | { readonly kind: 'revision'; readonly revision: string };

/** How a source moved. */
export interface Movement {
  readonly from: Version;
  readonly compareUrl?: string;
  readonly changes: readonly Change[];
  /** Changes that upstream did not list in full. */
  readonly incomplete: boolean;
  /** The pin to try, when the source is the referee. */
  readonly candidate?: string;
}

/** What one look at a source found. */
export interface Observed {
  /** What `--adopt` would write. */
  readonly value: SourceState;
  readonly seen: Version;
  readonly moved?: Movement;
  /** Why there is nothing to compare with; then `moved` says nothing. */
  readonly notAdopted?: string;
  readonly notes: readonly string[];
}

interface Base {
  readonly id: string;
  readonly watch: Watch;
}

/** State of one watched source (DESIGN.md section 12). Unknown neither opens nor closes anything. */
export type SourceReport =
  | (Base & {
      readonly status: 'same';
      readonly at: Version;
      readonly value: SourceState;
      readonly notes: readonly string[];
    })
  | (Base &
      Movement & {
        readonly status: 'moved';
        readonly to: Version;
        readonly value: SourceState;
        readonly notes: readonly string[];
      })
  | (Base & {
      readonly status: 'unknown';
      readonly reason: UnknownReason;
      /** What the other side said, one line. */
      readonly message: string;
      /** First of the runs in a row that could not tell, as far as this run can know. */
      readonly since: string;
      /** Where it stood when it last answered. */
      readonly lastSeen?: { readonly at: string; readonly label: string };
      readonly retryAt?: string;
      /** Set when the source answered but nothing was adopted yet: what `--adopt` would write. */
      readonly value?: SourceState;
    });
export type Moved = Extract<SourceReport, { status: 'moved' }>;
export type Unknown = Extract<SourceReport, { status: 'unknown' }>;

/** Stable name of a watched source: the key in upstream.json and in the issue's marker. */
export function sourceId(watch: Watch): string {
  switch (watch.kind) {
    case 'referee':
    case 'spec':
      return watch.kind;
    case 'github-release':
      return `github-release:${watch.repository}${watch.tags === undefined ? '' : `:${watch.tags}`}`;
    case 'npm':
      return `npm:${watch.package}${watch.tag === undefined ? '' : `:${watch.tag}`}`;
    case 'branch':
      return `branch:${watch.repository}${watch.branch === undefined ? '' : `@${watch.branch}`}${
        watch.paths === undefined ? '' : `:${watch.paths.join(',')}`
      }`;
  }
}

/** The source's name for people. */
export function sourceName(watch: Watch): string {
  switch (watch.kind) {
    case 'referee':
      return 'Conformance referee';
    case 'spec':
      return 'MCP specification';
    case 'github-release':
      return `Releases of ${watch.repository}${watch.tags === undefined ? '' : ` (${watch.tags})`}`;
    case 'npm':
      return `npm package ${watch.package}${watch.tag === undefined ? '' : ` (${watch.tag})`}`;
    case 'branch':
      return `${watch.repository}${watch.branch === undefined ? '' : ` (${watch.branch})`}${
        watch.paths === undefined ? '' : `: ${watch.paths.join(', ')}`
      }`;
  }
}
