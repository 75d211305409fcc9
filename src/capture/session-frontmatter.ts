import type { TranscriptFrontmatter } from '../model/schemas/frontmatter.ts';
import { offsetMs } from '../retrieve/understand/time/wall-clock.ts';
import { withoutHandedOver } from '../judge/handed-over/split.ts';
import { turnText, type Turn } from '../workspace/formats/transcript.ts';
import { turnNumber, type KnowledgeChange, type LiveTurn } from './live-turn.ts';
import type { SessionRecord } from './session-record.ts';
import { MINUTE_MS } from '../model/time.ts';

const CHARS_PER_TOKEN = 4;
const MAX_TOPIC_CHARS = 80;
/** A summary is a line; what was changed stands in the file it names. */
const MAX_SUMMARY_CHARS = 200;

/** The transcript's frontmatter. Made of record and turns alone, so that a second run gives the same. */
export function sessionFrontmatter(
  record: SessionRecord,
  turns: readonly LiveTurn[],
  timeZone: string,
): TranscriptFrontmatter {
  const times = turns.flatMap(({ timeMs }) => timeMs ?? []);
  const [firstMs = record.startedMs] = times;
  const topic = topicOf(record, turns);
  const { input, output } = countTokens(turns);
  const [first] = turns;
  const firstTurn = first === undefined ? record.firstTurn : turnNumber(first);
  const changes = [...(record.changes ?? []), ...turns.flatMap((turn) => turn.changes ?? [])].map(describeChange);
  return {
    session_id: record.session,
    started: stamp(firstMs, timeZone),
    ended: stamp(
      times.reduce((last, time) => Math.max(last, time), firstMs),
      timeZone,
    ),
    timezone: timeZone,
    ...(record.model === undefined ? {} : { model: record.model }),
    ...(record.channel === undefined ? {} : { channel: record.channel }),
    ...(topic === undefined ? {} : { topic }),
    ...(record.tags === undefined ? {} : { tags: record.tags }),
    tokens_in: input,
    tokens_out: output,
    ...(changes.length === 0 ? {} : { knowledge_changes: changes }),
    ...(record.project === undefined ? {} : { project: record.project }),
    ...(record.scope === undefined ? {} : { scope: record.scope }),
    ...(record.origin === undefined ? {} : { imported_from: record.origin }),
    ...(record.part === 1 && firstTurn === 1 ? {} : { part: record.part, first_turn: firstTurn }),
  };
}

/** The topic of the session: the one given, or else the user's own first words. */
export function topicOf(record: Pick<SessionRecord, 'topic'>, turns: readonly Turn[]): string | undefined {
  if (record.topic !== undefined) return record.topic;
  for (const turn of turns) {
    const topic = turn.role === 'user' ? firstWords(withoutHandedOver(turnText(turn))) : '';
    if (topic !== '') return topic;
  }
  return undefined;
}

/** The topic without markers of what was redacted: it becomes part of a file name. */
export function slugSource(topic: string | undefined): string {
  const words = (topic ?? '').replaceAll(/\[redacted:[^\]]*\]/gu, '').trim();
  return words === '' ? 'session' : words;
}

function firstWords(text: string, maxChars = MAX_TOPIC_CHARS): string {
  const line = text.trim().split('\n', 1)[0]?.replaceAll(/\s+/gu, ' ').trim() ?? '';
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars);
  const space = cut.lastIndexOf(' ');
  return `${(space > maxChars / 2 ? cut.slice(0, space) : cut).toWellFormed()}…`;
}

type ListedChange = NonNullable<TranscriptFrontmatter['knowledge_changes']>[number];

function describeChange({ path, action, summary, mutation }: KnowledgeChange): ListedChange {
  return {
    path,
    action,
    ...(summary === undefined ? {} : { summary: firstWords(summary.replaceAll(/\s+/gu, ' '), MAX_SUMMARY_CHARS) }),
    ...(mutation === undefined ? {} : { mutation }),
  };
}

/** Roughly what a model was given and what it wrote: what the agent says and asks of tools is its output. */
function countTokens(turns: readonly Turn[]): { readonly input: number; readonly output: number } {
  let input = 0;
  let output = 0;
  for (const turn of turns) {
    for (const part of turn.parts) {
      if (part.kind === 'text' && turn.role === 'agent') output += part.text.length;
      else if (part.kind === 'text') input += part.text.length;
      else if (part.kind === 'tool') {
        output += part.args.length;
        input += part.result?.length ?? 0;
      }
    }
  }
  return { input: Math.ceil(input / CHARS_PER_TOKEN), output: Math.ceil(output / CHARS_PER_TOKEN) };
}

/** `2026-02-16T18:45:00+01:00`: the hour as a clock in the home's zone shows it. */
function stamp(timeMs: number, timeZone: string): string {
  const offset = offsetMs(timeMs, timeZone);
  const wall = new Date(timeMs + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${wall}Z`;
  const minutes = Math.abs(offset) / MINUTE_MS;
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${wall}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
