import type { Conversation } from '../retrieval/conversations.ts';
import type { Budget, SystemAnswer } from '../retrieval/measure.ts';

/** A memory that conversations are put into and questions are asked of. */
export interface Peer {
  readonly name: string;
  /** The folder under `packages/` that npm installs it into; none for what is part of this repository. */
  readonly package?: string;
  /** The npm package whose version is reported. */
  readonly module?: string;
  /** How it was set up, and what it was fed: printed beside its figures. */
  readonly settings: string;
  /** Of each conversation, where asking takes seconds. */
  readonly maxQuestions?: number;
  build(conversation: Conversation, folder: string): Promise<BuiltPeer>;
}

export interface BuiltPeer {
  /** In the order in which they would go into a prompt; one answer for all budgets unless it depends on them. */
  ask(question: string): Promise<SystemAnswer | ReadonlyMap<Budget, SystemAnswer>>;
  /** Where it keeps what it made, when that is not the folder it was given. */
  readonly folder?: string;
  /** Processes besides this one whose memory counts. */
  readonly processes?: readonly number[];
  close(): Promise<void>;
}
