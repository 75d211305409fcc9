import { asRecord, asText, asTimeMs, type JsonRecord } from '../lines.ts';
import type { SessionDraft } from '../session-draft.ts';
import type { ConversationFormat, ExportedConversation, Tally } from '../port.ts';
import { clip } from '../tool-text.ts';

/** ChatGPT's export: a tree of messages for each conversation, of which one path is what was last seen. */
export const chatgpt: ConversationFormat = {
  name: 'chatgpt',
  describes: 'conversations of a ChatGPT export (conversations.json, the folder or the .zip)',
  files: /(?:^|\/)conversations(?:[-_]\d+)?\.json$/u,
  parse(value): ExportedConversation | undefined {
    const mapping = asRecord(value['mapping']);
    const id = asText(value['conversation_id']) ?? asText(value['id']);
    if (mapping === undefined || id === undefined) return undefined;
    return {
      id,
      title: asText(value['title']),
      startedMs: asTimeMs(value['create_time']),
      endedMs: asTimeMs(value['update_time']),
      read(draft, tally) {
        draft.model = asText(value['default_model_slug']);
        new ChatGptReader(draft, tally).read(mapping, asText(value['current_node']));
      },
    };
  },
};

/** The user's text about themselves and the answers they want, which the program hides in each conversation. */
function instructionsIn(content: JsonRecord, metadata: JsonRecord): string {
  const given = asRecord(metadata['user_context_message_data']) ?? {};
  const isPart = content['content_type'] === 'user_editable_context';
  const parts = [
    asText(given['about_user_message']) ?? (isPart ? asText(content['user_profile']) : undefined),
    asText(given['about_model_message']) ?? (isPart ? asText(content['user_instructions']) : undefined),
  ];
  return parts.flatMap((part) => part?.trim() || []).join('\n\n');
}

class ChatGptReader {
  readonly #draft: SessionDraft;
  readonly #tally: Tally;

  constructor(draft: SessionDraft, tally: Tally) {
    this.#draft = draft;
    this.#tally = tally;
  }

  read(mapping: JsonRecord, currentNode: string | undefined): void {
    const path = pathTo(mapping, currentNode ?? newestLeaf(mapping));
    const spoken = Object.values(mapping).filter((node) => isSpoken(asRecord(asRecord(node)?.['message'])));
    const told = path.filter((node) => isSpoken(asRecord(node['message'])));
    this.#tally.addSome('message', 'of an answer or a question that was replaced', spoken.length - told.length);
    let callId: string | undefined;
    for (const node of path) {
      const message = asRecord(node['message']);
      if (message === undefined) continue;
      callId = this.#readMessage(message, asText(message['id']) ?? asText(node['id']) ?? '', callId);
    }
  }

  /** Returns the tool call that waits for its answer. */
  #readMessage(message: JsonRecord, id: string, callId: string | undefined): string | undefined {
    const role = asText(asRecord(message['author'])?.['role']);
    const timeMs = asTimeMs(message['create_time']);
    const metadata = asRecord(message['metadata']) ?? {};
    const instructions = instructionsIn(asRecord(message['content']) ?? {}, metadata);
    if (instructions !== '') {
      // Known by their words: every conversation repeats them until the user changes them.
      this.#draft.say({ role: 'user', text: instructions, timeMs, id: `chatgpt:instructions:${instructions}` });
      return callId;
    }
    if (metadata['is_visually_hidden_from_conversation'] === true || role === 'system' || role === 'critic') {
      this.#tally.add('message', 'written by the program');
      return callId;
    }
    const { text, attachments } = contentOf(asRecord(message['content']) ?? {});
    if (role === 'tool') {
      this.#draft.answer(callId, text);
      return undefined;
    }
    if (role === 'user') {
      const files = asList(metadata['attachments']).flatMap((file) => asText(file['name']) ?? []);
      this.#draft.say({ role: 'user', text, timeMs, id: `chatgpt:${id}`, attachments: [...attachments, ...files] });
      return undefined;
    }
    if (role !== 'assistant') return callId;
    this.#draft.model = asText(metadata['model_slug']) ?? this.#draft.model;
    const recipient = asText(message['recipient']) ?? 'all';
    if (recipient !== 'all') {
      this.#draft.call(id, recipient, clip(text), timeMs);
      return id;
    }
    if (isThought(message)) return callId;
    this.#draft.say({ role: 'agent', text, timeMs, id: `chatgpt:${id}`, attachments });
    return callId;
  }
}

