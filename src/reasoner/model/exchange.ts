import { z } from 'zod';
import { sleep as systemSleep, type Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import {
  type LanguageProvider,
  ModelCallError,
  type ModelMessage,
  type ModelReply,
} from '../../providers/language/port.ts';
import { estimateTokens } from '../../workspace/formats/core.ts';
import { type CapConfig, type Ledger, findCapReached } from '../ledger/ledger.ts';
import type { CallOutcome, CallRecord, PriceTable } from '../ledger/prices.ts';

/** A reply as it was read. Reasons never repeat the reply: they end up in the ledger. */
type ReadAnswer<Answer> =
  | { readonly kind: 'fits'; readonly answer: Answer }
  | { readonly kind: 'refused' | 'cut' | 'empty' | 'invalid'; readonly reason: string; readonly problem?: string };

const MAX_PROBLEMS = 8;
/** Enough of a wrong answer to see what was wrong with it. */
const MAX_RETURNED_CHARACTERS = 6000;

function readAnswer<Answer>({ text, ending }: ModelReply, schema: z.ZodType<Answer>): ReadAnswer<Answer> {
  if (ending === 'refused') return { kind: 'refused', reason: 'it declined to answer' };
  if (ending === 'cut') return { kind: 'cut', reason: 'its answer was cut off' };
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty', reason: 'it answered nothing' };
  const json = findJson(trimmed);
  const parsed = chosenWord(json ?? trimmed, schema) ?? withoutNulls(json);
  if (parsed === undefined) return { kind: 'invalid', reason: 'its answer is not JSON', problem: 'It is not JSON.' };
  const checked = schema.safeParse(parsed);
  if (checked.success) return { kind: 'fits', answer: checked.data };
  return {
    kind: 'invalid',
    reason: 'its answer does not fit the schema',
    problem: z.prettifyError(firstOf(checked.error)),
  };
}

function firstOf(error: z.ZodError): z.ZodError {
  return new z.ZodError(error.issues.slice(0, MAX_PROBLEMS));
}

/** Models without enforced schemas like to wrap JSON in a fence or in a sentence. */
function findJson(text: string): unknown {
  const inFence = /^```(?:json)?\s*\n([\s\S]*?)\n```/mu.exec(text)?.[1];
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, inFence, braces]) {
    if (candidate === undefined || candidate === '') continue;
    try {
      return JSON.parse(candidate) as unknown;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

/** Small models write `null` where they were asked for an empty value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const given = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(given.map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** `Yes.` or `{"answer": "yes"}` where `{"answer": "YES"}` was asked for: the one property, if it is a choice. */
function chosenWord(given: unknown, schema: z.ZodType): unknown {
  const properties = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const [key, choice] = properties.length === 1 ? (properties[0] ?? []) : [];
  if (key === undefined || !(choice instanceof z.ZodEnum)) return undefined;
  const said = typeof given === 'object' ? (given as Record<string, unknown> | null)?.[key] : given;
  const word = /^[\W_]*(\w+)/u.exec(String(said))?.[1]?.toUpperCase();
  return choice.options.some((option) => option === word) ? { [key]: word } : undefined;
}

/** The question again, with what was wrong. */
function repairMessages(
  input: string,
  wrong: string,
  { kind, problem = '' }: Exclude<ReadAnswer<unknown>, { kind: 'fits' }>,
  maxOutputTokens: number,
): ModelMessage[] {
  const question: ModelMessage = { role: 'user', text: input };
  if (kind === 'cut') {
    // The same answer would be cut again, so less is asked for; what came is no help.
    const limit = `Your last answer was cut off after ${maxOutputTokens} tokens.`;
    return [{ role: 'user', text: `${input}\n\n${limit} Answer with the most important half of it.` }];
  }
  if (kind === 'empty')
    return [{ role: 'user', text: `${input}\n\nYour last answer was empty. Answer with the JSON object.` }];
  return [
    question,
    { role: 'assistant', text: wrong.trim().slice(0, MAX_RETURNED_CHARACTERS) },
    {
      role: 'user',
      text: `That answer cannot be used:\n${problem}\n\nAnswer again with the whole JSON object and nothing else.`,
    },
  ];
}

/** A question and what an answer to it must be. */
export interface Exchange<Answer> {
  readonly purpose: string;
  readonly model: string;
  readonly instructions: string;
  readonly input: string;
  readonly schema: z.ZodType<Answer>;
  readonly wireSchema: Readonly<Record<string, unknown>>;
  readonly maxOutputTokens: number;
  readonly effort: 'none' | 'low';
  readonly session: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** An answer that does not fit its schema is sent back once: what a model gets wrong twice it gets wrong again. */
const MAX_REPAIRS = 1;

export interface ExchangeLimits extends CapConfig {
  readonly timeout_ms: number;
}

export interface ExchangeParts {
  readonly provider: LanguageProvider;
  readonly limits: ExchangeLimits;
  readonly maxRepairs?: number | undefined;
  readonly ledger: Ledger;
  readonly prices: PriceTable;
  readonly clock: Clock;
  readonly random: Random;
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
  readonly onCall?: ((call: CallRecord) => void) | undefined;
}

export type ExchangeResult<Answer> = { readonly kind: 'answered'; readonly answer: Answer } | Failed;

interface Failed {
  /** `capped`: the day's limits, and not the model, are the reason. */
  readonly kind: 'failed' | 'capped';
  readonly reason: string;
  /** The next question would meet the same. */
  readonly isLasting: boolean;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8000;
const MAX_ATTEMPTS = 4;
/** With less than this left, no service answers in time. */
const SHORTEST_CALL_MS = 20;

/** Asks until an answer fits, the time is up or nothing more can be expected. Throws only what aborted it. */
export function exchange<Answer>(question: Exchange<Answer>, parts: ExchangeParts): Promise<ExchangeResult<Answer>> {
  return new RunningExchange(question, parts).run();
}

type Attempt =
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly ms: number; readonly tokens: SpentTokens }
  | Failed;

interface SpentTokens {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly isEstimate: boolean;
}

class RunningExchange<Answer> {
  readonly #question: Exchange<Answer>;
  readonly #parts: ExchangeParts;
  readonly #deadlineMs: number;

  constructor(question: Exchange<Answer>, parts: ExchangeParts) {
    this.#question = question;
    this.#parts = parts;
    this.#deadlineMs = performance.now() + parts.limits.timeout_ms;
  }

  async run(): Promise<ExchangeResult<Answer>> {
    const { schema, input, maxOutputTokens } = this.#question;
    let messages: readonly ModelMessage[] = [{ role: 'user', text: input }];
    for (let repairs = 0; ; repairs += 1) {
      const attempt = await this.#attempt(messages);
      if (attempt.kind !== 'reply') return attempt;
      const { reply, ms, tokens } = attempt;
      const read = readAnswer(reply, schema);
      this.#record(ms, read.kind === 'fits' ? 'ok' : read.kind, tokens, read.kind === 'fits' ? undefined : read.reason);
      if (read.kind === 'fits') return { kind: 'answered', answer: read.answer };
      if (read.kind === 'refused' || repairs >= (this.#parts.maxRepairs ?? MAX_REPAIRS)) {
        return { kind: 'failed', reason: describe(read, repairs), isLasting: false };
      }
      messages = repairMessages(input, reply.text, read, maxOutputTokens);
    }
  }

  /** One reply, over as many calls as the service's passing troubles take. */
  async #attempt(messages: readonly ModelMessage[]): Promise<Attempt> {
    for (let attempt = 1; ; attempt += 1) {
      const call = await this.#call(messages);
      if (!(call instanceof ModelCallError)) return call;
      const pauseMs = call.retryAfterMs ?? this.#backOffMs(attempt);
      const fits = performance.now() + pauseMs + SHORTEST_CALL_MS < this.#deadlineMs;
      if (!call.isPassing || attempt >= MAX_ATTEMPTS || !fits) {
        const tries = attempt === 1 ? '' : ` (${attempt} attempts)`;
        return { kind: 'failed', reason: `${call.message}${tries}`, isLasting: !call.isPassing };
      }
      await (this.#parts.sleep ?? systemSleep)(pauseMs);
      this.#question.signal?.throwIfAborted();
    }
  }

  async #call(messages: readonly ModelMessage[]): Promise<Attempt | ModelCallError> {
    const { purpose, model, instructions, wireSchema, maxOutputTokens, effort, signal } = this.#question;
    const { provider, limits, ledger, prices, clock } = this.#parts;
    const tokensIn = estimateTokens(instructions) + messages.reduce((sum, { text }) => sum + estimateTokens(text), 0);
    const reserved = { purpose, tokens: tokensIn, usd: prices.cost(model, { tokensIn, tokensOut: 0 }, clock.now()) };
    const reached = findCapReached(ledger, limits, reserved);
    if (reached !== undefined) return { kind: 'capped', reason: reached, isLasting: true };
    const leftMs = Math.ceil(this.#deadlineMs - performance.now());
    if (leftMs < SHORTEST_CALL_MS) return this.#tooSlow();
    const timer = AbortSignal.timeout(leftMs);
    const release = ledger.reserve(reserved);
    const startMs = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - startMs);
    try {
      const reply = await provider.generate({
        model,
        instructions,
        messages,
        answer: { name: purpose, schema: wireSchema },
        maxOutputTokens,
        effort,
        signal: signal === undefined ? timer : AbortSignal.any([signal, timer]),
      });
      const isEstimate = reply.tokensIn === undefined || reply.tokensOut === undefined;
      const tokensOut = reply.tokensOut ?? estimateTokens(reply.text);
      const tokens = { tokensIn: reply.tokensIn ?? tokensIn, tokensOut, isEstimate };
      return { kind: 'reply', reply, ms: elapsedMs(), tokens };
    } catch (error) {
      if (error instanceof ModelCallError) {
        this.#record(elapsedMs(), error.failure, undefined, error.message);
        return error;
      }
      // A request that was sent is paid for, whether or not a caller waited for the answer.
      const estimate = { tokensIn, tokensOut: 0, isEstimate: true };
      if (signal?.aborted === true) {
        this.#record(elapsedMs(), 'aborted', estimate);
        throw signal.reason;
      }
      if (!timer.aborted) throw error;
      this.#record(elapsedMs(), 'too-slow', estimate);
      return this.#tooSlow();
    } finally {
      release();
    }
  }

  #tooSlow(): Attempt {
    const seconds = this.#parts.limits.timeout_ms / 1000;
    return { kind: 'failed', reason: `no answer within ${seconds} s (reasoner.timeout_ms)`, isLasting: false };
  }

  /** Doubles each time, with chance in it so that many clients do not return all at once. */
  #backOffMs(attempt: number): number {
    const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    return longest * (0.5 + this.#parts.random.number() / 2);
  }

  #record(
    ms: number,
    outcome: CallOutcome,
    tokens: SpentTokens = { tokensIn: 0, tokensOut: 0, isEstimate: false },
    reason?: string,
  ): void {
    const { clock, ledger, prices, provider, onCall } = this.#parts;
    const { purpose, model, session } = this.#question;
    const { tokensIn, tokensOut, isEstimate } = tokens;
    const timeMs = clock.now();
    const call: CallRecord = {
      timeMs,
      purpose,
      provider: provider.name,
      model,
      tokensIn,
      tokensOut,
      usd: prices.cost(model, { tokensIn, tokensOut }, timeMs),
      ms,
      outcome,
      session,
      isEstimate,
      reason,
    };
    ledger.record(call);
    onCall?.(call);
  }
}

function describe(read: Exclude<ReadAnswer<unknown>, { kind: 'fits' }>, repairs: number): string {
  return repairs === 0
    ? read.reason
    : `${read.reason}, also after ${repairs === 1 ? 'a repair' : `${repairs} repairs`}`;
}
