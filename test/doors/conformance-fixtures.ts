/**
 * What the official conformance suite calls and reads, as its scenarios describe it. Registered on the very servers that
 * Mneme makes for its clients, so that the suite judges our transport and protocol; never part of the package.
 */
import { setTimeout as wait } from 'node:timers/promises';
import {
  completable,
  ResourceTemplate,
  type CallToolResult,
  type ContentBlock,
  type GetPromptResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listedSchema } from '../../src/interfaces/mcp/tool.ts';
import type { ServerExtension } from '../../src/interfaces/mcp/server.ts';
import { registerQuestions } from './conformance-questions.ts';

type ToolAnswer = (context: ServerContext) => CallToolResult | Promise<CallToolResult>;

/** One pixel, and a sound of no length: the suite looks at their kind. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const PAUSE_MS = 50;

const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const say = (text: string): ContentBlock => ({ type: 'text', text });
const embed = (uri: string, text: string, mimeType = 'text/plain'): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text },
});

const TOOLS: Readonly<Record<string, ToolAnswer>> = {
  test_simple_text: () => ({ content: [say('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({ content: [embed('test://embedded-resource', 'An embedded resource.')] }),
  test_multiple_content_types: () => ({
    content: [say('Several kinds:'), image, embed('test://mixed-content-resource', '{"value":1}', 'application/json')],
  }),
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing');
  },
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const data of ['started', 'at work', 'completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
      await wait(PAUSE_MS);
    }
    return { content: [say('Logged.')] };
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      }
      await wait(PAUSE_MS);
    }
    return { content: [say('Done.')] };
  },
  test_reconnection: async ({ mcpReq, http }) => {
    http?.closeSSE?.();
    await wait(PAUSE_MS);
    return { content: [say(`Answered after the stream of ${mcpReq.id} was closed.`)] };
  },
};

const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

function register(server: McpServer): void {
  server.server.registerCapabilities({ logging: {} });
  for (const [name, answer] of Object.entries(TOOLS)) {
    server.registerTool(name, { description: `The suite's ${name}.` }, answer);
  }
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'A schema with parts that must reach the client.', inputSchema: listedSchema(SCHEMA_2020) },
    () => ({ content: [say('Called.')] }),
  );
  registerQuestions(server);
  registerResources(server);
  registerPrompts(server);
}

export const conformanceFixtures: ServerExtension = { register, hasResource: (uri) => uri.startsWith('test://') };

function registerResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { description: 'Text.' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'text/plain', text: 'The content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { description: 'A picture.' }, ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'One for each id.' },
    ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }],
    }),
  );
}

function registerPrompts(server: McpServer): void {
  const ask = (...contents: ContentBlock[]): GetPromptResult => ({
    messages: contents.map((content) => ({ role: 'user', content })),
  });
  server.registerPrompt('test_simple_prompt', { description: 'Without arguments.' }, () =>
    ask(say('A simple prompt.')),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'With two arguments, the first of them completed.',
      argsSchema: z.object({
        arg1: completable(z.string(), (value) => [`${value}Value1`]),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ask(say(`arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'With a resource in it.', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ask(embed(resourceUri, 'What the resource says.'), say('Go through the resource above.')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'With a picture in it.' }, () =>
    ask(image, say('Look at the picture above.')),
  );
}
