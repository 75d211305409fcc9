import { z } from 'zod';
import { assertSessionId } from '../../capture/sessions.ts';
import type { NewTurn } from '../../capture/live-turn.ts';
import type { OpenSession } from '../../capture/open-session.ts';
import { MnemeError, errorMessage } from '../../model/errors.ts';
import { parseMoment } from '../../workspace/git/revisions.ts';
import type { TurnRole } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { asksForPrivacy, wishesIn } from '../../capture/triggers/detect.ts';
import { actOnTriggers, type TriggerOutcome } from './act-on-triggers.ts';
import { assertSeesSession } from './session-scope.ts';
import { findSpeakers } from './speaker.ts';

/**
 * Limit on the text of a tool call; a transcript keeps one line of it, which is shorter. The text is cut between words,
 * because half a secret would not be recognised.
 */
const MAX_CALL_CHARS = 4000;
/** Values nested deeper than this are left out of the line. */
const MAX_DEPTH = 20;

/** Returns the input or output of a tool as text. Never throws: a log must not fail because of what it logs. */
export function inWords(value: unknown): string {
  const text = typeof value === 'string' ? value : describe(value);
  if (text.length <= MAX_CALL_CHARS) return text;
  const cut = text.slice(0, MAX_CALL_CHARS);
  const space = cut.search(/\s\S*$/u);
  return space === -1 ? '…' : `${cut.slice(0, space)} …`;
}

function describe(value: unknown): string {
  try {
    return JSON.stringify(plain(value, [])) ?? '';
  } catch (error) {
    // A getter or a `toJSON` of somebody else's may throw anything.
    return `[cannot be shown: ${errorMessage(error)}]`;
  }
}

/** Converts a value to JSON, with words for what JSON cannot express. */
function plain(value: unknown, within: readonly object[]): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return `[function ${value.name}]`;
  if (typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (within.includes(value)) return '[circular]';
  if (within.length >= MAX_DEPTH) return '…';
  const inner = [...within, value];
  if (hasJson(value)) return plain(value.toJSON(), inner);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (value instanceof Map) return [...value].map((entry) => plain(entry, inner));
  if (value instanceof Set) return [...value].map((item) => plain(item, inner));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => plain(item, inner));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, inner)]));
}

