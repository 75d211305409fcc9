import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { TRUST_LEVELS } from '../../model/provenance.ts';
import type { Proposed, RequestedChange } from '../../proposals/request.ts';
import { placeOf, scopeOfPath, sensitivityOf } from '../../workspace/formats/layout.ts';
import { findObedience } from '../../workspace/formats/obeyed-files.ts';
import type { Change } from '../../workspace/door/request.ts';
import { assertNoSymlinkEscape } from '../../workspace/safety/paths.ts';
import { markAgentWords } from '../agent-words.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { assertMayTouch, noSuchFile, visibleTo } from '../visible-to.ts';
import { toWorkspacePath } from '../workspace-files.ts';
import { describeWrite } from '../commit-or-propose.ts';
import { writeOrPropose } from '../writer-gate.ts';
import { compareUserWords } from './user-words.ts';

const path = z.string().min(1);

/** One change of one file, as data: what it becomes is worked out under the write lock. */
const fileChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('create'), path, text: z.string() }),
  z.strictObject({ kind: z.literal('write'), path, text: z.string() }),
  z.strictObject({ kind: z.literal('replace'), path, find: z.string().min(1), with: z.string() }),
  z.strictObject({ kind: z.literal('insert'), path, line: z.number().int().min(0), text: z.string() }),
  z.strictObject({ kind: z.literal('delete'), path }),
  z.strictObject({ kind: z.literal('rename'), path, to: path }),
]);

type FileChange = z.output<typeof fileChange>;
/** A change that works on a file's text; renaming leaves that alone. */
type TextChange = Exclude<FileChange, { readonly kind: 'rename' }>;

/** The text of a file after a change; undefined when it is gone. */
export function applyChange(change: TextChange, current: string | undefined): string | undefined {
  switch (change.kind) {
    case 'create':
      if (current !== undefined) throw exists(change.path);
      return change.text;
    case 'write':
      return change.text;
    case 'replace':
      return replaceOnce(change, must(change.path, current));
    case 'insert':
      return insertAfter(change, must(change.path, current));
    case 'delete':
      must(change.path, current);
      return undefined;
  }
}

function exists(path: string): MnemeError {
  return new MnemeError('conflict', `There is a ${path} already.`, { hint: 'Change it, or choose another name.' });
}

function must(path: string, current: string | undefined): string {
  if (current === undefined) throw noSuchFile(path);
  return current;
}

/** 1-based lines in which a text begins; empty when it stands nowhere. */
export function linesOf(text: string, find: string): number[] {
  const lines: number[] = [];
  for (let at = text.indexOf(find); at !== -1; at = text.indexOf(find, at + 1)) {
    lines.push(text.slice(0, at).split('\n').length);
  }
  return lines;
}

function replaceOnce({ path, find, with: replacement }: TextChange & { kind: 'replace' }, current: string): string {
  const [first, ...others] = linesOf(current, find);
  if (first === undefined) {
    throw new MnemeError('not-found', `The text to replace is not in ${path}.`, {
      hint: 'Read the file as it is now; spaces and line ends count.',
    });
  }
  if (others.length > 0) {
    throw new MnemeError(
      'conflict',
      `The text to replace stands in ${path} more than once (lines ${first}, ${others.join(', ')}).`,
      {
        hint: 'Take in more of what stands around it.',
      },
    );
  }
  const at = current.indexOf(find);
  return current.slice(0, at) + replacement + current.slice(at + find.length);
}

/** Lines as an editor counts them: a line end at the end of the file begins no new one. */
export function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function insertAfter({ path, line, text }: TextChange & { kind: 'insert' }, current: string): string {
  const lines = splitLines(current);
  if (line > lines.length) {
    throw new MnemeError('usage', `${path} has ${lines.length} lines; nothing can be put after line ${line}.`);
  }
  const inserted = text.endsWith('\n') ? text.slice(0, -1) : text;
  const end = current === '' || current.endsWith('\n') ? '\n' : '';
  return `${lines.toSpliced(line, 0, inserted).join('\n')}${end}`;
}

