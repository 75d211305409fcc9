import { MnemeError } from '../model/errors.ts';
import type { Attribution } from '../model/mutation.ts';
import type { CommitRequest } from '../workspace/door/request.ts';
import { isGenerated } from '../workspace/formats/layout.ts';
import type { Git } from '../workspace/git/git.ts';
import { logEntries, type HistoryEntry } from '../workspace/git/history.ts';
import { changesBetween, isRegularFile, readBlobs, readFileAt, type TreeChange } from '../workspace/git/objects.ts';
import { getMutationCommit, resolveRevision } from '../workspace/git/revisions.ts';
import { findBlockById, itemRange, sectionRange, type BlockRange } from '../workspace/markdown/blocks.ts';
import { type Block, type MarkdownDocument, parseDocument, serializeDocument } from '../workspace/markdown/document.ts';
import { insertBlocks, removeBlock, replaceBlock } from '../workspace/markdown/edit.ts';
import { itemIds } from '../workspace/markdown/identity.ts';
import { diffBlocks } from '../workspace/markdown/merge.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { UndoDraft, type DraftedUndo, type UndoStep } from './undo-draft.ts';

export type UndoTarget =
  /** The last change of one item, or what one mutation did to it. */
  | { readonly kind: 'item'; readonly path: string; readonly id: string; readonly mutation?: string | undefined }
  /** A file as it was at a revision: a mutation, tag, date, time or commit. */
  | { readonly kind: 'file'; readonly path: string; readonly revision: string }
  /** Everything one mutation did; a person's own commit is named `git:` and its hash. */
  | { readonly kind: 'mutation'; readonly mutation: string; readonly isWholeBatch?: boolean | undefined }
  /** Everything an approved proposal did. */
  | { readonly kind: 'proposal'; readonly proposal: string }
  /** Everything a reflection or conversation did. */
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'workspace'; readonly revision: string };

/** The effect of an undo. Nothing has been written when a plan exists. */
export interface UndoPlan extends DraftedUndo {
  readonly summary: string;
  readonly trigger: string;
}

export interface UndoMoment {
  readonly nowMs: number;
  readonly timeZone: string;
}

const ALL = Number.MAX_SAFE_INTEGER;

/** The proposals' own files, and the pages made from them, record what was decided; undoing its effect must not rewrite that. */
const PROPOSAL_RECORDS =
  /^(?:memory\/scopes\/[^/]+\/)?memory\/meta\/(?:proposals\/|reflection-log\.md$|pending-(?:reflection|memories)\.md$)/u;

/** Histories of a file are read in pieces: the change looked for is usually a recent one. */
const ENTRIES_PER_READ = 50;

export async function planUndo(workspace: Workspace, target: UndoTarget, moment: UndoMoment): Promise<UndoPlan> {
  const draft = await UndoDraft.open(workspace);
  const git = workspace.git.workspace;
  const summary = await draftTarget(git, draft, target, moment);
  return { summary, trigger: triggerOf(target), ...(await draft.finish()) };
}

/** The request that carries a plan out. */
export function undoRequest(plan: UndoPlan, attribution: Omit<Attribution, 'trigger'>): CommitRequest {
  const { changes, summary, trigger } = plan;
  return { ...attribution, changes, summary, trigger, action: 'REVERT' };
}

/** Fills the draft and says, for the history, what is being undone. */
async function draftTarget(git: Git, draft: UndoDraft, target: UndoTarget, moment: UndoMoment): Promise<string> {
  switch (target.kind) {
    case 'item':
      return draftItem(git, draft, target);
    case 'file':
      return draftFile(git, draft, target, moment);
    case 'mutation':
      return draftMutation(git, draft, target);
    case 'proposal': {
      const entries = await findEntries(git, target.proposal, (entry) => isOfProposal(entry, target.proposal));
      return draftEntries(git, draft, entries, `proposal ${target.proposal}`);
    }
    case 'session': {
      const entries = await findEntries(git, target.session, (entry) => isOfSession(entry, target.session));
      return draftEntries(git, draft, entries, `session ${target.session}`);
    }
    case 'workspace':
      return draftWorkspace(git, draft, target.revision, moment);
  }
}

