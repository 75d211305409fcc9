import type { EntityMention } from '../../model/knowledge.ts';
import { localTime } from '../../model/time.ts';
import type {
  CompareInput,
  GateInput,
  HeardConversation,
  HeardTurn,
  InferInput,
  ReflectInput,
  RerankInput,
  RewriteCoreInput,
  RouteInput,
  Statement,
} from '../port.ts';

/*
 * Everything somebody said goes out as JSON strings inside tags. A string ends only where JSON says so, and `<` is
 * escaped, so that no text can close the tags and speak outside of them.
 */

/** The most telling of a very long turn stands at its beginning and its end: what is asked, what came out. */
const TURN_HEAD_CHARACTERS = 8000;
const TURN_TAIL_CHARACTERS = 4000;
/** Names are told so that they are spelt as the memory spells them; more would drown the conversation. */
const MAX_KNOWN_NAMES = 60;
/** More than this no model keeps in view when it combines them. */
const MAX_PREMISES = 120;

export function fence(tag: string, lines: readonly unknown[]): string {
  const json = lines.map((line) => JSON.stringify(line).replaceAll('<', '\\u003c'));
  return [`<${tag}>`, ...json, `</${tag}>`].join('\n');
}

export function shortenTurn(text: string): string {
  if (text.length <= TURN_HEAD_CHARACTERS + TURN_TAIL_CHARACTERS) return text.toWellFormed();
  const left = text.length - TURN_HEAD_CHARACTERS - TURN_TAIL_CHARACTERS;
  const head = text.slice(0, TURN_HEAD_CHARACTERS);
  return `${head} […${left} characters left out…] ${text.slice(-TURN_TAIL_CHARACTERS)}`.toWellFormed();
}

export interface ShownTurns {
  readonly conversation: HeardConversation;
  readonly turns: readonly HeardTurn[];
  /** Ids of turns that are only there to be understood from. */
  readonly context: ReadonlySet<string>;
}

export function renderConversation({ conversation, turns, context }: ShownTurns, request: readonly string[]): string {
  const { timeZone } = conversation;
  const about = {
    user: conversation.user ?? null,
    project: conversation.project ?? null,
    time_zone: timeZone,
    known_names: namesOf(conversation.known),
  };
  const lines = turns.map(({ id, role, name, text, timeMs }) => ({
    turn: id,
    who: role,
    ...(name === undefined ? {} : { name }),
    time: showTime(timeMs, timeZone),
    ...(context.has(id) ? { context: true } : {}),
    text: shortenTurn(text),
  }));
  return [fence('about', [about]), fence('conversation', lines), ...request].join('\n\n');
}

export function renderRoute({ text, user, timeMs, timeZone, known }: RouteInput): string {
  const about = { user: user ?? null, now: showTime(timeMs, timeZone), known_names: namesOf(known) };
  return [fence('about', [about]), fence('text', [{ text: shortenTurn(text) }])].join('\n\n');
}

export function renderComparison({ known, incoming }: CompareInput): string {
  return fence('statements', [{ known: describeStatement(known) }, { incoming: describeStatement(incoming) }]);
}

export function renderPremises({ subject, premises }: InferInput): string {
  return [fence('subject', [{ subject }]), fence('known', premises.slice(0, MAX_PREMISES))].join('\n\n');
}

export function renderReflection({ learned, revised, past, draft }: ReflectInput): string {
  return [
    fence('learned', learned.slice(0, MAX_PREMISES)),
    fence('revised', revised.slice(0, MAX_PREMISES)),
    fence('earlier', past),
    fence('draft', [draft]),
  ].join('\n\n');
}

export function renderCoreChoice({ bullets, candidates, removable }: RewriteCoreInput): string {
  return [
    fence('core', bullets),
    fence('candidates', candidates.slice(0, MAX_PREMISES)),
    fence('removable', removable),
  ].join('\n\n');
}

/** Leaves out matches and their likelihood: the answer is to come from the message and the topic alone. */
export function renderGate({ message, topic }: GateInput): string {
  return [fence('message', [{ text: message }]), fence('topic', [topic])].join('\n\n');
}

export function renderRerank({ question, texts }: RerankInput): string {
  const numbered = texts.map((text, at) => ({ number: at + 1, text: shortenTurn(text) }));
  return [fence('question', [{ text: question }]), fence('texts', numbered)].join('\n\n');
}

export function renderText(text: string): string {
  return fence('text', [{ text: shortenTurn(text) }]);
}

function describeStatement({ text, saidMs, kind, subject, attribute, value }: Statement): Record<string, unknown> {
  return { text, said: showTime(saidMs, 'UTC'), kind, subject, attribute, value };
}

/** `Monday 2026-03-02 08:41`: the weekday is what "next Friday" is counted from. */
function showTime(timeMs: number, timeZone: string): string {
  const { date, time } = localTime(timeMs, timeZone);
  const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone }).format(timeMs);
  return `${weekday} ${date} ${time}`;
}

function namesOf(known: readonly EntityMention[] | undefined): string[] {
  return (known ?? []).slice(0, MAX_KNOWN_NAMES).map(({ name, type }) => `${name} (${type})`);
}
