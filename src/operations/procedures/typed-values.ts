import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import type { Json } from '../../memory/procedures/expression/evaluate.ts';
import type { Answer } from '../../memory/procedures/workflow/state.ts';

/** `count=3`, `urgent=yes`, `tags=["a","b"]`, `name=Ada`: numbers, yes and no, JSON, otherwise text. */
export function valuesOf(typed: string | readonly string[]): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const pair of [typed].flat()) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name === '') {
      throw new MnemeError('usage', `--set takes NAME=VALUE, not "${pair}".`, { hint: 'Such as --set urgent=yes.' });
    }
    values[name] = valueOf(pair.slice(at + 1));
  }
  return values;
}

export function valueOf(text: string): Json {
  const word = text.trim();
  if (word === 'yes') return true;
  if (word === 'no') return false;
  if (!/^(?:-?\d|[[{"]|true$|false$|null$)/u.test(word)) return text;
  try {
    return JSON.parse(word) as Json;
  } catch (error) {
    // `2026-11-15` begins like a number and is none.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

const VERDICTS: Readonly<Record<string, Answer['verdict']>> = {
  yes: 'yes',
  y: 'yes',
  done: 'yes',
  no: 'no',
  n: 'no',
  failed: 'no',
  again: 'again',
  a: 'again',
  skip: 'skip',
  s: 'skip',
};

export function findVerdict(text: string): Answer['verdict'] | undefined {
  return VERDICTS[text.trim().toLowerCase()];
}

export function verdictOf(typed: string | readonly string[]): Answer['verdict'] {
  const text = [typed].flat().join(' ');
  const verdict = findVerdict(text);
  if (verdict !== undefined) return verdict;
  throw new MnemeError('usage', `--answer takes yes, done, no, failed, again or skip, not "${text}".`, {
    hint: 'Words go into --text.',
  });
}

const json: z.ZodType<Json, Json> = z.lazy(() =>
  z.union([z.null(), z.boolean(), z.number(), z.string(), z.array(json).readonly(), z.record(z.string(), json)]),
);

/** Values that a run is given. */
export const values = z.record(z.string(), json);
