import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import { readForeignRows } from '../../platform/foreign-database.ts';
import { listDatabase } from './database-log.ts';
import {
  type JsonRecord,
  asBlocks,
  asRecord,
  asText,
  asTimeMs,
  kindOfSource,
  logFile,
  parseRecord,
  textOfContent,
  walkFiles,
} from './lines.ts';
import type { LineReader, LogFile, LogFormat, LogRow, Tally } from './port.ts';
import type { SessionDraft } from './session-draft.ts';

/** OpenClaw wraps what arrives from a messenger: who, when and where stand around the words in the user's message. */

interface OpenClawWords {
  readonly text: string;
  /** The speaker's name, where a group has several people. */
  readonly name: string | undefined;
}

/** A heading such as `Conversation info (untrusted metadata):` with a JSON block under it. */
const METADATA = /^[A-Z][\w ,-]*\((?:untrusted|internal)[^)]*\):\s*```(?:json)?\n([\s\S]*?)\n```\s*/u;

/** `[Telegram Lea id:42 2026-02-16 18:45 UTC] …`, or only a day and an hour. */
const ENVELOPE = /^\[(?=[^\]\n]*\d{4}-\d{2}-\d{2})[^\]\n]{1,200}\]\s*/u;

const MESSAGE_ID = /\s*\[message_id: [^\]\n]*\]\s*$/u;
const SENDER = /"(?:sender|sender_name|name|username)"\s*:\s*"([^"\n]{1,80})"/u;

/** Prompts of the program itself: heartbeats, the memory flush, the greeting after a reset, system events. */
const PROGRAM_PROMPTS: readonly RegExp[] = [
  /^Read HEARTBEAT\.md if it exists/u,
  /^Pre-compaction memory flush\b/u,
  /^A new session was started via \/new or \/reset/u,
  /^System(?: \(untrusted\))?: \[/u,
  /^\[cron:[^\]\n]*\]/u,
];

export function openclawWords(raw: string): OpenClawWords {
  let text = raw;
  let name: string | undefined;
  for (let match = METADATA.exec(text); match !== null; match = METADATA.exec(text)) {
    name ??= SENDER.exec(match[1] ?? '')?.[1];
    text = text.slice(match[0].length);
  }
  text = text.replace(ENVELOPE, '').replace(MESSAGE_ID, '').trim();
  return { text: PROGRAM_PROMPTS.some((prompt) => prompt.test(text)) ? '' : text, name };
}

/** Sessions that were reset are kept under a longer name; those that were deleted were not meant to be kept. */
const SESSION_FILE = /^([\w-]+)\.jsonl(?:\.reset\..*)?$/u;
const AGENT_LOG = /(?:^|\/)agents\/([^/]+)\/sessions\/[^/]+$/u;

export const openclaw: LogFormat = {
  name: 'openclaw',
  describes: 'sessions and notes of OpenClaw (~/.openclaw)',
  folders: ({ userHome, openclawState }) =>
    openclawState === undefined
      ? ['.openclaw', '.moltbot', '.clawdbot'].map((name) => path.join(userHome, name))
      : [openclawState],
  list: listSessions,
  reader: (draft, tally) => new OpenClawReader(draft, tally).read,
};

/** Since 2026.9 an agent's sessions are in a database: the lines of the logs of before, a row each. */
const DATABASE_FILE = 'openclaw-agent.sqlite';
const SESSIONS = `SELECT session.session_id AS id, session.session_key AS name, session.spawned_by AS spawned,
    session.hook_external_content_source AS hook, COALESCE(session.transcript_updated_at, session.updated_at) AS changed,
    SUM(COALESCE(event.event_utf8_bytes, LENGTH(event.event_json))) AS size
  FROM session_windows session JOIN transcript_events event ON event.session_id = session.session_id
  GROUP BY session.session_id`;
const EVENTS = `SELECT seq, event_json AS text, event_zstd AS packed FROM transcript_events
  WHERE session_id = ? ORDER BY seq LIMIT -1 OFFSET ?`;

function listStored(file: string, tally: Tally): readonly LogFile[] {
  return listDatabase(file, tally, () =>
    [...readForeignRows(file, SESSIONS)].flatMap(({ id, name, spawned, hook, changed, size }): LogFile[] => {
      const isOfAgent = spawned !== null || /:subagent:/u.test(String(name));
      if (isOfAgent || hook !== null) {
        tally.add('session', isOfAgent ? 'a sub-agent’s' : 'begun by a mail or a webhook');
        return [];
      }
      const rows = (from: number): Iterable<LogRow> => readEvents(file, String(id), from, tally);
      return [{ id: String(id), path: file, size: Number(size), mtimeMs: Number(changed), rows }];
    }),
  );
}

function* readEvents(file: string, session: string, from: number, tally: Tally): Generator<LogRow> {
  for (const { seq, text, packed } of readForeignRows(file, EVENTS, session, from)) {
    const json = packed instanceof Uint8Array ? zlib.zstdDecompressSync(packed).toString('utf8') : (asText(text) ?? '');
    const value = parseRecord(json);
    if (value === undefined) tally.addDamage('line', 'not JSON', { file: path.basename(file), at: undefined });
    yield { id: asText(value?.['id']) ?? `${session}@${String(seq)}`, value, isOpen: false };
  }
}

