import type { TranscriptFrontmatter } from '../model/schemas/transcript.ts';
import { renderTranscript, transcriptPath, type Turn, type TurnPart } from '../workspace/formats/transcript.ts';
import { slugify } from '../workspace/safety/paths.ts';
import { withoutThinking } from '../workspace/formats/memorable.ts';
import type { Redactor } from '../workspace/safety/redact.ts';
import { shorten } from '../model/shorten.ts';

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
