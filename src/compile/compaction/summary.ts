import { handedOverTexts, withoutTexts } from '../../judge/handed-over/split.ts';
import type { HeardConversation, HeardTurn, Reasoner, AskOptions, Summary } from '../../reasoner/port.ts';
import { quoteLine } from '../fence.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import { sameWords } from '../../model/same-words.ts';
import { cutText } from '../../model/text.ts';
import { settledSentences } from './telling.ts';
import { SUMMARY_NAME, type ContextMessage, type StandsFor } from './message.ts';

/** A stretch of conversation in a few lines. */
export interface GroupSummary {
  readonly topic: string;
  /** Most needed first: what does not fit is left out from the end. */
  readonly lines: readonly string[];
  readonly by: string;
  readonly notes: readonly string[];
}

export type Summarise = (messages: readonly ContextMessage[], maxTokens: number) => Promise<GroupSummary>;

/** Data that summaries need about the conversation besides its words. */
export interface SummaryFrame extends Pick<HeardConversation, 'session' | 'user' | 'project' | 'timeZone'> {
  /** When messages without a time were said. */
  readonly nowMs: number;
}

/** Summaries by whoever judges in this home: a model, or sentences taken from the conversation itself. */
export function summariseBy(reasoner: Reasoner, frame: SummaryFrame, options: AskOptions = {}): Summarise {
  const { nowMs, ...about } = frame;
  return async (messages, maxTokens) => {
    const turns = messages.flatMap((message) => hear(message, nowMs));
    const { output, by, notes } = await reasoner.ask(
      'summarise',
      // Asked for more than fits: what is left out is chosen here, decisions last.
      { conversation: { ...about, turns }, maxTokens: maxTokens * 2 },
      options,
    );
    const settled = messages.flatMap((message) => (message.standsFor === undefined ? settledSentences(message) : []));
    return { topic: output.topic, lines: linesOf(output, settled.slice(0, MAX_SETTLED)), by, notes };
  };
}

/** Treats text that a user hands over like a tool result. */
function hear({ id, role, name, text, time }: ContextMessage, nowMs: number): HeardTurn[] {
  const saidMs = time === undefined ? Number.NaN : Date.parse(time);
  const timeMs = Number.isNaN(saidMs) ? nowMs : saidMs;
  if (role !== 'user') return [{ id, role, name, text, timeMs, trust: role === 'tool' ? 'tool' : 'agent' }];
  const texts = handedOverTexts(text);
  const own = withoutTexts(text, texts);
  const handed = texts.map(({ start, end }) => text.slice(start, end)).join('\n');
  return [
    ...(handed.trim() === '' ? [] : [{ id, role: 'tool', text: handed, timeMs, trust: 'external' } as const]),
    ...(own.trim() === '' ? [] : [{ id, role, name, text: own, timeMs, trust: 'user' } as const]),
  ];
}

/** Of one stretch. */
const MAX_SETTLED = 20;

/** Decisions and what is left to do, then what else was settled, before what merely happened; nothing twice. */
function linesOf({ decisions, next, errors, points }: Summary, settled: readonly string[]): string[] {
  const told = [...decisions, ...next, ...errors];
  const others = settled.filter((line) => told.every((each) => !saysTheSame(each, line)));
  const left = points.filter((line) => [...told, ...others].every((each) => !saysTheSame(each, line)));
  return [
    ...new Set([
      ...decisions.map((line) => `Decided: ${line}`),
      ...next.map((line) => `To do: ${line}`),
      ...errors.map((line) => `Went wrong: ${line}`),
      ...[...others, ...left].map((line) => `- ${line}`),
    ]),
  ];
}

/** Words by which a decision is told, and the project it is told of. */
const FRAME = /^(?:\p{L}+ decided to|let's|(?:we|i)(?:'ll| will)?) | \[[^\]]+\](?=\.?$)/giu;

function saysTheSame(one: string, other: string): boolean {
  return sameWords(one.replaceAll(FRAME, ''), other.replaceAll(FRAME, ''));
}

const MAX_TOPIC_CHARS = 80;
const MAX_MENTION_CHARS = 160;

export function summaryMessage(
  standsFor: StandsFor,
  { topic, lines }: GroupSummary,
  maxTokens: number,
  counter: TokenCounter,
): ContextMessage {
  let text = `[${describeRange(standsFor)} in short: ${cutText(quoteLine(topic), MAX_TOPIC_CHARS)}]`;
  for (const line of lines) {
    const longer = `${text}\n${quoteLine(line)}`;
    if (counter.count(longer) <= maxTokens) text = longer;
  }
  return compactedMessage(standsFor, text);
}

/** A line of a stretch that is too old for more. */
export function mentionMessage(standsFor: StandsFor, { topic, lines }: GroupSummary): ContextMessage {
  const [first] = lines;
  const told = first === undefined ? topic : `${topic}; ${first.replace(/^- /u, '')}`;
  return compactedMessage(standsFor, `[${describeRange(standsFor)}: ${cutText(quoteLine(told), MAX_MENTION_CHARS)}]`);
}

/** Says that something was here, and where it is now. */
export function gapMessage(standsFor: StandsFor): ContextMessage {
  const { session } = standsFor;
  const where =
    session === undefined ? '' : `; session ${quoteLine(session)} holds them, a search of the memory finds them`;
  return compactedMessage(standsFor, `[${describeRange(standsFor)} are not shown${where}]`);
}

function compactedMessage(standsFor: StandsFor, text: string): ContextMessage {
  return { id: `compacted-${standsFor.from}`, role: 'user', name: SUMMARY_NAME, text, standsFor };
}

function describeRange({ from, to, messages }: StandsFor): string {
  const range = from === to ? quoteLine(from) : `${quoteLine(from)}–${quoteLine(to)}`;
  return `${messages} earlier ${messages === 1 ? 'message' : 'messages'}, ${range}`;
}
