import { z } from 'zod';
import { assertSessionId } from '../../capture/sessions.ts';
import type { NewTurn } from '../../capture/live-turn.ts';
import { MnemeError } from '../../model/errors.ts';
import { parseMoment } from '../../workspace/git/moment.ts';
import type { TurnRole } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { sessionsOf } from './open-sessions.ts';

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

const time = z
  .union([z.string().min(1), z.number(), z.date()])
  .optional()
  .describe('When it was said, such as 2026-02-16T18:45:00Z; now when not given.');

const messageInput = z.object({
  session: z.string().min(1).describe('The session’s id.'),
  role: z.enum(Object.keys(ROLES)).describe('Who speaks: user, agent (or assistant), system, tool.'),
  text: z.string().min(1).describe('What is said.'),
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
  /** `t1`, `t2`, … */
  readonly turn: string;
}

export const sessionMessage = defineOperation({
  name: 'session message',
  summary: 'Add what somebody said to a conversation.',
  input: messageInput,
  effect: 'write',
  async run(context, { session, role, text, name, time: given }): Promise<AppendedTurn> {
    assertFits(text, context.config.limits.max_message_bytes);
    return append(context, session, {
      role: ROLES[role] ?? 'user',
      parts: [{ kind: 'text', text }],
      timeMs: momentOf(context, given),
      name,
    });
  },
});

export const sessionTool = defineOperation({
  name: 'session tool',
  summary: 'Add a tool call to a conversation.',
  input: toolInput,
  effect: 'write',
  async run(context, { session, name, args, result, time: given }): Promise<AppendedTurn> {
    const told = result === undefined ? undefined : inWords(result);
    return append(context, session, {
      role: 'tool',
      parts: [{ kind: 'tool', name, args: inWords(args), ...(told === undefined ? {} : { result: told }) }],
      timeMs: momentOf(context, given),
    });
  },
});

async function append(context: OperationContext, session: string, turn: NewTurn): Promise<AppendedTurn> {
  const sessions = sessionsOf(context);
  assertSessionId(session);
  if (!sessions.isOpen(session) && sessions.findEarlier(session) === undefined) {
    throw new MnemeError('not-found', `There is no session ${session}.`, {
      hint: '`mneme session list` shows the open ones; `mneme session start` begins one.',
    });
  }
  const { id } = await sessions.exclusively(session, {}, (open) => open.append(turn));
  return { session, turn: id };
}

function assertFits(text: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return;
  throw new MnemeError('usage', `The message has ${bytes} bytes; limits.max_message_bytes allows ${maxBytes}.`, {
    hint: 'Nothing of it was kept. Shorten it, keep the text as a file, or raise the limit.',
  });
}

function momentOf({ clock, config }: OperationContext, given: string | number | Date | undefined): number {
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

/** A transcript keeps a line of a call; this is more than that, and ends with a whole word lest half a secret pass. */
const MAX_CALL_CHARS = 4000;

function inWords(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= MAX_CALL_CHARS) return text;
  const cut = text.slice(0, MAX_CALL_CHARS);
  const space = cut.search(/\s\S*$/u);
  return space === -1 ? '…' : `${cut.slice(0, space)} …`;
}
