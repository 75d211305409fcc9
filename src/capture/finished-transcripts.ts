import path from 'node:path';
import type { TranscriptFrontmatter } from '../model/schemas/frontmatter.ts';
import type { FileSystem } from '../platform/fs.ts';
import {
  type Turn,
  type TurnPart,
  parseTranscript,
  renderTranscript,
  renderTurns,
  transcriptPath,
  withoutThinking,
} from '../workspace/formats/transcript.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { plainName, readPacked } from '../workspace/packed.ts';
import { slugify } from '../workspace/safety/paths.ts';
import type { Redactor } from '../workspace/safety/redact.ts';
import { shorten } from '../model/text.ts';

/** The length of a tool call in a transcript: enough to see its purpose, never a dump. */
const MAX_ARGUMENT_CHARACTERS = 240;
const MAX_RESULT_CHARACTERS = 160;

/** A conversation that took place elsewhere and is written in one go. */
export interface FinishedTranscript {
  readonly frontmatter: TranscriptFrontmatter;
  readonly turns: readonly Turn[];
  /** Ends the file's name where another session has the name already but for case. */
  readonly mark?: string | undefined;
}

export interface TranscriptFile {
  /** Relative to the raw repository. */
  readonly path: string;
  readonly text: string;
}

/** Renders a conversation for raw/, secrets taken out. Its path tells day, hour, session and topic. */
export async function prepareTranscript(
  redactor: Redactor,
  { frontmatter, turns, mark }: FinishedTranscript,
): Promise<TranscriptFile | undefined> {
  const clean: Turn[] = [];
  for (const turn of turns) clean.push(await cleanTurn(redactor, turn));
  const [first] = clean;
  if (first === undefined) return undefined;
  const { topic: givenTopic, ...given } = frontmatter;
  const untitled = await cleanFields(redactor, given);
  const topic = await cleanLine(redactor, givenTopic);
  const slug = topic === undefined ? '' : slugify(topic.replaceAll(/\[redacted:[^\]]*\]/gu, ''), 48);
  const tail = [slug, mark ?? ''].filter((word) => word !== '').join('-');
  const part = frontmatter.part ?? 1;
  return {
    path: transcriptPath(frontmatter.session_id, first.date, first.time, tail, part),
    text: renderTranscript(topic === undefined ? untitled : { ...frontmatter, ...untitled, topic }, clean),
  };
}

/** Redacts session details from other programs: project, model, channel and tags. */
async function cleanFields<T extends object>(redactor: Redactor, fields: T): Promise<T> {
  const clean = async (value: unknown): Promise<unknown> => {
    if (typeof value === 'string') return (await redactor.redact(value)).text;
    return Array.isArray(value) ? Promise.all(value.map(clean)) : value;
  };
  const entries = Object.entries(fields).map(async ([key, value]) => [key, await clean(value)] as const);
  return Object.fromEntries(await Promise.all(entries)) as T;
}

/** Takes secrets and an agent's inline reasoning out, and shortens tool calls. */
export async function cleanTurn(redactor: Redactor, turn: Turn): Promise<Turn> {
  const parts: TurnPart[] = [];
  for (const part of turn.parts) {
    const said = turn.role === 'agent' && part.kind === 'text' ? withoutThinking(part.text) : undefined;
    if (part.kind !== 'text' || said === undefined || said === part.text) parts.push(await cleanPart(redactor, part));
    else if (said.trim() !== '') parts.push(await cleanPart(redactor, { kind: 'text', text: said.trim() }));
  }
  return turn.name === undefined ? { ...turn, parts } : { ...turn, name: await cleanLine(redactor, turn.name), parts };
}

/** Characters that a terminal or a heading would act upon: controls, and those that change the text direction. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]+/gu;

/** A name or topic: shown in headings and lists, where nothing but its words belongs. undefined when it has none. */
async function cleanLine(redactor: Redactor, text: string | undefined): Promise<string | undefined> {
  const line = text?.replaceAll(/\s+/gu, ' ').replaceAll(UNSEEN, '').trim() ?? '';
  return line === '' ? undefined : (await redactor.redact(line)).text;
}

