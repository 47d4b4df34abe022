import { completable, type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * What the referee asks every server to offer under fixed names, so that it has something to call. A product would put
 * these behind a switch. Audio is left out on purpose: Trailbook has none, and its baseline says so (class
 * missing-harness-fixture), because a demo without a single reviewed exception would hide half of the work.
 */
export function addRefereeFixtures(server: McpServer): void {
  addTools(server);
  addResources(server);
  addPrompts(server);
}

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const text = (value: string) => ({ type: 'text', text: value }) as const;
const pause = () => new Promise((done) => setTimeout(done, 50));

function addTools(server: McpServer): void {
  server.registerTool('test_simple_text', { description: 'Answers with one text.' }, () => ({
    content: [text('This is a simple text response for testing.')],
  }));
  server.registerTool('test_image_content', { description: 'Answers with one image.' }, () => ({
    content: [image],
  }));
  server.registerTool(
    'test_embedded_resource',
    { description: 'Answers with an embedded resource.' },
    () => ({
      content: [
        {
          type: 'resource',
          resource: {
            uri: 'test://embedded-resource',
            mimeType: 'text/plain',
            text: 'This is an embedded resource content.',
          },
        },
      ],
    }),
  );
  server.registerTool(
    'test_multiple_content_types',
    { description: 'Answers with three kinds at once.' },
    () => ({
      content: [
        text('Multiple content types test:'),
        image,
        {
          type: 'resource',
          resource: {
            uri: 'test://mixed-content-resource',
            mimeType: 'application/json',
            text: JSON.stringify({ test: 'data', value: 123 }),
          },
        },
      ],
    }),
  );
  server.registerTool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  server.registerTool('test_tool_with_logging', { description: 'Logs while it works.' }, async (ctx) => {
    await ctx.mcpReq.log('info', 'Tool execution started');
    await pause();
    await ctx.mcpReq.log('info', 'Tool processing data');
    await pause();
    await ctx.mcpReq.log('info', 'Tool execution completed');
    return { content: [text('Logged three lines.')] };
  });
  server.registerTool('test_logging_tool', { description: 'Logs one line.' }, async (ctx) => {
    await ctx.mcpReq.log('info', 'Something worth a line');
    return { content: [text('Logged one line.')] };
  });
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.' }, async (ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progress > 0) await pause();
      if (progressToken === undefined) continue;
      await ctx.mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      });
    }
    return { content: [text('Went from 0 to 100.')] };
  });
}

function addResources(server: McpServer): void {
  server.registerResource(
    'static-text',
    'test://static-text',
    { description: 'A fixed text.', mimeType: 'text/plain' },
    (uri) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'text/plain',
          text: 'This is the content of the static text resource.',
        },
      ],
    }),
  );
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { description: 'A fixed image.', mimeType: 'image/png' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'image/png', blob: PNG }] }),
  );
  server.registerResource(
    'watched-resource',
    'test://watched-resource',
    { description: 'Something to subscribe to.', mimeType: 'text/plain' },
    (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Nothing happened yet.' }] }),
  );
  server.registerResource(
    'template-data',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data of one id.', mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}

function addPrompts(server: McpServer): void {
  const say = (content: ReturnType<typeof text> | typeof image) => ({ role: 'user', content }) as const;
  server.registerPrompt('test_simple_prompt', { description: 'A fixed sentence.' }, () => ({
    messages: [say(text('This is a simple prompt for testing.'))],
  }));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Repeats its two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), (value) =>
          ['paris', 'park', 'party'].filter((word) => word.startsWith(value)),
        ),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) => ({
      messages: [say(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'Embeds the resource that it is given.',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: {
              uri: resourceUri,
              mimeType: 'text/plain',
              text: 'Embedded resource content for testing.',
            },
          },
        },
        say(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture.' }, () => ({
    messages: [say(image), say(text('Please analyze the image above.'))],
  }));
}
