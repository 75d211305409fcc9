import { MnemeError } from '../../model/errors.ts';
import { type TokenCounter, estimateCounter } from '../tokens/estimate.ts';
import { GroupPlan, type Level, RecentPlan, cutIntoGroups, rangeOf, withSession } from './group-plan.ts';
import { type ContextMessage, criticalLines, isFixed, messageTokens, windowTokens } from './message.ts';
import { gapMessage, type Summarise } from './summary.ts';

export interface CompressOptions {
  readonly maxTokens: number;
  /** The last messages, which stay word for word as long as they fit. */
  readonly keepMessages: number;
  readonly summarise: Summarise;
  readonly counter?: TokenCounter | undefined;
  /** The session that holds the original messages; the compacted window names it. */
  readonly session?: string | undefined;
  /** Where single messages are kept, when not all of them are in one session. */
  readonly sessionOf?: ((message: ContextMessage) => string | undefined) | undefined;
}

export const FATES = ['kept', 'one-line', 'shortened', 'summarised', 'mentioned', 'dropped'] as const;
export type Fate = (typeof FATES)[number];

export interface MessageFate {
  readonly id: string;
  readonly role: ContextMessage['role'];
  readonly fate: Fate;
  readonly tokens: number;
}

export interface Compressed {
  readonly messages: readonly ContextMessage[];
  readonly tokensBefore: number;
  readonly tokens: number;
  /** The fate of each message, in their order. */
  readonly fates: readonly MessageFate[];
  /** The methods that summarised; empty when no summary was needed. */
  readonly by: readonly string[];
  readonly notes: readonly string[];
}

/** A tool's output that takes this much of what is left for everything cannot claim to be a recent word. */
const MAX_RECENT_TOOL_SHARE = 0.2;

/**
 * Makes a window fit: the older a stretch, the less is left of it – tool output on a line, telling sentences, a summary, a
 * mention, nothing – and what is critical stays. A window that fits is returned as it is.
 */
export async function compress(messages: readonly ContextMessage[], options: CompressOptions): Promise<Compressed> {
  const { counter = estimateCounter, maxTokens } = options;
  assertFits(messages, maxTokens, counter);
  const plan = new WindowPlan(messages, options, counter);
  for (const step of plan.steps()) {
    if (plan.tokens <= maxTokens) break;
    await step();
  }
  if (plan.tokens > maxTokens) throw tooSmall(plan.tokens, maxTokens);
  return plan.result();
}

class WindowPlan {
  readonly #messages: readonly ContextMessage[];
  readonly #options: CompressOptions;
  readonly #counter: TokenCounter;
  readonly #groups: readonly GroupPlan[];
  readonly #recent: readonly RecentPlan[];

  constructor(messages: readonly ContextMessage[], options: CompressOptions, counter: TokenCounter) {
    this.#messages = messages;
    this.#options = options;
    this.#counter = counter;
    const firstRecent = beginOfRecent(messages, options.keepMessages);
    this.#groups = cutIntoGroups(messages.slice(0, firstRecent)).map(
      (group) => new GroupPlan(group, counter, this.#sessionOf(group.messages)),
    );
    this.#recent = messages.slice(firstRecent).map((message) => new RecentPlan(message, counter));
  }

