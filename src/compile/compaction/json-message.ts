import { z } from 'zod';
import type { TurnRole } from '../../workspace/formats/transcript.ts';
import { SUMMARY_NAME, type ContextMessage } from './message.ts';

/** Other programs' names for the same roles. */
const ROLES: Readonly<Record<string, TurnRole>> = {
  user: 'user',
  human: 'user',
  agent: 'agent',
  assistant: 'agent',
  model: 'agent',
  ai: 'agent',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
};

export function isKnownRole(role: string): boolean {
  return Object.hasOwn(ROLES, role.toLowerCase());
}

const block = z.looseObject({
  type: z.string().optional(),
  id: z.string().optional().catch(undefined),
  tool_use_id: z.string().optional().catch(undefined),
  text: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  content: z.unknown().optional(),
});
const call = z.looseObject({
  id: z.string().optional().catch(undefined),
  function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
});
const standsFor = z.object({
  from: z.string(),
  to: z.string(),
  messages: z.number().int().min(0),
  session: z.string().optional(),
});

/** The fields read from a message; all others belong to other programs. */
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  text: z.unknown().optional(),
  name: z.string().nullish(),
  id: z.string().optional().catch(undefined),
  turn: z.string().optional().catch(undefined),
  time: z.union([z.string(), z.number()]).optional().catch(undefined),
  timestamp: z.union([z.string(), z.number()]).optional().catch(undefined),
  critical: z.boolean().optional().catch(undefined),
  compacted: standsFor.optional().catch(undefined),
  tool_call_id: z.string().optional().catch(undefined),
  tool_calls: z.array(call).optional().catch(undefined),
});

function roleNamed(role: string): TurnRole | undefined {
  return isKnownRole(role) ? ROLES[role.toLowerCase()] : undefined;
}

export type ReadMessage = Omit<ContextMessage, 'id'> & { readonly id: string | undefined };

/** A message as any of the usual programs write it; undefined for what is none, or has no words. */
export function readMessage(value: unknown): ReadMessage | undefined {
  const { message, timestamp } = wrapped.safeParse(value).data ?? {};
  const { data } = messageSchema.safeParse(message === undefined ? value : { timestamp, ...message });
  const role = data === undefined ? undefined : roleNamed(data.role);
  if (data === undefined || role === undefined) return undefined;
  const { text, isToolOutput, calls: used, answers } = wordsOf(data.content ?? data.text);
  const calls = (data.tool_calls ?? []).map((each) => callLine(each.function.name, each.function.arguments));
  const isAnswer = isToolOutput || role === 'tool';
  const said = [text, ...calls].filter((part) => part !== '').join('\n') || (isAnswer ? NO_OUTPUT : '');
  const callIds = [...used, ...(data.tool_calls ?? []).flatMap(({ id }) => id ?? [])];
  const answered = [...answers, ...(data.tool_call_id === undefined ? [] : [data.tool_call_id])];
  if (said.trim() === '') return undefined;
  const time = data.time ?? data.timestamp;
  return {
    id: data.turn ?? data.id,
    // Some services send what tools gave back in the user's name.
    role: isToolOutput ? 'tool' : role,
    spokenRole: isToolOutput ? 'tool' : data.role,
    text: said,
    ...(typeof data.name === 'string' ? { name: data.name } : {}),
    ...(time === undefined ? {} : { time: typeof time === 'number' ? timeText(time) : time }),
    ...(callIds.length === 0 ? {} : { calls: callIds }),
    ...(answered.length === 0 ? {} : { answers: answered }),
    ...(data.critical === true ? { isCritical: true } : {}),
    ...(data.compacted !== undefined && data.name === SUMMARY_NAME ? { standsFor: data.compacted } : {}),
  };
}

/** A call without its answer is none that a service takes. */
const NO_OUTPUT = '[no output]';

/** Agents' logs wrap a message together with what they note about it. */
const wrapped = z.looseObject({
  message: z.looseObject({ role: z.string() }),
  timestamp: z.union([z.string(), z.number()]).optional(),
});

const MAX_DATE_MS = 8.64e15;
/** Numbers below this are seconds since 1970. */
const FIRST_MILLISECONDS = 1e11;

function timeText(time: number): string | undefined {
  const timeMs = time < FIRST_MILLISECONDS ? time * 1000 : time;
  return Math.abs(timeMs) <= MAX_DATE_MS ? new Date(timeMs).toISOString() : undefined;
}

interface Words {
  readonly text: string;
  readonly isToolOutput: boolean;
  readonly calls: readonly string[];
  readonly answers: readonly string[];
}

function wordsOf(content: unknown): Words {
  if (typeof content === 'string') return { text: content, isToolOutput: false, calls: [], answers: [] };
  const blocks = z.array(z.unknown()).safeParse(content).data ?? [];
  const read = blocks.flatMap((each) => {
    const { data } = block.safeParse(each);
    return data === undefined ? [] : [data];
  });
  const parts = read.map((each) => {
    if (each.type === 'tool_use') return callLine(each.name ?? 'tool', each.input);
    if (each.type === 'tool_result') return wordsOf(each.content).text;
    return each.text ?? (each.type === undefined ? '' : `[${each.type}]`);
  });
  const isToolOutput = read.length > 0 && read.every(({ type }) => type === 'tool_result');
  const calls = read.flatMap(({ type, id }) => (type === 'tool_use' ? (id ?? []) : []));
  const answers = read.flatMap((each) => (each.type === 'tool_result' ? (each.tool_use_id ?? []) : []));
  return { text: parts.filter((part) => part !== '').join('\n'), isToolOutput, calls, answers };
}

function callLine(name: string, args: unknown): string {
  const told = typeof args === 'string' ? args : args === undefined ? '' : JSON.stringify(args);
  return `> [tool:${name}] ${told}`.trimEnd();
}

/** As it is written out: what `readMessage` reads back. */
export interface WrittenMessage {
  readonly role: string;
  readonly content: string;
  readonly name?: string | undefined;
  readonly time?: string | undefined;
  readonly turn: string;
  readonly critical?: boolean | undefined;
  readonly compacted?: ContextMessage['standsFor'];
}

export function writeMessage(message: ContextMessage): WrittenMessage {
  const { id, role, spokenRole, text, name, time, isCritical, standsFor: compacted } = message;
  return {
    role: spokenRole ?? role,
    content: text,
    ...(name === undefined ? {} : { name }),
    ...(time === undefined ? {} : { time }),
    turn: id,
    ...(isCritical === true ? { critical: true } : {}),
    ...(compacted === undefined ? {} : { compacted }),
  };
}
