import { packagedJudge } from '../../judge/packaged.ts';
import { isMnemeError } from '../../model/errors.ts';

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
