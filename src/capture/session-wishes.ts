import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { FileSystem } from '../platform/fs.ts';
import type { Random } from '../platform/random.ts';
import { StateDatabase } from '../platform/sqlite.ts';
import type { HomePaths } from '../workspace/home-paths.ts';
import { holdLock } from '../workspace/lock.ts';
import { parseJson } from '../model/records.ts';

/** The outcome of a request, without its words: those are in the memory, or nowhere. */
const outcomeSchema = z.object({
  kind: z.enum(['remember', 'forget', 'ignore', 'reflect', 'recall']),
  turn: z.string(),
  /** For `remember`: the item, and where it is kept. */
  id: z.string().optional(),
  path: z.string().optional(),
  /** For `forget`: the code that confirms it, and how many memories it is about. */
  code: z.string().optional(),
  count: z.number().int().optional(),
  hasFailed: z.boolean().optional(),
});
export type WishOutcome = z.infer<typeof outcomeSchema>;

/** A wish that could not be fulfilled yet, and is tried again. */
const waitingSchema = z.object({
  turn: z.string(),
  /** The number of the request in the turn. */
  wish: z.number().int().min(0),
});

const stateSchema = z.object({
  /** The number of the last turn whose wishes were fulfilled. */
  upTo: z.number().int().min(0),
  /** Outcomes that the agent has not seen yet. */
  untold: z.array(outcomeSchema),
  /** Wishes up to there that failed for a reason that may pass. */
  waiting: z.array(waitingSchema).default([]),
});
type WishState = z.infer<typeof stateSchema>;

const NONE: WishState = { upTo: 0, untold: [], waiting: [] };

export interface WishesHome {
  readonly fs: FileSystem;
  readonly paths: Pick<HomePaths, 'journal' | 'state'>;
  readonly clock: Clock;
  readonly random: Random;
}

export interface FulfilledTurn {
  readonly turn: string;
  readonly number: number;
  readonly outcomes: readonly WishOutcome[];
  /** Places of the turn's wishes that have to be tried again. */
  readonly failed: readonly number[];
}

/**
 * `journal/wishes/<session>.json`: how far what a user asks of the memory in passing was acted on, in conversations that
 * are captured from another program's log, and what the agent has to be told of it.
 */
export class SessionWishes {
  readonly #home: WishesHome;
  readonly #folder: string;

  constructor(home: WishesHome) {
    this.#home = home;
    this.#folder = path.join(home.paths.journal, 'wishes');
  }

  /** Undefined for a conversation whose wishes are fulfilled as they are said, or that was imported. */
  find(session: string): WishState | undefined {
    const text = this.#home.fs.read(this.#fileOf(session))?.toString('utf8');
    if (text === undefined) return undefined;
    // A file that a crash damaged counts as empty. Its requests are then done again, which changes nothing.
    return stateSchema.safeParse(parseJson(text)).data ?? NONE;
  }

  /** Sessions with a wish that has to be tried again. */
  listWaiting(): readonly string[] {
    return this.#home.fs
      .listFiles(this.#folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => name.slice(0, -'.json'.length))
      .filter((session) => (this.find(session)?.waiting.length ?? 0) > 0)
      .sort();
  }

  /** Before the first wish is tried: whoever runs out of time has then left word that there may be one. */
  async begin(session: string): Promise<void> {
    if (this.#home.fs.exists(this.#fileOf(session))) return;
    await this.#change(session, (state) => state);
  }

  /** No wish stands in the turns up to here. */
  async pass(session: string, upTo: number): Promise<void> {
    await this.#change(session, (state) => ({ ...state, upTo: Math.max(upTo, state.upTo) }));
  }

  /** A turn's wishes were tried. Never goes back; of two that fulfilled the same, the second has nothing to tell. */
  async fulfil(session: string, { turn, number, outcomes, failed }: FulfilledTurn): Promise<void> {
    await this.#change(session, (state) => {
      const others = state.waiting.filter((wish) => wish.turn !== turn);
      const isNews = number > state.upTo || others.length < state.waiting.length;
      if (!isNews) return state;
      return {
        upTo: Math.max(number, state.upTo),
        untold: [...state.untold, ...outcomes],
        waiting: [...others, ...failed.map((wish) => ({ turn, wish }))],
      };
    });
  }

  /** The agent was told so many of what it was not told before, the oldest first. */
  async noteTold(session: string, count: number): Promise<void> {
    if (count > 0) await this.#change(session, (state) => ({ ...state, untold: state.untold.slice(count) }));
  }

  #fileOf(session: string): string {
    return path.join(this.#folder, `${session}.json`);
  }

  async #change(session: string, change: (state: WishState) => WishState): Promise<void> {
    const { fs, paths, random } = this.#home;
    const lock = new StateDatabase(path.join(paths.state, 'wishes.db'), 'CREATE TABLE IF NOT EXISTS wish (id INTEGER)');
    try {
      await holdLock(lock.connection, 'wishes', this.#home, async () => {
        const state = change(this.find(session) ?? NONE);
        fs.makeDirectory(this.#folder);
        const temporary = `${this.#fileOf(session)}.${Buffer.from(random.bytes(6)).toString('hex')}.new`;
        fs.write(temporary, Buffer.from(JSON.stringify(state), 'utf8'));
        await fs.rename(temporary, this.#fileOf(session));
      });
    } finally {
      lock.close();
    }
  }
}
