/** What a test's model is asked, whichever vendor's words it came in. */
export interface ModelRequest {
  readonly vendor: 'openai' | 'anthropic';
  readonly model: string;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly text: string }[];
}

/** Stands in for the model. */
export type ModelReply = (request: ModelRequest) => string;

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
export function cutToTokens(text: string, maxTokens: number | undefined): { text: string; isCut: boolean } {
  if (maxTokens === undefined || tokensOf(text) <= maxTokens) return { text, isCut: false };
  return { text: text.slice(0, maxTokens * CHARACTERS_PER_TOKEN), isCut: true };
}

/** Pieces of a stream; together they are the text again. */
export function wordsOf(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}