function listSessions(root: string, tally: Tally): LogFile[] {
  if (kindOfSource(root) === 'file' && root.endsWith('.sqlite')) return [...listStored(root, tally)];
  if (kindOfSource(root) === 'file') return [logFile(root, path.basename(root, '.jsonl')) ?? []].flat();
  // Only the agents' folders: the state folder of a busy gateway holds many thousands of other files.
  const agents = fs.existsSync(path.join(root, 'agents')) ? path.join(root, 'agents') : root;
  const prefix = agents === root ? '' : 'agents/';
  const files: LogFile[] = [];
  const kept = new Set<string>();
  for (const found of walkFiles(agents, (_relative, name) => name !== 'node_modules' && name !== 'workspace')) {
    if (found.name === DATABASE_FILE) {
      const sessions = listStored(found.path, tally);
      for (const { id: stored } of sessions) kept.add(stored);
      files.push(...sessions);
      continue;
    }
    const id = SESSION_FILE.exec(found.name)?.[1];
    const agent = AGENT_LOG.exec(`${prefix}${found.relative}`)?.[1];
    if (
      id !== undefined &&
      (agent !== undefined || found.relative === found.name || found.relative.startsWith('sessions/'))
    ) {
      const file = logFile(found.path, id);
      if (file !== undefined) files.push(file);
    } else if (found.name.includes('.jsonl.deleted.')) tally.add('session', 'deleted in OpenClaw');
  }
  // Logs of before stay where they were when a release moves them into its database.
  return files.filter(({ id, rows }) => rows !== undefined || !kept.has(id));
}

/** The workspaces that belong to an OpenClaw folder, which may be one itself. */
export function findOpenClawWorkspaces(root: string): string[] {
  const isWorkspace = (folder: string): boolean =>
    fs.existsSync(path.join(folder, 'MEMORY.md')) || fs.existsSync(path.join(folder, 'memory'));
  if (isWorkspace(root)) return [root];
  if (!fs.existsSync(root) || !fs.statSync(root).isDirectory()) return [];
  const names = fs.readdirSync(root).filter((name) => name === 'workspace' || name.startsWith('workspace-'));
  return names.map((name) => path.join(root, name)).filter(isWorkspace);
}

/** The notes of a workspace: core memory and the dated files, not its skills, dreams and settings. */
export function isOpenClawNote(relative: string): boolean {
  return relative === 'MEMORY.md' || /^memory\/(?:[^/.][^/]*\/)*[^/.][^/]*\.md$/u.test(relative);
}

class OpenClawReader {
  readonly #draft: SessionDraft;
  readonly #tally: Tally;
  #place = '';

  constructor(draft: SessionDraft, tally: Tally) {
    this.#draft = draft;
    this.#tally = tally;
  }

  readonly read: LineReader = (value, place) => {
    const line = asRecord(value);
    if (line === undefined) return;
    this.#place = place;
    switch (line['type']) {
      case 'session':
        this.#draft.project ??= asText(line['cwd']);
        break;
      case 'session_info':
        this.#draft.title = asText(line['name']) ?? this.#draft.title;
        break;
      case 'model_change':
        this.#draft.model = asText(line['modelId']) ?? this.#draft.model;
        break;
      case 'compaction':
      case 'branch_summary':
        this.#tally.add('message', 'a compaction summary');
        break;
      case 'message':
        this.#readMessage(line, asRecord(line['message']) ?? {});
        break;
      default:
    }
  };

  #readMessage(line: JsonRecord, message: JsonRecord): void {
    const timeMs = asTimeMs(line['timestamp']) ?? asTimeMs(message['timestamp']);
    const id = `${asText(line['id']) ?? this.#place}/${timeMs ?? ''}`;
    switch (message['role']) {
      case 'user':
        this.#readUser(message, timeMs, id);
        break;
      case 'assistant':
        this.#readAnswer(message, timeMs, id);
        break;
      case 'toolResult':
        this.#draft.answer(asText(message['toolCallId']), textOfContent(message['content']));
        break;
      case 'bashExecution':
        this.#draft.call(id, 'bash', message['command'], timeMs);
        this.#draft.answer(id, asText(message['output']) ?? '');
        break;
      default:
        this.#tally.add('message', 'written by the program');
    }
  }

  #readUser(message: JsonRecord, timeMs: number | undefined, id: string): void {
    const images = asBlocks(message['content']).filter((block) => block['type'] === 'image');
    const { text, name } = openclawWords(textOfContent(message['content']));
    if (text === '' && images.length === 0) this.#tally.add('message', 'written by the program');
    const attachments = images.map(() => 'image');
    this.#draft.say({ role: 'user', text, timeMs, id, name, attachments });
  }

  #readAnswer(message: JsonRecord, timeMs: number | undefined, id: string): void {
    // The gateway's messages are logged a second time under these model names.
    if (message['model'] === 'delivery-mirror' || message['model'] === 'gateway-injected') return;
    this.#draft.model = asText(message['model']) ?? this.#draft.model;
    for (const [index, block] of asBlocks(message['content']).entries()) {
      if (block['type'] === 'text') {
        const text = asText(block['text']) ?? '';
        if (!SILENT_REPLY.test(text)) this.#draft.say({ role: 'agent', text, timeMs, id: `${id}#${index}` });
      } else if (block['type'] === 'toolCall') {
        this.#draft.call(asText(block['id']), asText(block['name']) ?? 'tool', block['arguments'], timeMs);
      }
    }
  }
}

/** The agent's answer when it has nothing to say. */
const SILENT_REPLY = /^\s*(?:NO_REPLY|HEARTBEAT_OK)\s*$/u;
