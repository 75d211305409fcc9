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
  textOfContent,
  walkFiles,
} from './lines.ts';
import type { LineReader, LogFile, LogFormat, Tally } from './port.ts';
import type { SessionDraft } from './session-draft.ts';
import { describeEncodedArguments } from './tool-text.ts';

/** `sessions/YYYY/MM/DD/rollout-<time>-<uuid>.jsonl`; the first versions wrote one JSON value instead of lines. */
const ROLLOUT = /^rollout-.*\.(jsonl|json)$/u;

export const codex: LogFormat = {
  name: 'codex',
  describes: 'sessions of Codex (~/.codex/sessions)',
  folders: ({ userHome, codexHome }) => {
    const home = codexHome ?? path.join(userHome, '.codex');
    return [path.join(home, 'sessions'), path.join(home, 'archived_sessions')];
  },
  list(root) {
    if (kindOfSource(root) === 'file') return [rollout(root) ?? []].flat();
    return walkFiles(root).flatMap((found) => (ROLLOUT.test(found.name) ? (rollout(found.path) ?? []) : []));
  },
  reader: (draft, tally) => new CodexReader(draft, tally).read,
};

function rollout(full: string): LogFile | undefined {
  const file = logFile(full, logId(full));
  return file === undefined ? undefined : { ...file, isWhole: path.extname(full) === '.json' };
}

/** Text that the program puts before the user's words: instructions, surroundings, skills, traces of an interruption. */
const INSERTED =
  /^\s*(?:<(?:user_instructions|environment_context|permissions instructions|collaboration_mode|turn_aborted|user_shell_command|skill|skills_instructions|apps_instructions|plugins_instructions|subagent_notification|model_switch|personality_spec|INSTRUCTIONS)\b|# AGENTS\.md instructions for )/u;

/** The editor extension puts open files before the request. */
const IDE_REQUEST = /^# Context from my IDE setup:[\s\S]*?## My request for Codex:\s*/u;

function userWords(text: string): string {
  return INSERTED.test(text) ? '' : text.replace(IDE_REQUEST, '');
}

class CodexReader {
  readonly #draft: SessionDraft;
  readonly #tally: Tally;
  #hasStarted = false;
  #place: number | string = 0;
  #sessionTimeMs: number | undefined;

  constructor(draft: SessionDraft, tally: Tally) {
    this.#draft = draft;
    this.#tally = tally;
  }

  readonly read: LineReader = (value, place) => {
    const line = asRecord(value);
    if (line === undefined) return;
    const payload = asRecord(line['payload']);
    // Messages have no ids of their own; where lines have no times either, their place stands for one.
    const ownTimeMs = asTimeMs(line['timestamp']);
    this.#place = ownTimeMs ?? place;
    const timeMs = ownTimeMs ?? this.#sessionTimeMs;
    if (Array.isArray(line['items'])) this.#readWhole(line, line['items'], place);
    else if (payload === undefined) this.#readEarlyLine(line, timeMs);
    else if (line['type'] === 'response_item') this.#readItem(payload, timeMs);
    else this.#readSurroundings(asText(line['type']) ?? '', payload);
  };

  #readWhole(line: JsonRecord, items: readonly unknown[], place: string): void {
    this.#readStart(asRecord(line['session']) ?? {});
    for (const [index, item] of items.entries()) {
      this.#place = `item ${index} of ${this.#sessionTimeMs ?? place}`;
      this.#readItem(asRecord(item) ?? {}, this.#sessionTimeMs);
    }
  }

  /** Before September 2025 lines had no envelope: a header first, then items without times. */
  #readEarlyLine(line: JsonRecord, timeMs: number | undefined): void {
    if (line['type'] === undefined && line['id'] !== undefined) this.#readStart(line);
    else if (line['record_type'] === undefined) this.#readItem(line, timeMs);
  }

  #readSurroundings(type: string, payload: JsonRecord): void {
    if (type === 'session_meta') this.#readStart(payload);
    else if (type === 'turn_context') {
      this.#draft.model = asText(payload['model']) ?? this.#draft.model;
      this.#draft.project ??= asText(payload['cwd']);
    } else if (type === 'compacted') this.#tally.add('message', 'a compaction summary');
  }

  #readStart(header: JsonRecord): void {
    // A fork repeats the header of the session it was made from.
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#sessionTimeMs = asTimeMs(header['timestamp']);
    this.#draft.project ??= asText(header['cwd']);
    if (asRecord(header['source'])?.['subagent'] !== undefined) this.#draft.rejected = 'a sub-agent’s';
  }

  #readItem(item: JsonRecord, timeMs: number | undefined): void {
    const call = asText(item['call_id']) ?? asText(item['id']);
    switch (item['type']) {
      case 'message':
        this.#readMessage(item, timeMs);
        break;
      case 'function_call':
        this.#draft.call(
          call,
          asText(item['name']) ?? 'tool',
          describeEncodedArguments(asText(item['arguments']) ?? ''),
          timeMs,
        );
        break;
      case 'custom_tool_call':
        this.#draft.call(call, asText(item['name']) ?? 'tool', asText(item['input']) ?? '', timeMs);
        break;
      case 'local_shell_call':
        this.#draft.call(call, 'shell', item['action'], timeMs);
        break;
      case 'web_search_call':
        this.#draft.call(call, 'web_search', item['action'] ?? item, timeMs);
        break;
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'local_shell_call_output':
        this.#draft.answer(call, outputText(item['output']));
        break;
      default:
    }
  }

  #readMessage(item: JsonRecord, timeMs: number | undefined): void {
    const role = item['role'] === 'assistant' ? 'agent' : item['role'] === 'user' ? 'user' : undefined;
    if (role === undefined) {
      this.#tally.add('message', 'written by the program');
      return;
    }
    const texts: string[] = [];
    const attachments: string[] = [];
    for (const block of asBlocks(item['content'])) {
      const text = asText(block['text']) ?? '';
      if (block['type'] === 'input_image') attachments.push('image');
      else texts.push(role === 'user' ? userWords(text) : text);
    }
    const text = texts.filter((one) => one.trim() !== '').join('\n\n');
    if (text === '' && texts.length > 0) this.#tally.add('message', 'written by the program');
    this.#draft.say({ role, text, timeMs, id: `${this.#place}/${role}/${text}`, attachments });
  }
}

/** A string, a JSON text with an `output`, or a list of blocks, by version. */
function outputText(output: unknown): string {
  const text = asText(output) ?? asText(asRecord(output)?.['content']);
  if (text === undefined) return textOfContent(output);
  if (!text.startsWith('{"output"')) return text;
  try {
    return asText(asRecord(JSON.parse(text))?.['output']) ?? text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
