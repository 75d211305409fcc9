import path from 'node:path';
import { errorMessage } from '../../model/errors.ts';
import type { Attribution } from '../../model/mutation.ts';
import type { FileChange, JournalRecord } from '../journal/record.ts';
import { decodeText } from '../safety/limits.ts';
import { findRecordedPathObjection, isOwnPlace, quotePath } from '../safety/paths.ts';
import { type KeptOut, type KnownFiles, blobId } from '../known-files.ts';
import type { DoorContext } from './context.ts';
import { readRegular } from './regular-file.ts';
import { type ExternalEdit, readSettled, sortEdits } from './settled.ts';
import { findSaveBase, healStaleSave, type HealedSave, type RecentVersions, type Save } from './stale-save.ts';

/** One workspace file within a batch: what is on disk, and what it will be when the batch is written. */
export interface StagedFile {
  readonly path: string;
  /** The bytes on disk when the batch first read it. */
  readonly onDisk: Buffer | undefined;
  readonly current: Buffer | undefined;
  /** The version that history has or will have: differs from `current` where a user's edit is kept out of it. */
  readonly recorded: string | null;
}

/**
 * The mutations that will be made durable by one sync. Files are staged in memory, so that several requests for one
 * file build on each other and only the last state is written.
 */
export class Batch {
  readonly records: JournalRecord[] = [];
  readonly warnings: string[] = [];
  /** Files that a person changed and committed themselves: nothing to record, but new to whatever is derived. */
  readonly selfCommitted: string[] = [];
  /** Edits that may not enter history, by path. */
  readonly keptOut = new Map<string, KeptOut>();
  /** Files that a scan found new or gone, gathered so that a move is one mutation, and so are a thousand new files. */
  #gathered: ExternalEdit[] | undefined;
  #committed: ReadonlyMap<string, CommittedFile> | undefined;
  readonly #staged = new Map<string, StagedFile>();
  #hasWaited = false;
  readonly #context: DoorContext;
  readonly #known: KnownFiles;
  readonly #recent: RecentVersions;

  constructor(context: DoorContext, known: KnownFiles, recent: RecentVersions) {
    this.#context = context;
    this.#known = known;
    this.#recent = recent;
  }

