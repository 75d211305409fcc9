import { hash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { errorMessage } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { type Sensitivity, compileGlob, sensitivityOf } from '../workspace/formats/layout.ts';
import { blobId } from '../workspace/known-files.ts';
import type { JournalRecord } from '../workspace/journal/record.ts';
import { isWorkspace, type Acknowledged } from '../workspace/registries.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { isPerson, parseAck, type Acknowledgement } from './acknowledgement.ts';

const CONFIG_FILE = 'mneme.yaml';

/** Critical wherever they stand; settings may name more. */
const ALWAYS_WATCHED = ['SOUL.md', 'IDENTITY.md', CONFIG_FILE];

const goodStateSchema = z.strictObject({
  /** null while the file does not exist. */
  sha256: z.string().nullable(),
  /** The same content as git names it: it shows that the next change on the write path started from this content. */
  blob: z.string().nullable(),
  timeMs: z.number(),
  /** Kept where git keeps no earlier version to compare with. */
  text: z.string().optional(),
});
const stateSchema = z.strictObject({ version: z.literal(1), files: z.record(z.string(), goodStateSchema) });

type GoodState = z.infer<typeof goodStateSchema>;
type States = Record<string, GoodState>;

interface Present {
  readonly sha256: string;
  readonly blob: string;
  readonly text: string;
}

/** A critical file that is not what it was when somebody last answered for it. */
export interface Mismatch {
  readonly path: string;
  readonly kind: 'changed' | 'appeared' | 'missing';
  /** Names the present state, for an answer. */
  readonly reference: string;
  /** When the last good state was taken. */
  readonly goodSinceMs: number;
  /** The last good text, where it is kept; in git it is `goodBlob`. */
  readonly before: string | undefined;
  readonly goodBlob: string | null;
  readonly after: string | undefined;
}

export interface ChecksumReport {
  readonly mismatches: readonly Mismatch[];
  /** Why there was nothing to compare with, in words; the present state now counts as good. */
  readonly notice: string | undefined;
}

export interface CriticalChecksumsOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly isCritical: CriticalTest;
  /** Names among the settings' critical files; globs are followed once the write path has seen a file. */
  readonly criticalFiles: readonly string[];
  /** Called when a state could not be stored; the change itself is safe, and a later comparison asks about it. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/**
 * Checksums of the critical files, kept outside the workspace and its git: a change made between sessions shows even if
 * history was rewritten to fit (S4 §12.5). Changes on the write path move the good state along; others wait for a person.
 */
export class CriticalChecksums {
  readonly #options: CriticalChecksumsOptions;
  readonly #file: string;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(options: CriticalChecksumsOptions) {
    this.#options = options;
    this.#file = path.join(options.workspace.paths.journal, 'critical.json');
  }

  /** The present checksums of the critical files; undefined for one that does not exist. */
  criticalChecksums(): Map<string, string | undefined> {
    const { states } = this.#readStates();
    return new Map(this.#watchedPaths(states).map((file) => [file, this.#present(file)?.sha256 ?? undefined]));
  }

  /** Finds changes since the last good state. A file seen for the first time counts as good. */
  compare(answers: ReadonlyMap<string, Acknowledgement>): Promise<ChecksumReport> {
    return this.#inTurn((states, notice) => {
      const mismatches: Mismatch[] = [];
      for (const file of this.#watchedPaths(states)) {
        const good = states[file];
        const present = this.#present(file);
        const mismatch = good === undefined ? undefined : findMismatch(file, good, present);
        const isMine = mismatch !== undefined && answers.get(mismatch.reference)?.answer === 'mine';
        if (good === undefined || isMine) states[file] = this.#goodState(file, present);
        else if (mismatch !== undefined) mismatches.push(mismatch);
      }
      return { mismatches, notice };
    });
  }

  /** Takes the present state as good: after a person changed the settings, or a pull brought a version. */
  accept(paths: readonly string[]): Promise<void> {
    return this.#inTurn((states) => {
      for (const file of paths) states[file] = this.#goodState(file, this.#present(file));
    });
  }

  /** The write path's listener. A change that did not start from the good state leaves the difference standing. */
  async record(acknowledged: readonly Acknowledged[]): Promise<void> {
    const records = acknowledged.map(({ record }) => record).filter((record) => this.#concerns(record));
    if (records.length === 0) return;
    try {
      await this.#inTurn((states) => {
        for (const record of records) this.#follow(record, states);
      });
    } catch (error) {
      this.#options.onProblem?.(`The checksums of critical files could not be kept: ${errorMessage(error)}`);
    }
  }

  #follow(record: JournalRecord, states: States): void {
    for (const [index, { path: file, before, after }] of record.files.entries()) {
      const good = states[file];
      // An adopted folder may hold a mneme.yaml of its own; the one watched is the home's.
      const isWatched = this.#options.isCritical(file) && file !== CONFIG_FILE;
      if (!isWatched || (good !== undefined && good.blob !== before)) continue;
      states[file] = { sha256: checksum(record.contents[index]), blob: after, timeMs: record.timeMs };
    }
    if (record.action === 'ALERT') this.#acceptAnswered(record.trigger, states);
  }

  #concerns(record: JournalRecord): boolean {
    if (!isWorkspace(record) || record.actor === 'external') return false;
    if (record.action === 'ALERT') return isPerson(record.actor);
    return record.files.some((file) => this.#options.isCritical(file.path));
  }

  #acceptAnswered(trigger: string | undefined, states: States): void {
    const ack = parseAck(trigger);
    if (ack?.answer !== 'mine') return;
    for (const file of this.#watchedPaths(states)) {
      const present = this.#present(file);
      if (ack.references.includes(stateReference(file, present?.sha256))) states[file] = this.#goodState(file, present);
    }
  }

  #watchedPaths(states: States): string[] {
    const named = this.#options.criticalFiles.filter((file) => !/[*?[{]/.test(file));
    return [...new Set([...ALWAYS_WATCHED, ...named, ...Object.keys(states)])].sort();
  }

  #present(file: string): Present | undefined {
    const { paths, root } = this.#options.workspace;
    const bytes = nodeFileSystem.read(file === CONFIG_FILE ? paths.configFile : path.join(root, file));
    if (bytes === undefined) return undefined;
    return { sha256: hash('sha256', bytes), blob: blobId(bytes), text: bytes.toString('utf8') };
  }

  #goodState(file: string, present: Present | undefined): GoodState {
    const timeMs = this.#options.clock.now();
    if (present === undefined) return { sha256: null, blob: null, timeMs };
    const { sha256, blob, text } = present;
    return file === CONFIG_FILE ? { sha256, blob, timeMs, text } : { sha256, blob, timeMs };
  }

  #readStates(): { readonly states: States; readonly notice: string | undefined } {
    const bytes = nodeFileSystem.read(this.#file);
    if (bytes === undefined) return { states: {}, notice: 'No state of the critical files had been recorded yet.' };
    try {
      return { states: stateSchema.parse(JSON.parse(bytes.toString('utf8'))).files, notice: undefined };
    } catch (error) {
      return { states: {}, notice: `${this.#file} cannot be read: ${errorMessage(error)}` };
    }
  }

  /** Reads the states, lets `body` change them and writes what changed, one caller after the other. */
  #inTurn<T>(body: (states: States, notice: string | undefined) => T): Promise<T> {
    const turn = this.#lastTurn.then(async () => {
      const { states, notice } = this.#readStates();
      const before = serializeStates(states);
      const result = body(states, notice);
      const after = serializeStates(states);
      if (after !== before || notice !== undefined) await this.#writeStates(after);
      return result;
    });
    // A failure belongs to its own caller; the next one starts afresh.
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** Replaced in one step, so that a reader sees the old state or the new one. */
  async #writeStates(text: string): Promise<void> {
    nodeFileSystem.makeDirectory(path.dirname(this.#file));
    const temporary = `${this.#file}.${process.pid}.tmp`;
    nodeFileSystem.write(temporary, Buffer.from(text, 'utf8'));
    const file = nodeFileSystem.open(temporary);
    await file.sync().finally(() => file.close());
    await nodeFileSystem.rename(temporary, this.#file);
  }
}

function serializeStates(files: States): string {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version: 1, files: sorted }, undefined, 2)}\n`;
}

function findMismatch(file: string, good: GoodState, present: Present | undefined): Mismatch | undefined {
  if (good.sha256 === (present?.sha256 ?? null)) return undefined;
  const kind = present === undefined ? 'missing' : good.sha256 === null ? 'appeared' : 'changed';
  return {
    path: file,
    kind,
    reference: stateReference(file, present?.sha256),
    goodSinceMs: good.timeMs,
    before: good.text,
    goodBlob: good.blob,
    after: present?.text,
  };
}

/** One state of one file, as an acknowledgement names it. */
function stateReference(file: string, sha256: string | undefined): string {
  return `sum:${hash('sha256', `${file}\0${sha256 ?? ''}`).slice(0, 16)}`;
}

function checksum(bytes: Uint8Array | undefined): string | null {
  return bytes === undefined ? null : hash('sha256', bytes);
}

/** One row of S4 §12.1: what is tracked, who usually changes it, and how much a change deserves attention. */
interface ScopeRow {
  readonly files: string;
  readonly frequency: 'rare' | 'occasional' | 'frequent';
  readonly typicalActor: string;
  readonly sensitivity: Sensitivity;
  readonly holds: string;
}

export const AUDIT_SCOPE: readonly ScopeRow[] = [
  row('SOUL.md', 'rare', 'a person only', 'critical', 'behavioural constitution'),
  row('IDENTITY.md', 'rare', 'a person, first run', 'critical', 'who the agent is'),
  row('USER.md', 'occasional', 'approved reflection', 'high', 'who the user is'),
  row('TOOLS.md', 'occasional', 'a person, the system', 'high', 'what the agent can do'),
  row('AGENTS.md', 'occasional', 'a person', 'high', 'how agents work here'),
  row('MEMORY.md', 'frequent', 'bot, reflection, triggers', 'standard', 'core memory'),
  row('memory/episodes/*', 'frequent', 'bot (append-only)', 'standard', 'what happened'),
  row('memory/graph/*', 'frequent', 'bot, reflection', 'standard', 'knowledge graph'),
  row('memory/procedures/*', 'occasional', 'bot, reflection', 'standard', 'learned workflows'),
  row('memory/vault/*', 'rare', 'a person only (pins)', 'high', 'protected memories'),
  row('memory/meta/*', 'frequent', 'system, reflection', 'standard', 'system records'),
  row('mneme.yaml', 'rare', 'a person only', 'critical', 'configuration'),
];

function row(
  files: string,
  frequency: ScopeRow['frequency'],
  typicalActor: string,
  sensitivity: Sensitivity,
  holds: string,
): ScopeRow {
  return { files, frequency, typicalActor, sensitivity, holds };
}

export type CriticalTest = (path: string) => boolean;

/** Settings can make more files critical, never fewer: an agent that may edit the settings could else mute itself. */
export function createCriticalTest(criticalFiles: readonly string[]): CriticalTest {
  const matchers = criticalFiles.map(compileGlob);
  return (path) => sensitivityOf(path) === 'critical' || matchers.some((matcher) => matcher.test(path));
}
