/** Values inside nested plain objects, by path. Nothing here changes its argument. */

export type Tree = Readonly<Record<string, unknown>>;
export type Path = readonly string[];

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function valueAt(tree: unknown, path: Path): unknown {
  let value = tree;
  for (const word of path) {
    if (!isTree(value) || !Object.hasOwn(value, word)) return undefined;
    value = value[word];
  }
  return value;
}

/** The tree with the value at the path; undefined takes the key away. */
export function withValueAt(tree: Tree, path: Path, value: unknown): Tree {
  const [word, ...rest] = path;
  if (word === undefined) return tree;
  const others = Object.entries(tree).filter(([key]) => key !== word);
  const inner = Object.hasOwn(tree, word) ? tree[word] : undefined;
  const next = rest.length === 0 ? value : withValueAt(isTree(inner) ? inner : {}, rest, value);
  return Object.fromEntries(next === undefined ? others : [...others, [word, next]]);
}

/**
 * The tree without its empty branches: a section whose keys are all commented out reads as null, and means the same as
 * no section.
 */
export function withoutEmptyBranches(tree: Tree, isBranch: (path: Path) => boolean, path: Path = []): Tree {
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(tree)) {
    const here = [...path, key];
    if ((!isTree(value) && value !== null) || !isBranch(here)) entries.push([key, value]);
    else if (value !== null) {
      const inner = withoutEmptyBranches(value, isBranch, here);
      if (Object.keys(inner).length > 0) entries.push([key, inner]);
    }
  }
  return Object.fromEntries(entries);
}

/** The paths of everything in the value that is not itself a tree. */
export function leafPaths(value: unknown, path: Path): readonly Path[] {
  if (!isTree(value) || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leafPaths(inner, [...path, key]));
}
