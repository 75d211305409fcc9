import { readFrontmatter } from '../../model/schemas/index.ts';
import type { TranscriptFrontmatter } from '../../model/schemas/frontmatter.ts';
import type { MarkdownDocument } from '../markdown/document.ts';
import { renderFrontmatter } from '../markdown/frontmatter.ts';
import {
  escapeLine,
  normalLineEnds,
  parseMark,
  renderMark,
  unescapeLine,
  type TranscriptMark,
} from './transcript-line.ts';
import { oneLine } from '../../model/text.ts';

export const TURN_ROLES = ['user', 'agent', 'system', 'tool'] as const;
export type TurnRole = (typeof TURN_ROLES)[number];

export type TurnPart = { readonly kind: 'text'; readonly text: string } | TranscriptMark;

export interface Turn {
  /** `t1`, `t2`, …: its place in the session, counted on through part files. Transcripts never change, so it is stable. */
  readonly id: string;
  /** The day and hour in the transcript's zone; '' where no frontmatter and no date line tells the day. */
  readonly date: string;
  /** `HH:MM` or `HH:MM:SS`. */
  readonly time: string;
  readonly role: TurnRole;
  readonly name?: string | undefined;
  /** The turn's activity beside talking: `memory` for a turn that only changed knowledge. */
  readonly tag?: string | undefined;
  readonly parts: readonly TurnPart[];
}

export interface LocatedTurn extends Turn {
  /** 1-based lines in the file, heading included. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface Transcript {
  readonly frontmatter: Partial<TranscriptFrontmatter>;
  readonly title: string | undefined;
  readonly turns: readonly LocatedTurn[];
}

const TURN_HEADING = /^## (\d{1,2}:\d{2}(?::\d{2})?) [—–-] ([a-zA-Z]+)(?: \((.+)\))?(?: \[([a-z][a-z-]*)\])?$/u;
const DATE_HEADING = /^## (\d{4}-\d{2}-\d{2})\s*$/u;

/** Names of the same speakers in other programs. */
const ROLE_ALIASES: Readonly<Record<string, TurnRole>> = { assistant: 'agent', model: 'agent', human: 'user' };

export function parseTranscript(document: MarkdownDocument): Transcript {
  const frontmatter = readFrontmatter('transcript', document.frontmatter?.values);
  const body = bodyLines(document);
  const reader = new TurnReader(frontmatter);
  for (const [index, line] of body.lines.entries()) reader.read(line, body.firstLine + index);
  return { frontmatter, title: reader.title, turns: reader.end() };
}

/** The body without frontmatter; read line by line, since a fence someone forgot to close must not swallow a turn. */
function bodyLines(document: MarkdownDocument): { readonly lines: string[]; readonly firstLine: number } {
  const { frontmatter } = document;
  const head =
    frontmatter === undefined
      ? ''
      : [frontmatter.open, ...frontmatter.entries.map((entry) => entry.raw), frontmatter.close].join('');
  const body = document.blocks.map((block) => block.raw).join('');
  const lines = document.eol === '\r\n' ? body.split(/\r?\n/u) : body.split('\n');
  return { lines, firstLine: head.split('\n').length };
}

/** Turns lines into turns; a turn is complete when the next begins. */
class TurnReader {
  title: string | undefined;
  readonly #turns: LocatedTurn[] = [];
  readonly #firstNumber: number;
  #date: string;
  #open:
    | { readonly heading: Omit<Turn, 'id' | 'parts'>; readonly startLine: number; readonly lines: string[] }
    | undefined;

  constructor(frontmatter: Partial<TranscriptFrontmatter>) {
    this.#firstNumber = frontmatter.first_turn ?? 1;
    this.#date = frontmatter.started?.slice(0, 10) ?? '';
  }