/** Shortened only after redaction: of a token cut in half neither half would be recognised. */
async function cleanPart(redactor: Redactor, part: TurnPart): Promise<TurnPart> {
  const clean = async (text: string): Promise<string> => (await redactor.redact(text)).text;
  if (part.kind === 'text') return { kind: 'text', text: await clean(part.text) };
  if (part.kind === 'tool') {
    const args = shortenClean(await clean(part.args), MAX_ARGUMENT_CHARACTERS);
    if (part.result === undefined) return { kind: 'tool', name: part.name, args };
    return {
      kind: 'tool',
      name: part.name,
      args,
      result: shortenClean(await clean(part.result), MAX_RESULT_CHARACTERS),
    };
  }
  if (part.kind === 'attachment') return part;
  return part.summary === undefined ? part : { ...part, summary: await clean(part.summary) };
}

/** Without half of a mark that redaction left. */
function shortenClean(text: string, maxCharacters: number): string {
  return shorten(text, maxCharacters).replace(/\[redacted:[^\]]*…$/u, '…');
}

/** The parts of a session that raw/ already holds. */
export interface EarlierParts {
  readonly parts: number;
  readonly turns: number;
  /** Relative to raw/, in the order of the turns; by their plain names, packed or not. */
  readonly paths: readonly string[];
  /** Of the last part. */
  readonly frontmatter: Partial<TranscriptFrontmatter>;
  /** The user's latest name. */
  readonly user: string | undefined;
  /** Everything that was said, in order. */
  readonly said: readonly Turn[];
  /** Whether a turn stands there, by its number and its words. */
  readonly holds: (turn: Turn) => boolean;
}

/** Undefined for a session that has no transcript yet. */
export function findEarlierParts(fs: FileSystem, rawRoot: string, session: string): EarlierParts | undefined {
  const folder = path.join(rawRoot, 'conversations');
  const found: {
    readonly path: string;
    readonly lastTurn: number;
    readonly frontmatter: Partial<TranscriptFrontmatter>;
    readonly turns: readonly Turn[];
  }[] = [];
  for (const file of new Set(fs.listFiles(folder).map(plainName))) {
    // `HHMM-<session>-<slug>.md`: the name tells which files are worth opening.
    if (!path.basename(file).slice('HHMM-'.length).startsWith(session) || !file.endsWith('.md')) continue;
    const text = readPacked(fs, path.join(folder, file))?.toString('utf8');
    const transcript = text === undefined ? undefined : parseTranscript(parseDocument(text));
    if (transcript?.frontmatter.session_id !== session) continue;
    const lastTurn = (transcript.frontmatter.first_turn ?? 1) - 1 + transcript.turns.length;
    const relative = `conversations/${file.replaceAll(path.sep, '/')}`;
    found.push({ path: relative, lastTurn, frontmatter: transcript.frontmatter, turns: transcript.turns });
  }
  found.sort((a, b) => a.lastTurn - b.lastTurn);
  const last = found.at(-1);
  if (last === undefined) return undefined;
  const paths = found.map((part) => part.path);
  const said = found.flatMap((part) => part.turns);
  const user = said.findLast(({ role, name }) => role === 'user' && name !== undefined)?.name;
  const byId = Map.groupBy(said, ({ id }) => id);
  const holds = (turn: Turn): boolean => byId.get(turn.id)?.some((held) => isSame(held, turn)) ?? false;
  return { parts: found.length, turns: last.lastTurn, paths, frontmatter: last.frontmatter, user, said, holds };
}

/** Compared as a transcript shows them: that is all of a turn that is kept. */
function isSame(a: Turn, b: Turn): boolean {
  return renderTurns([a], '') === renderTurns([b], '');
}
