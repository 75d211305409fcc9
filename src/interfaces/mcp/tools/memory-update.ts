import { z } from 'zod';
import { MnemeError } from '../../../model/errors.ts';
import { roleOf } from '../../../model/mutation.ts';
import { shorten } from '../../../model/text.ts';
import { feedback, type FeedbackInput } from '../../../operations/control/feedback.ts';
import { graphFact } from '../../../operations/graph/fact.ts';
import { changeFiles, type ChangeFilesInput } from '../../../operations/files/change-files.ts';
import { looksLikeItemId } from '../../../operations/find-item.ts';
import { readText } from '../../../operations/files/read-visible.ts';
import { runOperation } from '../../../operations/operation.ts';
import type { ReadResult } from '../../../operations/read.ts';
import { parseEntity } from '../../../workspace/formats/entity.ts';
import { kindOfPath } from '../../../workspace/formats/layout.ts';
import { parseMetadataLine, splitTrailingMetadata } from '../../../workspace/formats/metadata.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { withAnchor, withoutAnchor } from '../../../workspace/markdown/edit.ts';
import { scopeFor } from '../access.ts';
import { notYet, showChange } from '../show-change.ts';
import { type ToolAnswer, type ToolCall, askToApprove, defineTool, tell } from '../tool.ts';
import { readVisible, toReadTarget } from '../uris.ts';

const LIST_MARK = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/u;

/** An item's lines with other words: what it is called by, its date and its metadata stay. */
export function withOtherWords({ text }: Pick<ReadResult, 'text'>, id: string, words: string): string {
  const said = words.replaceAll(/\s+/gu, ' ').trim();
  if (said === '') {
    throw new MnemeError('usage', 'There is no new text.', { hint: 'To take something away, use memory_forget.' });
  }
  const isEntry = text.startsWith('## ');
  const changed = isEntry ? changeEntry(text.split('\n'), id, said) : changeLine(text, id, said);
  if (changed.trimEnd().endsWith(`^${id}`)) return changed;
  throw new MnemeError('usage', 'The new text would not be a statement: it begins like a heading, a list or a fence.', {
    hint: 'Write it as a plain sentence.',
  });
}

function changeEntry(lines: readonly string[], id: string, said: string): string {
  const head = lines.findIndex((line, at) => at > 0 && parseMetadataLine(line) === undefined);
  return [...lines.slice(0, head === -1 ? 1 : head), withAnchor(said, id)].join('\n');
}

function changeLine(raw: string, id: string, said: string): string {
  const mark = LIST_MARK.exec(raw)?.[0] ?? '';
  const bare = withoutAnchor(raw);
  const kept = splitTrailingMetadata(bare);
  const metadata = kept.fields === undefined ? '' : ` ${bare.trimEnd().slice(kept.text.length).trim()}`;
  return withAnchor(`${mark}${said}${metadata}`, id);
}

export const updateInput = z.object({
  id: z.string().trim().min(1),
  text: z.string(),
  old: z.string().min(1).optional(),
  reason: z.string().max(400).optional(),
  session: z.string().optional(),
});

export const UPDATE_ALIASES = {
  id: ['path', 'target', 'file', 'file_path', 'identifier', 'item', 'uri', 'memory_id', 'note'],
  text: ['new', 'new_text', 'new_str', 'content', 'new_content', 'with', 'value', 'replacement', 'memory', 'data'],
  old: ['old_text', 'old_str', 'find', 'find_text', 'replace', 'old_content'],
  reason: ['why', 'summary', 'title'],
  session: ['session_id', 'conversation_id'],
} as const;

/** The change that an update stands for, on the file as it is. */
export async function changeFor(
  call: ToolCall,
  { id, text, old }: z.output<typeof updateInput>,
): Promise<{ readonly found: ReadResult; readonly change: ChangeFilesInput['changes'][number] }> {
  const found = await readVisible(call, { target: toReadTarget(id) });
  const { path } = found;
  if (looksLikeItemId(id)) {
    const changed =
      old === undefined ? withOtherWords(found, id.replace(/^\^/u, ''), text) : replaceIn(found.text, old, text, id);
    return { found, change: { kind: 'replace', path, find: found.text, with: changed } };
  }
  if (old === undefined) {
    throw new MnemeError('usage', `Which part of ${path} should change?`, {
      hint: 'Give "old", a text that stands in it once, or the id of an item.',
    });
  }
  return { found, change: { kind: 'replace', path, find: old, with: text } };
}

