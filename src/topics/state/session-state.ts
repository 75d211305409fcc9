import path from 'node:path';
import { z } from 'zod';
import { TRIGGER_TYPES } from '../../model/schemas/topic.ts';
import { MINUTE_MS } from '../../model/time.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { clearOldest, sessionFile } from '../../platform/private-folder.ts';
import type { Correction } from '../port.ts';
import type { Tone } from '../tier1/tone.ts';

const activeSchema = z.object({
  path: z.string(),
  cause: z.enum(['message', 'output', 'manual', 'event']),
  reason: z.string(),
  sinceMs: z.number(),
  /** The turn that last called for it. */
  lastTurn: z.number(),
  score: z.number().nullable(),
  /** The decision in the gate log that brought it in. */
  decision: z.string().nullable(),
  /** The matches of its triggers. */
  matches: z.array(z.object({ trigger: z.enum(TRIGGER_TYPES), found: z.string() })).default([]),
});

const stateSchema = z.object({
  /** Messages of the user seen so far. */
  turn: z.number().default(0),
  active: z.array(activeSchema).default([]),
  /** Until which turn a topic does not come back by itself. */
  resting: z.record(z.string(), z.number()).default({}),
  corrections: z
    .array(z.object({ topic: z.string(), path: z.string(), hint: z.string(), found: z.string() }))
    .default([]),
  tone: z.object({ valence: z.number(), urgency: z.number() }).optional(),
  /** The number of the last turn whose output was looked at. */
  heardTo: z.number().default(0),
});

/** The active topics of a conversation, from turn to turn. */
export type SessionState = z.output<typeof stateSchema>;
export type ActiveEntry = z.output<typeof activeSchema>;

export function newSessionState(): SessionState {
  return stateSchema.parse({});
}

const MAX_SESSIONS = 300;
const SPARE = 30;

/**
 * `journal/topics/sessions/<session>.json`, replaced by rename. It survives a restart; after a power cut the last turn
 * may be missing, which costs a repeated activation. An unreadable file says as much as a missing one.
 */
export class SessionStates {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'topics', 'sessions');
  }

  read(session: string): SessionState {
    const bytes = this.#fs.read(sessionFile(this.#folder, session));
    if (bytes === undefined) return newSessionState();
    try {
      return stateSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? newSessionState();
    } catch (error) {
      if (error instanceof SyntaxError) return newSessionState();
      throw error;
    }
  }

  async write(session: string, state: SessionState): Promise<void> {
    this.#fs.makeDirectory(this.#folder);
    const file = sessionFile(this.#folder, session);
    this.#fs.write(`${file}.new`, Buffer.from(JSON.stringify(state), 'utf8'));
    await this.#fs.rename(`${file}.new`, file);
    clearOldest(this.#fs, this.#folder, MAX_SESSIONS, SPARE);
  }
}

/** The end of an activation; pure functions, so that time and turns are the caller's. */

/**
 * Messages a topic stays active after the one that called for it, the longest time without being called for again, and the
 * messages in which a topic that was switched off by hand does not come back. A thread rarely leaves its subject for longer.
 */
export const STAY = { turns: 2, minutes: 120, restTurns: 5 } as const;

/** A new message of the user: what was called for too long ago is over. What a person switched on stays. */
export function nextTurn(state: SessionState, nowMs: number, tone?: Tone): SessionState {
  const turn = state.turn + 1;
  const isOver = ({ cause, lastTurn, sinceMs }: ActiveEntry): boolean =>
    cause !== 'manual' && (turn - lastTurn > STAY.turns || nowMs - sinceMs > STAY.minutes * MINUTE_MS);
  return {
    ...state,
    turn,
    active: state.active.filter((entry) => !isOver(entry)),
    resting: Object.fromEntries(Object.entries(state.resting).filter(([, until]) => until >= turn)),
    ...(tone === undefined ? {} : { tone }),
  };
}

/** Activates, or keeps active; what a person switched on is not made less by a message. */
export function withActive(state: SessionState, entry: Omit<ActiveEntry, 'lastTurn'>): SessionState {
  const before = state.active.find(({ path }) => path === entry.path);
  const kept = before?.cause === 'manual' ? { ...before, lastTurn: state.turn } : { ...entry, lastTurn: state.turn };
  const resting = { ...state.resting };
  if (entry.cause === 'manual') delete resting[entry.path];
  return { ...state, resting, active: [...state.active.filter(({ path }) => path !== entry.path), kept] };
}

/** Switched off by hand: it rests, so that the next message does not bring it straight back. */
export function withoutActive(state: SessionState, path: string): SessionState {
  return {
    ...state,
    active: state.active.filter((entry) => entry.path !== path),
    resting: { ...state.resting, [path]: state.turn + STAY.restTurns },
  };
}

export function isResting({ resting, turn }: SessionState, path: string): boolean {
  return (resting[path] ?? -1) >= turn;
}

const MAX_CORRECTIONS = 10;

/** Included in the next prompt, each once. */
export function withCorrections(state: SessionState, corrections: readonly Correction[]): SessionState {
  const known = new Set(state.corrections.map(({ topic, hint }) => `${topic}\n${hint}`));
  const fresh = corrections.filter(
    ({ topic, hint }) => !known.has(`${topic}\n${hint}`) && known.add(`${topic}\n${hint}`),
  );
  return { ...state, corrections: [...state.corrections, ...fresh].slice(-MAX_CORRECTIONS) };
}

export function isActive({ active }: SessionState, path: string): boolean {
  return active.some((entry) => entry.path === path);
}
