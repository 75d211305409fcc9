/**
 * Claude Code logs in their real format, with invented content: prompts, answers, thinking, tool calls with long
 * results, reminders, file snapshots and sub-agents' side-chains, in about the proportions of real logs.
 */
import fs from 'node:fs';
import path from 'node:path';
import { seededRandom, type SeededRandom } from './seeded.ts';
import { paragraph, sourceCode, word } from './prose.ts';
import { DAY_MS } from '../../src/model/time.ts';

export interface GeneratedLogs {
  readonly folder: string;
  readonly sessions: number;
  readonly bytes: number;
  /** What people and agents said, in bytes. */
  readonly proseBytes: number;
}

export interface GenerateOptions {
  readonly sessions: number;
  /** Prompts of the user in each session. */
  readonly prompts?: number | undefined;
  readonly seed?: number | undefined;
}

const PROJECTS = ['harbour-api', 'tidewater', 'notes-sync', 'parcel-web', 'meter-firmware'] as const;
const FIRST_DAY_MS = Date.UTC(2025, 7, 1);

/** Writes the logs below `folder`, which stands for `~/.claude/projects`. */
export function generateClaudeCodeLogs(folder: string, options: GenerateOptions): GeneratedLogs {
  const random = seededRandom(options.seed ?? 1);
  let bytes = 0;
  let proseBytes = 0;
  for (let index = 0; index < options.sessions; index += 1) {
    const project = PROJECTS[index % PROJECTS.length] ?? 'harbour-api';
    const session = new SessionWriter(random, project, FIRST_DAY_MS + (index / options.sessions) * 400 * DAY_MS);
    session.write(options.prompts ?? 10);
    const target = path.join(folder, `-home-sam-code-${project}`);
    fs.mkdirSync(target, { recursive: true });
    const text = session.lines.join('');
    const file = path.join(target, `${session.id}.jsonl`);
    fs.writeFileSync(file, text);
    fs.utimesSync(file, session.timeMs / 1000, session.timeMs / 1000);
    bytes += Buffer.byteLength(text);
    proseBytes += session.proseBytes;
  }
  return { folder, sessions: options.sessions, bytes, proseBytes };
}

class SessionWriter {
  readonly id: string;
  readonly lines: string[] = [];
  proseBytes = 0;
  timeMs: number;
  readonly #random: SeededRandom;
  readonly #cwd: string;
  #parent: string | null = null;

  constructor(random: SeededRandom, project: string, startMs: number) {
    this.#random = random;
    this.#cwd = `/home/sam/code/${project}`;
    this.id = random.uuid();
    this.timeMs = Math.floor(startMs);
  }

  write(prompts: number): void {
    this.#add({ type: 'file-history-snapshot', messageId: this.#random.uuid(), snapshot: { trackedFileBackups: {} } });
    for (let index = 0; index < prompts; index += 1) this.#exchange(index);
    this.#add({
      type: 'ai-title',
      aiTitle: `${word(this.#random)} ${word(this.#random)} in ${path.basename(this.#cwd)}`,
    });
  }

  #exchange(index: number): void {
    this.timeMs += this.#random.below(900_000);
    const prompt = this.#prose(1 + this.#random.below(3));
    this.#message(
      'user',
      `${prompt}${index % 4 === 0 ? '\n<system-reminder>\nThe list of tasks is empty.\n</system-reminder>' : ''}`,
    );
    const steps = 2 + this.#random.below(3);
    for (let step = 0; step < steps; step += 1) this.#step(step === steps - 1);
    if (index % 5 === 3) this.#sideChain();
  }

  #step(isLast: boolean): void {
    this.timeMs += 4000 + this.#random.below(30_000);
    this.#answer([{ type: 'thinking', thinking: paragraph(this.#random, 3), signature: this.#random.token(300) }]);
    this.#answer([{ type: 'text', text: this.#prose(isLast ? 4 : 1) }]);
    if (isLast) return;
    const id = `toolu_${this.#random.token(22)}`;
    const file = `${this.#cwd}/src/${word(this.#random)}.ts`;
    const isRead = this.#random.below(2) === 0;
    const call = isRead
      ? { type: 'tool_use', id, name: 'Read', input: { file_path: file } }
      : {
          type: 'tool_use',
          id,
          name: 'Bash',
          input: { command: `npm test -- ${word(this.#random)}`, description: 'Run the tests' },
        };
    this.#answer([call]);
    this.timeMs += 1000;
    const result = sourceCode(this.#random, 10 + this.#random.below(30));
    this.#message('user', [{ tool_use_id: id, type: 'tool_result', content: result }], {
      toolUseResult: { type: 'text', file: { filePath: file, numLines: 40 } },
    });
  }

  #sideChain(): void {
    this.#message('user', paragraph(this.#random, 4), { isSidechain: true });
    this.#answer([{ type: 'text', text: paragraph(this.#random, 6) }], { isSidechain: true });
  }

  #prose(paragraphs: number): string {
    const text = Array.from({ length: paragraphs }, () => paragraph(this.#random, 3 + this.#random.below(3))).join(
      '\n\n',
    );
    this.proseBytes += Buffer.byteLength(text);
    return text;
  }

  #answer(content: readonly object[], extra: object = {}): void {
    const usage = {
      input_tokens: 12,
      cache_creation_input_tokens: 1844,
      cache_read_input_tokens: 40_112,
      output_tokens: 310,
      service_tier: 'standard',
    };
    const message = {
      id: `msg_${this.#random.token(22)}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content,
      stop_reason: null,
      stop_sequence: null,
      usage,
    };
    this.#envelope('assistant', message, { requestId: `req_${this.#random.token(22)}`, ...extra });
  }

  #message(role: 'user', content: string | readonly object[], extra: object = {}): void {
    this.#envelope('user', { role, content }, extra);
  }

  #envelope(type: string, message: object, extra: object): void {
    const uuid = this.#random.uuid();
    this.#add({
      parentUuid: this.#parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.#cwd,
      sessionId: this.id,
      version: '2.0.61',
      gitBranch: 'main',
      type,
      message,
      uuid,
      timestamp: new Date(this.timeMs).toISOString(),
      ...extra,
    });
    this.#parent = uuid;
  }

  #add(line: object): void {
    this.lines.push(`${JSON.stringify(line)}\n`);
  }
}
