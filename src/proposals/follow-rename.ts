import { nodeFileSystem } from '../platform/fs.ts';
import type { Change } from '../workspace/door/request.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { overtakenError } from './file-edits.ts';
import { ProposalFolder, type ProposalFile } from './folder.ts';
import { applyChange, makeChange, type Versions } from './patch.ts';
import { pathsOf, type ProposedChange } from './proposal.ts';
import { withDiffs, withHeader } from './render.ts';
import { isOpen } from './state.ts';
import { Texts } from './texts.ts';

/** A file that has another name now, and what that does to links in other files. */
export interface Move {
  readonly from: string;
  readonly to: string;
  readonly relink: (path: string, text: string) => string;
  /** Whether a text could speak of it at all. */
  readonly isMentionedIn: (text: string) => boolean;
}

export interface Following {
  /** The changes that update the proposals to the new name. */
  readonly changes: readonly Change[];
  readonly followed: readonly string[];
  /** Those that cannot follow by themselves, and why. */
  readonly left: readonly { readonly id: string; readonly why: string }[];
}

/** Updates proposals that change a file, or would link to it, after the file was renamed. */
export async function planFollowing(workspace: Workspace, move: Move): Promise<Following> {
  const folder = new ProposalFolder(workspace.paths.repositories.workspace.workTree);
  const texts = new Texts(workspace, nodeFileSystem);
  const changes: Change[] = [];
  const followed: string[] = [];
  const left: { readonly id: string; readonly why: string }[] = [];
  for (const file of folder.readAll().files) {
    const { id, state } = file.proposal;
    if (!isOpen(state) || !move.isMentionedIn(file.text)) continue;
    const next = await follow(file, texts, move);
    if ('why' in next) left.push({ id, why: next.why });
    else if (next.text !== file.text) {
      followed.push(id);
      changes.push({ path: file.path, edit: (current) => replaced(file, current, next.text) });
    }
  }
  return { changes, followed, left };
}

function replaced(file: ProposalFile, current: string | undefined, text: string): string {
  if (current !== file.text) throw overtakenError(file.proposal.id, current);
  return text;
}

async function follow(
  { proposal, text, path }: ProposalFile,
  texts: Texts,
  move: Move,
): Promise<{ readonly text: string } | { readonly why: string }> {
  const relinked = move.relink(path, text).replaceAll(`\n- ${move.from} `, () => `\n- ${move.to} `);
  if (proposal.statement !== undefined) return { text: relinked };
  const versions = await texts.versions(proposal.changes.map((change) => moved(change, move)));
  const changes: ProposedChange[] = [];
  for (const change of proposal.changes) {
    const present = versions.get(change.number);
    if (change.state !== 'waiting' || present === undefined) {
      changes.push(change);
      continue;
    }
    const next = followChange(change, present, move);
    if ('why' in next) return next;
    changes.push(next.change);
  }
  if (changes.every((change, index) => change === proposal.changes[index])) return { text: relinked };
  return { text: withHeader(withDiffs(relinked, changes), { changes }) };
}

function moved(change: ProposedChange, { from, to }: Move): ProposedChange {
  if (!pathsOf(change).includes(from)) return change;
  const there = (file: string): string => (file === from ? to : file);
  const { renameTo } = change;
  return { ...change, path: there(change.path), ...(renameTo === undefined ? {} : { renameTo: there(renameTo) }) };
}

function followChange(
  change: ProposedChange,
  versions: Versions,
  move: Move,
): { readonly change: ProposedChange } | { readonly why: string } {
  const target = moved(change, move);
  const application = applyChange(target, versions);
  if (application.kind === 'stale') return { why: application.reason };
  const { path, number, renameTo } = target;
  const { after } = application;
  const linked = after === undefined ? undefined : move.relink(renameTo ?? path, after);
  if (target === change && linked === after) return { change };
  // The proposed change is already present under the new name; the approver sees that.
  if (linked === versions.current && renameTo === undefined) return { change: target };
  return { change: makeChange(number, { path, before: versions.current, after: linked, renameTo }) };
}
