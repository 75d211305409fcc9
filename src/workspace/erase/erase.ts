import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, isMnemeError, MnemeError, systemCode } from '../../model/errors.ts';
import type { Actor } from '../../model/mutation.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { CHAIN_FILE } from '../chain-log.ts';
import { eraseFromHistory } from '../git/rewrite.ts';
import { REPOSITORIES } from '../journal/record.ts';
import type { Eraser, EraseReport, Erasure } from '../registries.ts';
import { findUnpacked, pack } from '../packed.ts';
import { decodeText } from '../safety/limits.ts';
import { isOwnPlace, isRecordedPath } from '../safety/paths.ts';
import type { Workspace } from '../workspace.ts';
import { isBackupName } from './backup-archives.ts';
import { eraseInFile, eraseInFolder, joined, tellBeyond } from './files.ts';
import { createByteEraser, type EraseBytes } from './matcher.ts';

/** Stands where a text was; short enough for a file name, and without anything of the text. */
const REPLACEMENT = 'erased';

/** A text this short would take half the memory with it. */
const MIN_TEXT = 6;

export interface EraseResult {
  readonly reports: readonly EraseReport[];
  /** Copies out of reach, which the person has to see to. */
  readonly unreachable: readonly string[];
  /** Notes about files of the user's that are elsewhere now. */
  readonly notes: readonly string[];
  /** Files of the home in which the text is still found. */
  readonly remaining: readonly string[];
  /** Work that could not be done now, with the place and the reason; empty when the erasure is complete. */
  readonly left: readonly LeftOver[];
}

export interface LeftOver {
  /** The eraser that has to be run again. */
  readonly step: string;
  readonly what: string;
}

/**
 * Removes texts from everything in the home, permanently: files, journal, history, and whatever the registered
 * modules keep. Nothing of it can be undone. A step that fails does not stop the others: what it could not do is in
 * `left`, and running the same erasure again does it.
 */
export async function eraseEverywhere(
  workspace: Workspace,
  texts: readonly string[],
  actor: Actor,
  leftBefore: readonly LeftOver[] = [],
): Promise<EraseResult> {
  assertErasable(texts);
  const erase = throughPacking(createByteEraser(texts, REPLACEMENT));
  const erasure: Erasure = { texts, replacement: REPLACEMENT, erase, actor };
  const reports: EraseReport[] = [];
  const left: LeftOver[] = [];
  for (const eraser of dueErasers(workspace, actor, leftBefore)) {
    workspace.registries.onEraseStep?.(eraser.name);
    try {
      const report = await eraser.erase(erasure);
      reports.push(report);
      left.push(...(report.left ?? []).map((what) => ({ step: eraser.name, what })));
    } catch (error) {
      left.push({ step: eraser.name, what: `${eraser.name} (${explain(error)})` });
    }
  }
  const { found, unread } = findRemaining(workspace, erase);
  const relative = (file: string): string => path.relative(workspace.paths.home, file);
  const isTold = (file: string): boolean => left.some(({ what }) => what.includes(file));
  left.push(
    ...found
      .filter((file) => !isTold(file))
      .map((file) => ({ step: LAST_LOOK, what: `${file} still holds the words` })),
    ...unread
      .filter(({ file }) => !isTold(file))
      .map(({ file, why }) => ({ step: LAST_LOOK, what: `${file} (${why})` })),
  );
  return {
    reports,
    unreachable: reports.flatMap((report) => report.unreachable ?? []),
    notes: reports.flatMap((report) => report.notes ?? []),
    remaining: found.map(relative),
    left,
  };
}

const LAST_LOOK = 'last look';

export function assertErasable(texts: readonly string[]): void {
  const short = texts.find((text) => text.trim().length < MIN_TEXT);
  if (short === undefined) return;
  throw new MnemeError('usage', `"${short}" is too short to erase everywhere.`, {
    hint: `Name at least ${MIN_TEXT} characters; better the whole memory.`,
  });
}

/** All of them, unless an earlier run left only copies that stand apart: then only the erasers of those. */
function dueErasers(workspace: Workspace, actor: Actor, leftBefore: readonly LeftOver[]): Eraser[] {
  const { firstErasers, erasers } = workspace.registries;
  const all = [...firstErasers, ...workspaceErasers(workspace, actor), ...erasers];
  const apart = all.filter(({ name, isApart }) => isApart === true && leftBefore.some(({ step }) => step === name));
  const isOnlyApart = leftBefore.every(({ step }) => apart.some(({ name }) => name === step));
  return leftBefore.length > 0 && isOnlyApart ? apart : all;
}

function isRefusal(error: unknown): boolean {
  return isMnemeError(error) && (error.code === 'refused' || error.code === 'usage');
}

