import path from 'node:path';
import type { Actor } from '../model/mutation.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { makeDiff } from '../proposals/diff-text.ts';
import type { CommitRequest } from '../workspace/door/request.ts';
import { blobId } from '../workspace/known-files.ts';
import { diffBetween, lineCount } from '../workspace/git/diff.ts';
import type { Git } from '../workspace/git/git.ts';
import { logEntries } from '../workspace/git/history.ts';
import { EMPTY_TREE, filesAt, readFileAt } from '../workspace/git/objects.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  ackRequests,
  isCriticalChange,
  isOutsideEdit,
  isPerson,
  pendingLines,
  readAcknowledgements,
  type AckAnswer,
} from './acknowledgement.ts';
import type { CriticalChecksums, Mismatch } from './checksums.ts';
import { commitReference, findCommitsAnywhere } from './history-lines.ts';
import type { AuditLine } from './line.ts';
import type { AuditTrail } from './trail.ts';
import { type Config } from '../model/config/schema.ts';

/** A change of a critical file that no person has answered for (S4 §12.5). */
export interface Alert {
  readonly path: string;
  readonly timeMs: number;
  /** `unknown` when only the checksum tells of the change. */
  readonly actor: Actor;
  readonly summary: string;
  /** Everything one answer settles: the mutation, and the state the file is in. */
  readonly references: readonly string[];
  /** Unified, shortened; undefined when history no longer has the change. */
  readonly diff: string | undefined;
  /** Neither a person nor a reflection that a person approved: possibly a breach, to be shown at once. */
  readonly isUnauthorized: boolean;
}

/** Edits of one file outside the write path that wait for a person's acknowledgement. */
export interface ExternalEdit {
  readonly path: string;
  readonly firstMs: number;
  readonly lastMs: number;
  /** undefined for a binary file, or when history no longer has the change. */
  readonly addedLines: number | undefined;
  readonly removedLines: number | undefined;
  readonly references: readonly string[];
}

export interface AlertsOptions {
  readonly workspace: Workspace;
  readonly trail: AuditTrail;
  readonly checksums: CriticalChecksums;
  /** The kinds and thresholds of alerts to report. */
  readonly rules: Config['alerts'];
}

/** Collects the alerts to show to a person at the start of a session. */
export class Alerts {
  readonly #options: AlertsOptions;

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  /** The alerts and edits that the settings ask to report. */
  async reported(): Promise<{ readonly alerts: readonly Alert[]; readonly externalEdits: readonly ExternalEdit[] }> {
    const { enabled, external_edits: hasEdits } = this.#options.rules;
    return {
      alerts: enabled ? await this.pending() : [],
      externalEdits: enabled && hasEdits ? await this.pendingExternalEdits() : [],
    };
  }

