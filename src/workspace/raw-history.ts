import fs from 'node:fs';
import path from 'node:path';
import { hash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem, replaceFile } from '../platform/fs.ts';
import { blobId } from './known-files.ts';
import { mutationSubject, serializeCommitMessage } from './git/commit-message.ts';
import type { Git } from './git/git.ts';
import { parseRawChanges, readBlobs, writeCommit } from './git/objects.ts';
import { DELETED_MANIFEST, findUnpacked, isPackedName, packedName, parsePackedManifest, plainName } from './packed.ts';
import type { Workspace } from './workspace.ts';

/** Folders whose files are written once and never changed. */
const RECORDS = ['conversations', 'attachments'];

interface RecordedFile {
  /** As it was written, or the packed name under which its history begins. */
  readonly path: string;
  readonly blob: string;
}

/** A transcript or attachment that is not what its history says it was when it was written. */
export interface ChangedRecord extends RecordedFile {
  readonly state: 'changed' | 'missing';
  /** The change was committed, so that the latest commit has it, too. */
  readonly isCommitted: boolean;
}

export interface RawHistory {
  readonly changed: readonly ChangedRecord[];
  /** Files beside the transcripts that no commit has. */
  readonly strangers: readonly string[];
}

/** Compares `raw/` with its git history: every record must say what it said in the commit that brought it in. */
export async function compareRawWithHistory(workspace: Workspace): Promise<RawHistory> {
  const git = workspace.git.raw;
  if (!fs.existsSync(path.join(git.location.gitDir, 'HEAD'))) return { changed: [], strangers: [] };
  const head = await readHead(git);
  const first = await readFirst(git);
  const names = new Set([...head.keys(), ...first.keys()]);
  const changed: ChangedRecord[] = [];
  for (const name of [...names].sort()) {
    const recorded = first.get(name) ?? head.get(name);
    if (recorded === undefined) continue;
    const found = await compareRecord(git, name, recorded, head.get(name));
    if (found !== undefined) changed.push(found);
  }
  return { changed, strangers: listRecords(git).filter((file) => !names.has(plainName(file))) };
}

/** By their plain names. */
async function readHead(git: Git): Promise<Map<string, RecordedFile>> {
  const lines = await git.fields(['ls-tree', '-r', '-z', 'HEAD', '--', ...RECORDS]);
  return new Map(
    lines.flatMap((line): [string, RecordedFile][] => {
      const [, blob, file] = /^100\d{3} blob ([0-9a-f]{40})\t(.+)$/su.exec(line) ?? [];
      return blob === undefined || file === undefined ? [] : [[plainName(file), { path: file, blob }]];
    }),
  );
}

/** Of every record that a later commit changed, packed or took away: what it was at first. */
async function readFirst(git: Git): Promise<Map<string, RecordedFile>> {
  const options = ['-z', '--raw', '--no-abbrev', '--no-renames', '--diff-filter=MDT', '--format='];
  const fields = await git.fields(['log', ...options, 'HEAD', '--', ...RECORDS]);
  const first = new Map<string, RecordedFile>();
  // From the newest commit to the oldest: what is set last was there first.
  for (const { path: file, before } of parseRawChanges(fields)) {
    if (before !== undefined) first.set(plainName(file), { path: file, blob: before.blob });
  }
  return first;
}

async function compareRecord(
  git: Git,
  name: string,
  recorded: RecordedFile,
  head: RecordedFile | undefined,
): Promise<ChangedRecord | undefined> {
  const full = path.join(git.location.workTree, name);
  const plain = nodeFileSystem.read(full);
  const packed = plain === undefined ? nodeFileSystem.read(packedName(full)) : undefined;
  const isHeadSame = head?.blob === recorded.blob;
  // Nearly all of them: as they were committed, and nothing has to be unpacked.
  const here = plain ?? packed;
  const isSameFile = here !== undefined && isPackedName(recorded.path) === (plain === undefined);
  if (isHeadSame && isSameFile && blobId(here) === recorded.blob) return undefined;
  const words = await readPlain(git, recorded);
  const isCommitted = !isHeadSame && (head === undefined || !words.equals(await readPlain(git, head)));
  const current = plain ?? (packed === undefined ? undefined : findUnpacked(packed));
  if (current?.equals(words) === true && !isCommitted) return undefined;
  if (plain === undefined && packed === undefined && isRetired(git, name, words)) return undefined;
  return { ...recorded, state: here === undefined ? 'missing' : 'changed', isCommitted };
}

async function readPlain(git: Git, { path: file, blob }: RecordedFile): Promise<Buffer> {
  const bytes = (await readBlobs(git, [blob])).get(blob) ?? Buffer.alloc(0);
  return isPackedName(file) ? (findUnpacked(bytes) ?? bytes) : bytes;
}

/** Whether a line vouches for what went because of its age. */
function isRetired(git: Git, name: string, words: Buffer): boolean {
  const text = nodeFileSystem.read(path.join(git.location.workTree, DELETED_MANIFEST))?.toString('utf8') ?? '';
  return parsePackedManifest(text).get(name)?.sha256 === hash('sha256', words);
}

function listRecords(git: Git): string[] {
  const folder = path.join(git.location.workTree, 'conversations');
  const files = nodeFileSystem.listFiles(folder).map((file) => `conversations/${file.split(path.sep).join('/')}`);
  return files.filter((file) => /\.md(?:\.gz)?$/u.test(file));
}

/** Brings records back to what they said when they were written: in the folder, and where a commit changed them, in a new one. */
export async function restoreRecords(
  workspace: Workspace,
  changed: readonly ChangedRecord[],
  clock: Clock,
): Promise<void> {
  const git = workspace.git.raw;
  await workspace.withoutDraining(async () => {
    const committed = changed.filter(({ isCommitted }) => isCommitted);
    if (committed.length > 0) await commitOriginals(git, committed, clock);
    for (const { path: file, blob } of changed) {
      const full = path.join(git.location.workTree, file);
      fs.mkdirSync(path.dirname(full), { recursive: true });
      replaceFile(full, (await readBlobs(git, [blob])).get(blob) ?? Buffer.alloc(0), { mode: 0o444, flush: true });
      fs.rmSync(isPackedName(full) ? plainName(full) : packedName(full), { force: true });
    }
  });
}

async function commitOriginals(git: Git, changed: readonly ChangedRecord[], clock: Clock): Promise<void> {
  const tip = await git.text(['rev-parse', '--verify', 'HEAD']);
  const subject = mutationSubject('REVERT', 'conversations', `${changed.length} changed transcripts restored`);
  const commit = await writeCommit(git, {
    parents: [tip],
    edits: changed.flatMap(({ path: file, blob }) => [
      { path: isPackedName(file) ? plainName(file) : packedName(file), entry: undefined },
      { path: file, entry: { mode: '100644', blob } },
    ]),
    message: serializeCommitMessage(subject, { Actor: ['system:check'] }),
    actor: 'system:check',
    timeMs: clock.now(),
  });
  await git.bytes(['update-ref', '-m', subject, 'HEAD', commit, tip]);
  await git.bytes(['read-tree', 'HEAD']);
}
