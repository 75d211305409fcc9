import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isMnemeError, MnemeError } from '../model/errors.ts';
import { readFileAt } from '../workspace/git/objects.ts';
import { scopeOfFile, scopeOfPath, storeOfPath } from '../workspace/formats/layout.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import type { OperationContext } from './context.ts';
import { findItem, looksLikeItemId } from './find-item.ts';
import { findSession, findTranscript, findTurn, looksLikeTurnId } from './find-turn.ts';
import { resolvePoint } from './history/open-history.ts';
import { scopeOfSession } from './session/session-scope.ts';
import { defineVerb } from './verb.ts';
import { foreignLines, hideForeignItems, isMeta, ownerOfFile, visibleTo, type Visibility } from './visible-to.ts';
import { readWorkspaceText, toReadablePath } from './workspace-files.ts';

const input = z.object({
  target: z.string().min(1).describe('A file (MEMORY.md), the id of an item, or a turn (SESSION#t12).'),
  from: z.number().int().min(1).optional().describe('First line.'),
  to: z.number().int().min(1).optional().describe('Last line.'),
  at: z.string().optional().describe('Version to show: a date, a tag, a mutation id, `yesterday`, `3 days ago`.'),
});

export interface ReadResult {
  readonly path: string;
  readonly store: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly totalLines: number;
  readonly text: string;
  /** The commit the text is from; null for the file on disk. */
  readonly commit: string | null;
}

export type ReadInput = z.input<typeof input>;

export const read = defineVerb({
  name: 'read',
  summary: 'Show a file, an item or a turn, now or as it was.',
  description:
    'Show a file (MEMORY.md), an item by its id, or a turn of a conversation (SESSION#t12), now or as it was.',
  examples: [
    'mneme read MEMORY.md',
    'mneme read 7k2m9x0q4t1za',
    'mneme read MEMORY.md --at "3 days ago" --lines 10-20',
  ],
  input,
  args: ['target'],
  effect: 'read',
  reach: 'filtered',
  async run(context, given): Promise<ReadResult> {
    if (given.from !== undefined && given.to !== undefined && given.from > given.to) {
      throw new MnemeError('usage', `lines ${given.from}-${given.to}: the first comes after the last.`);
    }
    const { path, text, commit, ...item } = await readVisible(context, given);
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    const startLine = given.from ?? item.startLine ?? 1;
    const endLine = Math.min(given.to ?? item.endLine ?? lines.length, lines.length);
    if (startLine > Math.max(endLine, 1)) {
      throw new MnemeError('usage', `${path} has ${lines.length} lines; there is no line ${startLine}.`);
    }
    return {
      path,
      store: storeOfPath(path, context.layout),
      startLine,
      endLine,
      totalLines: lines.length,
      text: lines.slice(startLine - 1, endLine).join('\n'),
      commit,
    };
  },
  cli: {
    section: 'everyday',
    aliases: ['show', 'cat'],
    options: { from: false, to: false, at: { value: 'when' } },
    extra: { lines: { flags: '--lines <range>', help: 'lines to show, such as 12, 10-20 or 10-' } },
    prepare: ({ input: typed, extra }) => ({ ...typed, target: typed.target ?? '', ...parseLineRange(extra['lines']) }),
  },
  render: (_view, { text }) => `${text}\n`,
});

function parseLineRange(range: unknown): { from?: number; to?: number } {
  if (typeof range !== 'string') return {};
  const [, first, dash, last] = /^(\d+)(?:\s*([-–:])\s*(\d*))?$/u.exec(range) ?? [];
  if (first === undefined || Number(first) === 0) {
    throw new MnemeError('usage', `"${range}" is not a range of lines.`, {
      hint: 'Write 12, 10-20 or 10-; the first line is 1.',
    });
  }
  const from = Number(first);
  if (dash === undefined) return { from, to: from };
  return last === undefined || last === '' ? { from } : { from, to: Number(last) };
}

