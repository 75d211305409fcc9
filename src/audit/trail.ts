import path from 'node:path';
import type { Config } from '../model/config/schema.ts';
import { errorMessage, MnemeError } from '../model/errors.ts';
import type { Action } from '../model/mutation.ts';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { compileGlob } from '../workspace/formats/layout.ts';
import {
  isWorkspace,
  type Acknowledged,
  type Eraser,
  type EraseReport,
  type Erasure,
} from '../workspace/registries.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readAcknowledgements, type Acknowledgement } from './acknowledgement.ts';
import {
  type HistoryLine,
  findCommitsAnywhere,
  findSupersededLines,
  isCommitReference,
  linesOfRecord,
  readHistoryLines,
  readLinesAnywhere,
} from './history-lines.ts';
import { type AuditLine, parseLine, serializeLine } from './line.ts';
import { LogFile } from './log-file.ts';
import {
  AUDIT_ARCHIVE,
  type RetentionPlan,
  firstKeptMonth,
  monthStartMs,
  planRetention,
  retainedLines,
} from './retention.ts';
import { createCriticalTest, type CriticalTest } from './checksums.ts';

const AUDIT_LOG = 'memory/meta/audit.log';

export interface AuditTrailOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly config: Pick<Config, 'audit'>;
  /** `memory/meta/audit.log` in the workspace unless given. */
  readonly file?: string | undefined;
  /** Called when lines could not be written; the mutation itself is safe, and `sync` adds them later. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/**
 * The queryable summary of what git holds in full (S4 §12.2): a projection, not itself in git. It follows the write path as a
 * listener; `sync` adds what came from elsewhere (a crash, a pull, a person's own commits), `rebuild` starts anew.
 */
export class AuditTrail implements Eraser {
  readonly name = 'audit log';
  readonly isCritical: CriticalTest;
  readonly #options: AuditTrailOptions;
  readonly #file: LogFile;

