import { Option } from 'commander';
import { OPTION_NAMES } from '../config/options.ts';
import type { CommandSpec } from './program.ts';

export const driftCommand: CommandSpec = {
  name: 'drift',
  summary: 'what moved upstream, and what adopting it would change for this target',
  description:
    'Looks at the watched sources, tries a newer referee on the same target beside the pinned one, and prints what differs. Changes nothing but the report folder, unless --adopt or --issue is given. Reads GITHUB_TOKEN or GH_TOKEN, when there is one.',
  options: OPTION_NAMES,
  extra: [
    new Option('--adopt', 'write where upstream stands now into upstream.json: "I have looked at it"'),
    new Option('--issue <OWNER/REPO>', 'open, update or close the drift issue there'),
    new Option('--issue-labels <NAMES>', 'labels of a new issue, separated by commas (default: mcp-drift)'),
    new Option('--issue-assignees <NAMES>', 'assignees of a new issue, separated by commas'),
    new Option('--fail-on-drift <WHEN>', 'exit 1 for drift: false, moved or breaking (default: false)'),
    new Option('--no-trial', 'do not run the newer referee'),
  ],
  examples: [
    "mcp-conformance-gate drift --server-command 'node server.js --port {port}'",
    'mcp-conformance-gate drift --adopt',
  ],
  // Loaded only when asked for: it brings the GitHub client, which is larger than all that `run` needs.
  handler: async (invocation) => (await import('./drift-handler.ts')).drift(invocation),
};
