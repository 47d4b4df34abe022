import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Signs what the server asks a client to hand back, with a key that lives as long as the process. */
export const requestState = createRequestStateCodec<{ step: number; name?: string }>({
  key: randomBytes(32),
});

const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
const nameSchema = z.object({ name: z.string() });
const askName = (message = 'What is your name?') =>
  inputRequired.elicit({ message, requestedSchema: nameSchema });
const askModel = (prompt: string, maxTokens = 100) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens,
  });

/**
 * The referee's fixtures in which the server asks the client for something. Each handler is written once: on 2026-07-28 its
 * question is the result of the call, on 2025-11-25 the SDK sends it as a request and calls the handler again.
 */
export function addQuestions(server: McpServer): void {
  addElicitation(server);
  addSampling(server);
  addMultiRoundTrip(server);
}

function addElicitation(server: McpServer): void {
  const account = z.object({
    username: z.string().describe("User's response"),
    email: z.string().describe("User's email address"),
  });
  server.registerTool(
    'test_elicitation',
    {
      description: 'Asks the user who they are.',
      inputSchema: z.object({ message: z.string().describe('The message to show the user') }),
    },
    ({ message }, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'user');
      if (answer.kind !== 'elicit') {
        return inputRequired({
          inputRequests: { user: inputRequired.elicit({ message, requestedSchema: account }) },
        });
      }
      return text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
    },
  );
  askOnce(server, 'test_elicitation_sep1034_defaults', 'Asks with a default for each primitive type.', {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  });
  const titled = (words: readonly string[]) =>
    words.map((word, i) => ({ const: `value${i + 1}`, title: word }));
  askOnce(server, 'test_elicitation_sep1330_enums', 'Asks with each of the five ways to write a choice.', {
    untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
    titledSingle: { type: 'string', oneOf: titled(['First Option', 'Second Option', 'Third Option']) },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
    titledMulti: {
      type: 'array',
      items: { anyOf: titled(['First Choice', 'Second Choice', 'Third Choice']) },
    },
  });
}

type FormProperties = Exclude<
  Parameters<typeof inputRequired.elicit>[0]['requestedSchema'],
  { '~standard': unknown }
>['properties'];

function askOnce(server: McpServer, tool: string, description: string, properties: FormProperties): void {
  server.registerTool(tool, { description }, (ctx) => {
    const answer = inputResponse(ctx.mcpReq.inputResponses, 'form');
    if (answer.kind !== 'elicit') {
      const requestedSchema = { type: 'object' as const, properties };
      return inputRequired({
        inputRequests: {
          form: inputRequired.elicit({ message: 'Please fill in the form.', requestedSchema }),
        },
      });
    }
    return text(
      `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`,
    );
  });
}

/** The text of a model's answer, or undefined when there is none yet. */
function sampledText(responses: Record<string, unknown> | undefined, key: string): string | undefined {
  const answer = inputResponse(responses, key);
  if (answer.kind !== 'sampling') return undefined;
  return [answer.result.content]
    .flat()
    .map((block) => (block.type === 'text' ? block.text : `(${block.type})`))
    .join('');
}

function addSampling(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    {
      description: "Asks the client's model.",
      inputSchema: z.object({ prompt: z.string().describe('The prompt to send to the LLM') }),
    },
    ({ prompt }, ctx) => {
      const said = sampledText(ctx.mcpReq.inputResponses, 'model');
      return said === undefined
        ? inputRequired({ inputRequests: { model: askModel(prompt) } })
        : text(`LLM response: ${said}`);
    },
  );
}

