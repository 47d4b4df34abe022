import type { ProfilePlan, TargetSpec } from './plan.ts';

/** Names of variables whose value is nobody's business. */
const SECRET_NAME =
  /token|secret|password|passwd|api[-_]?key|authorization|credential|private[-_]?key|cookie/i;

/** Names of query parameters whose value is nobody's business either; short ones that would say little of a variable. */
const SECRET_PARAMETER = /^(?:key|code|sig|signature|auth|pwd|jwt)$/i;

/** `?name=value` and `&name=value` in an address, also in one inside a command line. */
const PARAMETER = /[?&]([^=&#\s'"]+)=([^&#\s'"]+)/g;

/**
 * Variables of the runner that a target could print although nobody gave them to it on purpose. Only well-known ones: a
 * value that is secret on one machine and plain on the next would change fingerprints between the two.
 */
const RUNNER_SECRETS = [
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'NODE_AUTH_TOKEN',
  'NPM_TOKEN',
] as const;

/** Shorter values occur by accident, and redacting them would garble the evidence. */
const SHORTEST = 4;

/**
 * Every text that must not reach a kept file (DESIGN.md section 8): header values (and the credentials after a scheme such
 * as "Bearer"), values of target variables and of query parameters with a secret-looking name, and the runner's own tokens.
 * @param given variables that were asked for, whether or not a target takes them: one that runs already has them from elsewhere
 * @returns longest first, so that a value that contains another is replaced whole
 */
export function secretsOf(
  profiles: readonly ProfilePlan[],
  environment: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>> = {},
): readonly string[] {
  const found = new Set<string>();
  const ofVariables = (env: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(env)) if (SECRET_NAME.test(name)) found.add(value);
  };
  for (const { target } of profiles) {
    if (target.kind !== 'client') {
      for (const { value } of target.headers) {
        found.add(value);
        const credentials = /^[A-Za-z][A-Za-z0-9-]* +(.+)$/.exec(value)?.[1];
        if (credentials) found.add(credentials);
      }
    }
    if (target.kind !== 'url') ofVariables(target.env);
    for (const text of addressesOf(target)) for (const value of ofParameters(text)) found.add(value);
  }
  ofVariables(given);
  for (const name of RUNNER_SECRETS) found.add(environment[name] ?? '');
  return [...found].filter((text) => text.length >= SHORTEST).sort((a, b) => b.length - a.length);
}

/** Texts of a target that can hold an address. */
function addressesOf(target: TargetSpec): string[] {
  const health = target.kind === 'client' ? [] : [target.ready.healthUrl ?? ''];
  if (target.kind === 'url') return [target.url, ...health];
  const template = target.kind === 'command' && target.url.from === 'template' ? [target.url.template] : [];
  return [target.command, ...template, ...health];
}

/** Values of secret parameters, as they stand there and decoded. */
function ofParameters(text: string): string[] {
  return [...text.matchAll(PARAMETER)].flatMap(([, name = '', value = '']) => {
    if (!SECRET_NAME.test(name) && !SECRET_PARAMETER.test(name)) return [];
    return [value, ...new URLSearchParams(`v=${value}`).values()];
  });
}
