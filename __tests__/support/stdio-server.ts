// A stdio server of both revisions, made of the demo server's own tools: what differs from the demo is the transport alone.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { addRefereeFixtures } from '../../demo/fixtures.ts';
import { addQuestions, requestState } from '../../demo/questions.ts';
import { addTrailbook } from '../../demo/trailbook.ts';

serveStdio(() => {
  const server = new McpServer(
    { name: 'trailbook', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: true, listChanged: false },
        completions: {},
        logging: {},
      },
      requestState: { verify: requestState.verify },
    },
  );
  addTrailbook(server);
  addRefereeFixtures(server);
  addQuestions(server);
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
});
