import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { LanguageProvider, LanguageProviderName } from '../../providers/language/port.ts';
import type { Answer, AskOptions, ExtractInput, Purpose, Purposes, Reasoner, SummariseInput } from '../port.ts';
import type { AnswerCache } from './answer-cache.ts';
import { exchange, type ExchangeLimits, type ExchangeParts } from './exchange.ts';
import { checkSummaries, type Checked } from './guard/answers.ts';
import { siftFindings } from './guard/findings.ts';
import { JoinedFindings } from './joined-findings.ts';
import { modelFor, type ModelConfig } from './models.ts';
import { readPrompt } from './prompts.ts';
import { renderConversation } from './render.ts';
import { Rest } from './rest.ts';
import { toWireSchema, type SummaryAnswer } from './schemas.ts';
import { EXTRACT_FORM, runSingleTask, SUMMARISE_FORM, type SinglePurpose, type TaskForm } from './tasks.ts';
import { cutIntoWindows, type Window } from './windows.ts';

export interface ModelReasonerParts extends Omit<ExchangeParts, 'provider' | 'limits'> {
  readonly config: ModelConfig & ExchangeLimits;
  readonly provider: LanguageProviderName;
  readonly openProvider: () => Promise<LanguageProvider>;
  /** The reasoner used when no model answers. */
  readonly fallback: Reasoner;
  readonly cache: AnswerCache;
  /** Takes secrets out of what is sent. */
  readonly redact?: ((text: string) => Promise<string>) | undefined;
}

/** Language models that answer what the heuristic would; it answers whenever they do not, and a note says why. */
export function createModelReasoner(parts: ModelReasonerParts): Reasoner {
  return new ModelReasoner(parts);
}

/** One call of `ask`: the model it is for, and what is to be told with the answer. */
interface Asking {
  readonly purpose: Purpose;
  readonly model: string;
  readonly provider: LanguageProvider;
  readonly session: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Why the last question went unanswered. */
  trouble: { readonly reason: string; readonly isLasting: boolean } | undefined;
}

/** A line of about this many tokens is what a diary gets. */
const TOKENS_PER_POINT = 30;
const MAX_POINTS = 12;

class ModelReasoner implements Reasoner {
  readonly name: string;
  readonly #parts: ModelReasonerParts;
  readonly #rest: Rest;
  #provider: Promise<LanguageProvider> | undefined;

  constructor(parts: ModelReasonerParts) {
    this.name = parts.provider;
    this.#parts = parts;
    this.#rest = new Rest(parts.clock);
  }

  async ask<P extends Purpose>(
    purpose: P,
    input: Purposes[P]['input'],
    options: AskOptions = {},
  ): Promise<Answer<Purposes[P]['output']>> {
    const { signal } = options;
    signal?.throwIfAborted();
    try {
      const asking = await this.#prepare(purpose, input, signal);
      if (typeof asking === 'string') return await this.#fallBack(purpose, input, options, asking);
      const answer = await this.#askModel(asking, purpose, await this.#withoutSecrets(input), options);
      const because = `${asking.model} could not ${verbOf(purpose)}: ${asking.trouble?.reason ?? 'no answer'}`;
      return answer ?? (await this.#fallBack(purpose, input, options, because));
    } catch (error) {
      if (signal?.aborted === true) throw error;
      return this.#fallBack(purpose, input, options, `No model could be asked: ${errorMessage(error)}`);
    }
  }

  /** Everything a model needs before it is asked, or why it cannot be. */
  async #prepare(purpose: Purpose, input: unknown, signal: AbortSignal | undefined): Promise<Asking | string> {
    const { config, provider: name } = this.#parts;
    const model = modelFor(purpose, name, config);
    if (model === undefined) return `No model is named for ${name}: set reasoner.small_model`;
    let provider: LanguageProvider;
    try {
      this.#provider ??= this.#parts.openProvider();
      provider = await this.#provider;
    } catch (error) {
      // The next question tries anew: a package may be installed meanwhile.
      this.#provider = undefined;
      if (!isMnemeError(error)) throw error;
      return [error.message.replace(/\.$/u, ''), error.hint].filter((part) => part !== undefined).join('. ');
    }
    const { conversation } = input as { readonly conversation?: { readonly session: string } };
    return { purpose, model, provider, session: conversation?.session, signal, trouble: undefined };
  }

