import type { OperationContext } from '../context.ts';
import { runLater } from '../run-later.ts';
import type { FeedbackInput, FeedbackList, GivenFeedback } from './feedback.ts';
import type { ChangedIgnoreRules, IgnoreRuleList } from './ignore.ts';

/** Rejects when the home was closed; undefined while it is open. */
type AssertOpen = () => Promise<never> | undefined;

/** What the user rules about the memory, as the library offers it. */
export class ControlVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: AssertOpen;

  constructor(context: OperationContext, assertOpen: AssertOpen) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  /** Learns nothing about a subject from now on. */
  async ignore(subject: string): Promise<ChangedIgnoreRules> {
    await this.#assertOpen();
    return runLater(async () => (await import('./ignore.ts')).ignoreAdd, this.#context, { subject });
  }

  /** Takes such a rule back. */
  async unignore(subject: string): Promise<ChangedIgnoreRules> {
    await this.#assertOpen();
    return runLater(async () => (await import('./ignore.ts')).ignoreRemove, this.#context, { subject });
  }

  async ignored(): Promise<IgnoreRuleList> {
    await this.#assertOpen();
    return runLater(async () => (await import('./ignore.ts')).ignoreList, this.#context, {});
  }

  /** Says that a memory is wrong, not helpful, or to be included at every session start. */
  async feedback(given: FeedbackInput): Promise<GivenFeedback> {
    await this.#assertOpen();
    return runLater(async () => (await import('./feedback.ts')).feedback, this.#context, given);
  }

  async feedbackGiven(): Promise<FeedbackList> {
    await this.#assertOpen();
    return runLater(async () => (await import('./feedback.ts')).feedbackList, this.#context, {});
  }
}