  constructor(options: AuditTrailOptions) {
    this.#options = options;
    this.isCritical = createCriticalTest(options.config.audit.critical_files);
    this.#file =
      options.file === undefined
        ? new LogFile(this.#inWorkspace(AUDIT_LOG), options.workspace.root)
        : new LogFile(options.file);
  }

  /** The write path's listener. Never throws: an acknowledged mutation must reach the other listeners too. */
  record(acknowledged: readonly Acknowledged[]): void {
    const records = acknowledged.map(({ record }) => record).filter(isWorkspace);
    try {
      this.#file.append(records.flatMap((record) => linesOfRecord(record, this.isCritical)).map(serializeLine));
    } catch (error) {
      this.#options.onProblem?.(`The audit log lacks ${records.length} mutations: ${errorMessage(error)}`);
    }
  }

  /** Oldest first. What is no line is left out here and reported by `verify`. */
  lines(): AuditLine[] {
    return this.#file.read().flatMap((text) => parseLine(text) ?? []);
  }

  /** Newest first. */
  query(query: AuditQuery = {}): AuditLine[] {
    const matches = createLineTest(query);
    const limit = query.limit ?? Number.MAX_SAFE_INTEGER;
    const found: AuditLine[] = [];
    for (const text of this.#file.read().reverse()) {
      if (found.length >= limit) break;
      const line = parseLine(text);
      if (line !== undefined && matches(line)) found.push(line);
    }
    return found;
  }

  /** Every answer a person gave, by the reference it is about. */
  acknowledgements(): ReadonlyMap<string, Acknowledgement> {
    return readAcknowledgements(this.lines());
  }

  /**
   * Writes the log anew from git's trailers. Returns how many lines it has. Refuses, unless forced, where git knows so
   * little of the log that the log may be all that is left of the history.
   */
  async rebuild({ isForced = false }: { readonly isForced?: boolean } = {}): Promise<number> {
    const old = new Set(this.#file.read());
    const history = await this.#readWholeHistory();
    if (!isForced) await this.#refuseLoss(history);
    const lines = this.#retained(history).map(serializeLine);
    // Lines added by others since git was read are only in the log.
    await this.#file.rewrite((texts) => [...new Set([...lines, ...texts.filter((text) => !old.has(text))])]);
    return lines.length;
  }

  /**
   * Where the log and git disagree. Neither what left the branch but not the repository (a dropped exploration, an
   * amended commit) nor a person's own commit that `sync` has yet to take up is a disagreement.
   */
  async verify(): Promise<TrailFinding[]> {
    const old = new Set(this.lines().map(serializeLine));
    const history = await this.#readWholeHistory();
    const expected = new Set<AuditLine | undefined>(this.#retained(history));
    const findings = compareTrails(this.lines(), history).filter(({ kind, line, text }) => {
      if (kind === 'missing') return expected.has(line) && !isCommitReference(line?.reference);
      // A line younger than the look at git proves nothing.
      return kind !== 'foreign' || old.has(text);
    });
    const doubtful = findings.filter(({ kind }) => kind === 'foreign' || kind === 'altered');
    const references = new Set(doubtful.map(({ line }) => line?.reference));
    const elsewhere = await readLinesAnywhere(this.#options.workspace.git.workspace, this.isCritical, references);
    const unreadable = this.#file.read().filter((text) => parseLine(text) === undefined);
    return [...withoutToldElsewhere(findings, history, elsewhere), ...unreadable.map(unreadableLine)];
  }

  /**
   * Adds what git has of the retention window and the log has not, and drops what tells of commits that a person's own
   * git replaced. Returns how many lines were added.
   */
  async sync(): Promise<number> {
    const { clock, workspace } = this.#options;
    const sinceMs = monthStartMs(firstKeptMonth(clock.now(), this.#retentionDays));
    await workspace.drain();
    const history = await readHistoryLines(workspace.git.workspace, this.isCritical, sinceMs);
    const findings = compareTrails(this.lines(), history);
    const missing = findings.filter((finding) => finding.kind === 'missing').map((finding) => finding.text);
    this.#file.append(missing);
    const told = new Set(history.map(({ line }) => line.reference));
    const untold = this.lines().filter((line) => !told.has(line.reference));
    await this.drop(await findSupersededLines(workspace.git.workspace, untold));
    return missing.length;
  }

  planRetention(nowMs: number = this.#options.clock.now()): RetentionPlan {
    return planRetention({
      lines: this.lines(),
      archive: this.#readArchive(),
      nowMs,
      retentionDays: this.#retentionDays,
    });
  }

  /** The second half of retention, after the plan's changes have been committed. */
  async drop(lines: readonly AuditLine[]): Promise<void> {
    const dropped = new Set(lines.map(serializeLine));
    if (dropped.size === 0) return;
    await this.#file.rewrite((texts) => texts.filter((text) => !dropped.has(text)));
  }

  /** Comes after git's own erasure, which gave commits new hashes: the lines that name one are written anew. */
  async erase({ erase }: Erasure): Promise<EraseReport> {
    let occurrences = 0;
    const clean = (text: string): string => erase(Buffer.from(text, 'utf8')).toString('utf8');
    await this.#file.rewrite((lines) => {
      const cleaned = lines.map((text) => clean(mapTexts(text, clean)));
      occurrences = cleaned.filter((text, index) => text !== lines[index]).length;
      return cleaned.filter((text) => !isCommitReference(parseLine(text)?.reference));
    });
    await this.sync();
    return { where: this.name, occurrences };
  }

  get #retentionDays(): number {
    return this.#options.config.audit.retention_days;
  }

  #retained(history: readonly HistoryLine[]): AuditLine[] {
    return retainedLines(
      history.map(({ line }) => line),
      this.#readArchive(),
    );
  }

  async #refuseLoss(history: readonly HistoryLine[]): Promise<void> {
    const lines = this.lines();
    const told = new Set(history.map(({ line }) => line.reference));
    const untold = lines.filter((line) => !told.has(line.reference));
    if (told.size >= lines.length || untold.length * 2 <= lines.length) return;
    const references = new Set(untold.map((line) => line.reference));
    const kept = await findCommitsAnywhere(this.#options.workspace.git.workspace, references);
    const lost = untold.filter((line) => !kept.has(line.reference ?? '')).length;
    if (lost * 2 <= lines.length) return;
    throw new MnemeError(
      'refused',
      `git knows nothing of ${lost} of the ${lines.length} lines in ${this.#file.path}.`,
      {
        hint:
          'The log may be all that is left of a lost history. Restore the repository from a backup or a remote; ' +
          'to begin a new log, move this file away first.',
      },
    );
  }

  async #readWholeHistory(): Promise<HistoryLine[]> {
    const { workspace } = this.#options;
    const { postponed } = await workspace.drain();
    const obstacle = postponed.find((reason) => reason.startsWith('workspace:'));
    if (obstacle !== undefined) {
      throw new MnemeError(
        'conflict',
        `git does not have everything yet, so the log cannot be measured by it: ${obstacle}.`,
        {
          hint: 'Finish what is going on in the workspace’s repository and try again.',
        },
      );
    }
    return readHistoryLines(workspace.git.workspace, this.isCritical);
  }

  #readArchive(): string {
    return nodeFileSystem.read(this.#inWorkspace(AUDIT_ARCHIVE))?.toString('utf8') ?? '';
  }

  #inWorkspace(relative: string): string {
    return path.join(this.#options.workspace.root, relative);
  }
}

function unreadableLine(text: string): TrailFinding {
  return { kind: 'unreadable', text, line: undefined, message: `The log has a line that is none: ${text}` };
}

/** Changes the fields that hold somebody's words, escapes undone. */
function mapTexts(text: string, change: (field: string) => string): string {
  const line = parseLine(text);
  if (line === undefined) return change(text);
  const { file, summary, trigger } = line;
  return serializeLine({
    ...line,
    file: change(file),
    summary: change(summary),
    trigger: trigger === undefined ? undefined : change(trigger),
  });
}

interface AuditQuery {
  /** A glob, or the beginning of a path. */
  readonly file?: string | undefined;
  /** The whole actor or its first part: `reflection`, `reflection:`, `reflection:*` and `reflection:r-012`. */
  readonly actor?: string | undefined;
  readonly action?: Action | readonly Action[] | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Any part of path, summary, trigger or reference, in any letter case. */
  readonly text?: string | undefined;
  /** A further condition that a line must meet. */
  readonly accepts?: LineTest | undefined;
  readonly limit?: number | undefined;
}

type LineTest = (line: AuditLine) => boolean;

function createLineTest(query: AuditQuery): LineTest {
  const tests: LineTest[] = [];
  const { file, actor, action, sinceMs, untilMs, text } = query;
  if (file !== undefined) tests.push(fileTest(file));
  if (actor !== undefined) tests.push(actorTest(actor));
  if (action !== undefined) tests.push((line) => [action].flat().includes(line.action));
  if (sinceMs !== undefined) tests.push((line) => line.timeMs >= sinceMs);
  if (untilMs !== undefined) tests.push((line) => line.timeMs <= untilMs);
  if (text !== undefined) tests.push(textTest(text));
  if (query.accepts !== undefined) tests.push(query.accepts);
  return (line) => tests.every((test) => test(line));
}

function fileTest(file: string): LineTest {
  if (!/[*?[{]/.test(file)) return (line) => line.file.startsWith(file);
  const glob = compileGlob(file);
  return (line) => glob.test(line.file);
}

function actorTest(actor: string): LineTest {
  const name = actor.replace(/:?\*?$/, '');
  const isOnlyKind = name !== actor;
  return (line) => (!isOnlyKind && line.actor === name) || line.actor.startsWith(`${name}:`);
}

function textTest(text: string): LineTest {
  const needle = text.toLowerCase();
  return (line) =>
    [line.file, line.summary, line.trigger, line.reference].some((field) => field?.toLowerCase().includes(needle));
}

/** Where the log and git tell different stories. */
interface TrailFinding {
  readonly kind: 'missing' | 'foreign' | 'altered' | 'unreadable';
  /** The text in the log; for a missing line, the expected text. */
  readonly text: string;
  readonly line: AuditLine | undefined;
  readonly message: string;
}

/** `log` is what the log says, `history` what git says of the same span of time. */
function compareTrails(log: readonly AuditLine[], history: readonly HistoryLine[]): TrailFinding[] {
  const logged = new Map(log.map((line) => [keyOf(line), line]));
  const loggedReferences = new Set(log.map((line) => line.reference));
  const findings: TrailFinding[] = [];
  for (const { line, isExact } of history) {
    const found = logged.get(keyOf(line));
    if (found === undefined) {
      if (isExact || !loggedReferences.has(line.reference)) findings.push(missing(line));
    } else if (isExact && storyOf(found) !== storyOf(line)) findings.push(altered(found, line));
  }
  return [...findings, ...findForeign(log, history)];
}

function findForeign(log: readonly AuditLine[], history: readonly HistoryLine[]): TrailFinding[] {
  const told = new Set(history.map(({ line }) => keyOf(line)));
  const vague = new Set(history.filter(({ isExact }) => !isExact).map(({ line }) => line.reference));
  const ownCommits = new Map<string, number>();
  for (const { line } of history) if (line.actor === 'manual') ownCommits.set(line.file, line.timeMs);
  const references = new Set(history.map(({ line }) => line.reference));
  // A person who commits a file before the drain does gets the only commit of it: the mutation's own lacks the file, and
  // an external edit has none. What the log said of it is still true.
  const wasCommittedByPerson = (line: AuditLine): boolean => {
    const mayLackCommit = line.actor === 'external' || references.has(line.reference);
    return mayLackCommit && (ownCommits.get(line.file) ?? -1) >= line.timeMs;
  };
  return log
    .filter((line) => !told.has(keyOf(line)) && !vague.has(line.reference) && !wasCommittedByPerson(line))
    .map((line) => ({
      kind: 'foreign',
      text: serializeLine(line),
      line,
      message: `The log tells of ${line.action} ${line.file} by ${line.actor}, git does not.`,
    }));
}

/** Drops findings about lines that git also has, but not on the current branch. */
function withoutToldElsewhere(
  findings: readonly TrailFinding[],
  history: readonly HistoryLine[],
  elsewhere: readonly HistoryLine[],
): TrailFinding[] {
  const onBranch = new Set(history.map(({ line }) => line.reference));
  const vague = new Set(elsewhere.filter(({ isExact }) => !isExact).map(({ line }) => line.reference));
  const told = new Set(elsewhere.map(({ line }) => storyOf(line)));
  return findings.filter(({ kind, line }) => {
    if (line === undefined || (kind !== 'foreign' && kind !== 'altered')) return true;
    // A person who amends or resets takes their own commit out of history; what the log said of it is merely old.
    if (isCommitReference(line.reference) && !onBranch.has(line.reference)) return false;
    return !told.has(storyOf(line)) && !vague.has(line.reference);
  });
}

function missing(line: AuditLine): TrailFinding {
  const message = `git has ${line.action} ${line.file} by ${line.actor} (${line.reference ?? ''}), the log does not.`;
  return { kind: 'missing', text: serializeLine(line), line, message };
}

function altered(found: AuditLine, line: AuditLine): TrailFinding {
  const message = `The log's line on ${line.file} (${line.reference ?? ''}) is not what git says: ${serializeLine(line)}`;
  return { kind: 'altered', text: serializeLine(found), line: found, message };
}

function keyOf(line: AuditLine): string {
  return `${line.reference ?? serializeLine(line)}\0${line.file}`;
}

/** Which files are critical is a setting and may have changed since the line was written. */
function storyOf(line: AuditLine): string {
  return serializeLine({ ...line, isCritical: false });
}
