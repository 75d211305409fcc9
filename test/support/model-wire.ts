/** What a test's model is asked, whichever vendor's words it came in. */
export interface ModelRequest {
  readonly vendor: 'openai' | 'anthropic' | 'google';
  readonly model: string;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
  /** What the answer must look like, when the request says so. */
  readonly schema?: unknown;
}

/** An answer that does not end well. */
export interface ModelSays {
  readonly text: string;
  readonly ending: 'refused' | 'cut';
}

/** Stands in for the model. */
export type ModelReply = (request: ModelRequest) => string | ModelSays;

export type Ending = 'complete' | ModelSays['ending'];

/** What a model says within its limit. */
export function hear(said: string | ModelSays, maxTokens: number | undefined): { text: string; ending: Ending } {
  if (typeof said !== 'string') return said;
  const { text, isCut } = cutToTokens(said, maxTokens);
  return { text, ending: isCut ? 'cut' : 'complete' };
}

/** An answer as it goes over the wire: a JSON body, or the text of a stream. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
}

const CHARACTERS_PER_TOKEN = 4;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/** A model stops in the middle of a sentence when its tokens are used up. */
function cutToTokens(text: string, maxTokens: number | undefined): { text: string; isCut: boolean } {
  if (maxTokens === undefined || tokensOf(text) <= maxTokens) return { text, isCut: false };
  return { text: text.slice(0, maxTokens * CHARACTERS_PER_TOKEN), isCut: true };
}

/** Pieces of a stream; together they are the text again. */
export function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

/** What services that enforce a schema refuse: an object with optional or further properties, limits they cannot keep. */
export function findSchemaProblem(schema: unknown, place = 'schema'): string | undefined {
  if (typeof schema !== 'object' || schema === null) return `${place}: not an object`;
  const given = schema as Record<string, unknown>;
  const unsupported = ['minLength', 'maxLength', 'minimum', 'maximum', 'maxItems', 'pattern'].find(
    (key) => key in given,
  );
  if (unsupported !== undefined) return `${place}: '${unsupported}' is not supported`;
  if (given['type'] === 'array') return findSchemaProblem(given['items'], `${place}.items`);
  if (given['type'] !== 'object') return given['type'] === undefined ? `${place}: 'type' is required` : undefined;
  if (given['additionalProperties'] !== false) return `${place}: 'additionalProperties' must be false`;
  const properties = (given['properties'] ?? {}) as Record<string, unknown>;
  const required = new Set(given['required'] as string[] | undefined);
  const optional = Object.keys(properties).find((key) => !required.has(key));
  if (optional !== undefined) return `${place}: 'required' must name every property; missing '${optional}'`;
  return Object.entries(properties)
    .map(([key, value]) => findSchemaProblem(value, `${place}.${key}`))
    .find((problem) => problem !== undefined);
}
