import { must } from '../../model/errors.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import { cutText } from '../../model/text.ts';
import { type ContextMessage, type StandsFor, criticalLines, isFixed, messageTokens, windowTokens } from './message.ts';
import { mentionMessage, summaryMessage, type GroupSummary, type Summarise } from './summary.ts';
import { tellingPart, toolLine } from './telling.ts';

/** A stretch of a conversation that is summarised as one. */
interface MessageGroup {
  readonly messages: readonly ContextMessage[];
}

/** About what is said on one subject before another comes up. */
const MIN_SIZE = 16;
/** Each may be a question to a model, and a window of thousands of messages must not become hundreds of them. */
const MAX_GROUPS = 24;
const PAUSE_MS = 45 * 60_000;

/** Cut where somebody went away for a while, and where it gets long; what an earlier compaction made stands alone. */
export function cutIntoGroups(messages: readonly ContextMessage[]): MessageGroup[] {
  const groups: ContextMessage[][] = [];
  const size = Math.max(MIN_SIZE, Math.ceil(messages.length / MAX_GROUPS));
  let open: ContextMessage[] | undefined;
  let lastMs: number | undefined;
  for (const message of messages) {
    const timeMs = message.time === undefined ? Number.NaN : Date.parse(message.time);
    const isPause = lastMs !== undefined && Math.abs(timeMs - lastMs) > PAUSE_MS;
    if (
      open === undefined ||
      open.length >= size ||
      (isPause && open.length >= size / 4) ||
      message.standsFor !== undefined
    ) {
      open = [];
      groups.push(open);
    }
    open.push(message);
    if (message.standsFor !== undefined) open = undefined;
    if (!Number.isNaN(timeMs)) lastMs = timeMs;
  }
  return groups.map((each) => ({ messages: each }));
}

/** The degrees of shortening, from everything kept to nothing. */
export const LEVELS = ['full', 'tools', 'short', 'summary', 'brief', 'mention', 'gone'] as const;
export type Level = (typeof LEVELS)[number];

/** The limits of a summary: absolute, per message, and as a share of the text it replaces. */
const MAX_SUMMARY_TOKENS = 300;
const MAX_TOKENS_PER_MESSAGE = 12;
const MAX_SUMMARY_SHARE = 0.4;
const MIN_SUMMARY_TOKENS = 40;
/** Of a summary, where the window has no room for all of them. */
const BRIEF_SHARE = 0.3;

type CondensedLevel = Extract<Level, 'summary' | 'brief' | 'mention'>;

/** A stretch of older messages and what has become of it so far. Each step costs less than the one before, or changes nothing. */
export class GroupPlan {
  readonly #messages: readonly ContextMessage[];
  readonly #counter: TokenCounter;
  readonly #session: string | undefined;
  readonly #critical = new Map<ContextMessage, string>();
  #isCriticalCut = false;
  #summary: GroupSummary | undefined;
  #level: Level = 'full';
  #shown: readonly ContextMessage[];
  #tokens: number;

  constructor({ messages }: MessageGroup, counter: TokenCounter, session: string | undefined) {
    this.#messages = messages;
    this.#session = session;
    this.#counter = counter;
    this.#shown = messages;
    this.#tokens = windowTokens(messages, counter);
    for (const message of messages) {
      const lines = isFixed(message) ? undefined : criticalLines(message);
      if (lines !== undefined) this.#critical.set(message, lines);
    }
  }

  get messages(): readonly ContextMessage[] {
    return this.#messages;
  }

  get level(): Level {
    return this.#level;
  }

  get shown(): readonly ContextMessage[] {
    return this.#shown;
  }

  get tokens(): number {
    return this.#tokens;
  }

  get summary(): GroupSummary | undefined {
    return this.#summary;
  }

  /** Whether a message is kept whatever the level. */
  isKept(message: ContextMessage): boolean {
    return isFixed(message) || this.#critical.has(message);
  }