function hasJson(value: object): value is { toJSON: () => unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** More than any person says at once; a pasted log of this size belongs in a file. */
export const MAX_MESSAGE_BYTES = 1_048_576;

/** Other programs call the same speakers by these names. */
const ROLES: Readonly<Record<string, TurnRole>> = {
  user: 'user',
  human: 'user',
  agent: 'agent',
  assistant: 'agent',
  model: 'agent',
  system: 'system',
  tool: 'tool',
};

export const time = z
  .union([z.string().min(1), z.number(), z.date()])
  .optional()
  .describe('When it was said, such as 2026-02-16T18:45:00Z; now when not given.');

const messageInput = z.object({
  session: z.string().min(1).describe('The session’s id.'),
  role: z.enum(Object.keys(ROLES)).describe('Who speaks: user, agent (or assistant), system, tool.'),
  text: z
    .string()
    .min(1)
    .refine((text) => text.trim() !== '', 'is blank: a turn without words cannot be told from none')
    .describe('What is said.'),
  name: z.string().trim().min(1).max(200).optional().describe('What the speaker is called.'),
  time,
});

const toolInput = z.object({
  session: z.string().min(1).describe('The session’s id.'),
  name: z.string().min(1).max(200).describe('The tool.'),
  args: z.unknown().describe('What it was given.'),
  result: z.unknown().describe('What it gave back; a line of it is kept.'),
  time,
});

export type MessageInput = z.input<typeof messageInput>;

export interface AppendedTurn {
  readonly session: string;
  /** `t1`, `t2`, …; null in a private session, which keeps no turns. */
  readonly turn: string | null;
}

export interface AppendedMessage extends AppendedTurn {
  /** The user's requests to the memory in passing – remember, forget, recall – and their outcomes. */
  readonly triggers: readonly TriggerOutcome[];
}

export const sessionMessage = defineVerb({
  name: 'session message',
  summary: 'Add what somebody said to a conversation.',
  description: 'Add what somebody said to a conversation. `-` reads the text from standard input.',
  examples: ['mneme session message s1 user "Where did we deploy to?"'],
  input: messageInput,
  args: ['session', 'role', 'text...'],
  effect: 'write',
  withoutLease: 'own',
  reach: 'filtered',
  async run(context, { session, role, text, name, time: given }): Promise<AppendedMessage> {
    assertFits(text);
    const timeMs = momentOf(context, given);
    const turn: NewTurn = { role: ROLES[role] ?? 'user', parts: [{ kind: 'text', text }], timeMs, name };
    const user = turn.name === undefined ? undefined : context.parts.sessions().find(session)?.user;
    if (asksForPrivacy(turn, user)) {
      assertKnown(context, session);
      await context.parts.sessions().makePrivate(session);
    }
    const appended = await appendTo(context, session, (open) => open.append(turn));
    // A request is cut out of its sentence: without "my passphrase is" a secret is only a word that nobody knows for one.
    const { text: clean } = await context.workspace.redactor.redact(text);
    const asked: NewTurn = { ...turn, parts: [{ kind: 'text', text: clean }] };
    const wishes = wishesIn(asked, user);
    if (wishes.length === 0 || appended.turn === null) return { ...appended, triggers: [] };
    const speakers = await findSpeakers(context, session);
    // A long conversation is read only for a wish that means what was said before.
    const said = wishes.some(({ refersBack }) => refersBack) ? context.parts.sessions().peek(session).turns : [];
    const here = { session, turn: { ...asked, id: appended.turn }, speakers, said };
    return { ...appended, triggers: await actOnTriggers(context, here, wishes) };
  },
  cli: {
    stdin: 'text',
    options: { name: { value: 'name' }, time: { value: 'when', help: 'when it was said (default: now)' } },
  },
  render: async (view, output) => (await import('./render.ts')).renderMessage(view, output),
});

export const sessionTool = defineVerb({
  name: 'session tool',
  summary: 'Add a tool call to a conversation.',
  input: toolInput,
  args: ['session', 'name', 'args'],
  effect: 'write',
  withoutLease: 'own',
  reach: 'filtered',
  async run(context, { session, name, args, result, time: given }): Promise<AppendedTurn> {
    const told = result === undefined ? undefined : inWords(result);
    const part = { kind: 'tool', name, args: inWords(args), ...(told === undefined ? {} : { result: told }) } as const;
    const timeMs = momentOf(context, given);
    return appendTo(context, session, (open) => open.append({ role: 'tool', parts: [part], timeMs }));
  },
  cli: {
    options: {
      result: { value: 'text', help: 'what it gave back' },
      time: { value: 'when', help: 'when (default: now)' },
    },
    prepare: ({ input }) => ({
      ...input,
      session: input.session ?? '',
      name: input.name ?? '',
      args: input.args ?? '',
      result: input.result,
    }),
  },
  render: ({ style }, { turn }) => `${turn ?? style.yellow('private: not kept')}\n`,
});

/** Adds to a session that is open, or was. */
export async function appendTo(
  context: OperationContext,
  session: string,
  append: (open: OpenSession) => Promise<{ readonly id: string }>,
): Promise<AppendedTurn> {
  assertKnown(context, session);
  if (context.parts.sessions().isPrivate(session)) return { session, turn: null };
  const { id } = await context.parts.sessions().exclusively(session, {}, append);
  return { session, turn: id };
}

export function assertKnown(context: OperationContext, session: string): void {
  assertSessionId(session);
  assertSeesSession(context, session);
  const sessions = context.parts.sessions();
  if (sessions.isOpen(session) || sessions.findEarlier(session) !== undefined) return;
  throw new MnemeError('not-found', `There is no session ${session}.`, {
    hint: '`mneme session list` shows the open ones; `mneme recall` finds the others.',
  });
}

function assertFits(text: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_MESSAGE_BYTES) return;
  throw new MnemeError('usage', `The message has ${bytes} bytes; a message may have ${MAX_MESSAGE_BYTES}.`, {
    hint: 'Nothing of it was kept. Shorten it, or keep the text as a file.',
  });
}

export function momentOf({ clock, config }: OperationContext, given: string | number | Date | undefined): number {
  if (given === undefined) return clock.now();
  const timeMs = typeof given === 'string' ? parseMoment(given, clock.now(), config.time_zone, 'start') : Number(given);
  if (timeMs !== undefined && isDatable(timeMs)) return timeMs;
  throw new MnemeError('usage', `"${String(given)}" is no time.`, {
    hint: 'Write it as 2026-02-16T18:45:00Z or in milliseconds since 1970.',
  });
}

/** Transcripts write years with four digits. */
function isDatable(timeMs: number): boolean {
  return timeMs > Date.UTC(1000, 0) && timeMs < Date.UTC(9999, 0);
}
