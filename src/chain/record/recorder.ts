import fs from 'node:fs';
import type { Config } from '../../model/config/schema.ts';
import { errorMessage } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Random } from '../../platform/random.ts';
import type { Acknowledged, Eraser } from '../../workspace/registries.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Chain } from '../chain.ts';
import { chainFile } from '../file.ts';
import { KeyFiles, type SigningKey } from '../key-files.ts';
import { findTip } from '../seal-file.ts';
import type { Entered } from './enter-notes.ts';
import { findNoteworthy } from './noteworthy.ts';
import { ChainQueue, type NotedItem } from './queue.ts';

export interface RecorderOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: Pick<Config, 'chain'>;
  /** A process that is gone in a moment leaves all notes to whoever comes next. */
  readonly leavesNotes?: boolean | undefined;
}

/** A proof holds at most so many entries beside its checkpoint: a few kilobytes. */
const CHECKPOINT_ENTRIES = 100;

/** The time a long-running process collects notes before it signs them. */
const PAUSE_MS = 5000;

/**
 * A process that ends leaves its notes to the next process, because signing and committing takes longer than its own work;
 * it signs them itself once the oldest is this old, or there are this many.
 */
const LEFT_MAX_AGE_MS = 10 * 60_000;
const LEFT_MAX_NOTES = 50;

/**
 * Notes what is to be entered, at the moment it happens, and enters it later. Nothing that is acknowledged waits for it,
 * and nothing fails because of it.
 */
export class ChainRecorder {
  readonly queue: ChainQueue;
  readonly isEnabled: boolean;
  readonly #options: RecorderOptions;
  readonly #problems: string[] = [];
  #chain: Promise<Chain> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: RecorderOptions) {
    const { workspace, clock, random, config } = options;
    this.#options = options;
    this.isEnabled = config.chain.enabled;
    this.queue = new ChainQueue(workspace.paths.journal, clock, random, () => this.#findKey());
  }

  /** The chain itself; loaded when it is first needed, because a hook has no time for it. */
  open(): Promise<Chain> {
    this.#chain ??= this.#load();
    return this.#chain;
  }

  /** The key that signs notes. Made with the first one; where a chain's key is missing, no other one takes its place. */
  #findKey(): SigningKey | undefined {
    const { paths } = this.#options.workspace;
    const keys = new KeyFiles(paths.repositories.chain.workTree);
    const isBegun = fs.existsSync(chainFile({ paths })) || findTip(paths.journal) !== undefined;
    return isBegun ? keys.read() : keys.ensure();
  }

  async #load(): Promise<Chain> {
    const { workspace, clock, random } = this.#options;
    const { Chain } = await import('../chain.ts');
    return new Chain({ workspace, clock, random, checkpointEntries: CHECKPOINT_ENTRIES });
  }

  async #enter(): Promise<Entered> {
    const { enterNotes } = await import('./enter-notes.ts');
    return enterNotes(await this.open(), this.queue, this.#options.workspace);
  }

  /** The write path's listener. Never throws: an acknowledged mutation must reach the other listeners too. */
  listen(acknowledged: readonly Acknowledged[]): void {
    if (!this.isEnabled) return;
    try {
      this.note(acknowledged.flatMap(({ record }) => findNoteworthy(record)));
    } catch (error) {
      this.#problems.push(`Something was not noted for the chain: ${errorMessage(error)}`);
    }
  }

  /** Leaves a note; what fails is told by `settle`. */
  note(items: readonly NotedItem[]): void {
    if (!this.isEnabled || items.length === 0) return;
    try {
      this.queue.add(items);
      this.#schedule();
    } catch (error) {
      this.#problems.push(`Something was not noted for the chain: ${errorMessage(error)}`);
    }
  }

  /** Enters everything that waits. */
  drain(): Promise<Entered> {
    const done = this.#running.then(() => this.#enter());
    this.#running = done.catch(() => undefined);
    return done;
  }

  /** Before the home is closed; returns what went wrong, in words. */
  async settle(): Promise<readonly string[]> {
    clearTimeout(this.#timer);
    await this.#running;
    if (this.isEnabled && this.#options.leavesNotes !== true && this.#isDue()) await this.#drainQuietly();
    return this.#problems.splice(0);
  }

  #isDue(): boolean {
    const waiting = this.queue.names().length;
    const oldestMs = this.queue.oldestMs();
    return (
      waiting >= LEFT_MAX_NOTES || (oldestMs !== undefined && this.#options.clock.now() - oldestMs >= LEFT_MAX_AGE_MS)
    );
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#options.leavesNotes === true) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#drainQuietly();
    }, PAUSE_MS);
    this.#timer.unref();
  }

  async #drainQuietly(): Promise<void> {
    try {
      const { problems } = await this.#enter();
      this.#problems.push(...problems);
    } catch (error) {
      this.#problems.push(`The chain waits: ${errorMessage(error)}`);
    }
  }
}

/**
 * Before any word goes: which entries commit to it, so that their salts can go with it and an entry can say so. In a
 * backup only the salts go, because nothing is signed there.
 */
export function createChainEraser(recorder: ChainRecorder, mode: 'enter' | 'silent'): Eraser {
  return {
    name: 'chain',
    erase: async (erasure) => (await import('../erase-openings.ts')).eraseOpenings(recorder, erasure, mode),
  };
}
