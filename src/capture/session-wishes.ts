import path from 'node:path';
import { z } from 'zod';
import type { FileSystem } from '../platform/fs.ts';

/** What came of a wish, without its words: those stand in the memory, or nowhere. */
const outcomeSchema = z.object({
  kind: z.enum(['remember', 'forget', 'reflect', 'recall']),
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

const stateSchema = z.object({
  /** The number of the last turn whose wishes were fulfilled. */
  upTo: z.number().int().min(0),
  /** What the agent was not told yet. */
  untold: z.array(outcomeSchema),
});
type WishState = z.infer<typeof stateSchema>;

const NONE: WishState = { upTo: 0, untold: [] };

/**
 * `journal/wishes/<session>.json`: how far what a user asks of the memory in passing was acted on, in conversations that
 * are captured from another program's log, and what the agent has to be told of it.
 */
export class SessionWishes {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'wishes');
  }

  /** Undefined for a conversation whose wishes are fulfilled as they are said, or that was imported. */
  find(session: string): WishState | undefined {
    const text = this.#fs.read(this.#fileOf(session))?.toString('utf8');
    if (text === undefined) return undefined;
    // A file that a crash tore says nothing; what is done again for that reason changes nothing.
    return stateSchema.safeParse(parseJson(text)).data ?? NONE;
  }

  /** Never goes back. */
  async advance(session: string, upTo: number, outcomes: readonly WishOutcome[]): Promise<void> {
    const before = this.find(session) ?? NONE;
    await this.#write(session, { upTo: Math.max(upTo, before.upTo), untold: [...before.untold, ...outcomes] });
  }

  /** What the agent was not told yet; afterwards it was. */
  async takeUntold(session: string): Promise<readonly WishOutcome[]> {
    const state = this.find(session);
    if (state === undefined || state.untold.length === 0) return [];
    await this.#write(session, { ...state, untold: [] });
    return state.untold;
  }

  #fileOf(session: string): string {
    return path.join(this.#folder, `${session}.json`);
  }

  async #write(session: string, state: WishState): Promise<void> {
    this.#fs.makeDirectory(this.#folder);
    const temporary = `${this.#fileOf(session)}.new`;
    this.#fs.write(temporary, Buffer.from(JSON.stringify(state), 'utf8'));
    await this.#fs.rename(temporary, this.#fileOf(session));
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
