import { showToast } from '../app/toasts.ts';
import { ApiError, call } from './call.ts';
import { pulseAll } from './live.ts';

/** Something a person does: says what came of it, and offers to take it back where that is possible. */
export async function act<Result>(
  run: () => Promise<Result>,
  describe: (result: Result) => Said | undefined,
): Promise<Result | undefined> {
  try {
    const result = await run();
    const said = describe(result);
    if (said !== undefined) say(said);
    pulseAll();
    return result;
  } catch (error) {
    showProblem(error);
    return undefined;
  }
}

interface Said {
  readonly text: string;
  readonly hint?: string | undefined;
  /** Taking this back undoes it; null when nothing was changed. */
  readonly mutation?: string | null | undefined;
  /** For more than one; the last is taken back first. */
  readonly mutations?: readonly string[] | undefined;
}

function say({
  text,
  hint,
  mutation,
  mutations = mutation === undefined || mutation === null ? [] : [mutation],
}: Said): void {
  const undoAll = async (): Promise<void> => {
    for (const one of mutations.toReversed()) await undo(one);
  };
  showToast(text, { hint, action: mutations.length === 0 ? undefined : { label: 'Undo', run: undoAll } });
}

export async function undo(mutation: string): Promise<void> {
  await act(
    () => call('rollback', { target: mutation }),
    ({ mutation: undoing, skipped }) => ({
      text: undoing === null ? 'There was nothing left to take back.' : 'Taken back.',
      hint:
        skipped.length === 0
          ? undefined
          : `${skipped.length} part(s) could not be taken back; later changes build on them.`,
      mutation: undoing,
    }),
  );
}

export function showProblem(error: unknown): void {
  const { message, hint } = problemOf(error);
  showToast(message, { hint, isBad: true });
}

export function problemOf(error: unknown): { readonly message: string; readonly hint: string | undefined } {
  if (error instanceof ApiError && error.status === 0) {
    return { message: 'Mneme does not answer.', hint: 'Is it still running? Start it again with: mneme dashboard' };
  }
  if (error instanceof ApiError) return { message: error.message, hint: error.hint ?? hintFor(error.status) };
  return { message: error instanceof Error ? error.message : String(error), hint: undefined };
}

function hintFor(status: number): string | undefined {
  if (status === 401) return 'Reload the page and enter a token; `mneme dashboard` prints one.';
  if (status === 429) return 'Too many questions at once; wait a few seconds and try again.';
  if (status >= 500) return 'Try again; `mneme check setup` looks for what is wrong.';
  return undefined;
}