  /** The files that the batch leaves different from what is on disk. */
  dirtyFiles(): StagedFile[] {
    return [...this.#staged.values()].filter((file) => !sameBytes(file.onDisk, file.current));
  }

  stagedFiles(): Iterable<StagedFile> {
    return this.#staged.values();
  }

  /** The file as this batch sees it. Somebody else's edit is recorded as theirs before anything builds on it. */
  async load(relative: string): Promise<StagedFile> {
    const staged = this.#staged.get(relative);
    if (staged !== undefined) return staged;
    const root = this.#context.paths.repositories.workspace.workTree;
    const full = path.join(root, relative);
    // Behind a link that leads out there is no file of the workspace, as git sees it too.
    const isOwn = isOwnPlace(root, relative);
    const bytes = isOwn ? readRegular(this.#context.fs, full) : undefined;
    const recorded = this.#known.find(relative)?.oid ?? null;
    const isUnchanged = oidOf(bytes) === recorded;
    const file: StagedFile = isUnchanged
      ? { path: relative, onDisk: bytes, current: bytes, recorded }
      : await this.#loadForeign(relative, isOwn ? full : undefined, recorded);
    this.#staged.set(relative, file);
    return file;
  }

  async #loadForeign(relative: string, full: string | undefined, recorded: string | null): Promise<StagedFile> {
    // One wait is enough for all files that are gone: they have all been gone for as long.
    const { bytes, savedAtMs } =
      full === undefined
        ? { bytes: undefined, savedAtMs: this.#context.clock.now() }
        : await readSettled(this.#context, full, !this.#hasWaited);
    if (bytes === undefined) this.#hasWaited = true;
    const file: StagedFile = { path: relative, onDisk: bytes, current: bytes, recorded };
    return oidOf(bytes) === recorded ? file : this.#absorb(file, oidOf(bytes), savedAtMs);
  }

  /** Puts a file into the batch as it is, without a record. */
  restage(file: StagedFile): StagedFile {
    this.#staged.set(file.path, file);
    return file;
  }

  /** Records what somebody saved over a file while the batch was being written. */
  recordSave(file: StagedFile): StagedFile {
    const saved: StagedFile = { ...file, recorded: oidOf(file.current) };
    const change = { path: file.path, before: file.recorded, after: saved.recorded };
    this.#addExternal([{ change, content: file.current }], {
      actor: 'external',
      trigger: 'changed outside Mneme at the same moment',
    });
    return this.restage(saved);
  }

  /** Records that ours was merged into what somebody saved over it. */
  recordMerge(file: StagedFile, content: Buffer): StagedFile {
    const next = this.stage(file.path, file, content);
    this.addRecord(
      {
        actor: 'system:merge',
        approval: 'auto',
        trigger: 'an edit made outside Mneme at the same moment',
        action: 'MERGE',
        summary: 'kept what was written at the same moment',
      },
      [{ path: file.path, before: file.recorded, after: next.recorded }],
      [content],
    );
    return next;
  }

  /** Whether content that somebody else wrote may enter history. */
  async isRecordable(relative: string, bytes: Buffer): Promise<boolean> {
    const decoded = decodeText(bytes);
    const obstacle = await this.#findObstacle(bytes, decoded.kind === 'text' ? decoded.text : undefined);
    if (obstacle === undefined) return true;
    const message = `${relative} ${obstacle}; that edit is kept out of history.`;
    this.warnings.push(message);
    this.keptOut.set(relative, { oid: blobId(bytes), message });
    return false;
  }

  /** The text that somebody's save of a file was made from. */
  findSaveBase(save: Save, lastSeen: string): Promise<string> {
    return findSaveBase(save, lastSeen, this.#recent);
  }

  stage(relative: string, file: StagedFile, content: Buffer | undefined): StagedFile {
    const next: StagedFile = { ...file, current: content, recorded: content === undefined ? null : blobId(content) };
    this.#staged.set(relative, next);
    return next;
  }

  addRecord(
    attribution: Attribution & Pick<JournalRecord, 'action' | 'summary'> & { readonly timeMs?: number | undefined },
    files: readonly FileChange[],
    contents: readonly (Buffer | undefined)[],
    repository: JournalRecord['repository'] = 'workspace',
  ): JournalRecord {
    const nowMs = this.#context.clock.now();
    const record: JournalRecord = {
      id: this.#context.ulids.next(nowMs),
      timeMs: attribution.timeMs ?? nowMs,
      repository,
      action: attribution.action,
      summary: attribution.summary,
      actor: attribution.actor,
      approval: attribution.approval,
      trigger: attribution.trigger,
      session: attribution.session,
      files,
      contents,
    };
    this.records.push(record);
    return record;
  }

  /** Records an edit made outside the write path, and repairs a save that was made from a stale buffer. */
  async #absorb(file: StagedFile, oid: string | null, savedAtMs: number): Promise<StagedFile> {
    const decoded = file.current === undefined ? undefined : decodeText(file.current);
    const text = decoded?.kind === 'text' ? decoded.text : undefined;
    if (file.current !== undefined && !(await this.isRecordable(file.path, file.current))) return file;
    const before = file.recorded;
    const absorbed: StagedFile = { ...file, recorded: oid };
    const edit = { change: { path: file.path, before, after: oid }, content: file.current };
    const committed = this.#committed?.get(file.path);
    const isCommitted = committed?.blob === oid && committed.known === before;
    if (!isCommitted && this.#gathered !== undefined && (before === null || oid === null)) {
      this.#gathered.push(edit);
      return absorbed;
    }
    // A person who committed their edit themselves has said it all.
    if (isCommitted) this.selfCommitted.push(file.path);
    else this.#addExternal([edit], EXTERNAL_ORIGIN);
    if (text === undefined || before === null) return absorbed;
    const healed = await healStaleSave({ path: file.path, text, savedAtMs }, before, this.#recent);
    if (healed === undefined || oid === null) return absorbed;
    const { isEarlierVersion } = healed;
    const restoration = { path: file.path, oid, lastWritten: before, isEarlierVersion };
    return (await this.#context.wasRestoredByGit(restoration)) ? absorbed : this.#stageHealed(absorbed, healed);
  }

  /** Loads files whose edits came from outside; new ones become one mutation when there are many. */
  async absorb(
    paths: readonly string[],
    origin: ExternalOrigin = EXTERNAL_ORIGIN,
    committed?: ReadonlyMap<string, CommittedFile>,
  ): Promise<void> {
    this.#gathered = [];
    this.#committed = committed;
    for (const relative of paths) await this.#loadIfReadable(relative);
    const { deleted, moved, created } = sortEdits(this.#gathered);
    this.#gathered = undefined;
    for (const edit of deleted) this.#addExternal([edit], EXTERNAL_ORIGIN);
    for (const group of groupEdits(moved)) this.#addMove(group);
    for (const group of groupEdits(created)) this.#addExternal(group, origin);
  }

  #addMove(moves: readonly (readonly [ExternalEdit, ExternalEdit])[]): void {
    const edits = [...moves.map(([from]) => from), ...moves.map(([, to]) => to)];
    const summary = moves.length === 1 ? 'moved outside Mneme' : `${moves.length} files moved outside Mneme`;
    this.addRecord(
      { ...EXTERNAL_ORIGIN, approval: '—', action: 'RENAME', summary },
      edits.map((edit) => edit.change),
      edits.map((edit) => edit.content),
    );
  }

  /** One file that cannot be read must not keep everything else from being noticed. */
  async #loadIfReadable(relative: string): Promise<void> {
    const objection = findRecordedPathObjection(relative);
    if (objection !== undefined) {
      const message = `The path ${quotePath(relative)} ${objection}; the file is kept out of history.`;
      this.warnings.push(message);
      this.keptOut.set(relative, { oid: '', message });
      return;
    }
    try {
      readRegular(this.#context.fs, path.join(this.#context.paths.repositories.workspace.workTree, relative));
    } catch (error) {
      this.warnings.push(`${errorMessage(error)} It is left alone.`);
      return;
    }
    await this.load(relative);
  }

  #addExternal(edits: readonly ExternalEdit[], origin: ExternalOrigin): void {
    const [first] = edits;
    if (first === undefined) return;
    const { before, after } = first.change;
    const action = before === null ? 'CREATE' : after === null ? 'DELETE' : 'EDIT';
    const generic = edits.length === 1 ? EXTERNAL_SUMMARY[action] : `${edits.length} files ${EXTERNAL_SUMMARY[action]}`;
    this.addRecord(
      { ...origin, approval: '—', action, summary: origin.summary ?? generic },
      edits.map((edit) => edit.change),
      edits.map((edit) => edit.content),
    );
  }

  async #findObstacle(bytes: Buffer, text: string | undefined): Promise<string | undefined> {
    const limit = text === undefined ? this.#context.maxAttachmentBytes : this.#context.maxFileBytes;
    if (bytes.length > limit) return `is larger than ${limit} bytes`;
    if (text === undefined) return undefined;
    const { findings } = await this.#context.redactor.redact(text);
    if (findings.length === 0) return undefined;
    return `holds what looks like a secret (${findings.map((finding) => finding.rule).join(', ')})`;
  }

  #stageHealed(file: StagedFile, healed: HealedSave): StagedFile {
    const content = Buffer.from(healed.text, 'utf8');
    const next = this.stage(file.path, file, content);
    this.addRecord(
      {
        actor: 'system:merge',
        approval: 'auto',
        trigger: 'an editor saved an older version of the file',
        action: 'MERGE',
        summary: `kept ${healed.restored} recent block${healed.restored === 1 ? '' : 's'} that the save had dropped`,
      },
      [{ path: file.path, before: file.recorded, after: next.recorded }],
      [content],
    );
    return next;
  }
}

