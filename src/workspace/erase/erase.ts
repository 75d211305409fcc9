import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { Actor } from '../../model/mutation.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { CHAIN_FILE } from '../chain-log.ts';
import { eraseFromHistory } from '../git/rewrite.ts';
import { REPOSITORIES } from '../journal/record.ts';
import type { Eraser, EraseReport, Erasure } from '../registries.ts';
import { findUnpacked, pack } from '../packed.ts';
import { decodeText } from '../safety/limits.ts';
import { isOwnPlace } from '../safety/paths.ts';
import { isRecordedPath } from '../safety/recorded-path.ts';
import type { Workspace } from '../workspace.ts';
import { isBackupName } from './backup-archives.ts';
import { eraseInFolder } from './files.ts';
import { createByteEraser, type EraseBytes } from './matcher.ts';

/** Stands where a text was; short enough for a file name, and without anything of the text. */
const REPLACEMENT = 'erased';

/** A text this short would take half the memory with it. */
const MIN_TEXT = 6;

export interface EraseResult {
  readonly reports: readonly EraseReport[];
  /** Copies out of reach, which the person has to see to. */
  readonly unreachable: readonly string[];
  /** What of the person's own is elsewhere now. */
  readonly notes: readonly string[];
  /** Files of the home in which the text is still found; empty when the erasure is complete. */
  readonly remaining: readonly string[];
}

/**
 * Removes texts from everything in the home, permanently: files, journal, history, and whatever the registered
 * modules keep. Nothing of it can be undone.
 */
export async function eraseEverywhere(
  workspace: Workspace,
  texts: readonly string[],
  actor: Actor,
): Promise<EraseResult> {
  const short = texts.find((text) => text.trim().length < MIN_TEXT);
  if (short !== undefined) {
    throw new MnemeError('usage', `"${short}" is too short to erase everywhere.`, {
      hint: `Name at least ${MIN_TEXT} characters; better the whole memory.`,
    });
  }
  const erase = throughPacking(createByteEraser(texts, REPLACEMENT));
  const erasure: Erasure = { texts, replacement: REPLACEMENT, erase };
  const reports: EraseReport[] = [];
  const { firstErasers, erasers } = workspace.registries;
  for (const eraser of [...firstErasers, ...workspaceErasers(workspace, actor), ...erasers]) {
    reports.push(await eraser.erase(erasure));
  }
  return {
    reports,
    unreachable: reports.flatMap((report) => report.unreachable ?? []),
    notes: reports.flatMap((report) => report.notes ?? []),
    remaining: findRemaining(workspace.paths.home, erase, chainFile(workspace)).map((file) =>
      path.relative(workspace.paths.home, file),
    ),
  };
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
    { name: 'state', erase: () => dropState(workspace) },
  ];
}

async function eraseWorkspaceFiles(workspace: Workspace, erase: EraseBytes, actor: Actor): Promise<EraseReport> {
  const files = await workspace.git.workspace.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  let occurrences = 0;
  for (const file of new Set(files)) {
    const bytes = nodeFileSystem.read(path.join(workspace.root, file));
    if (bytes === undefined || erase(bytes) === bytes) continue;
    occurrences += 1;
    const isPacked = findUnpacked(bytes) !== undefined;
    if (!isPacked && decodeText(bytes).kind === 'binary') continue;
    await workspace.commit({
      actor,
      approval: 'approved',
      trigger: 'permanent erasure',
      action: 'DELETE',
      summary: 'erased something permanently',
      changes: [isPacked ? { path: file, content: erase(bytes), base: bytes } : { path: file, edit: eraseText(erase) }],
    });
  }
  return { where: 'workspace files', occurrences };
}

function eraseText(erase: EraseBytes): (current: string | undefined) => string | undefined {
  return (current) => (current === undefined ? current : erase(Buffer.from(current, 'utf8')).toString('utf8'));
}

async function eraseHistories(workspace: Workspace, erase: EraseBytes): Promise<EraseReport> {
  let occurrences = 0;
  const unreachable: string[] = [];
  const notes: string[] = [];
  await workspace.drain();
  await workspace.withoutDraining(async () => {
    for (const repository of REPOSITORIES.filter((name) => name !== 'chain')) {
      const git = workspace.git[repository];
      if (!fs.existsSync(path.join(git.location.gitDir, 'HEAD'))) continue;
      const result = await eraseFromHistory(git, erase);
      // The history decides how a file is called now; the work tree follows.
      for (const { from, to } of result.renamedPaths) renameInTree(git.location.workTree, from, to);
      occurrences += result.changedBlobs + result.changedMessages + result.renamedPaths.length;
      notes.push(...result.keptStashes.map(describeStash));
      unreachable.push(...result.remotes.map((remote) => `the remote ${remote.name} (${remote.url}) of ${repository}`));
    }
  });
  return { where: 'history', occurrences, unreachable, notes };
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
  return { where: 'journal', occurrences: dropped + eraseInFolder(workspace.paths.journal, erase, isSegment) };
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
  const occurrences = folders.reduce((sum, folder) => sum + eraseInFolder(folder, erase, isSkipped), 0);
  return Promise.resolve({ where, occurrences });
}

/** Everything in state/ can be rebuilt; what it held of the text goes with it. */
function dropState(workspace: Workspace): Promise<EraseReport> {
  workspace.dropState();
  return Promise.resolve({ where: 'state', occurrences: 0 });
}

/** A last look at every file of the home, git objects apart: those are compressed and were rewritten as a whole. */
function findRemaining(folder: string, erase: EraseBytes, except: string): string[] {
  const found: string[] = [];
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'objects') found.push(...findRemaining(full, erase, except));
    } else if (entry.isFile() && full !== except) {
      const bytes = fs.readFileSync(full);
      if (erase(bytes) !== bytes) found.push(full);
    }
  }
  return found;
}
