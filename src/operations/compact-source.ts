import { isWindowName, messageOfTurn, readMessages, windowName } from '../compile/compaction/read-messages.ts';
import type { ContextMessage } from '../compile/compaction/message.ts';
import type { SummaryFrame } from '../compile/compaction/summary.ts';
import { MnemeError } from '../model/errors.ts';
import type { OperationContext } from './context.ts';
import { hearSession, type HeardSession } from './extract/extract-session.ts';
import { assertKnown } from './session/message.ts';
import { oneLine } from '../model/text.ts';

/** The messages to compact, and the place in the home where their words are kept. */
export interface WindowSource {
  readonly messages: readonly ContextMessage[];
  /** The window as it was given; undefined when it came from a transcript. */
  readonly values?: readonly unknown[] | undefined;
  /** The session of the home that holds the words, or the one they will be kept in. */
  readonly session: string;
  /** Messages whose words the home does not hold yet. */
  readonly unsaved: readonly ContextMessage[];
  readonly isKnownSession: boolean;
  /** `SESSION#t12` by message, as far as the words are in the home. */
  readonly places: ReadonlyMap<string, string>;
  readonly frame: SummaryFrame;
  readonly notes: readonly string[];
}

export interface WindowInput {
  readonly session?: string | undefined;
  readonly text?: string | undefined;
  readonly name?: string | undefined;
}

/** Finds the messages: those that were handed over, or everything that was said in a session. */
export function findWindow(
  context: OperationContext,
  { session, text, name = 'The input' }: WindowInput,
): WindowSource {
  if (text === undefined) {
    if (session === undefined) {
      throw new MnemeError('usage', 'There is nothing to compact.', {
        hint: 'Name a file (`mneme session compact FILE`, `-` for the input) or a session (`--session ID`).',
      });
    }
    assertKnown(context, session);
    return ofSession(context, session);
  }
  const read = readMessages(text, name);
  if (session !== undefined) assertKnown(context, session);
  const claimed = read.session !== undefined && isWindowName(read.session) ? read.session : undefined;
  const named = session ?? claimed;
  const notes = [
    ...(read.skipped === 0 ? [] : [`${name}: what holds no message was left out (${read.skipped}).`]),
    ...(read.session === undefined || named !== undefined || !isKnown(context, read.session)
      ? []
      : [`${name} says it belongs to session ${read.session}; --session ${read.session} takes its word for it.`]),
  ];
  const known = named !== undefined && isKnown(context, named) ? named : undefined;
  const source =
    known === undefined
      ? ofStranger(context, read.messages, named, notes)
      : ofKnown(context, read.messages, known, notes);
  return { ...source, values: read.values };
}

/** Says where the words of a message are, or will be once they are kept. */
export function sessionsHolding(source: WindowSource): (message: ContextMessage) => string | undefined {
  const { session, isKnownSession, places, messages } = source;
  const isBeside = isKnownSession && !isWindowName(session) && source.unsaved.length > 0;
  const unsaved = new Set(isBeside ? source.unsaved.map(({ id }) => id) : []);
  const beside = isBeside ? windowName(messages) : session;
  return ({ id, standsFor }) => {
    if (standsFor !== undefined) return standsFor.session;
    return unsaved.has(id) ? beside : (places.get(id)?.split('#')[0] ?? session);
  };
}

function ofSession(context: OperationContext, session: string): WindowSource {
  const heard = hearSession(context, session);
  const messages = heard.turns.map((turn) => messageOfTurn(turn)).filter(({ text }) => text.trim() !== '');
  if (messages.length === 0) throw new MnemeError('usage', `Nothing was said in session ${session} yet.`);
  return {
    messages,
    session,
    unsaved: [],
    isKnownSession: true,
    places: new Map(messages.map(({ id }) => [id, `${session}#${id}`])),
    frame: frameOf(context, session, heard),
    notes: [],
  };
}

/** Messages of a session that the home follows; what it holds of them is found by their words. */
function ofKnown(
  context: OperationContext,
  messages: readonly ContextMessage[],
  session: string,
  notes: readonly string[],
): WindowSource {
  const heard = hearSession(context, session);
  const beside = windowName(messages);
  const places = new Map<string, string>();
  const turns = new Map([
    ...(isKnown(context, beside) ? placesIn(hearSession(context, beside), beside) : []),
    ...placesIn(heard, session),
  ]);
  for (const { id, text } of messages) {
    const turn = turns.get(oneLine(text));
    if (turn !== undefined) places.set(id, turn);
  }
  return {
    messages,
    session,
    unsaved: messages.filter((message) => isSaid(message) && !places.has(message.id)),
    isKnownSession: true,
    places,
    frame: frameOf(context, session, heard),
    notes,
  };
}

/** Where words are, by the words. */
function placesIn({ turns }: HeardSession, session: string): (readonly [string, string])[] {
  return turns.map((turn) => [oneLine(messageOfTurn(turn).text), `${session}#${turn.id}`]);
}

function ofStranger(
  context: OperationContext,
  messages: readonly ContextMessage[],
  named: string | undefined,
  notes: readonly string[],
): WindowSource {
  const said = messages.filter((message) => isSaid(message) || message.role === 'tool');
  const session = named !== undefined && FREE_NAME.test(named) ? named : windowName(messages);
  return {
    messages,
    session,
    unsaved: isKnown(context, session) ? [] : said,
    isKnownSession: isKnown(context, session),
    places: new Map(said.map(({ id }, index) => [id, `${session}#t${index + 1}`])),
    frame: { session, timeZone: context.config.time_zone, nowMs: context.clock.now() },
    notes,
  };
}

/** Names a session may have. */
const FREE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

/** Of what tools print a session keeps a line; the host's own instructions and earlier summaries are nobody's words. */
function isSaid({ role, standsFor }: ContextMessage): boolean {
  return (role === 'user' || role === 'agent') && standsFor === undefined;
}

function isKnown(context: OperationContext, session: string): boolean {
  if (!FREE_NAME.test(session)) return false;
  const sessions = context.parts.sessions();
  return sessions.isOpen(session) || sessions.findEarlier(session) !== undefined;
}

function frameOf({ config, clock }: OperationContext, session: string, { about, user }: HeardSession): SummaryFrame {
  return { session, user, project: about.project, timeZone: config.time_zone, nowMs: clock.now() };
}
