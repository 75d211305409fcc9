import type { z } from 'zod';
import type { CoreChoice, ReflectInput, Reflections, RewriteCoreInput } from '../../port.ts';
import type { reflectAnswer, rewriteCoreAnswer } from '../schemas.ts';
import type { Checked } from './answers.ts';
import { cleanUpTo } from './clean.ts';
import { isSupported, termsOf } from './words.ts';

const MAX_SENTENCE_CHARACTERS = 300;
const MAX_QUESTIONS = 3;

/** A sentence that speaks of what it was not given is replaced by the one the figures allow. */
export function checkReflections(
  answer: z.output<typeof reflectAnswer>,
  { learned, revised, past, draft }: ReflectInput,
): Checked<Reflections> {
  const given = [...learned, ...revised, ...past, draft.learning, draft.understanding, draft.theme, ...draft.questions];
  const said = termsOf(given.join(' '));
  let dropped = 0;
  const take = (text: string): string | undefined => {
    const line = cleanUpTo(text, MAX_SENTENCE_CHARACTERS);
    if (line !== undefined && isSupported(line, said)) return line;
    if (text.trim() !== '') dropped += 1;
    return undefined;
  };
  const output = {
    learning: take(answer.learning) ?? draft.learning,
    understanding: take(answer.understanding) ?? draft.understanding,
    theme: take(answer.theme) ?? draft.theme,
    questions: [
      ...draft.questions,
      ...answer.questions.slice(0, MAX_QUESTIONS).flatMap((question) => take(question) ?? []),
    ],
  };
  return {
    output,
    notes: dropped === 0 ? [] : [`${dropped} of its sentences spoke of what is not in the memory and were dropped`],
  };
}

/** Only what was offered can be chosen. */
export function checkCoreChoice(
  { add, remove }: z.output<typeof rewriteCoreAnswer>,
  { candidates, removable }: RewriteCoreInput,
): Checked<CoreChoice> {
  const among = (ids: readonly string[], offered: readonly { readonly id: string }[]): string[] => {
    const known = new Set(offered.map(({ id }) => id));
    return [...new Set(ids.map((id) => id.replace(/^\^/u, '')))].filter((id) => known.has(id));
  };
  const output = { add: among(add, candidates), remove: among(remove, removable) };
  const dropped = add.length + remove.length - output.add.length - output.remove.length;
  return { output, notes: dropped === 0 ? [] : [`${dropped} of the lines it chose were not offered and were dropped`] };
}
