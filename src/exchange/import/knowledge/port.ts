import type { Trust } from '../../../model/provenance.ts';

/** A statement about somebody or something, as another program kept it. */
export interface ImportedFact {
  readonly text: string;
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** The day it was noted. */
  readonly learned?: string | undefined;
}

export interface ImportedEntity {
  readonly name: string;
  readonly type: string;
  readonly tags?: readonly string[] | undefined;
  readonly facts: readonly ImportedFact[];
}

export interface ImportedRelation {
  readonly from: string;
  readonly relation: string;
  readonly to: string;
}

/** Something that was remembered, with the time it was. */
export interface ImportedMemory {
  /** The id in the other program. */
  readonly id: string;
  readonly text: string;
  readonly timeMs: number | undefined;
  readonly tags: readonly string[];
}

/** The knowledge in one file. Relations come after all entities, since they may name any of them. */
export interface ImportedKnowledge {
  readonly entities: readonly ImportedEntity[];
  readonly relations: readonly ImportedRelation[];
  readonly memories: readonly ImportedMemory[];
}

export interface KnowledgeRequest {
  /** `server-memory:notes.jsonl`, for the history. */
  readonly origin: string;
  readonly trust: Trust;
  readonly isDryRun: boolean;
  /** Whether a statement was taken over before; then it is left, also when it was removed here since. */
  readonly isKnown: (key: number) => boolean;
  readonly signal: AbortSignal | undefined;
  readonly onSkipped: (what: string, why: string) => void;
  /** Statements that are written, so that they are known from now on. */
  readonly onTaken: (keys: readonly number[]) => Promise<void>;
}

export interface KnowledgeTaken {
  readonly entities: number;
  readonly facts: number;
  readonly relations: number;
  readonly memories: number;
}

export const NOTHING_TAKEN: KnowledgeTaken = { entities: 0, facts: 0, relations: 0, memories: 0 };

/** Puts knowledge into the stores; the operation brings it along, since plans are carried out there. */
export type KnowledgeSink = (knowledge: ImportedKnowledge, request: KnowledgeRequest) => Promise<KnowledgeTaken>;
