/**
 * What a step's own process gets from the runner and nobody else may have: tokens of the artifact service, the gate's
 * inputs (which may be secrets), and the command files with which a child could write the gate's outputs.
 */
const RUNNERS_OWN =
  /^(INPUT_|ACTIONS_RUNTIME_|ACTIONS_RESULTS_URL$|ACTIONS_CACHE_URL$|ACTIONS_ID_TOKEN_|GITHUB_(OUTPUT|ENV|PATH|STATE|STEP_SUMMARY)$)/;

/** Would change what the pinned referee runs, so that the pin would no longer say what ran. */
const CHANGES_NODE = /^(NODE_OPTIONS|NODE_PATH|NODE_REPL_|NODE_V8_COVERAGE|NODE_TEST_CONTEXT)/;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param own the gate's own environment
 * @param added what the configuration adds; wins
 * @returns the environment of a target or client command
 */
export function targetEnvironment(
  own: Environment,
  added: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...without(own, RUNNERS_OWN), ...added };
}

/** @returns the environment of the referee's own process; clients that it starts inherit it */
export function refereeEnvironment(
  own: Environment,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return { ...without(without(own, RUNNERS_OWN), CHANGES_NODE), ...added, NO_COLOR: '1', FORCE_COLOR: '0' };
}

function without(environment: Environment, names: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || names.test(name) ? [] : [[name, value]],
    ),
  );
}
