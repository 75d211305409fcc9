import { errorMessage } from '../../../model/errors.ts';
import type { Json } from '../expression/json.ts';

/** The part of an answer that a run keeps; more belongs in a file. */
const MAX_ANSWER_CHARACTERS = 64 * 1024;
const MAX_ERROR_CHARACTERS = 500;

export interface KeptAnswer {
  readonly answer: Json;
  /** Why it is not what the action gave. */
  readonly note?: string | undefined;
}

/** Whatever an action gave back, as something that can be written down and compared. */
export function keepable(value: unknown): KeptAnswer {
  if (value === undefined || value === null) return { answer: null };
  try {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined) return { answer: null, note: `its answer is a ${typeof value}, which cannot be kept` };
    if (text.length > MAX_ANSWER_CHARACTERS) {
      return { answer: null, note: `its answer of ${text.length} characters is too long to keep` };
    }
    return { answer: JSON.parse(text) as Json };
  } catch (error) {
    return { answer: null, note: `its answer cannot be kept: ${firstLine(errorMessage(error))}` };
  }
}

/** Anything may be thrown, also nothing. */
export function thrownText(error: unknown): string {
  const text = error === undefined || error === null ? 'it failed without saying why' : firstLine(errorMessage(error));
  return text === '' ? 'it failed without saying why' : text;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length <= MAX_ERROR_CHARACTERS ? line : `${line.slice(0, MAX_ERROR_CHARACTERS - 1).toWellFormed()}…`;
}
