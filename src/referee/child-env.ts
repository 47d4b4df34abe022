/**
 * What the tools of this station (npm, git, a commit's build script, the referee's help) get to see of the gate's
 * environment. They run foreign code or talk to strangers, so the runner's tokens and the action's inputs stay here.
 */
type Env = Readonly<Record<string, string | undefined>>;

/** The runner's own variables: tokens, inputs, files that a step writes to. */
const RUNNER = /^(INPUT_|ACTIONS_|GITHUB_|RUNNER_|STATE_)/i;
/** What npm tells its own children about the script it runs; a nested npm would take it for its configuration. */
const NPM_SCRIPT =
  /^npm_(lifecycle_|package_|command$|config_(local_prefix|prefix|global|location|omit|include|only|production|dry_run|workspace|workspaces|user_agent|package_lock|ignore_scripts)$)/i;
/** Which repository git works in, when the gate itself runs from a git hook. */
const GIT_PLACE =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CEILING_DIRECTORIES|SHALLOW_FILE|GRAFT_FILE|REPLACE_REF_BASE|ATTR_SOURCE|EXTERNAL_DIFF)$/;
/** Changes how Node starts: preloads, inspectors, coverage. NODE_ENV=production would drop build tools. */
const NODE = /^(NODE_OPTIONS|NODE_ENV|NODE_PATH|NODE_V8_COVERAGE|VITEST.*|TEST|FORCE_COLOR)$/;
/** All that a build script needs to start programs. */
const BUILD = /^(PATH|PATHEXT|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|WINDIR|TEMP|TMP|TMPDIR|LANG|LC_[A-Z]+|TZ)$/i;

/** For npm and git: the user's proxies, certificates and credentials helpers stay, the runner's secrets go. */
export function toolEnv(env: Env): Record<string, string> {
  return keep(
    env,
    (name) => !RUNNER.test(name) && !NPM_SCRIPT.test(name) && !GIT_PLACE.test(name) && !NODE.test(name),
  );
}

/**
 * For foreign code: a commit's build script and the referee's own help. Only what it takes to start programs.
 * @param home a folder of ours that stands in for the user's home, with its credentials
 */
export function foreignEnv(env: Env, home: string): Record<string, string> {
  return { ...keep(env, (name) => BUILD.test(name)), HOME: home, USERPROFILE: home };
}

function keep(env: Env, wanted: (name: string) => boolean): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && wanted(name)) kept[name] = value;
  }
  return kept;
}
