import type { Profile } from '../profile.ts';

/** How the gate knows that a target is up (DESIGN.md section 10). */
export interface Readiness {
  readonly timeoutMs: number;
  /** The limit was asked for; the default holds otherwise. */
  readonly given?: true;
  /** serverInfo.name that must answer. */
  readonly name?: string;
  /** Also asked, and must answer 2xx, before the MCP probe counts. `{port}` is replaced. */
  readonly healthUrl?: string;
}

interface Common {
  readonly ready: Readiness;
  /** Added to each request by a loopback relay; values are secrets. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** `required`: without the headers the target must answer 401 or 403, with them 2xx; gated. */
  readonly boundary: 'observe' | 'required';
}

interface Process {
  /** A shell command line: its author wrote it, so it is the one place where a shell runs. `{port}` is replaced. */
  readonly command: string;
  readonly cwd: string;
  /** Added to the gate's own environment; `{port}` is replaced in values. */
  readonly env: Readonly<Record<string, string>>;
}

/** What is under test and how it comes to life. `{port}` is a free loopback port that the gate picks. */
export type TargetSpec =
  | (Common & { readonly kind: 'url'; readonly url: string })
  | (Common &
      Process & {
        readonly kind: 'command';
        /** Where it will answer: a template, or read from the log (`regex` whose first group is the URL), or from a file that the server writes. */
        readonly url:
          | { readonly from: 'template'; readonly template: string }
          | { readonly from: 'log'; readonly regex: string }
          | { readonly from: 'file'; readonly path: string };
      })
  | (Common & Process & { readonly kind: 'stdio' })
  | (Process & { readonly kind: 'client' });

export interface ProfilePlan {
  readonly profile: Profile;
  readonly target: TargetSpec;
}

/** Which referee: exactly one version or commit (DESIGN.md section 9). */
export type Pin =
  | { readonly kind: 'npm'; readonly version: string; readonly text: string }
  | { readonly kind: 'git'; readonly commit: string; readonly text: string }
  | { readonly kind: 'path'; readonly path: string; readonly commit: string; readonly text: string };

export interface RefereePlan {
  readonly pin: Pin;
  /** Git repository for `git:` pins; a URL or a path. */
  readonly repository: string;
  /** Folder of locks that `referee pin` wrote: `<baselines>/referee/`. */
  readonly locks: string;
  /** Cache folder; absolute. */
  readonly cache: string;
  readonly offline: boolean;
}

/** Something upstream whose move is drift (DESIGN.md section 12). */
export type Watch =
  | { readonly kind: 'referee' }
  | { readonly kind: 'spec' }
  | { readonly kind: 'github-release'; readonly repository: string; readonly tags?: string }
  | { readonly kind: 'npm'; readonly package: string; readonly tag?: string }
  | {
      readonly kind: 'branch';
      readonly repository: string;
      readonly branch?: string;
      readonly paths?: readonly string[];
    };

/** Changed upstream things whose text holds one of `when` concern these local paths and want these commands run. */
export interface Ownership {
  readonly when: readonly string[];
  readonly paths: readonly string[];
  readonly checks: readonly string[];
}

/** Where a value came from; printed with `--explain` and kept with the plan. */
export type Origin = 'input' | 'file' | 'default';

/** Everything that was asked for but the targets, resolved, typed and absolute. */
export interface Settings {
  readonly name: string | undefined;
  readonly referee: RefereePlan;
  /** Folder of baselines, absolute; includes `--name`. */
  readonly baselines: string;
  /** Report folder, absolute. */
  readonly output: string;
  /** Partial run: these scenarios only. */
  readonly only: readonly string[] | undefined;
  /** Re-runs of an unexpected scenario. */
  readonly confirm: number;
  readonly strictInfrastructure: boolean;
  /** Profiles side by side, and clients at once. */
  readonly jobs: number;
  readonly deadlines: { readonly scenarioMs: number; readonly profileMs: number; readonly runMs: number };
  readonly watch: readonly Watch[];
  readonly ownership: readonly Ownership[];
  readonly origins: Readonly<Record<string, Origin>>;
}

/** The whole request. Nothing downstream reads options or files again. */
export interface Plan extends Settings {
  readonly profiles: readonly ProfilePlan[];
  /** Bytes that must never reach a kept file: header values, values of secret-looking variables. Longest first. */
  readonly secrets: readonly string[];
}
