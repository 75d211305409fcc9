import type { Trust } from './provenance.ts';

/** Kinds of knowledge in a conversation; each has an extractor of its own. */
export const KNOWLEDGE_KINDS = [
  'decision',
  'lesson',
  'person',
  'procedure',
  'fact',
  'preference',
  'task',
  'correction',
] as const;
export type KnowledgeKind = (typeof KNOWLEDGE_KINDS)[number];

/** The built-in extractor of each kind, without its version. */
export const EXTRACTOR_OF_KIND: Readonly<Record<KnowledgeKind, string>> = {
  decision: 'decisions',
  lesson: 'lessons',
  person: 'people',
  procedure: 'procedures',
  fact: 'facts',
  preference: 'preferences',
  task: 'tasks',
  correction: 'corrections',
};

/** Someone or something a statement speaks of, under the name used there. */
export interface EntityMention {
  readonly name: string;
  /** person, project, organization, place, tool, concept … as the ontology has them. */
  readonly type: string;
  /** The person whose memory this is. */
  readonly isUser?: boolean | undefined;
}

/** `Vera lives in Graz`: both ends by name, the relation as the ontology spells it. */
export interface RelationMention {
  readonly subject: EntityMention;
  readonly relation: string;
  readonly object: EntityMention;
  /** A narrower word for the same, such as `sister-of`. */
  readonly said?: string | undefined;
}

/** Where a statement was made; what is kept can always be followed back to it. */
export interface Evidence {
  readonly session: string;
  /** The turns it rests on, the most telling first. */
  readonly turns: readonly string[];
  /** The words themselves, shortened. */
  readonly quote: string;
}

/** The blocks of core memory that a statement can be filed in by its words. */
export type CoreBlock = 'Identity' | 'Persona' | 'Critical Facts';

/** The certainty of a statement. */
export type Certainty = 'high' | 'medium' | 'low';

/** Something worth keeping that was found in a conversation; whether and where it is kept is decided later. */
export interface Candidate {
  readonly kind: KnowledgeKind;
  /** One sentence that can stand alone: no "I", no "it", no "tomorrow". */
  readonly statement: string;
  readonly evidence: Evidence;
  /** The lowest of those who said it. */
  readonly trust: Trust;
  /** When it was said. */
  readonly saidMs: number;
  readonly confidence: Certainty;
  /** 0 to 1. */
  readonly importance: number;
  /** Whom or what it is about; undefined when that is nobody in particular. */
  readonly subject?: EntityMention | undefined;
  /** Which property of the subject it states, where that has one value at a time: `residence`, `employer`, `port`. */
  readonly attribute?: string | undefined;
  readonly value?: string | undefined;
  /** True since, or until: a day, month or year. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** For tasks: a day, and whose it is (undefined: the user's). */
  readonly due?: string | undefined;
  readonly owner?: string | undefined;
  /** For decisions and lessons: why. */
  readonly rationale?: string | undefined;
  /** For procedures: when it applies, and what to do in order. */
  readonly trigger?: string | undefined;
  readonly steps?: readonly string[] | undefined;
  /** For corrections: what was wrong. */
  readonly corrects?: string | undefined;
  /** The retracted statement, in words: a decision that no longer holds, a task that is off. */
  readonly retracts?: string | undefined;
  readonly entities: readonly EntityMention[];
  readonly relations: readonly RelationMention[];
  readonly tags: readonly string[];
  /** Whether it changes who the user is, what is going on or what must never be wrong (S4 §8.2). */
  readonly isCoreWorthy: boolean;
  /** The block of core memory it belongs to, where its words tell that better than its kind. */
  readonly coreBlock?: CoreBlock | undefined;
}

/** The name in the user's file until one is known. */
export const UNNAMED_USER = 'User';

/** A name somebody is called by; undefined for the placeholder, which every conversation without a name would share. */
export function realName(name: string | undefined): string | undefined {
  const trimmed = name?.trim() ?? '';
  return trimmed === '' || trimmed.toLowerCase() === UNNAMED_USER.toLowerCase() ? undefined : trimmed;
}
