import type { Decision } from './knowledge.ts';
import type { Preset } from './limits.ts';
import type { Scope } from '../model/provenance.ts';
import type { Section } from './fill/layout.ts';
import type { ReceiptItem, SpokenTurn } from './piece.ts';
import type { Slot, Tag } from './slots.ts';

export const EVENTS = ['prompt', 'session-start'] as const;
/** The event that triggered a context: a message typed in an agent, or a session beginning. */
export type BriefingEvent = (typeof EVENTS)[number];

export const START_SOURCES = ['startup', 'resume', 'clear', 'compact'] as const;
/** Why a session begins, as Claude Code calls it. Only after `resume` the agent still knows what it was told. */
export type StartSource = (typeof START_SOURCES)[number];

/** Everything a prompt was made from, so that anybody can say later why an agent was told what it was told. */
export interface Receipt {
  readonly id: string;
  /** The last change of the workspace that could have been seen; null in a workspace without any. */
  readonly mutation: string | null;
  /** The end of the journal, which also counts entries not in the history yet. */
  readonly journalEnd: string;
  readonly configHash: string;
  readonly embedder: string;
  readonly embedderHash: string;
  readonly tokenizer: string;
  readonly clock: string;
  readonly preset: Preset;
  readonly event: BriefingEvent | null;
  readonly session: string | null;
  /** Its beginning; a pasted log is recognised by that. */
  readonly message: string;
  /** Further request parameters; missing in receipts of earlier versions. */
  readonly asked?: Asked | undefined;
  /** Of the prompt, in hexadecimal. */
  readonly sha256: string;
  /** Whether something remembered was found to belong to the message; null when there was no message. */
  readonly decision: Decision | null;
  /** The division of the budget; missing in receipts of earlier versions. */
  readonly slots?: SlotBudget | undefined;
  readonly items: readonly ReceiptItem[];
}

/** Everything but the message that decides what is compiled, so that it can be compiled again. */
export interface Asked {
  readonly scope: Scope;
  readonly isMainSession: boolean;
  readonly budget: number | null;
  readonly response: number | null;
  readonly maxChars: number | null;
  readonly source: StartSource | null;
  readonly project: string | null;
  readonly systemSha256: string | null;
  /** False when only the message's beginning was kept. */
  readonly isMessageWhole: boolean;
}

export interface SlotBudget {
  /** The room for the prompt, less the reserve for the message and the answer. */
  readonly room: number;
  readonly request: number;
  readonly response: number;
  readonly parts: readonly {
    readonly slot: Slot;
    readonly tag: Tag;
    readonly tokens: number;
    readonly cap: number;
    readonly floor: number;
  }[];
}

export interface Briefing {
  /** '' when there is nothing to say. */
  readonly prompt: string;
  readonly tokens: number;
  readonly budget: number;
  readonly receipt: Receipt;
  /** The prompt in parts, joined by line breaks; a cache may hold what stands before a breakpoint. */
  readonly sections: readonly Section[];
  /** The conversation as it stands in the last of them, turn by turn. */
  readonly turns: readonly SpokenTurn[];
  readonly notes: readonly string[];
}

/** A receipt as it is kept, with the prompt it is for. */
export interface StoredBriefing extends Omit<Briefing, 'notes' | 'sections' | 'turns'> {
  /** Of the prompt as it is kept, where secrets of the host were left out of it. */
  readonly keptSha256?: string | undefined;
}
