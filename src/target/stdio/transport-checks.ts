/**
 * Scenarios that are about HTTP alone: sessions, streams, headers, Host and Origin. Before a stdio server all of that is the
 * bridge's.
 */
const SCENARIOS: ReadonlySet<string> = new Set([
  'dns-rebinding-protection',
  'http-custom-header-server-validation',
  'http-header-validation',
  'server-session-lifecycle',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'tasks-request-headers',
]);

/** Single checks of other scenarios: HTTP statuses, the session header, and requests that the transport refuses by itself. */
const CHECKS =
  /^(server-session-id-visible-ascii|sep-2575-http-.*|sep-2575-missing-capability-http-.*|sep-2575-request-meta-invalid-.*|sep-2575-server-unsupported-version-error)$/;

/** Holds for messages, which the bridge passes on unchanged. */
const ABOUT_MESSAGES = /^wire-schema-/;

/**
 * @returns whether a check judges the HTTP layer, so that for a stdio target it says something of the bridge and nothing of
 *   the product (class `bridge-transport`, DESIGN.md section 6)
 */
export function judgesBridge(scenario: string, check: string): boolean {
  if (ABOUT_MESSAGES.test(check)) return false;
  return SCENARIOS.has(scenario) || CHECKS.test(check);
}
