import type { CheckResult, ProfileVerdict } from '../../gate/verdict.ts';

/** The data that report.html carries: an index that is read at once, and details that are read when one is opened. */

export type CellResult = ProfileVerdict['scenarios'][number]['result'];

/** One scenario in one profile. Short names: there may be tens of thousands of these. */
export interface Cell {
  /** Result. */
  readonly r: CellResult;
  /** Number of findings on it. */
  readonly f?: number;
  /** Why it is not scored. */
  readonly n?: string;
  /** Classes of its exceptions. */
  readonly x?: readonly string[];
  /** Number of checks, and how many of them did not succeed. */
  readonly c: readonly [all: number, not: number];
  /** It changed since the run that this one is compared with. */
  readonly d?: true;
}

export interface PageIndex {
  readonly profiles: readonly { readonly id: string; readonly slug: string }[];
  /** Scenarios in the referee's order, each with one cell for each profile; `null` where the profile does not have it. */
  readonly rows: readonly { readonly s: string; readonly c: readonly (Cell | null)[] }[];
}

export interface PageFinding {
  readonly kind: string;
  readonly title: string;
  readonly detail: readonly string[];
  readonly remedy: readonly string[];
  readonly place?: string;
  /** Words removed are marked [-…-], words added {+…+}. */
  readonly diff?: string;
}

export interface PageCheck {
  readonly check: string;
  readonly description: string;
  readonly statuses: readonly string[];
  readonly disposition: CheckResult['disposition'];
  readonly fingerprint?: string;
  readonly evidence?: string;
  readonly exception?: CheckResult['exception'];
  readonly references: readonly { readonly id: string; readonly url?: string }[];
  readonly findings: readonly PageFinding[];
  /** The redacted objects as the referee wrote them; absent when the page would have become too large. */
  readonly raw?: readonly unknown[];
}

/** Scenario → its checks, and findings on the scenario as a whole. */
export type PageDetails = Readonly<
  Record<string, { readonly checks: readonly PageCheck[]; readonly findings: readonly PageFinding[] }>
>;
