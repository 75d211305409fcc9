import { asBlocks, asRecord, asText, asTimeMs, textOfContent, type JsonRecord } from '../lines.ts';
import type { SessionDraft } from '../session-draft.ts';
import type { ConversationFormat, ExportedConversation, Tally } from '../port.ts';

/** Claude's export: a list of messages for each conversation; newer ones tell which answers which. */
export const claudeExport: ConversationFormat = {
  name: 'claude',
  describes: 'conversations of a Claude export (conversations.json, the folder or the .zip)',
  files: /(?:^|\/)conversations(?:[-_]\d+)?\.json$/u,
  parse(value): ExportedConversation | undefined {
    const id = asText(value['uuid']);
    const messages = value['chat_messages'];
    if (id === undefined || !Array.isArray(messages)) return undefined;
    return {
      id,
      title: asText(value['name']) || undefined,
      startedMs: asTimeMs(value['created_at']),
      endedMs: asTimeMs(value['updated_at']),
      read: (draft, tally) => readMessages(asBlocks(messages), draft, tally),
    };
  },
};

function readMessages(messages: readonly JsonRecord[], draft: SessionDraft, tally: Tally): void {
  const path = pathOf(messages);
  tally.addSome('message', 'of an answer or a question that was replaced', messages.length - path.length);
  for (const message of path) readMessage(message, draft, tally);
}

/** The messages that lead to the newest; all of them where it is not told, or not told of all. */
function pathOf(messages: readonly JsonRecord[]): readonly JsonRecord[] {
  const byId = new Map(messages.map((message) => [asText(message['uuid']) ?? '', message]));
  const path: JsonRecord[] = [];
  let next = messages.at(-1);
  while (next !== undefined && path.length <= messages.length) {
    path.push(next);
    const parent = asText(next['parent_message_uuid']);
    if (parent === undefined) return messages;
    if (!byId.has(parent)) break;
    next = byId.get(parent);
  }
  return path.length > messages.length ? messages : path.reverse();
}

function readMessage(message: JsonRecord, draft: SessionDraft, tally: Tally): void {
  const timeMs = asTimeMs(message['created_at']);
  const id = `claude:${asText(message['uuid']) ?? `${timeMs}/${asText(message['text']) ?? ''}`}`;
  const sender = asText(message['sender']);
  if (sender === 'human') {
    const files = [...asBlocks(message['attachments']), ...asBlocks(message['files'])];
    draft.say({ role: 'user', text: wordsOf(message), timeMs, id, attachments: files.map(nameOf) });
    // Their text is what the agent was given to read, and no word of the person's.
    for (const [index, file] of files.entries()) {
      const text = asText(file['extracted_content']) ?? '';
      if (text.trim() === '') continue;
      draft.call(`${id}@${index}`, 'attachment', nameOf(file), timeMs);
      draft.answer(`${id}@${index}`, text);
    }
    return;
  }
  if (sender !== 'assistant') {
    tally.add('message', 'written by the program');
    return;
  }
  const blocks = asBlocks(message['content']);
  if (blocks.length === 0) {
    draft.say({ role: 'agent', text: asText(message['text']) ?? '', timeMs, id });
    return;
  }
  readAnswer(blocks, { draft, timeMs, id });
}

function nameOf(file: JsonRecord): string {
  return asText(file['file_name']) || 'file';
}

function readAnswer(
  blocks: readonly JsonRecord[],
  { draft, timeMs, id }: { readonly draft: SessionDraft; readonly timeMs: number | undefined; readonly id: string },
): void {
  let lastCall: string | undefined;
  for (const [index, block] of blocks.entries()) {
    const key = `${id}#${index}`;
    if (block['type'] === 'text') {
      draft.say({ role: 'agent', text: asText(block['text']) ?? '', timeMs, id: key });
    } else if (block['type'] === 'tool_use') {
      lastCall = asText(block['id']) ?? key;
      draft.call(lastCall, asText(block['name']) ?? 'tool', block['input'], timeMs);
    } else if (block['type'] === 'tool_result') {
      draft.answer(asText(block['tool_use_id']) ?? lastCall, textOfContent(block['content']));
    }
  }
}

/** The text that the person typed, without pasted documents: those are not the person's words. */
function wordsOf(message: JsonRecord): string {
  const blocks = asBlocks(message['content']).filter((block) => asRecord(block)?.['type'] === 'text');
  const text = blocks.map((block) => asText(block['text']) ?? '').join('\n\n');
  return text.trim() === '' ? (asText(message['text']) ?? '') : text;
}
