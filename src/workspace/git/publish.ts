import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { sleep } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Conversation } from '../../platform/process.ts';
import type { Step } from '../door/context.ts';
import { stampText } from '../known-files.ts';
import { isRecordedPath } from '../safety/paths.ts';
import { type Git, gitError } from './git.ts';
import { serializeIndexEdits, type IndexEdit } from './objects.ts';

/** First words of our index.lock: a lock that starts with them and has no live drain behind it may be removed. */
const LOCK_MARK = 'mneme ';

/** git itself never waits for index.lock; a person's command holds it for milliseconds. */
const FOREIGN_LOCK_WAIT_MS = 5000;
const LOCK_PAUSE_MS = 10;

/** A lock that stays this long while our drain is known to be dead was left by it. */
const STALE_LOCK_WAIT_MS = 250;

export interface Publication {
  readonly branch: string;
  readonly oldTip: string | undefined;
  readonly newTip: string;
  readonly edits: readonly IndexEdit[];
  /** Further references to set in the same transaction. */
  readonly references: Readonly<Record<string, string | undefined>>;
  /** A last look, with the index locked, at whether the branch may be moved. */
  readonly isStillWelcome?: (() => boolean) | undefined;
  /** The caller has index.lock already. */
  readonly holdsIndexLock?: boolean | undefined;
  readonly onStep?: ((step: Step) => void) | undefined;
}

/**
 * Makes prepared commits the branch's tip and brings the index in step, holding index.lock for a few milliseconds
 * only. Returns false when branch or index moved meanwhile: then nothing happened and the caller starts again.
 *
 * The index goes first. If we die in between, index and work tree are ahead of the branch, which redoing repairs; a
 * branch ahead of its index would make a person's next commit silently revert ours.
 */
export async function publish(git: Git, publication: Publication): Promise<boolean> {
  return publishComing(git, publication.edits, Promise.resolve(publication));
}

/** The same for commits that are just being made: what does not depend on them is prepared meanwhile. */
export async function publishComing(
  git: Git,
  edits: readonly IndexEdit[],
  coming: Promise<Publication>,
): Promise<boolean> {
  const { gitDir } = git.location;
  const index = path.join(gitDir, 'index');
  const own = path.join(gitDir, `mneme-index-${process.pid}`);
  const before = stampOf(index);
  const env = { GIT_INDEX_FILE: own };
  const references = new ReferenceTransaction(git);
  try {
    if (before !== undefined) fs.copyFileSync(index, own);
    const copying =
      before !== undefined &&
      git.bytes(['update-index', '-z', '--index-info'], { env, input: serializeIndexEdits(edits) });
    // Whichever fails, the other has ended before its files are removed.
    await Promise.allSettled([coming, copying]);
    const publication = await coming;
    await copying;
    if (before === undefined) await git.text(['read-tree', publication.newTip], { env });
    publication.onStep?.('index-copied');
    return await swap(git, publication, { own, before, references });
  } finally {
    references.end();
    fs.rmSync(own, { force: true });
    fs.rmSync(`${own}.lock`, { force: true });
  }
}

/** The file or folder that stands ready to be put into place. */
interface Prepared {
  readonly own: string;
  readonly before: string | undefined;
  /** Started already; another one is, when these references turn out to be in use. */
  readonly references: ReferenceTransaction;
}

/**
 * Locks the references first, because that syncs, and index.lock last and without waiting: it is the lock that makes a
 * person's command fail. Whoever holds it goes first, and has the references to themselves: their commit needs them.
 */
async function swap(git: Git, publication: Publication, { own, before, references }: Prepared): Promise<boolean> {
  const lock = path.join(git.location.gitDir, 'index.lock');
  const index = path.join(git.location.gitDir, 'index');
  const isOurs = publication.holdsIndexLock === true;
  let transaction = references;
  for (let waitedMs = 0; ; waitedMs += LOCK_PAUSE_MS) {
    if (!isOurs && fs.existsSync(lock)) {
      if (waitedMs > FOREIGN_LOCK_WAIT_MS) throw lockedError(lock);
      await sleep(LOCK_PAUSE_MS);
      continue;
    }
    if (stampOf(index) !== before) return false;
    try {
      if (!(await transaction.prepare(referenceCommands(publication)))) return false;
      if (isOurs || tryTakeLock(lock)) return await exchange(git, publication, own, before, transaction);
    } finally {
      transaction.end();
      if (!isOurs) releaseOwnLock(lock);
    }
    transaction = new ReferenceTransaction(git);
  }
}

async function exchange(
  git: Git,
  publication: Publication,
  own: string,
  before: string | undefined,
  transaction: ReferenceTransaction,
): Promise<boolean> {
  const index = path.join(git.location.gitDir, 'index');
  publication.onStep?.('index-locked');
  if (stampOf(index) !== before || publication.isStillWelcome?.() === false) return false;
  // An index without its commit would stage our edits in a person's name, so nothing may refuse after this.
  fs.renameSync(own, index);
  publication.onStep?.('index-renamed');
  await transaction.commit();
  publication.onStep?.('reference-updated');
  return true;
}

function referenceCommands({ branch, oldTip, newTip, references }: Publication): string[] {
  const commands = [oldTip === undefined ? `create ${branch} ${newTip}` : `update ${branch} ${newTip} ${oldTip}`];
  for (const [name, value] of Object.entries(references)) {
    commands.push(value === undefined ? `delete ${name}` : `update ${name} ${value}`);
  }
  return commands;
}