  /** Undefined when the model did not answer; `asking.trouble` then says why. */
  async #askModel<P extends Purpose>(
    asking: Asking,
    purpose: P,
    input: Purposes[P]['input'],
    options: AskOptions,
  ): Promise<Answer<Purposes[P]['output']> | undefined> {
    if (purpose === 'extract' || purpose === 'flush')
      return this.#extract(asking, purpose, input as ExtractInput, options);
    const checked =
      purpose === 'summarise'
        ? await this.#summarise(asking, input as SummariseInput)
        : await runSingleTask(purpose, input as Purposes[SinglePurpose]['input'], (form, text) =>
            this.#question(asking, form, text),
          );
    if (checked === undefined) return undefined;
    const notes = checked.notes.map((note) => `${asking.model}: ${note}.`);
    return { output: checked.output, by: asking.model, notes };
  }

  async #extract(
    asking: Asking,
    purpose: 'extract' | 'flush',
    input: ExtractInput,
    options: AskOptions,
  ): Promise<Answer<Purposes['extract']['output']> | undefined> {
    const { conversation, kinds } = input;
    const windows = cutIntoWindows(conversation, input.fromTurn);
    const joined = new JoinedFindings(asking.model, windows.length);
    const request = [`Kinds wanted: ${kinds.join(', ')}.`];
    for (const [index, window] of windows.entries()) {
      const answer = await this.#question(asking, EXTRACT_FORM, render(conversation, window, request));
      if (answer !== undefined) {
        joined.addSifted(siftFindings(answer.findings, window, input));
        continue;
      }
      const isLasting = asking.trouble?.isLasting === true;
      if (windows.length === 1 || (isLasting && index === 0)) return undefined;
      // The rest of the conversation when the model is out for longer, otherwise this piece.
      const until = isLasting ? undefined : window.fresh.at(-1)?.id;
      const piece = pieceOf(input, window, until);
      joined.addFallback(
        await this.#parts.fallback.ask(purpose, piece, options),
        index,
        asking.trouble?.reason,
        isLasting,
      );
      if (isLasting) break;
    }
    return joined.hasModelAnswers || windows.length === 0 ? joined.toAnswer() : undefined;
  }

  async #summarise(
    asking: Asking,
    input: SummariseInput,
  ): Promise<Checked<Purposes['summarise']['output']> | undefined> {
    const { conversation, maxTokens } = input;
    const points = Math.max(1, Math.min(MAX_POINTS, Math.floor(maxTokens / TOKENS_PER_POINT)));
    const request = [`At most ${points} points.`];
    const answers: SummaryAnswer[] = [];
    for (const window of cutIntoWindows(conversation)) {
      const answer = await this.#question(asking, SUMMARISE_FORM, render(conversation, window, request));
      if (answer === undefined) return undefined;
      answers.push(answer);
    }
    return checkSummaries(answers, input);
  }

  /** One question, from the cache when it was answered before. */
  async #question<Reply>(asking: Asking, form: TaskForm<Reply>, input: string): Promise<Reply | undefined> {
    const { cache, config } = this.#parts;
    const { purpose, model, provider, session, signal } = asking;
    const prompt = readPrompt(purpose);
    const question = { purpose, promptVersion: prompt.version, provider: provider.name, model, input };
    const known = form.schema.safeParse(cache.find(question));
    if (known.success) return known.data;
    const resting = this.#rest.reasonFor(model);
    if (resting !== undefined) {
      asking.trouble = { reason: resting, isLasting: true };
      return undefined;
    }
    const result = await exchange(
      {
        purpose,
        model,
        instructions: prompt.text,
        input,
        schema: form.schema,
        wireSchema: toWireSchema(form.schema),
        maxOutputTokens: form.maxOutputTokens,
        effort: form.effort,
        session,
        signal,
      },
      { ...this.#parts, provider, limits: config },
    );
    if (result.kind !== 'answered') {
      if (result.kind === 'failed') this.#rest.failed(model, result.reason, result.isLasting);
      asking.trouble = result;
      return undefined;
    }
    this.#rest.succeeded(model);
    cache.keep(question, result.answer);
    return result.answer;
  }

  /** Before it is rendered: what is escaped is no longer recognised. */
  async #withoutSecrets<Input>(input: Input): Promise<Input> {
    const { redact } = this.#parts;
    return redact === undefined ? input : ((await mapTexts(input, redact)) as Input);
  }

  async #fallBack<P extends Purpose>(
    purpose: P,
    input: Purposes[P]['input'],
    options: AskOptions,
    because: string,
  ): Promise<Answer<Purposes[P]['output']>> {
    const { fallback } = this.#parts;
    const answer = await fallback.ask(purpose, input, options);
    const note = `${because.replace(/\.$/u, '')}. ${fallback.name} answered instead.`;
    return { ...answer, notes: [note, ...answer.notes] };
  }
}

const VERBS: Readonly<Record<Purpose, string>> = {
  extract: 'extract',
  flush: 'say what to save',
  route: 'route',
  summarise: 'summarise',
  resolve_contradiction: 'compare',
  reflect: 'reflect',
  rewrite_core: 'choose for core memory',
  infer: 'conclude',
  gate: 'say whether a topic applies',
  slug: 'name it',
  rerank: 'order the hits',
};

function verbOf(purpose: Purpose): string {
  return VERBS[purpose];
}

function render(
  conversation: ExtractInput['conversation'],
  { fresh, context }: Window,
  request: readonly string[],
): string {
  const contextIds = new Set(context.map(({ id }) => id));
  return renderConversation({ conversation, turns: [...context, ...fresh], context: contextIds }, request);
}

async function mapTexts(value: unknown, change: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => mapTexts(item, change)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([key, item]) => [key, await mapTexts(item, change)] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** The conversation from a window on, up to a turn or to its end. */
function pieceOf(input: ExtractInput, window: Window, untilTurn: string | undefined): ExtractInput {
  const { turns } = input.conversation;
  const last = untilTurn === undefined ? -1 : turns.findIndex(({ id }) => id === untilTurn);
  const conversation = { ...input.conversation, turns: last === -1 ? turns : turns.slice(0, last + 1) };
  return { ...input, conversation, fromTurn: window.fresh[0]?.id };
}