  read(line: string, lineNumber: number): void {
    const date = DATE_HEADING.exec(line)?.[1];
    const heading = line.startsWith('## ') && date === undefined ? this.#parseHeading(line) : undefined;
    if (date !== undefined) {
      this.#close();
      this.#date = date;
    } else if (heading !== undefined) {
      this.#close();
      this.#open = { heading, startLine: lineNumber, lines: [] };
    } else if (this.#open === undefined) {
      if (line.startsWith('# ')) this.title ??= line.slice(2).trim();
    } else {
      this.#open.lines.push(line);
    }
  }

  end(): readonly LocatedTurn[] {
    this.#close();
    return this.#turns;
  }

  #close(): void {
    if (this.#open === undefined) return;
    const { heading, startLine, lines } = this.#open;
    const id = `t${this.#firstNumber + this.#turns.length}`;
    const filled = lines.findLastIndex((line) => line !== '') + 1;
    this.#turns.push({ ...heading, id, parts: parseParts(lines), startLine, endLine: startLine + filled });
    this.#open = undefined;
  }

  #parseHeading(line: string): Omit<Turn, 'id' | 'parts'> | undefined {
    const match = TURN_HEADING.exec(line.trimEnd());
    const [, time, spoken, name, tag] = match ?? [];
    const role = spoken === undefined ? undefined : roleOf(spoken.toLowerCase());
    if (time === undefined || role === undefined) return undefined;
    return {
      date: this.#date,
      time: time.indexOf(':') === 1 ? `0${time}` : time,
      role,
      ...(name === undefined ? {} : { name }),
      ...(tag === undefined ? {} : { tag }),
    };
  }
}

function roleOf(spoken: string): TurnRole | undefined {
  return TURN_ROLES.find((role) => role === spoken) ?? ROLE_ALIASES[spoken];
}

function parseParts(lines: readonly string[]): TurnPart[] {
  const parts: TurnPart[] = [];
  let run: string[] = [];
  const closeRun = (): void => {
    const text = parseRun(run);
    if (text !== '') parts.push({ kind: 'text', text });
    run = [];
  };
  for (const line of lines) {
    const mark = parseMark(line);
    if (mark === undefined) {
      run.push(line);
    } else {
      closeRun();
      parts.push(mark);
    }
  }
  closeRun();
  return parts;
}

/** A run of text stands between one blank line on each side; further blank lines are the speaker's own. */
function parseRun(run: readonly string[]): string {
  const start = run[0] === '' ? 1 : 0;
  const end = run.length > start && run.at(-1) === '' ? run.length - 1 : run.length;
  return run.slice(start, end).map(unescapeLine).join('\n');
}

/** The whole file. Rendering and parsing give the same turns back; line ends inside them become LF. */
export function renderTranscript(frontmatter: TranscriptFrontmatter, turns: readonly Turn[]): string {
  const title = oneLine(frontmatter.topic ?? frontmatter.session_id);
  return `${renderFrontmatter(frontmatter)}\n# ${title}\n` + renderTurns(turns, frontmatter.started.slice(0, 10));
}

/** Turns as they are appended to a transcript whose last turn (or start) was on `day`. */
export function renderTurns(turns: readonly Turn[], day: string): string {
  let current = day;
  let text = '';
  for (const turn of turns) {
    if (turn.date !== current) text += `\n## ${turn.date}\n`;
    current = turn.date;
    text += `\n${renderTurn(turn)}`;
  }
  return text;
}

function renderTurn(turn: Turn): string {
  const name = turn.name === undefined ? '' : ` (${oneLine(turn.name)})`;
  const tag = turn.tag === undefined ? '' : ` [${turn.tag}]`;
  const lines = [`## ${turn.time} — ${turn.role}${name}${tag}`];
  let previous: TurnPart['kind'] | 'heading' = 'heading';
  for (const part of turn.parts) {
    const isText = part.kind === 'text';
    if (isText && part.text === '') continue;
    if (isText || previous === 'text' || previous === 'heading') lines.push('');
    // One by one: a message may have more lines than a call can have arguments.
    const own = isText ? normalLineEnds(part.text).split('\n').map(escapeLine) : [renderMark(part)];
    for (const line of own) lines.push(line);
    previous = part.kind;
  }
  return `${lines.join('\n')}\n`;
}