  get tokens(): number {
    const gap = this.#gap;
    return (
      this.#groups.reduce((sum, group) => sum + group.tokens, 0) +
      this.#recent.reduce((sum, each) => sum + each.tokens, 0) +
      (gap === undefined ? 0 : messageTokens(gap, this.#counter))
    );
  }

  /** The possible steps, least harmful first; each is taken only while the window is too large. */
  *steps(): Generator<() => Promise<void> | void> {
    yield* this.#raise('tools');
    yield* this.#raise('short');
    const largest = this.#options.maxTokens * MAX_RECENT_TOOL_SHARE;
    for (const each of this.#recent) if (each.tokens > largest) yield () => each.toOneLine();
    yield* this.#raise('summary');
    for (const group of this.#groups) yield () => group.cutCritical();
    yield* this.#raise('brief');
    yield* this.#raise('mention');
    yield* this.#raise('gone');
    for (const each of this.#recent) yield () => each.toOneLine();
    for (const each of this.#recent) yield () => each.shorten();
    for (const each of this.#recent.slice(0, -1)) yield () => each.drop();
    yield () => this.#cutLast();
  }

  /** Oldest first: all of it comes to one level before any of it goes on to the next. */
  *#raise(level: Level): Generator<() => Promise<void>> {
    for (const group of this.#groups) yield () => group.raise(level, this.#options.summarise);
  }

  #cutLast(): void {
    const last = this.#recent.at(-1);
    last?.cut(this.#options.maxTokens - (this.tokens - last.tokens));
  }

  get #gap(): ContextMessage | undefined {
    const hidden = [
      ...this.#groups.flatMap((group) =>
        group.level === 'gone' ? group.messages.filter((message) => !group.isKept(message)) : [],
      ),
      ...this.#recent.filter(({ shown }) => shown === undefined).map(({ message }) => message),
    ];
    const range = rangeOf(hidden);
    return range === undefined ? undefined : gapMessage(withSession(range, this.#sessionOf(hidden)));
  }

  /** One that holds all of them; a pointer to where half of them are would be wrong about the other half. */
  #sessionOf(messages: readonly ContextMessage[]): string | undefined {
    const { session, sessionOf } = this.#options;
    if (sessionOf === undefined) return session;
    const [only, ...more] = new Set(messages.map((message) => sessionOf(message)));
    return more.length === 0 ? only : undefined;
  }

  result(): Compressed {
    const gap = this.#gap;
    const shown = [
      ...this.#groups.flatMap((group) => group.shown),
      ...this.#recent.flatMap((each) => each.shown ?? []),
    ];
    const firstOwn = shown.findIndex((message) => !isFixed(message));
    const place = firstOwn === -1 ? shown.length : firstOwn;
    const messages = gap === undefined ? shown : [...shown.slice(0, place), gap, ...shown.slice(place)];
    const summaries = this.#groups.flatMap(({ summary }) => summary ?? []);
    return {
      messages,
      tokensBefore: windowTokens(this.#messages, this.#counter),
      tokens: windowTokens(messages, this.#counter),
      fates: this.#fates(shown),
      by: [...new Set(summaries.map(({ by }) => by))],
      notes: [...new Set(summaries.flatMap(({ notes }) => notes))],
    };
  }

  #fates(shown: readonly ContextMessage[]): MessageFate[] {
    const left = new Map(shown.map((message) => [message.id, message]));
    const levels = new Map(
      this.#groups.flatMap((group) => group.messages.map((message) => [message, group.level] as const)),
    );
    return this.#messages.map((message) => ({
      id: message.id,
      role: message.role,
      fate: fateOf(message, left.get(message.id), levels.get(message)),
      tokens: messageTokens(message, this.#counter),
    }));
  }
}

function fateOf(message: ContextMessage, left: ContextMessage | undefined, level: Level | undefined): Fate {
  if (left !== undefined && left.text === message.text) return 'kept';
  if (left !== undefined) return message.role === 'tool' ? 'one-line' : 'shortened';
  if (level === 'summary' || level === 'brief') return 'summarised';
  return level === 'mention' ? 'mentioned' : 'dropped';
}

/** The last messages, and before them what they answer: a tool's result says nothing without its call. */
function beginOfRecent(messages: readonly ContextMessage[], keepMessages: number): number {
  let begin = Math.max(0, messages.length - keepMessages);
  const callers = new Map(messages.flatMap(({ calls = [] }, at) => calls.map((id) => [id, at] as const)));
  for (let at = messages.length - 1; at >= begin; at -= 1) {
    for (const id of messages[at]?.answers ?? []) begin = Math.min(begin, callers.get(id) ?? begin);
    if (at === begin && at > 0 && messages[at]?.role === 'tool') begin -= 1;
  }
  return begin;
}

function tooSmall(needed: number, maxTokens: number): MnemeError {
  return new MnemeError(
    'refused',
    `Even a word of what was said needs ${needed} tokens; ${maxTokens} are allowed, and nothing would be left of it.`,
    { hint: `Allow at least ${needed} tokens. Nothing was dropped.` },
  );
}

/** Throws when the messages and lines that must be kept already exceed the limit. */
export function assertFits(
  messages: readonly ContextMessage[],
  maxTokens: number,
  counter: TokenCounter = estimateCounter,
): void {
  const least = messages.flatMap((message) => {
    if (isFixed(message)) return [message];
    const text = criticalLines(message);
    return text === undefined ? [] : [{ ...message, text }];
  });
  const needed = windowTokens(least, counter);
  if (needed <= maxTokens) return;
  const fixed = messages.filter((message) => isFixed(message)).length;
  throw new MnemeError(
    'refused',
    `What must not be lost – ${countOf(fixed, 'system or critical message')} and ${countOf(least.length - fixed, 'message')} with critical lines – needs ${needed} tokens; ${maxTokens} are allowed.`,
    { hint: 'Allow more tokens, or mark fewer messages as critical. Nothing was dropped.' },
  );
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
