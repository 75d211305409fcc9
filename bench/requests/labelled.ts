import fs from 'node:fs';
import type { Answer } from '../../src/judge/requests/wording.ts';

/** A message by an author, with the request it makes and the words that say what about. */
export interface LabelledRequest {
  readonly label: Answer;
  readonly language: string;
  readonly message: string;
  /** '-' where it says nothing of the kind. */
  readonly what: string;
}

/** Lines of four fields: label, language, message, what it is about. */
export function readRequests(file: string): LabelledRequest[] {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.replace(/\r$/u, '').split('\t'))
    .filter((fields) => fields.length === 4)
    .map(([label = '', language = '', message = '', what = '']) => ({
      label: label as Answer,
      language,
      message,
      what,
    }));
}