function addMultiRoundTrip(server: McpServer): void {
  server.registerTool(
    'test_input_required_result_elicitation',
    { description: 'Greets the user by name.' },
    (ctx) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', nameSchema);
      return answer
        ? text(`Hello, ${answer.name}!`)
        : inputRequired({ inputRequests: { user_name: askName() } });
    },
  );
  server.registerTool(
    'test_input_required_result_sampling',
    { description: "Asks the client's model a question." },
    (ctx) => {
      const said = sampledText(ctx.mcpReq.inputResponses, 'capital_question');
      return said === undefined
        ? inputRequired({ inputRequests: { capital_question: askModel('What is the capital of France?') } })
        : text(said);
    },
  );
  server.registerTool(
    'test_input_required_result_list_roots',
    { description: "Names the client's roots." },
    (ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'client_roots');
      return answer.kind === 'roots'
        ? text(`Roots: ${answer.roots.map((root) => root.uri).join(', ')}`)
        : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    },
  );

  const confirmSchema = z.object({ ok: z.boolean() });
  const askConfirm = () =>
    inputRequired.elicit({ message: 'Please confirm', requestedSchema: confirmSchema });
  for (const tool of [
    'test_input_required_result_request_state',
    'test_input_required_result_tampered_state',
  ]) {
    server.registerTool(tool, { description: 'Confirms with a signed state.' }, async (ctx) => {
      const confirmed = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', confirmSchema);
      const state = ctx.mcpReq.requestState<{ step: number }>();
      if (confirmed && state?.step === 1) return text('Confirmed: state-ok');
      return inputRequired({
        inputRequests: { confirm: askConfirm() },
        requestState: await requestState.mint({ step: 1 }, ctx),
      });
    });
  }

  server.registerTool(
    'test_input_required_result_multiple_inputs',
    { description: 'Asks for three things at once.' },
    async (ctx) => {
      const responses = ctx.mcpReq.inputResponses;
      const user = acceptedContent(responses, 'user_name', nameSchema);
      const greeting = sampledText(responses, 'greeting');
      const roots = inputResponse(responses, 'client_roots');
      if (user && greeting !== undefined && roots.kind === 'roots' && ctx.mcpReq.requestState()) {
        return text(`${greeting} ${user.name} works in ${roots.roots.length} roots.`);
      }
      return inputRequired({
        inputRequests: {
          user_name: askName(),
          greeting: askModel('Generate a greeting', 50),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await requestState.mint({ step: 1 }, ctx),
      });
    },
  );

  const colorSchema = z.object({ color: z.string() });
  server.registerTool(
    'test_input_required_result_multi_round',
    { description: 'Asks twice, one question after the other.' },
    async (ctx) => {
      const state = ctx.mcpReq.requestState<{ step: number; name?: string }>();
      const colour = acceptedContent(ctx.mcpReq.inputResponses, 'step2', colorSchema);
      if (state?.step === 2 && colour) return text(`${state.name} likes ${colour.color}.`);
      const user = acceptedContent(ctx.mcpReq.inputResponses, 'step1', nameSchema);
      if (state?.step === 1 && user) {
        return inputRequired({
          inputRequests: {
            step2: inputRequired.elicit({
              message: 'Step 2: What is your favorite color?',
              requestedSchema: colorSchema,
            }),
          },
          requestState: await requestState.mint({ step: 2, name: user.name }, ctx),
        });
      }
      return inputRequired({
        inputRequests: { step1: askName('Step 1: What is your name?') },
        requestState: await requestState.mint({ step: 1 }, ctx),
      });
    },
  );

  server.registerTool(
    'test_input_required_result_capabilities',
    { description: 'Asks only for what the client can do.' },
    (ctx) => {
      const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = ctx.mcpReq.envelope ?? {};
      const can = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {};
      const said = sampledText(ctx.mcpReq.inputResponses, 'model');
      if (said !== undefined) return text(said);
      const inputRequests = {
        ...(can.elicitation ? { user_name: askName() } : {}),
        ...(can.sampling ? { model: askModel('Say hello') } : {}),
      };
      return Object.keys(inputRequests).length > 0
        ? inputRequired({ inputRequests })
        : text('This client can be asked nothing.');
    },
  );

  server.registerTool(
    'test_missing_capability',
    { description: 'Refuses clients that have no model.' },
    (ctx) => {
      const said = sampledText(ctx.mcpReq.inputResponses, 'model');
      return said === undefined
        ? inputRequired({ inputRequests: { model: askModel('Say hello') } })
        : text(said);
    },
  );
  server.registerTool(
    'test_streaming_elicitation',
    { description: 'Reports progress, then asks.' },
    async (ctx) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_name', nameSchema);
      if (answer) return text(`Hello, ${answer.name}!`);
      await ctx.mcpReq.log('info', 'About to ask for a name');
      return inputRequired({ inputRequests: { user_name: askName() } });
    },
  );

  const contextSchema = z.object({ context: z.string() });
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks for its context first.' },
    (ctx) => {
      const answer = acceptedContent(ctx.mcpReq.inputResponses, 'user_context', contextSchema);
      if (!answer) {
        return inputRequired({
          inputRequests: {
            user_context: inputRequired.elicit({
              message: 'What context should the prompt use?',
              requestedSchema: contextSchema,
            }),
          },
        });
      }
      return {
        messages: [{ role: 'user', content: { type: 'text', text: `Context: ${answer.context}` } }],
      };
    },
  );
}
