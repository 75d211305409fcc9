import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Git } from './git.ts';
import { parseRawChanges, readBlobs, type FileStatus } from './objects.ts';
import { findSettingOrigin } from './settings.ts';
import type { RepositoryName } from '../journal/record.ts';

export interface HookOptions {
  /**
   * The command that starts this Mneme: program and leading arguments, absolute paths. Without it only transcripts
   * are guarded.
   */
  readonly command?: readonly string[] | undefined;
  readonly kind: RepositoryName;
}

export interface HookResult {
  readonly isInstalled: boolean;
  /** Why not, in words for a person. */
  readonly reason?: string | undefined;
}

const MARK = '# mneme-hook';
const HOOK = 'pre-commit';
/** A hook that was there before is kept under this name, numbered from the second one on, and runs first. */
const EARLIER = `${HOOK}.local`;

/** Installs the hook that checks a person's own commits; a hook of theirs is kept and runs before ours. */
export async function installHooks(git: Git, options: HookOptions): Promise<HookResult> {
  const elsewhere = await findForeignHooksPath(git);
  if (elsewhere !== undefined) return { isInstalled: false, reason: elsewhere };
  const folder = hooksFolder(git);
  const file = path.join(folder, HOOK);
  mkdirSync(folder, { recursive: true });
  if (existsSync(file) && !isOurs(file)) renameSync(file, freeName(folder));
  // A new file: a link in its place may lead out of the repository.
  rmSync(file, { force: true });
  writeFileSync(file, hookScript(options), { flag: 'wx' });
  chmodSync(file, 0o755);
  return { isInstalled: true };
}

/** Describes what keeps a person's commits from being checked. */
export async function checkHooks(git: Git): Promise<string[]> {
  const elsewhere = await findForeignHooksPath(git);
  if (elsewhere !== undefined) return [elsewhere];
  const file = path.join(hooksFolder(git), HOOK);
  if (!existsSync(file)) return [`The hook ${file} is not installed.`];
  return isOurs(file) ? [] : [`The hook ${file} is not Mneme's.`];
}

function hooksFolder(git: Git): string {
  return path.join(git.location.gitDir, 'hooks');
}

/** A machine-wide hooks folder serves every repository; Mneme has no business writing into it. */
async function findForeignHooksPath(git: Git): Promise<string | undefined> {
  const setting = await findSettingOrigin(git, 'core.hooksPath');
  if (setting === undefined || path.resolve(git.location.workTree, setting.value) === hooksFolder(git))
    return undefined;
  return `core.hooksPath (${setting.origin}) sends git to ${setting.value}, so Mneme's hooks would never run.`;
}

function isOurs(file: string): boolean {
  return readFileSync(file, 'utf8').includes(MARK);
}

function freeName(folder: string): string {
  for (let number = 1; ; number += 1) {
    const name = path.join(folder, number === 1 ? EARLIER : `${EARLIER}-${number}`);
    if (!existsSync(name)) return name;
  }
}

function hookScript({ command = [], kind }: HookOptions): string {
  const words = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`);
  return `#!/bin/sh
${MARK}: checks a commit before it is made. Installed by Mneme; a hook of your own belongs in ${EARLIER}.
# To commit without any check: git commit --no-verify

# Another tool may have kept this file as its own predecessor; once is enough.
[ -n "$MNEME_HOOK" ] && exit 0
MNEME_HOOK=1
export MNEME_HOOK

for earlier in "$(dirname "$0")"/${EARLIER}*; do
  if [ -x "$earlier" ]; then
    "$earlier" "$@" || exit $?
  fi
done
${kind === 'raw' ? REFUSE_CHANGED_TRANSCRIPTS : ''}
${command.length === 0 ? '' : checkStaged(words)}`;
}

/** The words are quoted for the shell. */
function checkStaged(words: readonly string[]): string {
  const files = words.filter((word) => /^'(?:\/|[A-Za-z]:[\\/])/.test(word));
  const isPresent = [
    `command -v ${words[0] ?? 'mneme'} >/dev/null 2>&1`,
    ...files.map((file) => `[ -e ${file} ]`),
  ].join(' && ');
  return `if ${isPresent}; then
  exec ${words.join(' ')} hook git-pre-commit \\
    --git-dir "$(git rev-parse --absolute-git-dir)" \\
    --work-tree "$(git rev-parse --show-toplevel)" \\
    --index "\${GIT_INDEX_FILE:-$(git rev-parse --git-path index)}"
fi
echo "mneme: not found, so this commit was not checked." >&2
`;
}

/** Plain sh, so that transcripts stay immutable on a machine without Mneme, too. */
const REFUSE_CHANGED_TRANSCRIPTS = `
if git rev-parse --verify --quiet HEAD >/dev/null; then
  changed=$(git -c core.quotepath=false diff --cached --name-only --no-renames --diff-filter=MDT HEAD -- conversations attachments)
  if [ -n "$changed" ]; then
    {
      echo "mneme: transcripts and attachments are a record and are never changed. This commit would change:"
      echo "$changed" | sed 's/^/  /'
      echo "Restore them with: git restore --staged --worktree -- FILE"
      echo "To remove something for good, from the history too, use: mneme forget --permanently"
    } >&2
    exit 1
  fi
fi
`;

export interface StagedFile {
  readonly path: string;
  readonly status: FileStatus;
  /** As it would be committed; undefined for a deletion, or for what is no file (a link, another repository). */
  readonly content: Buffer | undefined;
}

/**
 * Reads the changes of a commit from the index and not from the work tree. `git commit FILE` and `git commit -a`
 * prepare an index of their own and name it to the hook; pass that name on as `indexFile`.
 */
export async function readStagedFiles(
  git: Git,
  options: { readonly indexFile?: string | undefined } = {},
): Promise<StagedFile[]> {
  const env =
    options.indexFile === undefined ? {} : { GIT_INDEX_FILE: path.resolve(git.location.workTree, options.indexFile) };
  const fields = await git.fields(['diff-index', '--cached', '-z', '--raw', '--no-abbrev', '--no-renames', 'HEAD'], {
    env,
  });
  const changes = parseRawChanges(fields);
  const blobOf = (change: (typeof changes)[number]): string | undefined =>
    change.after?.mode.startsWith('100') === true ? change.after.blob : undefined;
  const contents = await readBlobs(
    git,
    changes.map(blobOf).filter((blob) => blob !== undefined),
  );
  return changes.map((change) => ({
    path: change.path,
    status: change.status,
    content: contents.get(blobOf(change) ?? ''),
  }));
}
