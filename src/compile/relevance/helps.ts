import { packagedJudge } from '../../judge/judge.ts';
import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import { isMnemeError } from '../../model/errors.ts';
import { extractTerms } from '../../search-index/text/terms.ts';

/** The chance that a memory helps with a message, by the model that reads both. */
export type Helps = (message: string, memory: string) => number;

/** Without its files the model cannot be asked: what is stored then decides alone, and a note says so. */
export function openHelps(): { readonly helps: Helps | undefined; readonly notes: readonly string[] } {
  try {
    const judge = packagedJudge();
    return { helps: (message, memory) => judge.helpsWith(message, memory)['helps'] ?? 0, notes: [] };
  } catch (error) {
    if (!isMnemeError(error, 'integrity')) throw error;
    return { helps: undefined, notes: [`${error.message} ${error.hint ?? ''}`.trimEnd()] };
  }
}

/** Of the words of a turn, what a procedure has to have for the turn to say nothing beside it. */
const RETOLD = 0.6;

/** Whether one of the procedures in `paths` was learned from a turn, and tells nearly all of it. */
export function openRetold(
  paths: ReadonlySet<string>,
  known: readonly KnownProcedure[],
): (turn: string, text: string) => boolean {
  const meant = known.filter(({ path }) => paths.has(path)).map(({ procedure }) => procedure);
  return (turn, text) => {
    const said = new Set(extractTerms(text));
    return meant.some(({ name, steps, learnedFrom }) => {
      if (!learnedFrom.some((source) => source.text === turn)) return false;
      const told = new Set(extractTerms([name, ...steps.map(({ description }) => description)].join(' ')));
      return said.intersection(told).size >= said.size * RETOLD;
    });
  };
}
