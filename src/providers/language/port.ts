export const LANGUAGE_PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible'] as const;
export type LanguageProviderName = (typeof LANGUAGE_PROVIDERS)[number];

export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** One question to a model, in no vendor's words. */
export interface ModelRequest {
  readonly model: string;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  /** The required form of the answer: JSON Schema (draft 7) in which every property is required. */
  readonly answer: { readonly name: string; readonly schema: Readonly<Record<string, unknown>> };
  readonly maxOutputTokens: number;
  /** The thinking effort of a model that can think first; thinking is paid for like output. */
  readonly effort: 'none' | 'low';
  readonly signal: AbortSignal;
}

export interface ModelReply {
  readonly text: string;
  /** `cut`: the tokens were used up; `refused`: the model or a filter declined. */
  readonly ending: 'complete' | 'cut' | 'refused';
  /** Undefined where the service did not say. */
  readonly tokensIn: number | undefined;
  readonly tokensOut: number | undefined;
}

export type CallFailure =
  | 'unauthorized'
  | 'rate-limited'
  | 'out-of-credit'
  | 'rejected'
  | 'unavailable'
  | 'unreachable'
  | 'garbled';

/** A call that brought no reply. Stays inside the reasoner: callers of it get an answer and a note. */
export class ModelCallError extends Error {
  readonly failure: CallFailure;
  /** The same call may succeed in a moment. */
  readonly isPassing: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(
    failure: CallFailure,
    message: string,
    details: { isPassing: boolean; retryAfterMs?: number | undefined; cause?: unknown },
  ) {
    super(message, { cause: details.cause });
    this.name = 'ModelCallError';
    this.failure = failure;
    this.isPassing = details.isPassing;
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** A service that runs language models. Throws a ModelCallError, or the signal's reason when it was aborted. */
export interface LanguageProvider {
  readonly name: LanguageProviderName;
  generate(request: ModelRequest): Promise<ModelReply>;
}