/** Returns the spoken text, without tool calls and other marks. */
export function turnText(turn: Pick<Turn, 'parts'>): string {
  return turn.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
}

/** `conversations/2026/02/16/1845-ses_a1b2c3d4-slug.md`, relative to the raw repository. */
export function transcriptPath(session: string, date: string, time: string, slug: string, part = 1): string {
  const suffix = part === 1 ? '' : `.part${part}`;
  const tail = slug === '' ? '' : `-${slug}`;
  return `conversations/${date.replaceAll('-', '/')}/${time.slice(0, 5).replace(':', '')}-${session}${tail}${suffix}.md`;
}

type ToolPart = Extract<TurnPart, { kind: 'tool' }>;

/** Results that say no more than that the call went well. */
const BARE_RESULT =
  /^[^\p{L}\p{N}]*(?:ok(?:ay)?|done|success(?:ful|fully)?|true|null|undefined|none|exit(?: code)?:? 0|no (?:output|content))?[^\p{L}\p{N}]*$/iu;
const SAVED =
  /^(?:the )?(?:file|todos?|notebook|cell)\b[^\n]{0,300}\b(?:created|updated|written|edited|saved|modified)\b[^\n]{0,200}$/iu;
/** Tools whose call without a result says only that a file was looked at or saved. */
const FILE_TOOL = /^(?:write|edit|multiedit|notebookedit|read|glob|ls|todowrite|todoread)$/iu;

/** Mneme's own tools under the names that agents give them: `mcp__mneme__memory_search`, `mneme.recall`, `memory_search`. */
const OWN_TOOL =
  /(?:^|[_.:/-])mneme(?:$|[_.:/-])|^memory_(?:context|forget|get|graph|history|propose|read|reflect|search|update|write)$/iu;
const OWN_COMMAND = /^\W*(?:(?:command|cmd)\W+)?(?:npx\s+)?mneme\s+[a-z]/iu;

/** Text between `<think>` and `</think>` that stands in no code span; one that a model never closed reaches to the end. */
const THINKING = /(?<!`)<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>(?!`)|^\s*<think(?:ing)?>[\s\S]*$/giu;

/** An agent's words without its inline reasoning. Keeps line ends, so that lines keep their places in the file. */
export function withoutThinking(text: string): string {
  if (!/<think/iu.test(text)) return text;
  return text.replaceAll(THINKING, (thought) => thought.replaceAll(/[^\n]+/gu, ''));
}

/**
 * The parts of a turn, undefined where there is nothing to remember: receipts without content, calls of Mneme's own tools
 * and an agent's inline reasoning belong to the transcript and are no memories.
 */
export function memorableParts({ role, name, parts }: Pick<Turn, 'role' | 'name' | 'parts'>): (TurnPart | undefined)[] {
  const isOwn = role === 'tool' && name !== undefined && OWN_TOOL.test(name);
  return parts.map((part) => {
    if (isOwn) return undefined;
    if (part.kind === 'tool') return isMemorable(part) ? part : undefined;
    if (part.kind !== 'text') return part;
    if (role === 'tool') return BARE_RESULT.test(part.text) ? undefined : part;
    return role === 'agent' ? { kind: 'text', text: withoutThinking(part.text) } : part;
  });
}

/** Whether an agent used Mneme here, by tool or by command. */
export function isOwnCall({ name, args }: ToolPart): boolean {
  return OWN_TOOL.test(name) || OWN_COMMAND.test(args);
}

function isMemorable(call: ToolPart): boolean {
  if (isOwnCall(call)) return false;
  const { name, result } = call;
  return result === undefined ? !FILE_TOOL.test(name) : !BARE_RESULT.test(result) && !SAVED.test(result.trim());
}
