import type { Change } from '../workspace/door/request.ts';
import { listItems, withItem, withoutItems } from '../workspace/formats/control-files.ts';

/** Turns of conversations that say what was forgotten: a search leaves them out as it does the archive. */
export const FORGOTTEN_TURNS_FILE = 'memory/meta/forgotten-turns.md';

const HEADING = `# Forgotten turns

Turns of conversations that are hidden with what was forgotten, one in a line, with its place in the archive. Restoring that shows them
again; so does deleting a line.
`;

const LINE = /^(?<turn>[^\s:]+#t\d+): (?<archived>.+)$/u;

export function parseForgottenTurns(text: string): ReadonlySet<string> {
  return new Set(listItems(text).flatMap((item) => LINE.exec(item)?.groups?.['turn'] ?? []));
}

export function planHiddenTurns(turns: readonly string[], archived: readonly string[]): Change {
  const edit = (current: string | undefined): string | undefined =>
    turns.reduce<string | undefined>(
      (text, turn) => withItem(text, HEADING, `${turn}: ${archived.join(' ')}`),
      current,
    );
  return { path: FORGOTTEN_TURNS_FILE, edit };
}

/** Shows the turns again that were hidden with one of these. */
export function planShownTurns(archived: readonly string[]): Change {
  const isBack = (item: string): boolean =>
    LINE.exec(item)
      ?.groups?.['archived']?.split(' ')
      .some((file) => archived.includes(file)) ?? false;
  return {
    path: FORGOTTEN_TURNS_FILE,
    edit: (current) => (current === undefined ? undefined : withoutItems(current, isBack)),
  };
}
