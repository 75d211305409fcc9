import { isScope, type Scope } from '../model/provenance.ts';
import type { IndexedEntity } from '../search-index/passage.ts';
import type { StoredPassage } from '../search-index/port.ts';

/** The project an agent works in: what it is called, and how to recognise what belongs to it. */
export interface Project {
  /** As it is shown. */
  readonly name: string;
  /** The scope that is the project's own; undefined when no scope can be called so. */
  readonly scope: Scope | undefined;
  readonly isName: (text: string) => boolean;
  readonly isNamedIn: (text: string) => boolean;
  /** The project a turn's conversation took place in. */
  readonly projectOf: (turn: StoredPassage) => string | undefined;
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
    projectOf: projectOfTurn,
    holds: (turn) => isName(projectOfTurn(turn) ?? ''),
  };
}

/** The project of a memory: the one an agent works in, another one, or none. */
export type Owner = 'this' | 'other' | 'none';

/** Statements learned in a project end in its name. */
export const PROJECT_MARK = / \[([\p{L}\p{N}_.-]+)\](?=\.?(?: \(due [\d-]+\))?$)/u;

/** Learned lines have their project among their tags or at their end, stand on its page or in its scope; a turn's transcript names it. */
export function ownerOf(
  passage: StoredPassage,
  project: Project | undefined,
  projects: readonly Pick<IndexedEntity, 'id' | 'name'>[],
): Owner {
  const { tags, entities, document, turn } = passage;
  const isTurn = turn !== undefined && document.source !== 'workspace';
  const named = isTurn ? project?.projectOf(passage) : PROJECT_MARK.exec(passage.text)?.[1];
  const names = named === undefined ? tags : [named, ...tags];
  const isOwn = (name: string): boolean => project?.isName(name) ?? false;
  const pages = projects.filter(({ id }) => entities.includes(id)).map(({ name }) => name);
  const isInScope = project?.scope !== undefined && document.scope === project.scope;
  if (isInScope || [...names, ...pages].some(isOwn)) return 'this';
  const known = new Set(projects.map(({ name }) => name.toLowerCase()));
  const isOthers = named !== undefined || pages.length > 0 || tags.some((tag) => known.has(tag.toLowerCase()));
  return isOthers ? 'other' : 'none';
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
