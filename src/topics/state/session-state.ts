import path from 'node:path';
import { z } from 'zod';
import { TRIGGER_TYPES } from '../../model/schemas/topic.ts';
import type { FileSystem } from '../../platform/fs.ts';
import { clearOldest, sessionFile } from '../../platform/session-files.ts';

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
