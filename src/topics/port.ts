import type { TopicFrontmatter, TopicTrigger } from '../model/schemas/topic.ts';
import type { Scope, Trust } from '../model/provenance.ts';
import { keywordsOf, type WatchedTopic } from './topic-file.ts';

/** The output of the watchers for the compiler of a prompt. */

/** Something said, or done with files, that the watchers look at. */
export interface WatchedMessage {
  readonly text: string;
  readonly role: 'user' | 'agent';
  /** Paths that tool calls touched. */
  readonly paths?: readonly string[] | undefined;
}

export type Priority = NonNullable<TopicFrontmatter['priority']>;
export type Activation = NonNullable<TopicFrontmatter['activation']>;

/** A trigger's match, in words for a user who asks why. */
export interface TriggerMatch {
  readonly trigger: TopicTrigger['type'];
  /** The words, path or address that matched; for events, which one. */
  readonly found: string;
}

/** The cause of a topic's activation. */
export type ActivationCause = 'message' | 'output' | 'earlier' | 'manual' | 'event';

/** Something a topic brings along, read and ready to be quoted: these are data, never instructions. */
export interface SubscribedPiece {
  /** The form in which the topic named it: a path or glob, an entity's id, a query. */
  readonly subscription: string;
  readonly kind: 'path' | 'glob' | 'entity' | 'query';
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly trust: Trust;
  readonly scope: Scope;
  /** When it was said or written, ISO; null where that is not known. */
  readonly time: string | null;
  /** For queries: how well it answers. */
  readonly score: number | null;
}

/** A topic that belongs into the prompt, most important first in the list it comes in. */
export interface ActiveTopic {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly priority: Priority;
  readonly activation: Activation;
  readonly cause: ActivationCause;
  /** Why it is active, in one sentence for the receipt. */
  readonly reason: string;
  readonly matches: readonly TriggerMatch[];
  /** 0–1: how sure the watchers are that the message is this topic's business; null for manual and events. */
  readonly score: number | null;
  /** The injected text: the playbook below its title. A person wrote or approved it. */
  readonly body: string;
  /** Most bytes that body and subscriptions together may take (`max_context_kb`). */
  readonly maxBytes: number;
  readonly subscriptions: readonly SubscribedPiece[];
  /** Words that join the query for knowledge. */
  readonly keywords: readonly string[];
}

/** A correction for an agent whose own last output set a trigger off. Injected once. */
export interface Correction {
  readonly topic: string;
  readonly path: string;
  readonly hint: string;
  /** The matching part of the output. */
  readonly found: string;
}

/** A topic that was looked at and left out, for `context --explain`. */
export interface LeftOutTopic {
  readonly name: string;
  readonly path: string;
  readonly reason: string;
  readonly score: number | null;
}

export interface TopicsRequest {
  /** The conversation; without one nothing is remembered from turn to turn. */
  readonly session?: string | undefined;
  /** The next message to the agent; undefined at the start of a session. */
  readonly message?: WatchedMessage | undefined;
  readonly scope?: Scope | undefined;
  /** Only look: no state, no log, corrections stay untold. */
  readonly isDry?: boolean | undefined;
  /** The receipt of the prompt, so that the gate log can be read beside it. */
  readonly receipt?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TopicsForTurn {
  readonly active: readonly ActiveTopic[];
  readonly corrections: readonly Correction[];
  readonly leftOut: readonly LeftOutTopic[];
  /** Keywords of all active topics, each once. */
  readonly keywords: readonly string[];
  /** Trouble worth telling: a topic file that could not be understood, a gate that fell back, a missing subscription. */
  readonly notes: readonly string[];
}

export const NO_TOPICS: TopicsForTurn = { active: [], corrections: [], leftOut: [], keywords: [], notes: [] };

/** `Topics` (topics.ts) is one. */
export interface TopicSource {
  /** Returns the topics that are active for this message of this session, with the texts they include. */
  activeTopics(request: TopicsRequest): Promise<TopicsForTurn>;
}

/** A topic as the model reads it. */
interface Note {
  /** Rendered as `topic_rows` of `training/mneme_model/tasks.py` does: the model knows no other form. */
  readonly text: string;
  /** The playbook sentence by sentence. */
  readonly lines: readonly string[];
}

/** Beyond this many lines a playbook has said what it is about. */
const MAX_LINES = 16;

export function noteOf(topic: Pick<WatchedTopic, 'name' | 'description' | 'body' | 'triggers'>): Note {
  const lines = topic.body
    .replaceAll(/^#+ .*$/gmu, '')
    .split('\n')
    .map((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, '').trim())
    .filter((line) => line !== '');
  const name = topic.name.replaceAll(/[-_]/gu, ' ');
  return {
    text: `${name}. ${topic.description} ${keywordsOf(topic).join(', ')}. ${lines.join(' ')}`,
    lines: lines.flatMap((line) => line.split(/(?<=[.!?])\s+/u)).slice(0, MAX_LINES),
  };
}