  /** The range of messages that are not kept themselves. */
  get standsFor(): StandsFor | undefined {
    const range = rangeOf(this.#messages.filter((message) => !this.isKept(message)));
    return range && withSession(range, this.#session);
  }

  async raise(level: Level, summarise: Summarise): Promise<void> {
    const needsSummary = isCondensed(level) && this.#own === undefined;
    if (needsSummary && this.standsFor !== undefined) this.#summary ??= await this.#makeSummary(summarise);
    this.#adopt(level);
  }

  /** Of long critical messages, the lines that make them so. */
  cutCritical(): void {
    this.#isCriticalCut = true;
    this.#adopt(this.#level);
  }

  /** The result of an earlier compaction: alone in its group, and not summarised again. */
  get #own(): ContextMessage | undefined {
    const [first] = this.#messages;
    return first?.standsFor === undefined ? undefined : first;
  }

  #adopt(level: Level): void {
    const shown = this.#show(level);
    const tokens = windowTokens(shown, this.#counter);
    if (tokens >= this.#tokens) return;
    this.#level = level;
    this.#shown = shown;
    this.#tokens = tokens;
  }

  async #makeSummary(summarise: Summarise): Promise<GroupSummary> {
    const told = this.#messages.filter((message) => !isFixed(message));
    return summarise(told, this.#summaryTokens);
  }

  get #summaryTokens(): number {
    const whole = windowTokens(this.#messages, this.#counter);
    const most = Math.max(MAX_SUMMARY_TOKENS, this.#messages.length * MAX_TOKENS_PER_MESSAGE);
    return Math.min(most, Math.max(MIN_SUMMARY_TOKENS, Math.floor(whole * MAX_SUMMARY_SHARE)));
  }

  #show(level: Level): readonly ContextMessage[] {
    switch (level) {
      case 'full':
        return this.#each((message) => message);
      case 'tools':
        return this.#each(withToolLine);
      case 'short':
        return this.#each((message) => (message.standsFor === undefined ? shortened(message) : message));
      case 'summary':
      case 'brief':
      case 'mention':
        return this.#inPlaceOfFirst(this.#condensed(level));
      case 'gone':
        return this.#each(() => undefined);
    }
  }

  /** Where the first of what it stands for was: what the host put in front stays in front. */
  #inPlaceOfFirst(condensed: ContextMessage | undefined): ContextMessage[] {
    const first = this.#messages.find((message) => !this.isKept(message));
    return this.#each((message) => (message === first ? condensed : undefined));
  }

  #condensed(level: CondensedLevel): ContextMessage | undefined {
    const own = this.#own;
    if (own !== undefined) return level === 'mention' ? firstLineOf(own) : own;
    const { standsFor } = this;
    if (standsFor === undefined) return undefined;
    const summary = must(this.#summary, 'the summary of a group');
    if (level === 'mention') return mentionMessage(standsFor, summary);
    const tokens = level === 'brief' ? Math.floor(this.#summaryTokens * BRIEF_SHARE) : this.#summaryTokens;
    return summaryMessage(standsFor, summary, tokens, this.#counter);
  }

  /** Keeps critical messages in their kept form; applies the given form to all others. */
  #each(form: (message: ContextMessage) => ContextMessage | undefined): ContextMessage[] {
    return this.#messages.flatMap((message) => {
      if (isFixed(message)) return [message];
      const lines = this.#critical.get(message);
      if (lines !== undefined) return [this.#isCriticalCut ? { ...message, text: lines } : message];
      return form(message) ?? [];
    });
  }
}

export function withToolLine(message: ContextMessage): ContextMessage {
  return message.role === 'tool' ? { ...message, text: toolLine(message.text) } : message;
}

/** Undefined for a message that only acknowledges. */
export function shortened(message: ContextMessage): ContextMessage | undefined {
  const text = tellingPart(message);
  if (text === '') return undefined;
  return text.length < message.text.length ? { ...message, text } : message;
}

function firstLineOf(message: ContextMessage): ContextMessage {
  const [first = ''] = message.text.split('\n');
  return { ...message, text: first };
}

export function rangeOf(messages: readonly ContextMessage[]): StandsFor | undefined {
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    from: first.standsFor?.from ?? first.id,
    to: last.standsFor?.to ?? last.id,
    messages: messages.reduce((sum, { standsFor }) => sum + (standsFor?.messages ?? 1), 0),
  };
}

export function withSession(range: StandsFor, session: string | undefined): StandsFor {
  return session === undefined ? range : { ...range, session };
}

function isCondensed(level: Level): level is CondensedLevel {
  return level === 'summary' || level === 'brief' || level === 'mention';
}

/** One of the last messages: word for word as long as it can be. */
export class RecentPlan {
  readonly message: ContextMessage;
  readonly #counter: TokenCounter;
  readonly #critical: string | undefined;
  #shown: ContextMessage | undefined;
  #tokens: number;

  constructor(message: ContextMessage, counter: TokenCounter) {
    this.message = message;
    this.#counter = counter;
    this.#critical = isFixed(message) ? undefined : criticalLines(message);
    this.#shown = message;
    this.#tokens = messageTokens(message, counter);
  }

  get shown(): ContextMessage | undefined {
    return this.#shown;
  }

  get tokens(): number {
    return this.#tokens;
  }

  get isKept(): boolean {
    return isFixed(this.message) || this.#critical !== undefined;
  }

  toOneLine(): void {
    if (!isFixed(this.message)) this.#adopt(withToolLine(this.message));
  }

  shorten(): void {
    if (isFixed(this.message)) return;
    const { message } = this;
    this.#adopt(this.#critical === undefined ? (shortened(message) ?? message) : { ...message, text: this.#critical });
  }

  drop(): void {
    if (!this.isKept) this.#adopt(undefined);
  }

  /** Its beginning, within so many tokens; nothing when not even a few words fit. */
  cut(maxTokens: number): void {
    if (this.isKept) return;
    for (let chars = this.message.text.length; chars > MIN_CHARS; chars = Math.floor(chars * 0.8)) {
      const shorter = { ...this.message, text: cutText(this.message.text, chars) };
      if (messageTokens(shorter, this.#counter) > maxTokens) continue;
      this.#adopt(shorter);
      return;
    }
    this.drop();
  }

  #adopt(shown: ContextMessage | undefined): void {
    const tokens = shown === undefined ? 0 : messageTokens(shown, this.#counter);
    if (tokens >= this.#tokens) return;
    this.#shown = shown;
    this.#tokens = tokens;
  }
}

const MIN_CHARS = 24;
