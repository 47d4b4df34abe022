import type { DriftReport } from '../../src/drift/report.ts';
import { aDriftReport, aMovedReferee, aMovedSpec, anUnknown, aProfileTrial, aTrial } from './drift-report.ts';

const TYPESCRIPT_SDK = 'https://github.com/modelcontextprotocol/typescript-sdk';
const ORDER =
  'tools/list returned the same 24 tools in a different order across consecutive requests: probe 2 diverges from probe 1 at index 0 (close_ticket vs search_tickets)';

/** What docs/drift.md shows: a night on which three of five sources moved. The trial's words are the real referee's. */
export function sampleDrift(): DriftReport {
  const profile = 'server:2026-07-28';
  const check = { scenario: 'tools-list', check: 'tools-list-deterministic-order' };
  return aDriftReport({
    run: {
      startedAt: '2026-11-30T03:17:00.000Z',
      id: '1234567890-1',
      url: 'https://github.com/acme/tickets-mcp/actions/runs/1234567890',
    },
    sources: [
      aMovedReferee(),
      aMovedSpec({
        from: { label: '2f60a33e4b21' },
        to: { label: 'b0f60ba5409d' },
        compareUrl:
          'https://github.com/modelcontextprotocol/modelcontextprotocol/compare/2f60a33e4b21...b0f60ba5409d',
        changes: [
          {
            kind: 'file',
            path: 'docs/specification/2026-07-28/basic/authorization.mdx',
            change: 'modified',
            patch: '+Clients MUST send the OAuth resource parameter.',
          },
          {
            kind: 'file',
            path: 'schema/2026-07-28/schema.ts',
            change: 'modified',
            patch: '+cursor?: Cursor',
          },
        ],
      }),
      {
        id: 'github-release:modelcontextprotocol/typescript-sdk:v*',
        watch: { kind: 'github-release', repository: 'modelcontextprotocol/typescript-sdk', tags: 'v*' },
        status: 'moved',
        from: { label: 'v2.3.0', url: `${TYPESCRIPT_SDK}/releases/tag/v2.3.0` },
        to: { label: 'v2.4.0', url: `${TYPESCRIPT_SDK}/releases/tag/v2.4.0` },
        value: { kind: 'github-release', adopted: '2026-11-30', tag: 'v2.4.0' },
        changes: [
          {
            kind: 'release',
            tag: 'v2.4.0',
            url: `${TYPESCRIPT_SDK}/releases/tag/v2.4.0`,
            published: '2026-11-29T10:00:00Z',
            notes: "## What's Changed\n* Keep the session header on retries by @someone in #1234",
          },
        ],
        incomplete: false,
        notes: [],
      },
      anUnknown(
        {
          id: 'npm:@modelcontextprotocol/sdk',
          watch: { kind: 'npm', package: '@modelcontextprotocol/sdk' },
        },
        { lastSeen: { at: '2026-11-27T03:17:00.000Z', label: '1.32.2' } },
      ),
      {
        id: 'branch:acme/mcp-proxy@main',
        watch: { kind: 'branch', repository: 'acme/mcp-proxy', branch: 'main' },
        status: 'same',
        at: { label: 'main 0c31ab7f92de' },
        value: { kind: 'branch', adopted: '2026-11-01', branch: 'main', commit: '0'.repeat(40) },
        notes: [],
      },
    ],
    trial: aTrial({
      profiles: [
        aProfileTrial({
          differences: [],
          before: { outcome: 'pass', scored: 30, checks: 76, failing: 0 },
          now: { outcome: 'pass', scored: 30, checks: 76, failing: 0 },
        }),
        aProfileTrial({
          profile,
          before: { outcome: 'pass', scored: 37, checks: 185, failing: 0 },
          now: { outcome: 'fail', scored: 37, checks: 186, failing: 1 },
          differences: [
            { kind: 'new', ...check, scored: true, statuses: ['WARNING'], passes: false, evidence: ORDER },
          ],
          breaks: [
            {
              kind: 'unclassified',
              profile,
              ...check,
              statuses: ['WARNING'],
              firstLine: ORDER,
              fingerprint: 'sha256:0',
            },
          ],
        }),
      ],
    }),
    needsLock: true,
    proposal: { file: 'drift/proposal.patch', notes: [], patch: PATCH },
    local: {
      files: ['src/auth/metadata.ts', 'src/http/session.ts', 'src/paging.ts', 'src/server.ts'],
      scenarios: ['tools-list', 'server-session-lifecycle', 'pagination'],
      command: 'mcp-conformance-gate',
    },
  });
}

const PATCH = `--- a/baselines/server-2026-07-28.yaml
+++ b/baselines/server-2026-07-28.yaml
@@ -4,8 +4,8 @@
 schema: 1
 profile: server:2026-07-28
 referee:
-  pin: npm:0.2.0-alpha.11
+  pin: npm:0.2.0-alpha.12
@@ -46,6 +46,14 @@
+  - scenario: tools-list
+    check: tools-list-deterministic-order
+    status: WARNING
+    evidence: sha256:a5623f43257f433609913b590f87e279b383e3e2d2660fa9cd023ae117cca6fb
+    class: genuine-protocol-failure
+    reason: "${ORDER}"
+    reviewed:
`;
