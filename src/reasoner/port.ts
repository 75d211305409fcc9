import type {
  Candidate,
  Certainty,
  CoreBlock,
  EntityMention,
  KnowledgeKind,
  RelationMention,
} from '../model/knowledge.ts';
import type { Trust } from '../model/provenance.ts';

/** A turn as judgement sees it. */
export interface HeardTurn {
  readonly id: string;
  readonly role: 'user' | 'agent' | 'tool' | 'system';
  readonly name?: string | undefined;
  readonly text: string;
  /** Text that the user handed over with it, pasted or quoted: somebody else's words. */
  readonly handedOver?: string | undefined;
  readonly timeMs: number;
  readonly trust: Trust;
}

/** A conversation, or what is new in one. */
export interface HeardConversation {
  readonly session: string;
  /** The user's name, when it is known. */
  readonly user?: string | undefined;
  readonly project?: string | undefined;
  readonly timeZone: string;
  readonly turns: readonly HeardTurn[];
  /** Names the memory knows already: a name that is none of a dictionary's is recognised by them. */
  readonly known?: readonly EntityMention[] | undefined;
}

export interface ExtractInput {
  readonly conversation: HeardConversation;
  readonly kinds: readonly KnowledgeKind[];
  /** Turns before this one are context only: they were processed before. */
  readonly fromTurn?: string | undefined;
}

export interface RouteInput {
  readonly text: string;
  readonly user?: string | undefined;
  readonly timeMs: number;
  readonly timeZone: string;
  readonly known?: readonly EntityMention[] | undefined;
}

/** The parts of a candidate that a route may return as well. */
type RoutedParts = Pick<Candidate, 'due' | 'owner' | 'rationale' | 'trigger' | 'steps' | 'from' | 'until' | 'subject'>;

/** Where something belongs (S4 §8.2). */
export interface Route extends RoutedParts {
  readonly store: 'core' | 'episodic' | 'semantic' | 'procedural' | 'vault';
  /** With `core`: the block. */
  readonly block?: CoreBlock | undefined;
  readonly kind: KnowledgeKind | undefined;
  readonly entities: readonly EntityMention[];
  readonly relations: readonly RelationMention[];
  readonly tags: readonly string[];
  readonly confidence: Certainty;
  readonly isCoreWorthy: boolean;
  readonly summary: string;
  /** The property it states of an entity that has one value at a time: where the user lives, a service's port. */
  readonly property?:
    | { readonly subject: EntityMention; readonly attribute: string; readonly value: string }
    | undefined;
}

export interface SummariseInput {
  readonly conversation: HeardConversation;
  readonly maxTokens: number;
}

/** A conversation condensed for the journal. */
export interface Summary {
  readonly topic: string;
  /** The events, one sentence each, most telling first. */
  readonly points: readonly string[];
  readonly decisions: readonly string[];
  readonly errors: readonly string[];
  readonly next: readonly string[];
  readonly tags: readonly string[];
}

export interface Statement {
  readonly text: string;
  readonly saidMs: number;
  readonly kind?: KnowledgeKind | undefined;
  readonly subject?: string | undefined;
  readonly attribute?: string | undefined;
  readonly value?: string | undefined;
}

export interface CompareInput {
  readonly known: Statement;
  readonly incoming: Statement;
  /** Likeness of their meanings by the embedder, −1 to 1. */
  readonly similarity: number;
  /** The user's name: most statements share it, so it carries no information. */
  readonly user?: string | undefined;
  /** Both were said in one conversation, where people seldom say a thing twice and often two alike. */
  readonly isOneConversation?: boolean | undefined;
}

/** The relation of a statement to a known one. */
export interface Comparison {
  readonly verdict: 'same' | 'refines' | 'replaces' | 'contradicts' | 'different';
  readonly reason: string;
}

/** Something known, by the id it can be named with. */
export interface Premise {
  readonly id: string;
  readonly text: string;
}

export interface InferInput {
  /** Whom or what the conclusions are to be about. */
  readonly subject: string;
  readonly premises: readonly Premise[];
}

/** A conclusion from known facts that no speaker stated. */
export interface Conclusion {
  readonly statement: string;
  /** At least two of the ids given. */
  readonly premises: readonly string[];
  readonly confidence: Certainty;
}

/** A topic that may belong into the prompt for a message. */
export interface GateInput {
  readonly message: string;
  readonly topic: { readonly name: string; readonly description: string; readonly keywords: readonly string[] };
  /** The parts of the message that set the topic's triggers off. */
  readonly matched: readonly string[];
  /** 0–1: how likely words and meanings make it; an even chance is 0.5. */
  readonly likeness: number;
}

/** The parts of a reflection, a sentence each. */
export interface Reflections {
  /** The lesson from the answers to earlier ones. */
  readonly learning: string;
  /** The change in understanding. */
  readonly understanding: string;
  /** The recurring theme; '' when there is none. */
  readonly theme: string;
  readonly questions: readonly string[];
}

export interface ReflectInput {
  /** New since the last one. */
  readonly learned: readonly string[];
  /** Believed before and no longer. */
  readonly revised: readonly string[];
  /** Earlier reflections: what they were about, and how the person answered. */
  readonly past: readonly string[];
  /** The reflection from the figures alone. */
  readonly draft: Reflections;
}

/** Ids of the lines to add to core memory and to remove from it, the most important first. */
export interface CoreChoice {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

export interface RewriteCoreInput {
  /** Core memory as it is. */
  readonly bullets: readonly Premise[];
  /** The facts that may be added, and the bullets that may be removed; nothing else can be chosen. */
  readonly candidates: readonly Premise[];
  readonly removable: readonly Premise[];
}

export interface SlugInput {
  readonly text: string;
}

/** Everything judgement is asked for, with what goes in and what comes out. */
export interface RerankInput {
  readonly question: string;
  /** The best first, as far as is known. */
  readonly texts: readonly string[];
}

export interface Purposes {
  readonly extract: { readonly input: ExtractInput; readonly output: readonly Candidate[] };
  /** The same before a window is compacted: the last look at words that are about to leave it. */
  readonly flush: { readonly input: ExtractInput; readonly output: readonly Candidate[] };
  readonly route: { readonly input: RouteInput; readonly output: Route };
  readonly summarise: { readonly input: SummariseInput; readonly output: Summary };
  readonly resolve_contradiction: { readonly input: CompareInput; readonly output: Comparison };
  readonly infer: { readonly input: InferInput; readonly output: readonly Conclusion[] };
  readonly reflect: { readonly input: ReflectInput; readonly output: Reflections };
  readonly rewrite_core: { readonly input: RewriteCoreInput; readonly output: CoreChoice };
  /** Whether the topic is what the message needs. */
  readonly gate: { readonly input: GateInput; readonly output: boolean };
  readonly slug: { readonly input: SlugInput; readonly output: string };
  /** The relevance of each text to the question, from 0 to 1; without a model, in the order given. */
  readonly rerank: { readonly input: RerankInput; readonly output: readonly number[] };
}
export type Purpose = keyof Purposes;

export interface Answer<Output> {
  readonly output: Output;
  /** The source of the answer: `heuristic@1`, or a model's name. */
  readonly by: string;
  /** Things to be told with the answer: a model that failed, a cap that was reached. */
  readonly notes: readonly string[];
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Judgement behind one port: deterministic and local, or a language model that falls back to it. */
export interface Reasoner {
  readonly name: string;
  ask<P extends Purpose>(
    purpose: P,
    input: Purposes[P]['input'],
    options?: AskOptions,
  ): Promise<Answer<Purposes[P]['output']>>;
}
