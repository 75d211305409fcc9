import path from 'node:path';
import { readForeignRows, type Row } from '../../platform/foreign-database.ts';
import { listDatabase } from './database-log.ts';
import {
  type JsonRecord,
  asBlocks,
  asRecord,
  asText,
  asTimeMs,
  kindOfSource,
  parseRecord,
  walkFiles,
} from './lines.ts';
import type { LineReader, LogFile, LogFormat, LogRow, Tally } from './port.ts';
import type { SessionDraft } from './session-draft.ts';

/** `opencode.db`, and `opencode-<channel>.db` of other releases. */
const DATABASE_FILE = /^opencode(?:-[\w.]+)?\.db$/u;

const SESSIONS = `SELECT id, time_updated AS changed,
    (SELECT COALESCE(SUM(LENGTH(data)), 0) FROM part WHERE session_id = session.id) AS size
  FROM session WHERE parent_id IS NULL`;
const SUB_AGENTS = 'SELECT COUNT(*) AS count FROM session WHERE parent_id IS NOT NULL';
const SESSION = 'SELECT directory, title FROM session WHERE id = ?';
const MESSAGES = 'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id LIMIT -1 OFFSET ?';
const PARTS = 'SELECT id, data FROM part WHERE message_id = ? ORDER BY time_created, id';

export const opencode: LogFormat = {
  name: 'opencode',
  describes: 'sessions of opencode (~/.local/share/opencode)',
  folders: ({ userHome, xdgData }) => [path.join(xdgData ?? path.join(userHome, '.local', 'share'), 'opencode')],
  list: listSessions,
  reader: (draft, tally) => new OpencodeReader(draft, tally).read,
};

function listSessions(root: string, tally: Tally): LogFile[] {
  const files =
    kindOfSource(root) === 'file'
      ? [root]
      : walkFiles(root, () => false).flatMap((file) => (DATABASE_FILE.test(file.name) ? [file.path] : []));
  return files.flatMap((file) =>
    listDatabase(file, tally, () => {
      const [agents] = readForeignRows(file, SUB_AGENTS);
      tally.addSome('session', 'a sub-agent’s', Number(agents?.['count']));
      return [...readForeignRows(file, SESSIONS)].map(({ id, changed, size }) => ({
        id: String(id),
        path: file,
        size: Number(size),
        mtimeMs: Number(changed),
        rows: (from: number) => readRows(file, String(id), from),
      }));
    }),
  );
}

/** The session, then its messages with their parts. */
function* readRows(file: string, session: string, from: number): Generator<LogRow> {
  if (from === 0) {
    for (const { directory, title } of readForeignRows(file, SESSION, session)) {
      yield { id: session, value: { directory, title }, isOpen: false };
    }
  }
  for (const message of readForeignRows(file, MESSAGES, session, Math.max(from - 1, 0))) {
    const info = recordIn(message) ?? {};
    const parts = [...readForeignRows(file, PARTS, String(message['id']))].flatMap((part) => recordIn(part) ?? []);
    const isOpen = info['role'] === 'assistant' && asRecord(info['time'])?.['completed'] === undefined;
    yield { id: String(message['id']), value: { info, parts }, isOpen };
  }
}

function recordIn({ data }: Row): JsonRecord | undefined {
  return parseRecord(asText(data) ?? '');
}

class OpencodeReader {
  readonly #draft: SessionDraft;
  readonly #tally: Tally;

  constructor(draft: SessionDraft, tally: Tally) {
    this.#draft = draft;
    this.#tally = tally;
  }

  readonly read: LineReader = (value, place) => {
    const row = asRecord(value) ?? {};
    const info = asRecord(row['info']);
    if (info === undefined) {
      this.#draft.project = asText(row['directory']);
      const title = asText(row['title']) ?? '';
      // The name of a session before its first answer.
      if (title !== '' && !/^New session\b/u.test(title)) this.#draft.title ??= title;
      return;
    }
    if (info['summary'] === true) this.#tally.add('message', 'a compaction summary');
    else this.#readMessage(info, asBlocks(row['parts']), place);
  };

  #readMessage(info: JsonRecord, parts: readonly JsonRecord[], id: string): void {
    const role = info['role'] === 'user' ? 'user' : 'agent';
    const timeMs = asTimeMs(asRecord(info['time'])?.['created']);
    this.#draft.model = asText(info['modelID']) ?? this.#draft.model;
    const own = parts.filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true);
    const text = own.flatMap((part) => (part['type'] === 'text' ? [asText(part['text']) ?? ''] : [])).join('\n\n');
    const files = own.filter(({ type }) => type === 'file');
    const attachments = files.map((file) => asText(file['filename']) ?? 'file');
    this.#draft.say({ role, text, timeMs, id, attachments });
    for (const part of own) {
      if (part['type'] !== 'tool') continue;
      const state = asRecord(part['state']) ?? {};
      const call = asText(part['callID']) ?? id;
      this.#draft.call(call, asText(part['tool']) ?? 'tool', state['input'], timeMs);
      this.#draft.answer(call, asText(state['output']) ?? asText(state['error']) ?? '');
    }
  }
}
