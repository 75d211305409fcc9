import type { TokenCounter } from '../tokens.ts';
import { criticalLines, isFixed } from './critical.ts';
import { cutText } from './cut-text.ts';
import { shortened, withToolLine } from './group-plan.ts';
import { messageTokens, type ContextMessage } from './message.ts';

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