function triggerOf(target: UndoTarget): string {
  switch (target.kind) {
    case 'item':
      return `undo item ${target.id}`;
    case 'file':
      return `undo file ${target.path} to ${target.revision}`;
    case 'mutation':
      return `undo mutation ${target.mutation}`;
    case 'proposal':
      return `undo proposal ${target.proposal}`;
    case 'session':
      return `undo session ${target.session}`;
    case 'workspace':
      return `undo workspace to ${target.revision}`;
  }
}

async function draftMutation(
  git: Git,
  draft: UndoDraft,
  { mutation, isWholeBatch }: UndoTarget & { kind: 'mutation' },
): Promise<string> {
  const [, own] = /^git:([0-9a-f]+)$/.exec(mutation) ?? [];
  const entry = await getEntry(git, own ?? (await getMutationCommit(git, mutation)));
  if (entry.mutations.length > 1 && isWholeBatch !== true) {
    throw new MnemeError('refused', `${mutation} was committed together with ${entry.mutations.length - 1} others.`, {
      hint: 'Undo the whole batch, or take single files back to an earlier revision.',
    });
  }
  await reverseEntries(git, draft, [entry]);
  return `undid ${entry.action ?? 'EDIT'} ${mutation} (${entry.summary})`;
}

async function draftFile(
  git: Git,
  draft: UndoDraft,
  { path, revision }: UndoTarget & { kind: 'file' },
  moment: UndoMoment,
): Promise<string> {
  const { commit } = await resolveRevision(git, revision, moment.nowMs, moment.timeZone);
  const content = await readFileAt(git, commit, path);
  if (content === undefined && draft.current(path) === undefined) {
    throw new MnemeError('not-found', `There is no ${path}, neither now nor at ${revision}.`, {
      hint: `\`mneme history log\` shows which files changed and when.`,
    });
  }
  draft.restore(path, content);
  return `restored ${path} to ${revision} (${commit.slice(0, 12)})`;
}

async function draftWorkspace(git: Git, draft: UndoDraft, revision: string, moment: UndoMoment): Promise<string> {
  const { commit } = await resolveRevision(git, revision, moment.nowMs, moment.timeZone);
  const all = await changesBetween(git, commit, 'HEAD');
  const changes = all.filter((change) => isOfRegularFile(change) && !PROPOSAL_RECORDS.test(change.path));
  const contents = await readBlobs(
    git,
    changes.flatMap(({ before }) => before?.blob ?? []),
  );
  for (const { path, before } of changes) draft.restore(path, contents.get(before?.blob ?? ''));
  return `restored the workspace to ${revision} (${commit.slice(0, 12)})`;
}

async function draftEntries(
  git: Git,
  draft: UndoDraft,
  entries: readonly HistoryEntry[],
  what: string,
): Promise<string> {
  if (entries.length === 0) {
    throw new MnemeError('not-found', `History has no mutation of ${what}.`, {
      hint: '`mneme audit` and `mneme history log` list mutations with their triggers and sessions.',
    });
  }
  await reverseEntries(git, draft, entries);
  return `undid ${what} (${entries.length} mutation${entries.length === 1 ? '' : 's'})`;
}