function replaceIn(item: string, old: string, text: string, id: string): string {
  const at = item.indexOf(old);
  if (at !== -1 && !item.includes(old, at + 1)) return item.slice(0, at) + text + item.slice(at + old.length);
  throw new MnemeError('not-found', `"old" does not stand in ${id} exactly once.`, {
    hint: 'Leave it out to replace all of the words.',
  });
}

export const memoryUpdate = defineTool({
  name: 'memory_update',
  title: 'Correct',
  description:
    "Correct something remembered: new words for an item, or for a part of a file. The old version stays in history; the user's own words change only with their yes.",
  proposerDescription: 'Propose other words for an item, or for a part of a file.',
  effect: 'write',
  input: updateInput.extend({
    text: updateInput.shape.text.optional(),
    feedback: feedback.input.shape.verdict.optional(),
  }),
  listed: {
    id: 'Id from a hit, or a path.',
    text: 'The new words.',
    old: 'With a path: text that occurs once in it.',
    reason: '',
    feedback: 'Instead of text: what the user thinks of it.',
  },
  aliases: UPDATE_ALIASES,
  async run(call, { feedback: verdict, text, ...rest }) {
    if (verdict !== undefined) return judge(call, rest.id, verdict);
    if (text === undefined) {
      throw new MnemeError('usage', 'memory_update: there are no new words.', {
        hint: 'Give "text", or "feedback": wrong, not-helpful, always or clear.',
      });
    }
    const given = { ...rest, text };
    const { found, change } = await changeFor(call, given);
    const { context, conceal } = call;
    const isFact = looksLikeItemId(given.id) && (await isFactOf(call, found.path, given.id.replace(/^\^/u, '')));
    const summary = given.reason ?? `corrected: ${shorten(given.text)}`;
    const { session } = given;
    const answer =
      isFact && given.old === undefined && roleOf(context.actor) !== 'subagent'
        ? await supersede(call, given)
        : showChange(await runOperation(changeFiles, context, { changes: [change], summary, session }), conceal);
    return askToApprove(call, answer, `Correct what is remembered in ${found.path}?\n\n${given.text}`);
  },
});

/** Records the user's verdict on a memory; from an agent it is a proposal. */
async function judge(
  { context, access, conceal }: ToolCall,
  id: string,
  verdict: FeedbackInput['verdict'],
): Promise<ToolAnswer> {
  const scope = scopeFor(access, undefined);
  const { warnings } = await runOperation(feedback, context, { id, verdict, scope });
  const head = `NOT in effect yet: "${verdict}" waits for the user's approval. Tell the user so.`;
  return tell([head, ...warnings.map(conceal)], { outcome: 'filed' });
}

/** A fact or relation of an entity; its tasks and decisions are corrected where they stand. */
async function isFactOf({ context }: ToolCall, path: string, id: string): Promise<boolean> {
  if (kindOfPath(path, context.layout) !== 'entity') return false;
  const { text } = await runOperation(readText, context, { path });
  const { facts, relations } = parseEntity(parseDocument(text), path);
  return [...facts, ...relations].some((item) => item.id === id);
}

/** Ends the old fact and adds the new one: facts are not overwritten. */
async function supersede(
  { context, conceal }: ToolCall,
  { id, text }: z.output<typeof updateInput>,
): Promise<ToolAnswer> {
  const replaces = id.replace(/^\^/u, '');
  const scope = context.confinedTo;
  const result = await runOperation(graphFact, context, { entity: replaces, text, replaces, scope });
  const { outcome, id: made, entity } = result;
  const isProposed = outcome === 'proposed';
  const head = isProposed
    ? `${notYet('changed', made)} Why: only the user overrules what the user said.`
    : `${entity.path} says it now as ${made}; the old fact has ended.`;
  const lines = [head, ...result.warnings.map((warning) => `Note: ${conceal(warning)}`)];
  return tell(lines, isProposed ? { outcome: 'filed', proposal: made } : { outcome: 'written', id: made });
}