function explain(error: unknown): string {
  const hint = isMnemeError(error) ? error.hint : undefined;
  return [errorMessage(error), hint].filter((part) => part !== undefined).join(' ');
}

/** Old files are packed, in their folders and in the histories: what they say is looked at, not how they are written. */
function throughPacking(erase: EraseBytes): EraseBytes {
  return (bytes) => {
    const plain = findUnpacked(bytes);
    if (plain === undefined) return erase(bytes);
    const next = erase(plain);
    return next === plain ? bytes : pack(next);
  };
}

/** In this order: what the files no longer say must not come back from the journal, nor from history. */
function workspaceErasers(workspace: Workspace, actor: Actor): Eraser[] {
  const { paths } = workspace;
  return [
    { name: 'workspace files', erase: ({ erase }) => eraseWorkspaceFiles(workspace, erase, actor) },
    { name: 'transcripts and chain', erase: ({ erase }) => eraseAppendOnly(workspace, erase) },
    { name: 'history', erase: ({ erase }) => eraseHistories(workspace, erase) },
    { name: 'journal', erase: ({ erase }) => eraseJournal(workspace, erase) },
    {
      name: 'backups and logs',
      erase: ({ erase }) => eraseFolders('backups and logs', [paths.backups, paths.logs], erase),
    },
    { name: 'other files of the home', erase: ({ erase }) => eraseOthers(workspace, erase) },
    { name: 'state', erase: () => dropState(workspace) },
    { name: 'what is beyond reach', erase: () => Promise.resolve(tellBeyond(workspace)) },
  ];
}

async function eraseWorkspaceFiles(workspace: Workspace, erase: EraseBytes, actor: Actor): Promise<EraseReport> {
  const git = workspace.git.workspace;
  const files = await git.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  let occurrences = 0;
  const left: string[] = [];
  for (const file of new Set(files)) {
    try {
      if (await eraseWorkspaceFile(workspace, file, erase, actor)) occurrences += 1;
    } catch (error) {
      const full = path.join(workspace.root, file);
      // A file that the write path never takes, such as one with a reserved name, is changed as a person would.
      const isErased = isRefusal(error) && eraseInFile(full, erase).left.length === 0;
      occurrences += 1;
      if (!isErased) left.push(`${full} (${explain(error)})`);
    }
  }
  // Ignored files are not part of the memory, and do not go through the write path. The audit log has its own
  // eraser.
  const ignored = await git.fields(['ls-files', '-z', '--others', '--ignored', '--exclude-standard']);
  const plain = ignored
    .filter((file) => file !== AUDIT_LOG)
    .map((file) => eraseInFile(path.join(workspace.root, file), erase))
    .reduce(joined, { count: 0, left: [] });
  return { where: 'workspace files', occurrences: occurrences + plain.count, left: [...left, ...plain.left] };
}

const AUDIT_LOG = 'memory/meta/audit.log';

