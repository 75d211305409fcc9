import fs from 'node:fs';
import path from 'node:path';
import type { EntityMention, KnowledgeKind } from '../../src/model/knowledge.ts';
import type { HeardConversation, HeardTurn } from '../../src/reasoner/port.ts';

/** Something to keep, as a session's writer labelled it. */
export interface Told {
  readonly id: string;
  readonly kind: KnowledgeKind;
  /** Other kinds that a careful person could give it. */
  readonly alsoKind?: readonly KnowledgeKind[];
  readonly statement: string;
  readonly evidence: readonly string[];
  /** What tells it: words of every group, or most words of a quotation. */
  readonly must?: readonly (readonly string[])[];
  readonly quote?: string;
  readonly optional?: boolean;
}

export interface Label extends Told {
  readonly must: readonly (readonly string[])[];
  readonly key: string;
  /** Keys of what it replaces by a new value, and of what no longer holds because of it. */
  readonly supersedes?: string | readonly string[];
  readonly retracts?: string | readonly string[];
}

interface SampleTurn {
  readonly id: string;
  readonly time: string;
  readonly role: 'user' | 'assistant' | 'tool' | 'system';
  readonly name?: string;
  readonly text: string;
}

export interface LabelledSession<T extends Told = Told> {
  readonly session: string;
  readonly started: string;
  readonly project: string | null;
  readonly turns: readonly SampleTurn[];
  readonly items: readonly T[];
}

export interface SampleSession extends LabelledSession<Label> {
  readonly journal: { readonly must: readonly (readonly string[])[] } | null;
}

export type Half = 'odd' | 'even' | 'all';

/** The sessions of a folder in the order in which they took place. */
export function readSample(folder: string): SampleSession[] {
  return fs
    .readdirSync(folder)
    .filter((name) => /^\d.*\.json$/u.test(name))
    .map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as SampleSession)
    .sort((one, other) => Date.parse(one.started) - Date.parse(other.started));
}

export function isInHalf({ session }: SampleSession, half: Half): boolean {
  if (half === 'all') return true;
  const isOdd = Number(/\d+/u.exec(session)?.[0] ?? 0) % 2 === 1;
  return isOdd === (half === 'odd');
}

const TRUST = { user: 'user', assistant: 'agent', tool: 'tool', system: 'agent' } as const;

export function toConversation(
  sample: Pick<SampleSession, 'session' | 'project' | 'turns'>,
  user: string,
  timeZone: string,
  known: readonly EntityMention[],
): HeardConversation {
  return {
    session: sample.session,
    user,
    project: sample.project ?? undefined,
    timeZone,
    known,
    turns: sample.turns.map((turn): HeardTurn => ({
      id: turn.id,
      role: turn.role === 'assistant' ? 'agent' : turn.role,
      name: turn.name,
      text: turn.text,
      timeMs: Date.parse(turn.time),
      trust: TRUST[turn.role],
    })),
  };
}
