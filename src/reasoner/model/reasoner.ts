import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { Candidate } from '../../model/knowledge.ts';
import { canonicalWords } from '../../model/same-words.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LanguageProvider, LanguageProviderName } from '../../providers/language/port.ts';
import type { Answer, AskOptions, ExtractInput, Purpose, Purposes, Reasoner, SummariseInput } from '../port.ts';
import type { AnswerCache } from './answer-cache.ts';
import { exchange, type ExchangeLimits, type ExchangeParts } from './exchange.ts';
import { checkSummaries, type Checked } from './guard/answers.ts';
import { type Sifted, siftFindings } from './guard/findings.ts';
import { type ModelConfig, modelFor, readPrompt } from './models.ts';
import { renderConversation } from './render.ts';
import { toWireSchema, type SummaryAnswer } from './schemas.ts';
import { EXTRACT_FORM, runSingleTask, SUMMARISE_FORM, type SinglePurpose, type TaskForm } from './tasks.ts';
import { cutIntoWindows, type Window } from './windows.ts';

/** The pause after a failure that needs human action, so that asking again soon is pointless. */
const LASTING_REST_MS = 5 * 60_000;
const PASSING_REST_MS = 60_000;
const PASSING_FAILURES = 3;

interface Trouble {
  readonly failures: number;
  readonly untilMs: number;
  readonly reason: string;
}

/** Leaves a model alone for a while after it failed: a slow service must not make every message wait its time limit. */
class Rest {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why a model is not asked now. */
  reasonFor(model: string): string | undefined {
    const trouble = this.#troubles.get(model);
    const leftMs = trouble === undefined ? 0 : trouble.untilMs - this.#clock.now();
    // More than the longest rest is left only when the clock was set back.
    if (trouble === undefined || leftMs <= 0 || leftMs > LASTING_REST_MS) return undefined;
    return `it is left alone for a while, after: ${trouble.reason}`;
  }

  succeeded(model: string): void {
    this.#troubles.delete(model);
  }

  failed(model: string, reason: string, isLasting: boolean): void {
    const failures = (this.#troubles.get(model)?.failures ?? 0) + 1;
    const restMs = isLasting ? LASTING_REST_MS : failures >= PASSING_FAILURES ? PASSING_REST_MS : 0;
    this.#troubles.set(model, { failures, untilMs: this.#clock.now() + restMs, reason });
  }
}

/** Joins the findings of a conversation's pieces into one answer. */
class JoinedFindings {
  readonly #model: string;
  readonly #pieces: number;
  readonly #byKey = new Map<string, Candidate>();
  readonly #dropped = new Map<string, number>();
  readonly #notes: string[] = [];
  #total = 0;
  hasModelAnswers = false;

  constructor(model: string, pieces: number) {
    this.#model = model;
    this.#pieces = pieces;
  }

  addSifted({ candidates, dropped }: Sifted): void {
    this.hasModelAnswers = true;
    this.#add(candidates);
    this.#total += candidates.length;
    for (const [reason, count] of dropped) {
      this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
      this.#total += count;
    }
  }

  addFallback(
    { output, by, notes }: Answer<readonly Candidate[]>,
    piece: number,
    reason = 'no answer',
    isRest = false,
  ): void {
    this.#add(output);
    const which = `part ${piece + 1}${isRest && piece + 1 < this.#pieces ? ` to ${this.#pieces}` : ''} of ${this.#pieces}`;
    this.#notes.push(`${this.#model} could not extract from ${which}: ${reason}. ${by} answered instead.`, ...notes);
  }

  toAnswer(): Answer<readonly Candidate[]> {
    return { output: [...this.#byKey.values()], by: this.#model, notes: [...this.#droppedNote(), ...this.#notes] };
  }

  #droppedNote(): string[] {
    const reasons = [...this.#dropped].map(([reason, count]) => `${count} ${reason}`);
    const count = [...this.#dropped.values()].reduce((sum, each) => sum + each, 0);
    if (count === 0) return [];
    return [
      `${count} of ${this.#total} findings of ${this.#model} ${count === 1 ? 'was' : 'were'} dropped: ${reasons.join(', ')}.`,
    ];
  }

  /** The same sentence found in two pieces is one finding; the first is kept. */
  #add(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const key = `${candidate.kind} ${canonicalWords(candidate.statement)}`;
      if (!this.#byKey.has(key)) this.#byKey.set(key, candidate);
    }
  }
}

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