/** Whether there was anything to erase. Files that Mneme generates are rewritten too: they quote what they are made from. */
async function eraseWorkspaceFile(
  workspace: Workspace,
  file: string,
  erase: EraseBytes,
  actor: Actor,
): Promise<boolean> {
  const full = path.join(workspace.root, file);
  // A link says nothing itself, and what it points to is a file of its own.
  if (fs.lstatSync(full, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const bytes = nodeFileSystem.read(full);
  if (bytes === undefined || erase(bytes) === bytes) return false;
  const isText = findUnpacked(bytes) === undefined && decodeText(bytes).kind === 'text';
  await workspace.commit({
    actor,
    approval: 'approved',
    trigger: 'permanent erasure',
    action: 'DELETE',
    summary: 'erased something permanently',
    isErasure: true,
    changes: [isText ? { path: file, edit: eraseText(erase) } : { path: file, content: erase(bytes), base: bytes }],
  });
  return true;
}

function eraseText(erase: EraseBytes): (current: string | undefined) => string | undefined {
  return (current) => (current === undefined ? current : erase(Buffer.from(current, 'utf8')).toString('utf8'));
}

async function eraseHistories(workspace: Workspace, erase: EraseBytes): Promise<EraseReport> {
  let occurrences = 0;
  const unreachable: string[] = [];
  const notes: string[] = [];
  const left: string[] = [];
  await workspace.drain();
  await workspace.withoutDraining(async () => {
    for (const repository of REPOSITORIES.filter((name) => name !== 'chain')) {
      const git = workspace.git[repository];
      if (!fs.existsSync(path.join(git.location.gitDir, 'HEAD'))) continue;
      try {
        const result = await eraseFromHistory(git, erase);
        // The history decides how a file is called now; the work tree follows.
        for (const { from, to } of result.renamedPaths) renameInTree(git.location.workTree, from, to);
        occurrences += result.changedBlobs + result.changedMessages + result.renamedPaths.length;
        notes.push(...result.keptStashes.map(describeStash));
        unreachable.push(
          ...result.remotes.map((remote) => `the remote ${remote.name} (${remote.url}) of ${repository}`),
        );
      } catch (error) {
        left.push(`the history of ${repository} (${explain(error)})`);
      }
    }
  });
  return { where: 'history', occurrences, unreachable, notes, left };
}

function describeStash(reference: string): string {
  return `what you had stashed is kept as ${reference}; \`git stash apply ${reference}\` brings it back`;
}

function renameInTree(root: string, from: string, to: string): void {
  // A history from elsewhere can name places that git itself would never check out.
  if (![from, to].every((name) => isRecordedPath(name) && hasOwnFolder(root, name))) return;
  const [source, target] = [path.join(root, from), path.join(root, to)];
  if (!fs.existsSync(source)) return;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.renameSync(source, target);
}

function hasOwnFolder(root: string, file: string): boolean {
  const folder = path.posix.dirname(file);
  return folder === '.' || isOwnPlace(root, folder);
}

async function eraseJournal(workspace: Workspace, erase: EraseBytes): Promise<EraseReport> {
  const dropped = await workspace.dropJournal();
  const isSegment = (full: string): boolean => full.startsWith(workspace.paths.writeAhead);
  const { count, left } = eraseInFolder(workspace.paths.journal, erase, isSegment);
  return { where: 'journal', occurrences: dropped + count, left };
}

/** The entries of the chain hold numbers, hashes and words of ours, never of a memory; its history holds nothing else. */
function chainFile({ paths }: Workspace): string {
  return path.join(paths.repositories.chain.workTree, CHAIN_FILE);
}

function eraseAppendOnly(workspace: Workspace, erase: EraseBytes): Promise<EraseReport> {
  const { raw, chain } = workspace.paths.repositories;
  return eraseFolders('transcripts and chain', [raw.workTree, chain.workTree], erase, chainFile(workspace));
}

function eraseFolders(
  where: string,
  folders: readonly string[],
  erase: EraseBytes,
  except?: string,
): Promise<EraseReport> {
  // Archives are no plain text: whoever makes them registers an eraser that can rewrite them.
  const isSkipped = (full: string): boolean =>
    full === except || path.basename(full) === '.git' || isBackupName(path.basename(full));
  const { count, left } = folders
    .map((folder) => eraseInFolder(folder, erase, isSkipped))
    .reduce(joined, { count: 0, left: [] });
  return Promise.resolve({ where, occurrences: count, left });
}

/** Settings, keys, exports that lie in the home: whatever no other eraser looks at. */
function eraseOthers({ paths }: Workspace, erase: EraseBytes): Promise<EraseReport> {
  const { workspace, raw, chain } = paths.repositories;
  const own = [paths.state, paths.journal, paths.backups, paths.logs];
  const seen = new Set([...own, ...[workspace, raw, chain].flatMap(({ workTree, gitDir }) => [workTree, gitDir])]);
  const { count, left } = eraseInFolder(
    paths.home,
    erase,
    (full) => seen.has(full) || isBackupName(path.basename(full)),
  );
  return Promise.resolve({ where: 'other files of the home', occurrences: count, left });
}

/** Everything in state/ can be rebuilt; what it held of the text goes with it. */
function dropState(workspace: Workspace): Promise<EraseReport> {
  workspace.dropState();
  return Promise.resolve({ where: 'state', occurrences: 0 });
}

interface LastLook {
  readonly found: readonly string[];
  readonly unread: readonly { readonly file: string; readonly why: string }[];
}

/** A last look at every file of the home and of an adopted folder, git objects apart: those are compressed and were rewritten as a whole. */
function findRemaining(workspace: Workspace, erase: EraseBytes): LastLook {
  const { home } = workspace.paths;
  const except = chainFile(workspace);
  const found: string[] = [];
  const unread: { file: string; why: string }[] = [];
  const look = (full: string, body: () => void): void => {
    try {
      body();
    } catch (error) {
      // Other processes come and go meanwhile, and their files with them.
      if (systemCode(error) !== 'ENOENT') unread.push({ file: full, why: errorMessage(error) });
    }
  };
  const lookInto = (folder: string): void => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      // Of an adopted folder's own repository the result says that it is out of reach.
      const isForeign = entry.name === '.git' && isAdopted && folder.startsWith(workspace.root);
      if (entry.isDirectory() && entry.name !== 'objects' && !isForeign) look(full, () => lookInto(full));
      else if (entry.isFile() && full !== except) {
        look(full, () => {
          const bytes = fs.readFileSync(full);
          if (erase(bytes) !== bytes) found.push(full);
        });
      }
    }
  };
  const isAdopted = path.relative(home, workspace.root).startsWith('..');
  lookInto(home);
  if (isAdopted) lookInto(workspace.root);
  return { found, unread };
}