const input = z.strictObject({
  changes: z.array(fileChange).min(1).max(1000),
  summary: z.string().trim().min(1).max(500).default('changed files').describe('What the change is about.'),
  why: z.string().max(4000).default('').describe('For a proposal: why.'),
  evidence: z.array(z.string()).max(50).default([]).describe('For a proposal: what it rests on.'),
  trust: z.enum(TRUST_LEVELS).exclude(['user']).default('agent').describe('Where the words come from.'),
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  propose: z.boolean().default(false).describe('File it for somebody to decide on, whoever asks.'),
  trigger: z.string().optional(),
  session: z.string().optional(),
});

export type ChangeFilesInput = z.input<typeof input>;

export interface ChangedFiles {
  readonly outcome: 'written' | 'unchanged' | Proposed['outcome'];
  readonly mutation: string | null;
  readonly proposal: string | null;
  /** Why it waits for somebody; null when it happened. */
  readonly waitsBecause: string | null;
  readonly files: readonly string[];
  readonly redacted: readonly string[];
  readonly warnings: readonly string[];
}

interface DraftedFile {
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Changes files as far as whoever asks may: people and the main agent write, sub-agents propose, and so does the main
 * agent where the user's own words, identity, vault or topics are concerned.
 */
export const changeFiles = defineOperation({
  name: 'files change',
  summary: 'Create, change, move or delete files; what only a person may decide becomes a proposal.',
  input,
  effect: 'propose',
  withoutLease: 'proposes',
  reach: 'filtered',
  async run(context, given): Promise<ChangedFiles> {
    if (roleOf(context.actor) === 'reader') {
      throw new MnemeError('refused', `${context.actor} may not change files: readers only read.`);
    }
    const changes = given.changes.map((change) => placed(context, change));
    for (const change of changes) await assertReachable(context, change);
    const drafted = draft(context, changes);
    const suggest = (waitsBecause: string): Promise<ChangedFiles> =>
      propose(context, { changes, drafted, waitsBecause }, given);
    const waitsBecause = reasonToWait(context, given.propose, changes, drafted);
    if (waitsBecause !== undefined) return suggest(waitsBecause);
    return writeOrPropose(context, () => commit(context, changes, given), suggest);
  },
});

type Given = z.output<typeof input>;

/** With its paths as the workspace spells them. */
function placed(context: OperationContext, change: FileChange): FileChange {
  const path = toWorkspacePath(context, change.path);
  return change.kind === 'rename' ? { ...change, path, to: toWorkspacePath(context, change.to) } : { ...change, path };
}

/** Before anything is read: a link could lead out of the workspace, and a file may be somebody else's. */
async function assertReachable(context: OperationContext, change: FileChange): Promise<void> {
  const written = change.kind === 'rename' ? [change.path, change.to] : [change.path];
  for (const path of written) await assertNoSymlinkEscape(context.workspace.root, path);
  assertMayTouch(context, change.path);
  if (change.kind === 'rename') visibleTo(context).enterToWrite(scopeOfPath(change.to));
}

export function readText({ homeIndex }: OperationContext, path: string): string | undefined {
  return homeIndex.files.read({ source: 'workspace', path })?.text;
}

/** Drafts the files in the order of the changes; reports what cannot be done before anything is written. */
function draft(context: OperationContext, changes: readonly FileChange[]): Map<string, DraftedFile> {
  const drafted = new Map<string, DraftedFile>();
  const current = (path: string): string | undefined =>
    drafted.has(path) ? drafted.get(path)?.after : readText(context, path);
  for (const change of changes) {
    const before = drafted.get(change.path)?.before ?? readText(context, change.path);
    if (change.kind === 'rename') {
      const text = current(change.path);
      if (text === undefined) throw noSuchFile(change.path);
      if (current(change.to) !== undefined) throw exists(change.to);
      drafted.set(change.path, { before, after: undefined });
      drafted.set(change.to, { before: undefined, after: text });
    } else {
      drafted.set(change.path, {
        before,
        after: marked(context, change.path, before, applyChange(change, current(change.path))),
      });
    }
  }
  return drafted;
}

function marked(
  { actor, layout }: OperationContext,
  path: string,
  before: string | undefined,
  after: string | undefined,
): string | undefined {
  return after === undefined ? undefined : markAgentWords({ actor, layout, path }, before, after);
}

/** Why somebody else decides; undefined when it may happen at once. */
function reasonToWait(
  context: OperationContext,
  isAskedFor: boolean,
  changes: readonly FileChange[],
  drafted: ReadonlyMap<string, DraftedFile>,
): string | undefined {
  const role = roleOf(context.actor);
  if (isAskedFor) return 'somebody decides';
  if (role === 'human') return undefined;
  if (role === 'subagent') return 'sub-agents propose';
  for (const [path, { before, after }] of drafted) {
    const { store } = placeOf(path, context.layout);
    const isPersons = store === 'vault' || store === 'identity' || store === 'topic';
    if (isPersons || sensitivityOf(path) === 'critical') return `${path} changes only with a person's yes`;
    const obedience = findObedience(path);
    if (obedience !== undefined) return `${path} changes only with a person's yes: ${obedience}`;
    if (changes.some((change) => change.kind === 'rename' && change.path === path)) continue;
    const source = changes.find((change) => change.kind === 'rename' && change.to === path);
    const old = source === undefined ? { path, text: before } : { path: source.path, text: after };
    const words = compareUserWords(context, old, { path, text: after });
    if (words.removes) return `${path} says it in the user's own words`;
    if (words.adds && words.hadAny) return `${path} is told as the user's own words`;
    if (words.adds) {
      throw new MnemeError('refused', `An agent cannot say in ${path} that the user said something.`, {
        hint: 'Leave out `trust: user` and `source: user-explicit`.',
      });
    }
  }
  return undefined;
}

async function commit(context: OperationContext, changes: readonly FileChange[], given: Given): Promise<ChangedFiles> {
  const { actor, workspace } = context;
  const result = await workspace.commit({
    actor,
    approval: roleOf(actor) === 'human' ? '—' : 'auto',
    trigger: given.trigger,
    session: given.session,
    summary: given.summary,
    changes: changes.map((change) => toDoorChange(context, change)),
  });
  const { mutation, files, redacted, warnings } = describeWrite(result);
  return {
    outcome: mutation === null ? 'unchanged' : 'written',
    mutation,
    proposal: null,
    waitsBecause: null,
    files: files.map(({ path }) => path),
    redacted,
    warnings,
  };
}

function toDoorChange(context: OperationContext, change: FileChange): Change {
  if (change.kind === 'rename') return { path: change.path, renameTo: change.to };
  const { path } = change;
  return { path, edit: (current) => marked(context, path, current, applyChange(change, current)) };
}

async function propose(
  context: OperationContext,
  {
    changes,
    drafted,
    waitsBecause,
  }: {
    readonly changes: readonly FileChange[];
    readonly drafted: ReadonlyMap<string, DraftedFile>;
    readonly waitsBecause: string;
  },
  given: Given,
): Promise<ChangedFiles> {
  const renamed = new Map(
    changes.flatMap((change) => (change.kind === 'rename' ? [[change.path, change.to] as const] : [])),
  );
  const targets = new Set(renamed.values());
  const requested = [...drafted]
    .filter(([path]) => !targets.has(path))
    .map(([path, { before, after }]): RequestedChange => {
      const renameTo = renamed.get(path);
      return renameTo === undefined ? { path, before, after } : { path, before, after: before, renameTo };
    });
  const proposed = await context.proposals.propose({
    kind: 'memory',
    title: given.summary,
    why: given.why,
    evidence: given.evidence,
    actor: context.actor,
    trust: given.trust,
    confidence: given.confidence,
    changes: requested,
    trigger: given.trigger,
    session: given.session,
  });
  return {
    outcome: proposed.outcome,
    mutation: proposed.mutation ?? null,
    proposal: proposed.id,
    waitsBecause: proposed.outcome === 'applied' ? null : waitsBecause,
    files: [...drafted.keys()],
    redacted: proposed.redactions.map(({ rule }) => rule),
    warnings: proposed.warnings,
  };
}
