import { readFileSync } from 'node:fs';
import type { TriggerKind } from '../judge-request.ts';

/** Tables that `training/requests.ts` learns from. */
export const LEARNED_TABLES = ['en', 'de', 'es', 'fr', 'plain', 'statements'];
/** Nothing is fitted to the blind ones. */
export const TABLES = [...LEARNED_TABLES, 'blind', 'blind-2', 'blind-3'];

export interface ExpectedTrigger {
  readonly kind: TriggerKind;
  readonly permanently: boolean;
  readonly refersBack: boolean;
  /** undefined: not checked. */
  readonly content: string | undefined;
}

export interface Phrase {
  readonly text: string;
  readonly expected: readonly ExpectedTrigger[];
}

const EXPECTATION = /^ {2}(remember|forget|reflect|recall)(!?)(?: (<)|: (.+))?$/;

/** Reads a table of phrases; its notation stands at the top of phrases/en.txt. */
export function readPhrases(name: string): readonly Phrase[] {
  const phrases: { text: string; expected: ExpectedTrigger[] }[] = [];
  for (const line of readFileSync(new URL(`phrases/${name}.txt`, import.meta.url), 'utf8').split('\n')) {
    if (line.trim() === '' || line.startsWith('%%')) continue;
    const expectation = EXPECTATION.exec(line);
    if (expectation === null) {
      phrases.push({ text: line.replaceAll('⏎', '\n'), expected: [] });
      continue;
    }
    const [, kind, permanently, back, content] = expectation;
    phrases.at(-1)?.expected.push({
      kind: kind as TriggerKind,
      permanently: permanently === '!',
      refersBack: back === '<',
      content: content?.replaceAll('⏎', '\n'),
    });
  }
  return phrases;
}
