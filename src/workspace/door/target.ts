import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { assertNoSymlinkEscape, findCaseCollision, parseWorkspacePath } from '../safety/paths.ts';
import type { DoorContext } from './context.ts';
import { refuseReadOnlyFolder } from './regular-file.ts';

/** Made from the history; a line written into it by hand would be a forgery. */
const AUDIT_LOG = 'memory/meta/audit.log';

/** The workspace path somebody wants to write to, once everything that speaks against it has been looked at. */
export async function resolveTarget(context: DoorContext, input: string, isErasure = false): Promise<string> {
  const target = parseWorkspacePath(input);
  const root = context.paths.repositories.workspace.workTree;
  if (target === AUDIT_LOG) {
    throw new MnemeError('refused', `${AUDIT_LOG} is written by Mneme itself.`, {
      hint: 'It follows from the history; `mneme audit` reads it.',
    });
  }
  // A secret in the name of a file is no reason to keep words in it.
  if (!isErasure) await refuseSecretName(context, target);
  const { finalIsSymlink } = await assertNoSymlinkEscape(root, target);
  if (finalIsSymlink) {
    throw new MnemeError('refused', `${target} is a link; writing to it would replace the link.`, {
      hint: 'Write to the file it points to.',
    });
  }
  refuseFolders(context, root, target);
  refuseLongPath(context, root, target);
  refuseTwins(context, root, target);
  refuseReadOnlyFolder(context.fs, path.join(root, target), target);
  return target;
}

/** Names reach git, the index and the log as they are; a secret in one could not be taken out again. */
async function refuseSecretName(context: DoorContext, target: string): Promise<void> {
  const { findings } = await context.redactor.redact(target);
  const [first] = findings;
  if (first === undefined) return;
  throw new MnemeError('refused', `The name of the file holds what looks like a secret (${first.rule}).`, {
    hint: 'Give the file another name; `redaction.allow` in mneme.yaml lists what only looks like one.',
  });
}

/** Only for files that are not there yet: what a person made must stay editable and removable. */
function refuseLongPath({ fs, maxPathChars }: DoorContext, root: string, target: string): void {
  if (target.length <= maxPathChars || fs.exists(path.join(root, target))) return;
  const start = target.slice(0, 60);
  throw new MnemeError(
    'refused',
    `The path ${start}… has ${target.length} characters; at most ${maxPathChars} are allowed.`,
    { hint: 'Shorten the names.' },
  );
}

/** A folder cannot become a file, nor a file a folder; git would drop everything below. */
function refuseFolders(context: DoorContext, root: string, target: string): void {
  const { fs } = context;
  const segments = target.split('/');
  for (const [index] of segments.entries()) {
    const relative = segments.slice(0, index + 1).join('/');
    const full = path.join(root, relative);
    if (!fs.exists(full)) return;
    const isFile = fs.stamp(full) !== undefined;
    const isLast = index === segments.length - 1;
    if (isLast && !isFile) throw new MnemeError('usage', `${relative} is a folder.`, { hint: 'Name a file in it.' });
    if (!isLast && isFile) {
      throw new MnemeError('usage', `${relative} is a file, so ${target} cannot be in it.`, {
        hint: 'Choose another path.',
      });
    }
  }
}

/** A name that only differs in case or look from one that is there would be the same file on many systems. */
function refuseTwins(context: DoorContext, root: string, target: string): void {
  let folder = root;
  for (const segment of target.split('/')) {
    const next = path.join(folder, segment);
    if (!context.fs.exists(next)) {
      const twin = findCaseCollision(segment, context.fs.list(folder));
      if (twin === undefined) return;
      throw new MnemeError('refused', `"${segment}" in ${target} differs from "${twin}" only in case or look.`, {
        hint: 'On many systems the two would be one file. Use the existing name or a clearly different one.',
      });
    }
    folder = next;
  }
}
