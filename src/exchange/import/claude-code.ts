import path from 'node:path';
import { userWords, wordsInRejection } from './claude-code-text.ts';
import { asBlocks, asRecord, asText, asTimeMs, textOfContent, type JsonRecord } from './json.ts';
import { kindOfSource, logFile, walkFiles } from './log-files.ts';
import type { LineReader, LogFile, LogFormat } from './port.ts';
import type { SessionDraft } from './session-draft.ts';
import type { Tally } from './tally.ts';

/** `projects/<folder>/<session>.jsonl`; sub-agents' logs are `agent-….jsonl` or stand in `<session>/subagents/`. */
const SESSION_FILE = /^(?!agent-)[\w-]+\.jsonl$/u;

export const claudeCode: LogFormat = {
  name: 'claude-code',
  describes: 'sessions of Claude Code (~/.claude/projects)',
  folders: ({ userHome, claudeConfig, xdgConfig = path.join(userHome, '.config') }) =>
    claudeConfig === undefined
      ? [path.join(userHome, '.claude', 'projects'), path.join(xdgConfig, 'claude', 'projects')]
      : [path.join(claudeConfig, 'projects')],
  list: listSessions,
  reader: (draft, tally) => new ClaudeCodeReader(draft, tally).read,
};

function listSessions(root: string, tally: Tally): LogFile[] {
  if (kindOfSource(root) === 'file') return [logFile(root, path.basename(root, '.jsonl')) ?? []].flat();
  const files: LogFile[] = [];
  for (const found of walkFiles(root)) {
    if (!found.name.endsWith('.jsonl')) continue;
    const isSubAgent = found.name.startsWith('agent-') || found.relative.includes('/subagents/');
    if (isSubAgent) tally.add('session', 'a sub-agent’s');
    else if (SESSION_FILE.test(found.name)) {
      const file = logFile(found.path, found.name.slice(0, -'.jsonl'.length));
      if (file !== undefined) files.push(file);
    }
  }
  return files;
}

class ClaudeCodeReader {
  readonly #draft: SessionDraft;
  readonly #tally: Tally;
  /** Summaries stand before what they summarise, and may be of another log. */
  readonly #summaries = new Map<string, string>();
  #hasOwnTitle = false;
  #place = '';

  constructor(draft: SessionDraft, tally: Tally) {
    this.#draft = draft;
    this.#tally = tally;
  }

  readonly read: LineReader = (value, place) => {
    const line = asRecord(value);
    if (line === undefined) return;
    this.#place = place;
    const type = asText(line['type']);
    if (type === 'user' || type === 'assistant') this.#readMessage(line, type);
    else if (type === 'attachment') this.#readAttachment(line);
    else this.#readTitle(line, type);
  };

  #readTitle(line: JsonRecord, type: string | undefined): void {
    const own = type === 'custom-title' ? asText(line['customTitle']) : undefined;
    if (own !== undefined) {
      this.#hasOwnTitle = true;
      this.#draft.title = own;
    } else if (type === 'ai-title' && !this.#hasOwnTitle) {
      this.#draft.title = asText(line['aiTitle']) ?? asText(line['title']) ?? this.#draft.title;
    } else if (type === 'summary') {
      this.#summaries.set(asText(line['leafUuid']) ?? '', asText(line['summary']) ?? '');
    }
  }

  #readMessage(line: JsonRecord, type: 'user' | 'assistant'): void {
    const left = reasonToLeave(line, type);
    if (left !== undefined) {
      this.#tally.add('message', left);
      return;
    }
    this.#draft.project ??= asText(line['cwd']);
    const summary = this.#summaries.get(asText(line['uuid']) ?? '');
    if (summary !== undefined && !this.#hasOwnTitle) this.#draft.title = summary;
    if (type === 'assistant') this.#readAnswer(line);
    else this.#readUser(line);
  }

  #readUser(line: JsonRecord): void {
    const timeMs = asTimeMs(line['timestamp']);
    const id = asText(line['uuid']) ?? this.#place;
    const texts: string[] = [];
    const attachments: string[] = [];
    for (const block of asBlocks(asRecord(line['message'])?.['content'])) {
      if (block['type'] === 'tool_result') {
        const result = textOfContent(block['content']);
        this.#draft.answer(asText(block['tool_use_id']), result);
        texts.push(wordsInRejection(result) ?? '');
      } else if (block['type'] === 'text') {
        texts.push(userWords(asText(block['text']) ?? ''));
      } else if (block['type'] === 'image' || block['type'] === 'document') {
        attachments.push(block['type']);
      }
    }
    const text = texts.filter((one) => one !== '').join('\n\n');
    this.#draft.say({ role: 'user', text, timeMs, id, attachments });
  }

  #readAnswer(line: JsonRecord): void {
    const message = asRecord(line['message']);
    const timeMs = asTimeMs(line['timestamp']);
    const id = asText(line['uuid']) ?? this.#place;
    this.#draft.model = asText(message?.['model']) ?? this.#draft.model;
    for (const [index, block] of asBlocks(message?.['content']).entries()) {
      if (block['type'] === 'text') {
        this.#draft.say({ role: 'agent', text: asText(block['text']) ?? '', timeMs, id: `${id}#${index}` });
      } else if (block['type'] === 'tool_use' || block['type'] === 'server_tool_use') {
        this.#readCall(block, timeMs, `${id}#${index}`);
      }
    }
  }

  #readCall(block: JsonRecord, timeMs: number | undefined, id: string): void {
    const name = asText(block['name']) ?? 'tool';
    const plan = name === 'ExitPlanMode' ? asText(asRecord(block['input'])?.['plan']) : undefined;
    // A plan is shown to the user and agreed upon: words, not a tool's argument.
    if (plan !== undefined) this.#draft.say({ role: 'agent', text: plan, timeMs, id });
    this.#draft.call(asText(block['id']), name, plan === undefined ? block['input'] : 'plan', timeMs);
  }

  /** Text typed while the agent was working is only kept as an attachment of the turn it reached. */
  #readAttachment(line: JsonRecord): void {
    const attachment = asRecord(line['attachment']);
    if (attachment?.['type'] !== 'queued_command' || line['isSidechain'] === true) return;
    if (attachment['commandMode'] === 'task-notification' || attachment['isMeta'] === true) return;
    const text = userWords(textOfContent(attachment['prompt']));
    const id = asText(line['uuid']) ?? this.#place;
    this.#draft.say({ role: 'user', text, timeMs: asTimeMs(line['timestamp']), id });
  }
}

/** Why a message is nobody's words, if so. */
function reasonToLeave(line: JsonRecord, type: 'user' | 'assistant'): string | undefined {
  if (line['isSidechain'] === true) return 'a sub-agent’s';
  if (line['isMeta'] === true) return 'written by the program';
  if (line['isCompactSummary'] === true || line['isVisibleInTranscriptOnly'] === true) return 'a compaction summary';
  const origin = asText(asRecord(line['origin'])?.['kind']);
  if (type === 'user' && origin !== undefined && origin !== 'human') return 'written by the program';
  if (type === 'assistant') {
    const isSynthetic = asRecord(line['message'])?.['model'] === '<synthetic>';
    if (line['isApiErrorMessage'] === true || isSynthetic) return 'written by the program';
  }
  return undefined;
}
