import { z } from 'zod';
import type { ModelMessage, ModelReply } from '../../providers/language/port.ts';

/** A reply as it was read. Reasons never repeat the reply: they end up in the ledger. */
export type ReadAnswer<Answer> =
  | { readonly kind: 'fits'; readonly answer: Answer }
  | { readonly kind: 'refused' | 'cut' | 'empty' | 'invalid'; readonly reason: string; readonly problem?: string };

const MAX_PROBLEMS = 8;
/** Enough of a wrong answer to see what was wrong with it. */
const MAX_RETURNED_CHARACTERS = 6000;

export function readAnswer<Answer>({ text, ending }: ModelReply, schema: z.ZodType<Answer>): ReadAnswer<Answer> {
  if (ending === 'refused') return { kind: 'refused', reason: 'it declined to answer' };
  if (ending === 'cut') return { kind: 'cut', reason: 'its answer was cut off' };
  const trimmed = text.trim();
  if (trimmed === '') return { kind: 'empty', reason: 'it answered nothing' };
  const json = findJson(trimmed);
  const parsed = chosenWord(json ?? trimmed, schema) ?? withoutNulls(json);
  if (parsed === undefined) return { kind: 'invalid', reason: 'its answer is not JSON', problem: 'It is not JSON.' };
  const checked = schema.safeParse(parsed);
  if (checked.success) return { kind: 'fits', answer: checked.data };
  return {
    kind: 'invalid',
    reason: 'its answer does not fit the schema',
    problem: z.prettifyError(firstOf(checked.error)),
  };
}

function firstOf(error: z.ZodError): z.ZodError {
  return new z.ZodError(error.issues.slice(0, MAX_PROBLEMS));
}

/** Models without enforced schemas like to wrap JSON in a fence or in a sentence. */
function findJson(text: string): unknown {
  const inFence = /^```(?:json)?\s*\n([\s\S]*?)\n```/mu.exec(text)?.[1];
  const braces = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
  for (const candidate of [text, inFence, braces]) {
    if (candidate === undefined || candidate === '') continue;
    try {
      return JSON.parse(candidate) as unknown;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return undefined;
}

/** Small models write `null` where they were asked for an empty value. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((one) => one !== null).map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const given = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(given.map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** `Yes.` or `{"answer": "yes"}` where `{"answer": "YES"}` was asked for: the one property, if it is a choice. */
function chosenWord(given: unknown, schema: z.ZodType): unknown {
  const properties = schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
  const [key, choice] = properties.length === 1 ? (properties[0] ?? []) : [];
  if (key === undefined || !(choice instanceof z.ZodEnum)) return undefined;
  const said = typeof given === 'object' ? (given as Record<string, unknown> | null)?.[key] : given;
  const word = /^[\W_]*(\w+)/u.exec(String(said))?.[1]?.toUpperCase();
  return choice.options.some((option) => option === word) ? { [key]: word } : undefined;
}

/** The question again, with what was wrong. */
export function repairMessages(
  input: string,
  wrong: string,
  { kind, problem = '' }: Exclude<ReadAnswer<unknown>, { kind: 'fits' }>,
  maxOutputTokens: number,
): ModelMessage[] {
  const question: ModelMessage = { role: 'user', text: input };
  if (kind === 'cut') {
    // The same answer would be cut again, so less is asked for; what came is no help.
    const limit = `Your last answer was cut off after ${maxOutputTokens} tokens.`;
    return [{ role: 'user', text: `${input}\n\n${limit} Answer with the most important half of it.` }];
  }
  if (kind === 'empty')
    return [{ role: 'user', text: `${input}\n\nYour last answer was empty. Answer with the JSON object.` }];
  return [
    question,
    { role: 'assistant', text: wrong.trim().slice(0, MAX_RETURNED_CHARACTERS) },
    {
      role: 'user',
      text: `That answer cannot be used:\n${problem}\n\nAnswer again with the whole JSON object and nothing else.`,
    },
  ];
}
