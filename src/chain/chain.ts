import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import { sleep, type Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { ProcessLock } from '../platform/process-lock.ts';
import type { Random } from '../platform/random.ts';
import { appendChainLines } from '../workspace/chain-log.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { Openings } from './content/openings.ts';
import { mendTail, readChain, readTip } from './file.ts';
import { KeyFiles } from './key-files.ts';
import { findSeal, findTip, writeTip } from './seal-file.ts';
import { ChainWriter } from './writer.ts';

export interface ChainOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly random: Random;
  /** After so many entries a checkpoint sums them up. */
  readonly checkpointEntries: number;
}

/** Verifying a hundred thousand entries under the lock takes a few seconds; past this somebody is stuck. */
const LOCK_TIMEOUT_MS = 30_000;

/** The provable history of a home: who may add to it, and with what. */
export class Chain {
  readonly keys: KeyFiles;
  readonly openings: Openings;
  readonly #options: ChainOptions;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: ChainOptions) {
    const folder = options.workspace.paths.repositories.chain.workTree;
    this.#options = options;
    this.keys = new KeyFiles(folder);
    this.openings = new Openings(nodeFileSystem, folder);
  }

  get folder(): string {
    return this.#options.workspace.paths.repositories.chain.workTree;
  }

  get rawFolder(): string {
    return this.#options.workspace.paths.repositories.raw.workTree;
  }

  read(): Buffer {
    return readChain(this.#options.workspace);
  }

  /** Whether anything is entered. */
  get exists(): boolean {
    return this.read().length > 0;
  }

  /** Whether there should be a chain, also when its folder was taken away. */
  get isExpected(): boolean {
    const { journal } = this.#options.workspace.paths;
    return this.exists || findTip(journal) !== undefined || findSeal(journal) !== undefined;
  }

  /** A new chain in the place of one that was taken away would look as if nothing had been entered before. */
  #refuseSecondChain(): void {
    const { journal } = this.#options.workspace.paths;
    const before = findTip(journal) ?? findSeal(journal);
    if (before === undefined) return;
    throw new MnemeError(
      'integrity',
      `The chain is missing: the journal names ${before.entries} entries of chain ${before.chain}.`,
      {
        hint:
          `Bring back ${this.folder} from a backup. To begin another chain, take ` +
          `${path.join(journal, 'chain')}${path.sep}tip.json and verified.json away.`,
      },
    );
  }

  /** Runs something that adds to the chain; one process at a time, in whatever order they come. */
  exclusively<T>(body: (writer: ChainWriter) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#holdLock(body));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  async #holdLock<T>(body: (writer: ChainWriter) => Promise<T>): Promise<T> {
    const { workspace, clock } = this.#options;
    const file = path.join(workspace.paths.state, 'chain.lock');
    const startedMs = clock.now();
    let lock = ProcessLock.tryTake(file);
    while (lock === undefined) {
      if (clock.now() - startedMs > LOCK_TIMEOUT_MS) {
        const holder = ProcessLock.findHolder(file);
        throw new MnemeError(
          'locked',
          `${holder === undefined ? 'Another process' : `Process ${holder}`} is at the chain.`,
          {
            hint: 'See whether it is stopped or stuck and end it; nothing is lost by that.',
          },
        );
      }
      await sleep(10);
      lock = ProcessLock.tryTake(file);
    }
    try {
      const notes = await mendTail(workspace);
      const { random, checkpointEntries } = this.#options;
      const { keys, openings } = this;
      const tip = readTip(this.read());
      if (tip.next === 0) this.#refuseSecondChain();
      const appendLines = (lines: readonly string[], at: number): Promise<unknown> =>
        appendChainLines((request) => workspace.commit(request), lines, at);
      const parts = { clock, random, checkpointEntries, keys, openings, notes, appendLines };
      const result = await body(new ChainWriter(parts, tip));
      const after = readTip(this.read());
      if (after.next > tip.next) writeTip(workspace.paths.journal, after);
      return result;
    } finally {
      lock.release();
    }
  }
}
