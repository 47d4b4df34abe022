import { join } from 'node:path';
import { loadPlan } from '../config/load-plan.ts';
import { packageRoot } from '../shared/package-root.ts';
import type { CommandSpec } from './program.ts';
import { runPlan } from './run.ts';

export const demoCommand: CommandSpec = {
  name: 'demo',
  summary: 'the whole line against a small MCP server that ships with the tool',
  description:
    'Runs the pinned referee on both revisions against Trailbook, a small MCP server that ships with this tool, and judges it by its reviewed baseline in baselines/demo/.',
  options: ['output', 'referee', 'cache', 'offline', 'jobs', 'confirm'],
  examples: ['mcp-conformance-gate demo', 'mcp-conformance-gate demo --output /tmp/report'],
  handler: async (invocation) => {
    const root = packageRoot();
    const server = join(root, 'dist', 'demo-server.js');
    const given = {
      ...invocation.given,
      // An empty configuration of its own: the demo must not pick up the one of the folder it is started in.
      config: join(root, 'demo', 'mcp-conformance.yaml'),
      'server-command': `exec '${process.execPath.replaceAll("'", "'\\''")}' '${server.replaceAll("'", "'\\''")}' --port {port}`,
    };
    return runPlan(await loadPlan(given, process.cwd(), process.env), invocation);
  },
};
