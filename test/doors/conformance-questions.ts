/** Tools of the official conformance suite that ask back in the middle of a call; Mneme's own ask nothing. */
import type {
  CallToolResult,
  ElicitRequestFormParams,
  McpServer,
  RequestId,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

type RequestedSchema = ElicitRequestFormParams['requestedSchema'];

const say = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });

const DEFAULTS: RequestedSchema['properties'] = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};

const titled = (word: string): { const: string; title: string }[] =>
  [1, 2, 3].map((number) => ({ const: `value${number}`, title: `${word} ${number}` }));
const OPTIONS = ['option1', 'option2', 'option3'];

const CHOICES: RequestedSchema['properties'] = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};

/** Without it the question goes to the stream for everything else, which its client may not have opened yet. */
const onItsStream = ({ id }: ServerContext['mcpReq']): { relatedRequestId: RequestId } => ({ relatedRequestId: id });

async function ask(
  { mcpReq }: ServerContext,
  message: string,
  properties: RequestedSchema['properties'],
  required: string[] = [],
): Promise<CallToolResult> {
  const requestedSchema: RequestedSchema = { type: 'object', properties, required };
  const question = { mode: 'form' as const, message, requestedSchema };
  const { action, content } = await mcpReq.elicitInput(question, onItsStream(mcpReq));
  return say(`Answered: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

export function registerQuestions(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    { description: 'Asks the client for a model’s answer.', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 }, onItsStream(mcpReq));
      return say(`The model said: ${JSON.stringify(content)}`);
    },
  );
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user.', inputSchema: z.object({ message: z.string() }) },
    ({ message }, context) => {
      const text = { type: 'string' as const };
      return ask(context, message, { username: text, email: text }, ['username', 'email']);
    },
  );
  server.registerTool('test_elicitation_sep1034_defaults', { description: 'Asks, with defaults.' }, (context) =>
    ask(context, 'Who is it?', DEFAULTS),
  );
  server.registerTool('test_elicitation_sep1330_enums', { description: 'Asks for choices.' }, (context) =>
    ask(context, 'Which of these?', CHOICES),
  );
}
