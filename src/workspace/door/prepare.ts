import { MnemeError } from '../../model/errors.ts';
import { roleOf, type Action } from '../../model/mutation.ts';
import { newItemId } from '../../model/ids.ts';
import type { Scope } from '../../model/provenance.ts';
import { scopeOfFile, scopeOfPath } from '../formats/layout.ts';
import { parseDocument } from '../markdown/document.ts';
import type { MergeConflict } from '../markdown/merge.ts';
import { mergeTexts } from '../merge-text.ts';
import type { FileChange } from '../journal/record.ts';
import { checkSize, decodeText } from '../safety/limits.ts';
import { sameBytes, type Batch, type StagedFile } from './batch.ts';
import type { DoorContext } from './context.ts';
import type { Change, CommitRequest, CommitResult, FileResult, Redaction } from './request.ts';
import { resolveTarget } from './target.ts';

type WorkspaceChange = Exclude<Change, { append: Uint8Array }>;

interface Draft {
  readonly file: StagedFile;
  readonly content: Buffer | undefined;
  readonly merged: boolean;
  readonly conflicts: readonly MergeConflict[];
}

/**
 * Computes the effect of one request, all checks passed; nothing is staged before every change of it has been
 * computed.
 */
export async function prepareRequest(
  context: DoorContext,
  batch: Batch,
  request: CommitRequest,
): Promise<Omit<CommitResult, 'indexError'>> {
  refuseReaders(request);
  refuseLargeGroups(request, context.maxChanges);
  const { isErasure = false } = request;
  const redactions: Redaction[] = [];
  const warnings: string[] = [];
  const drafts = new Map<string, Draft>();
  for (const change of request.changes) {
    for (const [target, draft] of await draftChange(context, batch, drafts, change as WorkspaceChange, isErasure)) {
      const { content, found } = await redactContent(context, target, draft, isErasure);
      redactions.push(...found);
      if (!isErasure) {
        checkSize(target, content?.length ?? 0, maxBytesOf(content, context));
        warnings.push(...validate(context, request, target, draft.file, content));
      }
      drafts.set(target, { ...draft, content });
    }
  }
  const redactedRequest = await redactAttribution(context, withoutPrivateWords(request, drafts));
  return { ...stageDrafts(batch, redactedRequest, drafts), redactions, warnings };
}

function maxBytesOf(content: Buffer | undefined, { maxFileBytes, maxAttachmentBytes }: DoorContext): number {
  const isText = content === undefined || decodeText(content).kind === 'text';
  return isText ? maxFileBytes : maxAttachmentBytes;
}

/** Shared, or of a scope. */
const PROPOSAL_FILE = /^(?:memory\/scopes\/[^/]+\/)?memory\/meta\/proposals\/[^/]+$/u;

function isProposalFile({ path: file }: Change): boolean {
  return PROPOSAL_FILE.test(file);
}

function refuseReaders(request: CommitRequest): void {
  const role = roleOf(request.actor);
  if (role === 'main' || role === 'human') return;
  // Filing a proposal is the one thing a sub-agent writes.
  const isProposal = request.changes.length > 0 && request.changes.every(isProposalFile);
  if (role === 'subagent' && isProposal) return;
  throw new MnemeError('refused', `${request.actor} may not write to the memory itself.`, {
    hint: role === 'subagent' ? 'Sub-agents propose: `mneme agents propose`.' : 'Readers only read.',
  });
}

function refuseLargeGroups({ changes }: CommitRequest, maxChanges: number): void {
  if (changes.length <= maxChanges) return;
  throw new MnemeError(
    'refused',
    `This would change ${changes.length} files at once; at most ${maxChanges} go together.`,
    {
      hint: 'Do it in parts.',
    },
  );
}

