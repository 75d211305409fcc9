import type { Decision } from './knowledge.ts';
import type { Preset } from './limits.ts';
import type { ReceiptItem } from './piece.ts';

export const EVENTS = ['prompt', 'session-start'] as const;
/** What made somebody compile a briefing: a message typed in an agent, or a session beginning. */
export type BriefingEvent = (typeof EVENTS)[number];

export const START_SOURCES = ['startup', 'resume', 'clear', 'compact'] as const;
/** Why a session begins, as Claude Code calls it. Only after `resume` the agent still knows what it was told. */
export type StartSource = (typeof START_SOURCES)[number];

/** Everything a prompt was made from, so that anybody can say later why an agent was told what it was told. */
export interface Receipt {
  readonly id: string;
  /** The last change of the workspace that could have been seen; null in a workspace without any. */
  readonly mutation: string | null;
  /** How far the journal was, which also counts what is not in the history yet. */
  readonly journalEnd: string;
  readonly configHash: string;
  readonly embedder: string;
  readonly tokenizer: string;
  readonly clock: string;
  readonly preset: Preset;
  readonly event: BriefingEvent | null;
  readonly session: string | null;
  /** Its beginning; a pasted log is recognised by that. */
  readonly message: string;
  /** Of the prompt, in hexadecimal. */
  readonly sha256: string;
  /** Whether something remembered was found to belong to the message; null when there was no message. */
  readonly decision: Decision | null;
  readonly items: readonly ReceiptItem[];
}

export interface Briefing {
  /** '' when there is nothing to say. */
  readonly prompt: string;
  readonly tokens: number;
  readonly budget: number;
  readonly receipt: Receipt;
  /** What a person should know about it. */
  readonly notes: readonly string[];
}

/** A receipt as it is kept, with the prompt it is for. */
export type StoredBriefing = Omit<Briefing, 'notes'>;
