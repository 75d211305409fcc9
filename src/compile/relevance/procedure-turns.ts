import type { KnownProcedure } from '../../memory/procedures/procedures.ts';
import { extractTerms } from '../../search-index/text/terms.ts';

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
