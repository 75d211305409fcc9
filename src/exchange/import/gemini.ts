import path from 'node:path';
import {
  type JsonRecord,
  asBlocks,
  asRecord,
  asText,
  asTimeMs,
  kindOfSource,
  logFile,
  logId,
  walkFiles,
} from './lines.ts';
import type { LineReader, LogFile, LogFormat, Tally } from './port.ts';
import type { SessionDraft } from './session-draft.ts';

/** `tmp/<project>/chats/session-<time>-<id>.jsonl` */
const SESSION_FILE = /^session-[\w-]+\.jsonl$/u;

export const gemini: LogFormat = {
  name: 'gemini',
  describes: 'sessions of Gemini CLI (~/.gemini/tmp)',
  folders: ({ userHome }) => [path.join(userHome, '.gemini', 'tmp')],
  list: listSessions,
  reader: (draft, tally) => new GeminiReader(draft, tally).read,
};

function listSessions(root: string): LogFile[] {
  const files = kindOfSource(root) === 'file' ? [root] : walkFiles(root).flatMap(sessionIn);
  return files.flatMap((file) => logFile(file, logId(file)) ?? []);
}

function sessionIn({ name, path: file }: { readonly name: string; readonly path: string }): string[] {
  return SESSION_FILE.test(name) && path.basename(path.dirname(file)) === 'chats' ? [file] : [];
}

/** Text that the program and its hooks put around the user's words. */
const INSERTED = /<(session_context|hook_context)>[\s\S]*?(?:<\/\1>|$)/gu;

class GeminiReader {
  readonly #draft: SessionDraft;
  readonly #tally: Tally;
  /** A message is written again when its tool calls are done. */
  readonly #said = new Set<string>();
  readonly #called = new Set<string>();

  constructor(draft: SessionDraft, tally: Tally) {
    this.#draft = draft;
    this.#tally = tally;
  }

  readonly read: LineReader = (value, place) => {
    const line = asRecord(value);
    if (line === undefined) return;
    if (line['kind'] === 'subagent') this.#draft.rejected = 'a sub-agent’s';
    const id = asText(line['id']) ?? place;
    const timeMs = asTimeMs(line['timestamp']);
    if (line['type'] === 'user') this.#readUser(line, id, timeMs);
    else if (line['type'] === 'gemini') this.#readAnswer(line, id, timeMs);
  };

  #readUser(line: JsonRecord, id: string, timeMs: number | undefined): void {
    const blocks = asBlocks(line['content']);
    // A tool's result is also written as a user message; the call carries it.
    if (blocks.some((block) => block['functionResponse'] !== undefined)) return;
    const text = blocks
      .map((block) => asText(block['text']) ?? '')
      .join('\n\n')
      .replaceAll(INSERTED, '')
      .trim();
    if (text === '') this.#tally.add('message', 'written by the program');
    const attachments = blocks.flatMap((block) => (block['inlineData'] === undefined ? [] : ['file']));
    this.#draft.say({ role: 'user', text, timeMs, id, attachments });
  }

  #readAnswer(line: JsonRecord, id: string, timeMs: number | undefined): void {
    this.#draft.model = asText(line['model']) ?? this.#draft.model;
    const text = asBlocks(line['content'])
      .map((block) => asText(block['text']) ?? '')
      .join('\n\n');
    if (!this.#said.has(id)) this.#draft.say({ role: 'agent', text, timeMs, id });
    this.#said.add(id);
    for (const call of asBlocks(line['toolCalls'])) {
      const callId = asText(call['id']) ?? id;
      if (this.#called.has(callId)) continue;
      this.#called.add(callId);
      this.#draft.call(callId, asText(call['name']) ?? 'tool', call['args'], timeMs);
      this.#draft.answer(callId, asText(call['resultDisplay']) ?? '');
    }
  }
}