function stampOf(file: string): string | undefined {
  const stamp = nodeFileSystem.stamp(file);
  return stamp === undefined ? undefined : stampText(stamp);
}

/** Holds index.lock while the body runs, waiting for whoever has it. */
export async function underIndexLock<T>({ location }: Git, body: () => Promise<T>): Promise<T> {
  const lock = path.join(location.gitDir, 'index.lock');
  for (let waitedMs = 0; !tryTakeLock(lock); waitedMs += LOCK_PAUSE_MS) {
    if (waitedMs > FOREIGN_LOCK_WAIT_MS) throw lockedError(lock);
    await sleep(LOCK_PAUSE_MS);
  }
  try {
    return await body();
  } finally {
    releaseOwnLock(lock);
  }
}

/** Links a file that has the mark already: killed in between, we would leave a lock that nobody knows to be ours. */
function tryTakeLock(lock: string): boolean {
  const marked = `${path.dirname(lock)}/mneme-index-${process.pid}.mark`;
  fs.writeFileSync(marked, ownMark());
  try {
    return tryLink(marked, lock);
  } finally {
    fs.rmSync(marked, { force: true });
  }
}

function releaseOwnLock(lock: string): void {
  if (nodeFileSystem.read(lock)?.toString('latin1') === ownMark()) fs.rmSync(lock, { force: true });
}

function ownMark(): string {
  return `${LOCK_MARK}${process.pid}\n`;
}

function lockedError(lock: string): MnemeError {
  return new MnemeError('locked', `Another git process holds ${lock}.`, {
    hint: 'If no git command is running there, remove that file; Mneme retries by itself.',
  });
}

function tryLink(from: string, to: string): boolean {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    return tryCreate(from, to);
  }
}

/** For file systems without hard links. */
function tryCreate(from: string, to: string): boolean {
  try {
    fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Removes what an earlier drain of ours left when it was killed. Only called by the holder of the drain lock. */
export async function removeStaleLocks(git: Git, branch: string, wasInterrupted: boolean): Promise<void> {
  const { gitDir } = git.location;
  const lock = path.join(gitDir, 'index.lock');
  if (nodeFileSystem.read(lock)?.toString('latin1').startsWith(LOCK_MARK) === true) fs.rmSync(lock, { force: true });
  for (const name of fs.readdirSync(gitDir)) {
    const isOurs = name.startsWith('mneme-index-') || (wasInterrupted && name.startsWith('fast_import_crash_'));
    if (isOurs) fs.rmSync(path.join(gitDir, name), { force: true });
  }
  if (!wasInterrupted) return;
  // Locks of references carry no mark. Ours are from a process that is dead; a living one's are gone in a moment.
  const suspects = [
    ...(isRecordedPath(branch) ? [branch] : []),
    'HEAD',
    'packed-refs',
    'refs/mneme/drained',
    'refs/mneme/import',
  ];
  // A power cut can take the mark from our index.lock.
  if (nodeFileSystem.stamp(lock)?.size === 0) suspects.push('index');
  const found = suspects.map((name) => path.join(gitDir, `${name}.lock`)).filter((file) => fs.existsSync(file));
  if (found.length === 0) return;
  const stamps = found.map(stampOf);
  await sleep(STALE_LOCK_WAIT_MS);
  for (const [position, file] of found.entries()) {
    if (stampOf(file) === stamps[position]) fs.rmSync(file, { force: true });
  }
}

const ARGUMENTS = ['update-ref', '-m', 'mneme', '--stdin'];

/** Messages of git when another process moved, or is just moving, one of the references. */
const MOVED = /cannot lock ref|reference already exists|but expected/;

/**
 * References changed all at once or not at all, by `git update-ref --stdin`. The process is started and told what to
 * do beforehand, so that the moment in which locks are held is short.
 */
class ReferenceTransaction {
  readonly #git: Conversation;
  #received = '';

  constructor(git: Git) {
    this.#git = git.converse(ARGUMENTS);
  }

  /** Locks the references. False when one of them is not what it was expected to be, or somebody else moves it. */
  async prepare(commands: readonly string[]): Promise<boolean> {
    await this.#send('start');
    await this.#expect('start: ok');
    await this.#send(...commands, 'prepare');
    try {
      await this.#expect('prepare: ok');
      return true;
    } catch (error) {
      if (error instanceof MnemeError && MOVED.test(error.message)) return false;
      throw error;
    }
  }

  /** Moves the references that were prepared. */
  async commit(): Promise<void> {
    await this.#send('commit');
    await this.#expect('commit: ok');
  }

  /** Ends the process; without a commit before, nothing has changed. */
  end(): void {
    this.#git.end();
  }

  async #send(...lines: readonly string[]): Promise<void> {
    await this.#git.say(`${lines.join('\n')}\n`);
  }

  async #expect(answer: string): Promise<void> {
    while (!this.#received.includes(`${answer}\n`)) {
      const heard = await this.#git.listen();
      if (heard === undefined) {
        const result = await this.#git.finished;
        if (result.code !== 0) throw gitError(ARGUMENTS, result);
        throw new MnemeError('failure', `git update-ref ended without "${answer}".`);
      }
      this.#received += heard;
    }
  }
}