async function draftItem(
  git: Git,
  draft: UndoDraft,
  { path, id, mutation }: UndoTarget & { kind: 'item' },
): Promise<string> {
  const isItem = createItemTest(path, id, draft.current(path)?.toString('utf8') ?? '');
  for (let skip = 0; ; skip += ENTRIES_PER_READ) {
    const entries = await logEntries(git, { path, limit: ENTRIES_PER_READ, skip });
    const candidates = entries.filter((entry) => mutation === undefined || entry.mutations.includes(mutation));
    for (const step of await readSteps(git, candidates)) {
      if (step.path !== path) continue;
      const after = step.after?.toString('utf8') ?? '';
      const reversed = reverseItem(step.before?.toString('utf8') ?? '', after, isItem);
      if (reversed === undefined) continue;
      draft.reverse({ ...step, from: undefined, before: Buffer.from(reversed), after: Buffer.from(after) });
      if (isAdded(step, isItem)) await restoreEnded(git, draft, step.commit, id);
      return `undid the last change of ${id} in ${path}`;
    }
    if (entries.length < ENTRIES_PER_READ) break;
  }
  throw new MnemeError('not-found', `No change of the item ${id} in ${path} is in history.`, {
    hint: 'Check the id (`mneme read` shows ids) and the file it stands in.',
  });
}

function isAdded({ before }: UndoStep, isItem: ItemTest): boolean {
  return !parseDocument(before?.toString('utf8') ?? '').blocks.some(isItem);
}

/** Takes back what the same mutation ended in an item's favour: what it superseded, and lines of core memory that state it. */
async function restoreEnded(git: Git, draft: UndoDraft, commit: string, id: string): Promise<void> {
  const names = new RegExp(`\\b(?:superseded_by|states):${id}\\b`, 'u');
  for (const step of await readSteps(git, [await getEntry(git, commit)])) {
    const [before, after] = [step.before?.toString('utf8'), step.after?.toString('utf8')];
    if (before === undefined || after === undefined) continue;
    let reversed = after;
    for (const { after: now } of diffBlocks(before, after).changed.filter((pair) => names.test(pair.after.raw))) {
      reversed = reverseItem(before, reversed, (block) => block === now || block.raw === now.raw) ?? reversed;
    }
    if (reversed === after) continue;
    draft.reverse({ ...step, from: undefined, before: Buffer.from(reversed), after: Buffer.from(after) });
  }
}

/** Newest first, so that each step finds the file as it left it. */
async function reverseEntries(git: Git, draft: UndoDraft, entries: readonly HistoryEntry[]): Promise<void> {
  const steps = await readSteps(git, entries);
  for (const step of steps) if (!PROPOSAL_RECORDS.test(step.path)) draft.reverse(step);
}

async function readSteps(git: Git, entries: readonly HistoryEntry[]): Promise<UndoStep[]> {
  const steps = entries.flatMap((entry) => entry.changes.map((change) => ({ change, commit: entry.commit })));
  const regular = steps.filter(({ change }) => isOfRegularFile(change));
  const contents = await readBlobs(
    git,
    regular.flatMap(({ change: { before, after } }) => [before, after].flatMap((entry) => entry?.blob ?? [])),
  );
  return regular.map(({ change: { path, from, before, after }, commit }) => ({
    path,
    from,
    commit,
    before: contents.get(before?.blob ?? ''),
    after: contents.get(after?.blob ?? ''),
  }));
}

/** Links and nested repositories are nobody's memory. */
function isOfRegularFile({ before, after }: TreeChange): boolean {
  return [before, after].every((entry) => entry === undefined || isRegularFile(entry));
}

async function getEntry(git: Git, commit: string): Promise<HistoryEntry> {
  const [entry] = await logEntries(git, { revision: commit, limit: 1 });
  if (entry !== undefined) return entry;
  throw new MnemeError('not-found', `There is no commit ${commit}.`);
}

/** Undos of the same thing do not belong to it: taken back again they would bring it about once more. */
async function findEntries(
  git: Git,
  text: string,
  isWanted: (entry: HistoryEntry) => boolean,
): Promise<HistoryEntry[]> {
  const entries = await logEntries(git, { text, limit: ALL });
  return entries.filter((entry) => entry.action !== 'REVERT' && isWanted(entry));
}

function isOfProposal(entry: HistoryEntry, proposal: string): boolean {
  const isOnlyRecord = entry.changes.every(({ path }) => PROPOSAL_RECORDS.test(path) || isGenerated(path));
  const words = entry.trigger?.toLowerCase().split(/[^\w-]+/) ?? [];
  return !isOnlyRecord && words.includes(proposal.toLowerCase());
}

