/** The protocols of the model providers, as far as the programs need them to go through a turn. */

export type Protocol = 'messages' | 'responses' | 'completions' | 'gemini';

export type Reply = { readonly text: string } | { readonly tool: string; readonly args: object };

export interface ReadRequest {
  readonly lastWords: string;
  readonly tools: readonly string[];
  /** What the tool returned that was called last, where nobody spoke since. */
  readonly toolResult: string | undefined;
}

export function protocolOf(path: string): Protocol | undefined {
  if (path.includes('count_tokens') || path.includes(':countTokens')) return undefined;
  if (/\/messages(?:\?|$)/u.test(path)) return 'messages';
  if (/\/responses(?:\?|$)/u.test(path)) return 'responses';
  if (/\/chat\/completions(?:\?|$)/u.test(path)) return 'completions';
  return /:(?:streamG|g)enerateContent/u.test(path) ? 'gemini' : undefined;
}

interface Body {
  readonly messages?: readonly Said[];
  readonly input?: readonly Said[] | string;
  readonly contents?: readonly Said[];
  readonly tools?: readonly NamedTool[];
  readonly stream?: boolean;
}

interface NamedTool {
  readonly type?: string;
  readonly name?: string;
  readonly function?: { readonly name?: string };
  readonly functionDeclarations?: readonly { readonly name: string }[];
  readonly tools?: readonly { readonly name: string }[];
}

interface Said {
  readonly role?: string;
  readonly type?: string;
  readonly content?: unknown;
  readonly parts?: readonly object[];
  readonly output?: unknown;
}

export function readRequest(protocol: Protocol, body: string): ReadRequest {
  const value = JSON.parse(body) as Body;
  const said = (protocol === 'gemini' ? value.contents : (value.input ?? value.messages)) ?? [];
  const list: readonly Said[] = typeof said === 'string' ? [{ role: 'user', content: said }] : said;
  const result = list.slice(-3).findLast(isToolResult);
  // Some programs put a message of their own behind what was asked.
  const words = list.filter(({ role }) => role === 'user').slice(-2);
  return {
    lastWords: JSON.stringify(words),
    tools: (value.tools ?? []).flatMap(namesIn),
    toolResult: result === undefined ? undefined : JSON.stringify(result),
  };
}

function isToolResult(said: Said): boolean {
  const written = JSON.stringify(said);
  return (
    said.role === 'tool' ||
    said.type === 'function_call_output' ||
    written.includes('"tool_result"') ||
    written.includes('"functionResponse"')
  );
}

function namesIn(tool: NamedTool): string[] {
  if (tool.functionDeclarations !== undefined) return tool.functionDeclarations.map(({ name }) => name);
  if (tool.type === 'namespace') return (tool.tools ?? []).map(({ name }) => `${tool.name}\n${name}`);
  return [tool.function?.name ?? tool.name ?? []].flat();
}

/** The answer as the protocol writes it. */
export function answerIn(
  protocol: Protocol,
  { path, body, reply }: { readonly path: string; readonly body: string; readonly reply: Reply },
): { readonly type: string; readonly text: string } {
  const isStream = path.includes('streamGenerateContent') || (JSON.parse(body) as Body).stream === true;
  const write = { messages, responses, completions, gemini }[protocol];
  const { events, whole } = write(reply);
  if (!isStream) return { type: 'application/json', text: JSON.stringify(whole) };
  const lines = events.map((event) => {
    const { type } = event as { type?: string };
    return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`;
  });
  const end = protocol === 'completions' ? 'data: [DONE]\n\n' : '';
  return { type: 'text/event-stream', text: lines.join('') + end };
}

interface Written {
  readonly events: readonly object[];
  readonly whole: object;
}

const MODEL = 'loopback';
let count = 0;
const nextId = (kind: string): string => `${kind}_loopback${(count += 1)}`;

/** Anthropic's Messages. */
function messages(reply: Reply): Written {
  const id = nextId('msg');
  const block = 'text' in reply ? { type: 'text', text: reply.text } : toolUse(reply);
  const stop = 'text' in reply ? 'end_turn' : 'tool_use';
  const head = { id, type: 'message', role: 'assistant', model: MODEL, stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 5 };
  const delta =
    'text' in reply
      ? { type: 'text_delta', text: reply.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(reply.args) };
  const start = 'text' in reply ? { type: 'text', text: '' } : { ...block, input: {} };
  return {
    whole: { ...head, content: [block], stop_reason: stop, usage },
    events: [
      { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
      { type: 'content_block_start', index: 0, content_block: start },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
  };
}

function toolUse({ tool, args }: Extract<Reply, { tool: string }>) {
  return { type: 'tool_use', id: nextId('toolu'), name: tool, input: args };
}

/** OpenAI's Responses. A tool of a server is named by its namespace and its own name. */
function responses(reply: Reply): Written {
  const id = nextId('resp');
  const [name, namespace] = 'text' in reply ? [] : reply.tool.split('\n').toReversed();
  const item =
    'text' in reply
      ? {
          type: 'message',
          id: nextId('msg'),
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: reply.text, annotations: [] }],
        }
      : {
          type: 'function_call',
          id: nextId('fc'),
          call_id: nextId('call'),
          name,
          ...(namespace === undefined ? {} : { namespace }),
          arguments: JSON.stringify(reply.args),
          status: 'completed',
        };
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  const whole = { id, object: 'response', model: MODEL, status: 'completed', output: [item], usage };
  return {
    whole,
    events: [
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: whole },
    ],
  };
}

/** OpenAI's chat completions, which most other servers speak as well. */
function completions(reply: Reply): Written {
  const message =
    'text' in reply
      ? { role: 'assistant', content: reply.text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              index: 0,
              id: nextId('call'),
              type: 'function',
              function: { name: reply.tool, arguments: JSON.stringify(reply.args) },
            },
          ],
        };
  const finish = 'text' in reply ? 'stop' : 'tool_calls';
  const head = { id: nextId('chatcmpl'), created: 0, model: MODEL };
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const chunk = { ...head, object: 'chat.completion.chunk' };
  return {
    whole: { ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: finish }], usage },
    events: [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: finish }], usage },
    ],
  };
}

/** Google's generateContent. */
function gemini(reply: Reply): Written {
  const part = 'text' in reply ? { text: reply.text } : { functionCall: { name: reply.tool, args: reply.args } };
  const whole = {
    candidates: [{ index: 0, content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    modelVersion: MODEL,
  };
  return { whole, events: [whole] };
}