/** As far as whoever asks may see it: whose it is stands in its path, its frontmatter or, of one still going on, its record. */
async function readVisible(context: OperationContext, given: z.output<typeof input>): Promise<ReadTarget> {
  const visible = visibleTo(context);
  if (visible.seesHome) return assertTimeless(await readTarget(context, given), given);
  const found = await readTarget(context, given).catch(nothingWhenNotFound);
  if (found === undefined) throw missingFor(given);
  const owners = [scopeOfFile(scopeOfPath(found.path), parseDocument(found.text))];
  if (found.session !== undefined) owners.push(scopeOfSession(context, found.session));
  // The present owner of the file counts for past versions, too.
  else if (given.at !== undefined) owners.push(ownerOfFile(context, found.path));
  const isBookkeeping = found.session === undefined && isMeta(context, found.path);
  if (!isBookkeeping && owners.every((owner) => visible.sees(owner))) {
    const seen = withoutForeign(visible, found);
    if (seen !== undefined) return assertTimeless(seen, given);
  }
  throw missingFor(given);
}

/** Without items of other scopes; undefined where it is one of them. */
function withoutForeign(visible: Visibility, found: ReadTarget): ReadTarget | undefined {
  const foreign = foreignLines(visible, found.text);
  if (found.startLine !== undefined && foreign.has(found.startLine)) return undefined;
  const moved = (line: number | undefined): number | undefined =>
    line === undefined ? undefined : line - [...foreign].filter((hidden) => hidden <= line).length;
  const text = hideForeignItems(visible, found.text);
  return { ...found, text, startLine: moved(found.startLine), endLine: moved(found.endLine) };
}

/** In the same words whether it is not there or not theirs: which of the two would be an answer. */
function missingFor({ target }: z.output<typeof input>): MnemeError {
  return new MnemeError('not-found', `There is no ${target} in the workspace.`, {
    hint: 'Paths are relative to the workspace, such as MEMORY.md or memory/episodes/2026-02-16.md.',
  });
}

function nothingWhenNotFound(error: unknown): undefined {
  if (isMnemeError(error, 'not-found') || isMnemeError(error, 'refused')) return undefined;
  throw error;
}

function assertTimeless(found: ReadTarget, { at }: z.output<typeof input>): ReadTarget {
  if (at === undefined || found.session === undefined) return found;
  throw new MnemeError('usage', 'A conversation does not change; it is read as it is.', { hint: 'Leave out --at.' });
}

interface ReadTarget {
  readonly path: string;
  readonly text: string;
  readonly commit: string | null;
  /** Set for a conversation. */
  readonly session?: string | undefined;
  /** Where in the file it stands; undefined for all of it. */
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

async function readTarget(context: OperationContext, { target, at }: z.output<typeof input>): Promise<ReadTarget> {
  const conversation = await findConversation(context, target);
  if (conversation !== undefined) {
    const session = sessionOf(conversation.text) ?? target.replace(/#.*$/u, '');
    return { ...conversation, commit: null, session };
  }
  const item = looksLikeItemId(target) ? await findItem(context, target) : undefined;
  const path = item?.path ?? toReadablePath(context, target);
  const { text, commit } = await readVersion(context, path, at);
  return { path, text, commit, startLine: item?.startLine, endLine: item?.endLine };
}

function sessionOf(transcript: string): string | undefined {
  const stated = parseDocument(transcript).frontmatter?.values?.['session_id'];
  return typeof stated === 'string' ? stated : undefined;
}

/** Conversations lie beside the workspace, in a repository of their own; a file of that name in the workspace wins. */
async function findConversation(
  context: OperationContext,
  target: string,
): Promise<Omit<ReadTarget, 'commit'> | undefined> {
  if (fs.existsSync(path.join(context.workspace.root, target))) return undefined;
  if (looksLikeTurnId(target)) return findTurn(context, target);
  const { raw } = context.homeIndex.files.roots;
  const relative = target.startsWith(raw + path.sep)
    ? target.slice(raw.length + 1)
    : target.replace(/^(?:\.\/)?(?:raw\/)?/u, '');
  const text = await findTranscript(context, relative);
  return text === undefined ? findSession(context, target) : { path: relative, text };
}

async function readVersion(
  context: OperationContext,
  path: string,
  at: string | undefined,
): Promise<{ text: string; commit: string | null }> {
  if (at === undefined) return { text: await readWorkspaceText(context, path), commit: null };
  await context.workspace.drain();
  const git = context.workspace.git.workspace;
  const { commit } = await resolvePoint(context, git, at);
  const bytes = await readFileAt(git, commit, path);
  if (bytes === undefined) throw new MnemeError('not-found', `${path} did not exist at ${at}.`);
  const decoded = decodeText(bytes);
  if (decoded.kind === 'binary') throw new MnemeError('refused', `${path} is not text (${decoded.reason}).`);
  return { text: decoded.text, commit };
}