function isOfSession(entry: HistoryEntry, session: string): boolean {
  return entry.session === session || entry.actor === `reflection:${session}`;
}

/** Recognises one item in any version of its file. */
type ItemTest = (block: Block) => boolean;

/** By its anchor; text without one has an id made from its words, and is followed as long as those stay. */
function createItemTest(path: string, id: string, current: string): ItemTest {
  const doc = parseDocument(current);
  const index = findBlockById(doc, id) === undefined ? itemIds(path, doc).indexOf(id) : -1;
  const words = doc.blocks[index]?.raw.trim();
  return (block) => block.id === id || (words !== undefined && block.raw.trim() === words);
}

/**
 * The later version with nothing but this item as it was in the earlier one; undefined when the item did not change
 * between them.
 */
function reverseItem(before: string, after: string, isItem: ItemTest): string | undefined {
  const { added, removed, changed } = diffBlocks(before, after);
  const afterDoc = parseDocument(after);
  const edit = changed.find((pair) => isItem(pair.after) || isItem(pair.before));
  if (edit !== undefined) {
    const index = afterDoc.blocks.findIndex((block) => isEqual(block, edit.after));
    return serializeDocument(replaceBlock(afterDoc, index, edit.before.raw));
  }
  if (added.some(isItem)) {
    return serializeDocument(removeRange(afterDoc, itemExtent(afterDoc, afterDoc.blocks.findIndex(isItem), added)));
  }
  if (!removed.some(isItem)) return undefined;
  const beforeDoc = parseDocument(before);
  const extent = itemExtent(beforeDoc, beforeDoc.blocks.findIndex(isItem), removed);
  return serializeDocument(insertRange(afterDoc, beforeDoc, extent));
}

/** An entry comes and goes with its heading if both did so together and nothing else of importance stands under it. */
function itemExtent(doc: MarkdownDocument, index: number, together: readonly Block[]): BlockRange {
  const came = (block: Block): boolean => together.some((other) => isEqual(other, block));
  const heading = doc.blocks.slice(0, index).findLastIndex((block) => block.kind === 'heading');
  const section = heading === -1 ? undefined : sectionRange(doc, heading);
  if (section !== undefined) {
    const content = doc.blocks.slice(section.start, section.end).filter((block) => block.kind !== 'blank');
    const anchors = content.filter((block) => block.id !== undefined).length;
    const headings = content.filter((block) => block.kind === 'heading').length;
    if (content.every(came) && anchors <= 1 && headings === 1) return section;
  }
  const range = itemRange(doc, index);
  const isWhole = doc.blocks.slice(range.start, range.end).every((block) => block.kind === 'blank' || came(block));
  return isWhole ? range : { start: index, end: index + 1 };
}

function removeRange(doc: MarkdownDocument, range: BlockRange): MarkdownDocument {
  let result = doc;
  for (let index = range.end - 1; index >= range.start; index -= 1) {
    if (doc.blocks[index]?.kind !== 'blank') result = removeBlock(result, index);
  }
  return result;
}

/** Puts blocks of `source` back behind the nearest block before them that is still there. */
function insertRange(doc: MarkdownDocument, source: MarkdownDocument, range: BlockRange): MarkdownDocument {
  const raws = source.blocks.slice(range.start, range.end).map((block) => block.raw);
  const earlier = source.blocks.slice(0, range.start).filter((block) => block.kind !== 'blank');
  for (const neighbour of earlier.reverse()) {
    const index = doc.blocks.findIndex((block) => isEqual(block, neighbour));
    if (index !== -1) return insertBlocks(doc, index + 1, raws);
  }
  return insertBlocks(doc, 0, raws);
}

/** The same block, whatever happened to its text if it has an anchor. */
function isEqual(a: Block, b: Block): boolean {
  return a.id === undefined || b.id === undefined ? a.raw.trim() === b.raw.trim() : a.id === b.id;
}
