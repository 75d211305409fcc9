import { MnemeError } from '../../model/errors.ts';
import { ulidTimeMs } from '../../model/ids.ts';
import type { JournalRecord } from '../journal/record.ts';
import { mutationSubject, serializeCommitMessage } from './commit-message.ts';
import type { FileMode } from './file-modes.ts';
import type { Git } from './git.ts';
import type { SettingPair } from './invocation.ts';
import { type CommitIdentity } from './identity.ts';

/** An entry that one commit puts into the tree; undefined removes the path. */
export interface TreeEdit {
  readonly path: string;
  readonly content: Buffer | undefined;
  readonly mode: FileMode;
}

export interface PlannedCommit {
  readonly records: readonly JournalRecord[];
  readonly edits: readonly TreeEdit[];
}

/** A twentieth more room until the next packing for half the time: a log of years is written whole for each line it gains. */
const QUICKLY: readonly SettingPair[] = [['pack.compression', '1']];

const MAX_LISTED_MUTATIONS = 50;

/** Writes commits on top of `parent` under a private reference, without touching branch or index. */
export async function importCommits(
  git: Git,
  reference: string,
  parent: string | undefined,
  commits: readonly PlannedCommit[],
): Promise<string[]> {
  // Without differences (depth 0): those it makes are between whatever files follow each other, and packing would keep
  // them for ever, while it finds good ones for what it is given whole.
  const output = await git.text(['fast-import', '--quiet', '--force', '--done', '--date-format=raw', '--depth=0'], {
    input: importStream(git.identity, { reference, parent }, commits),
    settings: QUICKLY,
  });
  const hashes = output.split('\n').filter((line) => line !== '');
  if (hashes.length !== commits.length) {
    throw new MnemeError('failure', `git fast-import made ${hashes.length} of ${commits.length} commits.`);
  }
  return hashes;
}

function* importStream(
  { name, email }: CommitIdentity,
  { reference, parent }: { readonly reference: string; readonly parent: string | undefined },
  commits: readonly PlannedCommit[],
): Generator<Buffer> {
  for (const [index, commit] of commits.entries()) {
    const message = Buffer.from(commitMessage(commit), 'utf8');
    const last = commit.records.at(-1);
    const happened = Math.floor((last?.timeMs ?? 0) / 1000);
    // An import may tell of last year; history is still ordered by when it was written.
    const recorded = last === undefined ? happened : Math.floor(ulidTimeMs(last.id) / 1000);
    const author = `${actorOf(commit) ?? name} <${email}>`;
    const header = [
      `commit ${reference}`,
      `mark :${index + 1}`,
      `author ${author} ${happened} +0000`,
      `committer ${name} <${email}> ${recorded} +0000`,
      `data ${message.length}`,
    ].join('\n');
    yield Buffer.concat([Buffer.from(`${header}\n`, 'utf8'), message]);
    if (index === 0 && parent !== undefined) yield Buffer.from(`\nfrom ${parent}\n`);
    else yield Buffer.from('\n');
    for (const edit of commit.edits) yield* editStream(edit);
    yield Buffer.from(`\nget-mark :${index + 1}\n`);
  }
  yield Buffer.from('done\n');
}

function* editStream({ path, content, mode }: TreeEdit): Generator<Buffer> {
  if (content === undefined) {
    yield Buffer.from(`D ${quotePath(path)}\n`, 'utf8');
    return;
  }
  yield Buffer.from(`M ${mode} inline ${quotePath(path)}\ndata ${content.length}\n`, 'utf8');
  yield content;
  yield Buffer.from('\n');
}

/** C-style quoting, needed for a leading quote or a line end and harmless otherwise. */
function quotePath(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
}

/** Undefined for a batch of several actors. */
function actorOf({ records }: PlannedCommit): string | undefined {
  const actors = new Set(records.map((record) => record.actor));
  return actors.size === 1 ? records[0]?.actor : undefined;
}

function commitMessage({ records, edits }: PlannedCommit): string {
  const [first] = records;
  if (first !== undefined && records.length === 1) {
    return serializeCommitMessage(subjectOf(first), {
      Mutation: [first.id],
      Actor: [first.actor],
      Approval: [first.approval ?? 'auto'],
      Trigger: first.trigger === undefined ? [] : [first.trigger],
      Session: first.session === undefined ? [] : [first.session],
    });
  }
  const unique = (values: (string | undefined)[]): string[] => [
    ...new Set(values.filter((value): value is string => value !== undefined)),
  ];
  const listed = records.slice(0, MAX_LISTED_MUTATIONS).map((record) => `- ${subjectOf(record)}`);
  if (records.length > listed.length) listed.push(`- and ${records.length - listed.length} more`);
  const fileCount = new Set(edits.map((edit) => edit.path)).size;
  const subject = `[COMMIT] ${fileCount} file${fileCount === 1 ? '' : 's'} — ${records.length} mutations`;
  const trailers = {
    Mutation: records.map((record) => record.id),
    Actor: unique(records.map((record) => record.actor)),
    Approval: unique(records.map((record) => record.approval)),
    Session: unique(records.map((record) => record.session)),
  };
  return serializeCommitMessage(subject, trailers, listed.join('\n'));
}

function subjectOf(record: JournalRecord): string {
  const [first, ...others] = record.files;
  const path = first?.path ?? '';
  const shown = others.length === 0 ? path : `${path} (+${others.length} more)`;
  return mutationSubject(record.action, shown, record.summary);
}