async function draftChange(
  context: DoorContext,
  batch: Batch,
  drafts: ReadonlyMap<string, Draft>,
  change: WorkspaceChange,
  isErasure: boolean,
): Promise<[string, Draft][]> {
  const target = await resolveTarget(context, change.path, isErasure);
  const draft = drafts.get(target);
  const file = draft?.file ?? (await batch.load(target));
  const current = draft === undefined ? file.current : draft.content;
  if ('renameTo' in change) {
    const to = await resolveTarget(context, change.renameTo);
    if (current === undefined) throw new MnemeError('not-found', `${target} does not exist.`);
    const destination = await batch.load(to);
    if (destination.current !== undefined) {
      throw new MnemeError('conflict', `${to} exists already.`, { hint: 'Choose another name, or remove it first.' });
    }
    const moved = { content: current, merged: false, conflicts: [] };
    return [
      [target, { file, content: undefined, merged: false, conflicts: [] }],
      [to, { file: destination, ...moved }],
    ];
  }
  if ('edit' in change) {
    const text = change.edit(current === undefined ? undefined : requireText(target, current));
    return [[target, { file, content: toBytes(text), merged: false, conflicts: [] }]];
  }
  const newId = (): string => newItemId((length) => context.random.bytes(length));
  return [[target, { file, ...mergeContent(target, change.base, change.content, current, newId) }]];
}

function mergeContent(
  target: string,
  base: string | Uint8Array | undefined,
  desired: string | Uint8Array | undefined,
  current: Buffer | undefined,
  newId: () => string,
): Omit<Draft, 'file'> {
  const baseBytes = toBytes(base);
  const desiredBytes = toBytes(desired);
  if (sameBytes(baseBytes, current)) return { content: desiredBytes, merged: false, conflicts: [] };
  if (desiredBytes === undefined || current === undefined) {
    throw new MnemeError('conflict', `${target} has changed since it was read.`, {
      hint: 'Read it again and repeat the change.',
    });
  }
  const versions = {
    base: baseBytes === undefined ? '' : requireText(target, baseBytes),
    ours: requireText(target, desiredBytes),
    theirs: requireText(target, current),
  };
  const merged = mergeTexts(target, versions, newId);
  return { content: Buffer.from(merged.text, 'utf8'), merged: true, conflicts: merged.conflicts };
}

/** Files that are text by their name: a NUL byte in one would hide the rest from redaction. */
const TEXT_FILE = /\.(?:md|markdown|txt|ya?ml|json|jsonl|csv|html?)$/iu;

async function redactContent(
  context: DoorContext,
  target: string,
  { content, file }: Draft,
  isErasure: boolean,
): Promise<{ content: Buffer | undefined; found: Redaction[] }> {
  if (content === undefined) return { content, found: [] };
  const decoded = decodeText(content);
  if (decoded.kind === 'binary') {
    if (isErasure || !TEXT_FILE.test(target)) return { content, found: [] };
    throw new MnemeError('refused', `The new content of ${target} is not text (${decoded.reason}).`, {
      hint: 'Keep binary data under a name that says so, as an attachment.',
    });
  }
  const { text, findings } = await context.redactor.redact(decoded.text, textBefore(file));
  if (findings.length === 0) return { content, found: [] };
  const found = findings.map(({ rule, count }) => ({ path: target, rule, count }));
  return { content: Buffer.from(text, 'utf8'), found };
}

function textBefore({ current }: StagedFile): string | undefined {
  const decoded = current === undefined ? undefined : decodeText(current);
  return decoded?.kind === 'text' ? decoded.text : undefined;
}

/** Summary and trigger become git trailers; a secret there would be as bad as one in the file. */
async function redactAttribution(context: DoorContext, request: CommitRequest): Promise<CommitRequest> {
  // Redacted before it is shortened: half a token is no longer recognised.
  const clean = async (text: string): Promise<string> => oneLine((await context.redactor.redact(text)).text);
  return {
    ...request,
    summary: await clean(request.summary),
    trigger: request.trigger === undefined ? undefined : await clean(request.trigger),
    session: request.session === undefined ? undefined : await clean(request.session),
  };
}

/** Says nothing: only what it belongs to. */
const PROPOSAL_TRIGGER = /^proposal [0-9A-Z]{26}$/u;

