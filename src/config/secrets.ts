import type { ProfilePlan } from './plan.ts';

/** Names of variables whose value is nobody's business. */
const SECRET_NAME =
  /token|secret|password|passwd|api[-_]?key|authorization|credential|private[-_]?key|cookie/i;

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
 * as "Bearer"), values of target variables with a secret-looking name, and the runner's own tokens.
 * @returns longest first, so that a value that contains another is replaced whole
 */
export function secretsOf(
  profiles: readonly ProfilePlan[],
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  const found = new Set<string>();
  for (const { target } of profiles) {
    if (target.kind !== 'client') {
      for (const { value } of target.headers) {
        found.add(value);
        const credentials = /^[A-Za-z][A-Za-z0-9-]* +(.+)$/.exec(value)?.[1];
        if (credentials) found.add(credentials);
      }
    }
    if (target.kind !== 'url') {
      for (const [name, value] of Object.entries(target.env)) if (SECRET_NAME.test(name)) found.add(value);
    }
  }
  for (const name of RUNNER_SECRETS) found.add(environment[name] ?? '');
  return [...found].filter((text) => text.length >= SHORTEST).sort((a, b) => b.length - a.length);
}
