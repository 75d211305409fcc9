import { isScope, type Scope } from '../model/provenance.ts';
import type { StoredPassage } from '../search-index/port.ts';

/** The project an agent works in: what it is called, and how to recognise what belongs to it. */
export interface Project {
  /** As it is shown. */
  readonly name: string;
  /** The scope that is the project's own; undefined when no scope can be called so. */
  readonly scope: Scope | undefined;
  readonly isName: (text: string) => boolean;
  readonly isNamedIn: (text: string) => boolean;
  /** Whether a turn is from a conversation that took place in the project. */
  readonly holds: (turn: StoredPassage) => boolean;
}

/** Names a project goes by: its folder's, its repository's. Undefined when it has none. */
export function projectOf(
  names: readonly string[],
  projectOfTurn: (turn: StoredPassage) => string | undefined,
): Project | undefined {
  const known = [...new Set(names.map(lastName).filter((name) => name !== ''))];
  const [name] = known;
  if (name === undefined) return undefined;
  const scope = `project:${name}`;
  const isName = (text: string): boolean => known.some((own) => own.toLowerCase() === text.trim().toLowerCase());
  return {
    name,
    scope: isScope(scope) ? scope : undefined,
    isName,
    isNamedIn: (text) => known.some((own) => hasWord(text.toLowerCase(), own.toLowerCase())),
    holds: (turn) => isName(projectOfTurn(turn) ?? ''),
  };
}

const IN_WORD = /[\p{L}\p{N}]/u;

/** "api" stands in "the api is down" and not in "apiary". */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const isApart = !IN_WORD.test(text[at - 1] ?? ' ') && !IN_WORD.test(text[at + word.length] ?? ' ');
    if (isApart) return true;
  }
  return false;
}

/** Of a path the last part: the rest is some machine's business. */
function lastName(name: string): string {
  return (
    name
      .split(/[\\/]/u)
      .findLast((segment) => segment.trim() !== '')
      ?.trim() ?? ''
  );
}
