import { isMap, isScalar, LineCounter, parseDocument, type Document, type ParsedNode, type YAMLMap } from 'yaml';
import { errorMessage } from '../../model/errors.ts';

/** A configuration has a few hundred lines; something far larger is not one, and would only burn time. */
const MAX_CHARS = 1_000_000;

export interface YamlSource {
  readonly tree: Tree;
  readonly document: Document.Parsed;
  /** The line of the key, or of the nearest section around it that is in the text. */
  readonly lineOf: (path: Path) => number | undefined;
}

export type YamlReading =
  | { readonly source: YamlSource }
  | { readonly source: undefined; readonly findings: readonly ConfigFinding[] };

/** Reads a text as one YAML mapping. Never throws, whatever the text. */
export function readYaml(text: string): YamlReading {
  if (text.length > MAX_CHARS) return broken(`The file has more than ${MAX_CHARS} characters.`, undefined);
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    if (document.errors.length > 0) {
      return {
        source: undefined,
        findings: document.errors.map((error) => syntaxFinding(error.message, lines.linePos(error.pos[0]).line)),
      };
    }
    const value: unknown = document.toJS() ?? {};
    if (!isTree(value)) return broken('The file is not a table of `key: value` lines.', 1);
    // Printing it is the cheapest way to find out that an alias contains itself.
    JSON.stringify(value);
    return { source: { tree: value, document, lineOf: (path) => lineOf(document, lines, path) } };
  } catch (error) {
    return broken(errorMessage(error), undefined);
  }
}

function broken(reason: string, line: number | undefined): YamlReading {
  return { source: undefined, findings: [syntaxFinding(reason, line)] };
}

function syntaxFinding(reason: string, line: number | undefined): ConfigFinding {
  const place = line === undefined ? '' : ` at line ${line}`;
  return {
    kind: 'syntax',
    key: undefined,
    line,
    message: `mneme.yaml cannot be read as YAML${place}: ${reason.split('\n', 1)[0] ?? reason}`,
    hint: 'Correct that line; settings are written as `section:` and, indented below it, `key: value`.',
  };
}

function lineOf(document: Document.Parsed, lines: LineCounter, path: Path): number | undefined {
  let node: ParsedNode | null = document.contents;
  let line: number | undefined;
  for (const word of path) {
    if (!isMap(node)) break;
    const pair: ParsedPair | undefined = findPair(node, word);
    if (pair === undefined) break;
    line = lines.linePos(pair.key.range[0]).line;
    node = pair.value;
  }
  return line;
}

export type ParsedPair = YAMLMap.Parsed['items'][number];

export function findPair(map: YAMLMap.Parsed, word: string): ParsedPair | undefined {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === word);
}

/**
 * A problem with a configuration. `syntax`: the text cannot be read at all. `value`, `rule`: a setting is not
 * allowed, by itself or together with others. `unknown-key`: no code reads it. `removed-key`: an earlier version
 * did. `format`: a newer Mneme wrote it. `fallback`: something other than the file is in effect. `last-good`: the
 * safety copy could not be kept.
 */
type ConfigFindingKind =
  | 'syntax'
  | 'value'
  | 'rule'
  | 'unknown-key'
  | 'removed-key'
  | 'format'
  | 'fallback'
  | 'last-good';

export interface ConfigFinding {
  readonly kind: ConfigFindingKind;
  /** The dotted name of the setting, where one is meant. */
  readonly key: string | undefined;
  /** Line in mneme.yaml, from 1. */
  readonly line: number | undefined;
  /** States what is wrong, what is allowed and what is in effect instead. */
  readonly message: string;
  /** The way to fix it. */
  readonly hint: string;
}

/** Whether the file's own settings are all in effect: unknown and removed keys change nothing. */
export function isGoodConfig(findings: readonly ConfigFinding[]): boolean {
  return !findings.some(({ kind }) => kind === 'syntax' || kind === 'value' || kind === 'rule');
}

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