  /** The number of alerts to report, and whether there are edits: without reading what was changed in each. */
  async counted(): Promise<{ readonly alerts: number; readonly hasOutsideEdits: boolean }> {
    const { enabled, external_edits: hasEdits } = this.#options.rules;
    return {
      alerts: enabled ? (await this.pending()).length : 0,
      hasOutsideEdits: enabled && hasEdits && (await this.#unansweredEdits()).lines.length > 0,
    };
  }

  /** Unacknowledged changes of critical files, oldest first, and last what only the checksums tell. */
  async pending(): Promise<Alert[]> {
    const { trail, checksums, workspace } = this.#options;
    const all = trail.lines();
    const waiting = pendingLines(all).filter(isCriticalChange);
    const answers = readAcknowledgements(all);
    const { mismatches } = await checksums.compare(answers);
    await workspace.drain();
    const commits = await findCommits(workspace.git.workspace, waiting);
    const undone = await this.#findUndone(waiting.filter((line) => !commits.has(line.reference ?? '')));
    const lines = waiting.filter((line) => !undone.has(line));
    const alerts: Alert[] = [];
    for (const line of lines) {
      const state = mismatches.find((one) => one.path === line.file)?.reference;
      alerts.push(await this.#changeAlert(line, commits.get(line.reference ?? ''), state));
    }
    for (const mismatch of mismatches) {
      const isKnown = lines.some((line) => line.file === mismatch.path) || answers.has(mismatch.reference);
      if (!isKnown) alerts.push(await this.#mismatchAlert(mismatch));
    }
    return alerts;
  }

  /** Unacknowledged edits outside the write path, by file. */
  async pendingExternalEdits(): Promise<ExternalEdit[]> {
    const { lines, commits } = await this.#unansweredEdits();
    const counts = await countChangedLines(this.#options.workspace.git.workspace, commits.values());
    return [...Map.groupBy(lines, (line) => line.file)].map(([path, own]) => {
      const stats = own.map((line) => counts.get(commits.get(line.reference ?? '')?.hash ?? '')?.get(path));
      const times = own.map((line) => line.timeMs);
      return {
        path,
        firstMs: Math.min(...times),
        lastMs: Math.max(...times),
        addedLines: total(stats.map((one) => one?.added)),
        removedLines: total(stats.map((one) => one?.removed)),
        references: [...new Set(own.flatMap((line) => line.reference ?? []))],
      };
    });
  }

  /** Changes that were answered for, named by the file, the change or the answer: so that another answer can be given. */
  answered(named: ReadonlySet<string>): { readonly path: string; readonly references: readonly string[] }[] {
    const lines = this.#options.trail.lines();
    const answers = readAcknowledgements(lines);
    return lines.flatMap(({ file, reference }) => {
      const answer = reference === undefined ? undefined : answers.get(reference);
      if (reference === undefined || answer === undefined) return [];
      const isNamed = [file, reference, answer.mutation].some((one) => named.has(one));
      return isNamed ? [{ path: file, references: [reference] }] : [];
    });
  }

  async #unansweredEdits(): Promise<{
    readonly lines: readonly AuditLine[];
    readonly commits: ReadonlyMap<string, Commit>;
  }> {
    const { trail, workspace } = this.#options;
    const git = workspace.git.workspace;
    const waiting = pendingLines(trail.lines()).filter(isOutsideEdit);
    await workspace.drain();
    const commits = await findCommits(git, waiting);
    const isVanished = (line: AuditLine): boolean => !commits.has(line.reference ?? '');
    const recorded = waiting.some(isVanished) ? await readBlobIds(git) : new Map<string, string>();
    // History tells of such a file as it is now, or there is nothing left to tell.
    const isSettled = (line: AuditLine): boolean => this.#presentBlob(line.file) === recorded.get(line.file);
    const lines = waiting.filter((line) => !isVanished(line) || !isSettled(line));
    return { lines, commits };
  }

  /** The mutations that record an answer; naming one reference of an alert answers all of it. */
  async ackRequests(references: readonly string[], answer: AckAnswer, actor: Actor): Promise<CommitRequest[]> {
    const named = new Set(references);
    const alerts = (await this.pending()).filter((alert) => alert.references.some((one) => named.has(one)));
    return ackRequests([...references, ...alerts.flatMap((alert) => alert.references)], answer, actor);
  }

  /** Of changes that left the branch, those whose file is no longer as they made it: no danger comes from them. */
  async #findUndone(vanished: readonly AuditLine[]): Promise<Set<AuditLine>> {
    const git = this.#options.workspace.git.workspace;
    const commits = await findCommitsAnywhere(git, new Set(vanished.map((line) => line.reference)));
    const undone = new Set<AuditLine>();
    for (const line of vanished) {
      const present = this.#presentBlob(line.file);
      const made = commits.get(line.reference ?? '') ?? [];
      const blobs: (string | undefined)[] = [];
      for (const commit of made) {
        const content = await readFileAt(git, commit, line.file);
        blobs.push(content === undefined ? undefined : blobId(content));
      }
      if (made.length > 0 && !blobs.includes(present)) undone.add(line);
    }
    return undone;
  }

  #presentBlob(file: string): string | undefined {
    const bytes = nodeFileSystem.read(path.join(this.#options.workspace.root, file));
    return bytes === undefined ? undefined : blobId(bytes);
  }

  async #changeAlert(line: AuditLine, commit: Commit | undefined, state: string | undefined): Promise<Alert> {
    const git = this.#options.workspace.git.workspace;
    const diff = commit === undefined ? undefined : await diffBetween(git, commit.parent, commit.hash, [line.file]);
    return {
      path: line.file,
      timeMs: line.timeMs,
      actor: line.actor,
      summary: line.summary,
      references: [line.reference, state].filter((reference) => reference !== undefined),
      diff: this.#shorten(diff?.text),
      isUnauthorized: !isAuthorized(line),
    };
  }

  async #mismatchAlert(mismatch: Mismatch): Promise<Alert> {
    const { path, before, after, goodBlob } = mismatch;
    const text = before ?? (await findBlobText(this.#options.workspace.git.workspace, goodBlob));
    const isComparable = goodBlob === null || text !== undefined;
    return {
      path,
      timeMs: mismatch.goodSinceMs,
      actor: 'unknown',
      summary: MISMATCH_SUMMARY[mismatch.kind],
      references: [mismatch.reference],
      diff: isComparable ? this.#shorten(makeDiff({ path, text }, { path, text: after })) : undefined,
      isUnauthorized: true,
    };
  }

  #shorten(diff: string | undefined): string | undefined {
    const lines = diff?.split('\n') ?? [];
    const more = lines.length - this.#options.rules.max_diff_lines;
    return more > 0 ? [...lines.slice(0, -more), `… and ${more} more lines`].join('\n') : diff;
  }
}

const MISMATCH_SUMMARY: Readonly<Record<Mismatch['kind'], string>> = {
  changed: 'differs from its last known good state',
  appeared: 'appeared since the last known good state',
  missing: 'is gone since the last known good state',
};

interface Commit {
  readonly hash: string;
  readonly parent: string;
}

function isAuthorized(line: AuditLine): boolean {
  return isPerson(line.actor) || (line.actor.startsWith('reflection:') && line.approval === 'approved');
}

/** The commits that lines tell of, by the lines' references. */
async function findCommits(git: Git, lines: readonly AuditLine[]): Promise<Map<string, Commit>> {
  const commits = new Map<string, Commit>();
  if (lines.length === 0) return commits;
  const wanted = new Set(lines.map((line) => line.reference));
  const sinceMs = lines.reduce((earliest, line) => Math.min(earliest, line.timeMs), Infinity);
  for (const entry of await logEntries(git, { sinceMs, limit: Number.MAX_SAFE_INTEGER })) {
    const commit = { hash: entry.commit, parent: entry.parents[0] ?? EMPTY_TREE };
    for (const reference of [commitReference(entry.commit), ...entry.mutations]) {
      if (wanted.has(reference)) commits.set(reference, commit);
    }
  }
  return commits;
}

/** undefined for a binary file. */
interface LineCounts {
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

/** Counts the lines each commit added to and removed from each file, with one git call for all. */
async function countChangedLines(git: Git, commits: Iterable<Commit>): Promise<Map<string, Map<string, LineCounts>>> {
  const counts = new Map<string, Map<string, LineCounts>>();
  const input = [...commits].map((commit) => `${commit.hash}\n`).join('');
  const options = ['--stdin', '-r', '--root', '--numstat', '-z', '--no-renames'];
  let files = new Map<string, LineCounts>();
  for (const field of input === '' ? [] : await git.fields(['diff-tree', ...options], { input })) {
    const [, added = '', removed = '', path = ''] = /^([\d-]+)\t([\d-]+)\t(.*)$/s.exec(field) ?? [];
    if (path === '') counts.set(field, (files = new Map<string, LineCounts>()));
    else files.set(path, { added: lineCount(added), removed: lineCount(removed) });
  }
  return counts;
}

async function readBlobIds(git: Git): Promise<Map<string, string>> {
  return new Map((await filesAt(git, 'HEAD')).map((file) => [file.path, file.blob]));
}

async function findBlobText(git: Git, blob: string | null): Promise<string | undefined> {
  if (blob === null) return undefined;
  const result = await git.attempt(['cat-file', 'blob', blob]);
  return result.code === 0 ? result.stdout.toString('utf8') : undefined;
}

/** undefined as soon as one part is unknown. */
function total(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}
