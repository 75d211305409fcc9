import type { Decided } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import type { Committed } from '../proposals/decide.ts';
import { runLater } from '../run-later.ts';
import type { AgentsCommitInput, AgentsDismissInput, AgentsOverrideInput } from './decide.ts';
import type { AgentInstructions, AgentsInstructionsInput } from './instructions.ts';
import type { KnownAgent } from './list.ts';
import type { AgentProposal, AgentsProposeInput } from './propose.ts';
import type { AgentsReviewInput, Review } from './review.ts';
import type { AgentScopes, AgentsAdmitInput, AgentsTrustInput, AgentTrust } from './standing.ts';

/** Rejects when the home was closed; undefined while it is open. */
type AssertOpen = () => Promise<never> | undefined;

/** Agents that propose, as the library offers them: `m.agents.propose({ text })`. */
export class AgentVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: AssertOpen;

  constructor(context: OperationContext, assertOpen: AssertOpen) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  /** Something to be remembered, for the main agent or a person to decide on. */
  async propose(input: AgentsProposeInput): Promise<AgentProposal> {
    await this.#assertOpen();
    return runLater(async () => (await import('./propose.ts')).agentsPropose, this.#context, input);
  }

  /** What waits, oldest first, with what contradicts what. */
  async review(options: AgentsReviewInput = {}): Promise<Review> {
    await this.#assertOpen();
    return runLater(async () => (await import('./review.ts')).agentsReview, this.#context, options);
  }

  async commit(input: AgentsCommitInput): Promise<Committed> {
    await this.#assertOpen();
    return runLater(async () => (await import('./decide.ts')).agentsCommit, this.#context, input);
  }

  /** Keeps a proposal in other words or another store. */
  async override(id: string, options: Omit<AgentsOverrideInput, 'id'>): Promise<Committed> {
    await this.#assertOpen();
    return runLater(async () => (await import('./decide.ts')).agentsOverride, this.#context, { ...options, id });
  }

  async reject(input: AgentsDismissInput): Promise<readonly Decided[]> {
    await this.#assertOpen();
    return runLater(async () => (await import('./decide.ts')).agentsReject, this.#context, input);
  }

  async defer(input: AgentsDismissInput): Promise<readonly Decided[]> {
    await this.#assertOpen();
    return runLater(async () => (await import('./decide.ts')).agentsDefer, this.#context, input);
  }

  /** Only a person gives it. */
  async trust(name: string, options: Omit<AgentsTrustInput, 'name'> = {}): Promise<AgentTrust> {
    await this.#assertOpen();
    return runLater(async () => (await import('./standing.ts')).agentsTrust, this.#context, { ...options, name });
  }

  /** Lets an agent into a private scope; only a person does. */
  async scope(name: string, to: string, options: Omit<AgentsAdmitInput, 'name' | 'to'> = {}): Promise<AgentScopes> {
    await this.#assertOpen();
    return runLater(async () => (await import('./standing.ts')).agentsAdmit, this.#context, { ...options, name, to });
  }

  /** Markdown for a sub-agent's prompt. */
  async instructions(name: string, options: Omit<AgentsInstructionsInput, 'name'> = {}): Promise<AgentInstructions> {
    await this.#assertOpen();
    const input = { ...options, name };
    return runLater(async () => (await import('./instructions.ts')).agentsInstructions, this.#context, input);
  }

  async list(): Promise<readonly KnownAgent[]> {
    await this.#assertOpen();
    return runLater(async () => (await import('./list.ts')).agentsList, this.#context, {});
  }
}