/** The branch's version of a file, and the version the write path knew when that was read. */
export interface CommittedFile {
  readonly blob: string | null;
  readonly known: string | null;
}

/** Attributes an edit that did not come through the write path. */
export interface ExternalOrigin {
  readonly actor: string;
  readonly trigger: string;
  readonly summary?: string | undefined;
}

const EXTERNAL_ORIGIN: ExternalOrigin = { actor: 'external', trigger: 'changed outside Mneme' };

/** Up to this many new or moved files are single acts of a person; more are a folder somebody copied in or moved. */
const MAX_SINGLE_EDITS = 20;

/** Bounds the memory one journal record takes. */
const MAX_GROUP_FILES = 2000;

function groupEdits<T>(edits: readonly T[]): T[][] {
  if (edits.length <= MAX_SINGLE_EDITS) return edits.map((edit) => [edit]);
  return Array.from({ length: Math.ceil(edits.length / MAX_GROUP_FILES) }, (_, index) =>
    edits.slice(index * MAX_GROUP_FILES, (index + 1) * MAX_GROUP_FILES),
  );
}

const EXTERNAL_SUMMARY = {
  CREATE: 'added outside Mneme',
  EDIT: 'edited outside Mneme',
  DELETE: 'deleted outside Mneme',
} as const;

function oidOf(bytes: Buffer | undefined): string | null {
  return bytes === undefined ? null : blobId(bytes);
}

export function sameBytes(a: Buffer | undefined, b: Buffer | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a === b || a.equals(b);
}
