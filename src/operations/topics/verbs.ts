import type { OperationContext } from '../context.ts';
import { runLater } from '../run-later.ts';
import type { GateDecisions, TopicsLogInput } from './gate-log.ts';
import type { ActivateTopicInput, ChangedActivation, TopicEventInput } from './activate.ts';
import type { ListedTopic, ListTopicsInput, ShownTopic, ShowTopicInput } from './list.ts';
import type { NewTopic, NewTopicInput } from './new.ts';
import type { TestedTopics, TestTopicsInput } from './test.ts';
import type { TuneResult, TuneTopicsInput } from './tune.ts';

/** Rejects when the home was closed; undefined while it is open. */
type AssertOpen = () => Promise<never> | undefined;

/** Reactive playbooks, as the library offers them: `m.topics.test('Please deploy')`. */
export class TopicVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: AssertOpen;

  constructor(context: OperationContext, assertOpen: AssertOpen) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  async list(options: ListTopicsInput = {}): Promise<readonly ListedTopic[]> {
    await this.#assertOpen();
    return (await runLater(async () => (await import('./list.ts')).listTopics, this.#context, options)).topics;
  }

  async show(name: string, options: Omit<ShowTopicInput, 'name'> = {}): Promise<ShownTopic> {
    await this.#assertOpen();
    return runLater(async () => (await import('./list.ts')).showTopic, this.#context, { ...options, name });
  }

  /** Which topics a message activates and why; leaves no trace. */
  async test(message: string, options: Omit<TestTopicsInput, 'message'> = {}): Promise<TestedTopics> {
    await this.#assertOpen();
    return runLater(async () => (await import('./test.ts')).testTopics, this.#context, { ...options, message });
  }

  /** Which topics fired and which were left out, and why; the latest first. */
  async log(options: TopicsLogInput = {}): Promise<GateDecisions> {
    await this.#assertOpen();
    return runLater(async () => (await import('./gate-log.ts')).topicsLog, this.#context, options);
  }

  async activate(name: string, options: Omit<ActivateTopicInput, 'name'>): Promise<ChangedActivation> {
    await this.#assertOpen();
    return runLater(async () => (await import('./activate.ts')).activateTopic, this.#context, { ...options, name });
  }

  async deactivate(name: string, options: Omit<ActivateTopicInput, 'name'>): Promise<ChangedActivation> {
    await this.#assertOpen();
    return runLater(async () => (await import('./activate.ts')).deactivateTopic, this.#context, { ...options, name });
  }

  /** A webhook or a time that topics wait for. */
  async event(event: TopicEventInput): Promise<{ readonly activated: readonly string[] }> {
    await this.#assertOpen();
    return runLater(async () => (await import('./activate.ts')).topicEvent, this.#context, event);
  }

  async tune(options: TuneTopicsInput = {}): Promise<TuneResult> {
    await this.#assertOpen();
    return runLater(async () => (await import('./tune.ts')).tuneTopics, this.#context, options);
  }

  async new(name: string, options: Omit<NewTopicInput, 'name'> = {}): Promise<NewTopic> {
    await this.#assertOpen();
    return runLater(async () => (await import('./new.ts')).newTopic, this.#context, { ...options, name });
  }
}