/** The nodes from the first to the one that was last seen. */
function pathTo(mapping: JsonRecord, last: string | undefined): JsonRecord[] {
  const path: JsonRecord[] = [];
  const seen = new Set<string>();
  for (let id = last; id !== undefined && !seen.has(id);) {
    seen.add(id);
    const node = asRecord(mapping[id]);
    if (node === undefined) break;
    path.push(node);
    id = asText(node['parent']);
  }
  return path.reverse();
}

/** Of a damaged export that does not tell: the end of whatever was said last. */
function newestLeaf(mapping: JsonRecord): string | undefined {
  let newest: { readonly id: string; readonly timeMs: number } | undefined;
  for (const [id, value] of Object.entries(mapping)) {
    const node = asRecord(value);
    if (node === undefined || (Array.isArray(node['children']) && node['children'].length > 0)) continue;
    const timeMs = asTimeMs(asRecord(node['message'])?.['create_time']) ?? 0;
    if (newest === undefined || timeMs >= newest.timeMs) newest = { id, timeMs };
  }
  return newest?.id;
}

/** Whether a message is somebody's words, not the program's surroundings. */
function isSpoken(message: JsonRecord | undefined): boolean {
  const role = asText(asRecord(message?.['author'])?.['role']);
  if (message === undefined || (role !== 'user' && role !== 'assistant')) return false;
  const isHidden = asRecord(message['metadata'])?.['is_visually_hidden_from_conversation'] === true;
  const isCall = (asText(message['recipient']) ?? 'all') !== 'all';
  return !isHidden && !isCall && !isThought(message) && contentOf(asRecord(message['content']) ?? {}).text !== '';
}

/** Reasoning is not kept, here as everywhere. */
function isThought(message: JsonRecord): boolean {
  const type = asText(asRecord(message['content'])?.['content_type']) ?? '';
  return type === 'thoughts' || type === 'reasoning_recap';
}

interface Content {
  readonly text: string;
  readonly attachments: readonly string[];
}

const CUSTOM_INSTRUCTIONS = new Set(['user_editable_context', 'model_editable_context']);

function contentOf(content: JsonRecord): Content {
  const type = asText(content['content_type']) ?? 'text';
  if (CUSTOM_INSTRUCTIONS.has(type)) return { text: '', attachments: [] };
  const parts = Array.isArray(content['parts']) ? (content['parts'] as readonly unknown[]) : undefined;
  if (parts === undefined) {
    const text = asText(content['text']) ?? asText(content['result']) ?? asText(content['content']) ?? '';
    return { text: withoutMarks(text), attachments: [] };
  }
  const texts: string[] = [];
  const attachments: string[] = [];
  for (const part of parts) {
    const record = asRecord(part);
    const spoken = asText(part) ?? asText(record?.['text']);
    if (spoken !== undefined) texts.push(withoutMarks(spoken));
    else if (record !== undefined) attachments.push(attachmentName(asText(record['content_type']) ?? ''));
  }
  return { text: texts.filter((text) => text.trim() !== '').join('\n\n'), attachments };
}

function attachmentName(type: string): string {
  if (type.startsWith('image')) return 'image';
  if (type.includes('audio')) return 'audio';
  if (type.includes('video')) return 'video';
  return 'file';
}

/** Marks of citations, which lead nowhere outside the program: private characters around them, or these brackets. */
const CITATION = /\u{E200}[^\u{E201}]*\u{E201}|[\u{E200}-\u{E206}]|【[^】\n]{0,80}†[^】\n]{0,80}】/gu;

function withoutMarks(text: string): string {
  return text.replace(CITATION, '');
}

function asList(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? (value as readonly unknown[]).map(asRecord).filter((one) => one !== undefined) : [];
}