/** History and audit log are read by whoever sees the home; what belongs to a private scope is not quoted there. */
function withoutPrivateWords(request: CommitRequest, drafts: ReadonlyMap<string, Draft>): CommitRequest {
  const scopes = new Set([...drafts].flatMap(scopesOfDraft));
  scopes.delete('shared');
  if (scopes.size === 0 || request.summaryScope === 'shared') return request;
  const isSafe = request.trigger !== undefined && PROPOSAL_TRIGGER.test(request.trigger);
  return {
    ...request,
    summary: `something of ${[...scopes].sort().join(', ')}`,
    trigger: isSafe ? request.trigger : undefined,
  };
}

/** By its folder, and by what the file says of itself before and after. */
function scopesOfDraft([target, { file, content }]: readonly [string, Draft]): Scope[] {
  const folder = scopeOfPath(target);
  return [file.current, content].map((bytes) => {
    const text = textOf(bytes);
    return target.endsWith('.md') && text?.includes('scope') === true
      ? scopeOfFile(folder, parseDocument(text))
      : folder;
  });
}

/** Trailers are lines: what goes into one must not start another. */
const ATTRIBUTION_MAX_CHARACTERS = 300;
function oneLine(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  return line.length > ATTRIBUTION_MAX_CHARACTERS ? `${line.slice(0, ATTRIBUTION_MAX_CHARACTERS - 1)}…` : line;
}

function validate(
  context: DoorContext,
  request: CommitRequest,
  target: string,
  file: StagedFile,
  content: Buffer | undefined,
): string[] {
  const proposed = { path: target, before: textOf(file.current), after: textOf(content) };
  return context.registries.validators.flatMap((validator) => [...validator(proposed, request)]);
}

function stageDrafts(
  batch: Batch,
  request: CommitRequest,
  drafts: ReadonlyMap<string, Draft>,
): Pick<CommitResult, 'mutation' | 'timeMs' | 'files'> {
  const changes: FileChange[] = [];
  const contents: (Buffer | undefined)[] = [];
  const files: FileResult[] = [];
  for (const [target, draft] of drafts) {
    if (sameBytes(draft.file.current, draft.content)) continue;
    const before = draft.file.recorded;
    const staged = batch.stage(target, draft.file, draft.content);
    const action = request.action ?? actionOf(draft.file.current, draft.content);
    changes.push({ path: target, before, after: staged.recorded });
    contents.push(draft.content);
    files.push({
      path: target,
      action,
      text: textOf(draft.content),
      merged: draft.merged,
      conflicts: draft.conflicts,
    });
  }
  // A request without changes is a statement for the record; one whose changes are all there already is nothing.
  if (changes.length === 0 && request.changes.length > 0)
    return { mutation: undefined, timeMs: request.timeMs ?? 0, files };
  const action = request.action ?? groupAction(request, files);
  const record = batch.addRecord({ ...request, action }, changes, contents);
  return { mutation: record.id, timeMs: record.timeMs, files };
}

function groupAction(request: CommitRequest, files: readonly FileResult[]): Action {
  if (request.changes.some((change) => 'renameTo' in change)) return 'RENAME';
  return files[0]?.action ?? 'EDIT';
}

function actionOf(before: Buffer | undefined, after: Buffer | undefined): Action {
  if (before === undefined) return 'CREATE';
  if (after === undefined) return 'DELETE';
  const grew = after.length > before.length && after.subarray(0, before.length).equals(before);
  return grew ? 'APPEND' : 'EDIT';
}

function requireText(target: string, bytes: Buffer): string {
  const decoded = decodeText(bytes);
  if (decoded.kind === 'text') return decoded.text;
  throw new MnemeError('refused', `${target} is not a text file (${decoded.reason}); it is left as it is.`, {
    hint: 'Only text files can be edited by block.',
  });
}

function textOf(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? decoded.text : undefined;
}

function toBytes(content: string | Uint8Array | undefined): Buffer | undefined {
  if (content === undefined) return undefined;
  return typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content);
}
