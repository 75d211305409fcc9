import { isMap, isScalar, LineCounter, parseDocument, type Document, type ParsedNode, type YAMLMap } from 'yaml';
import { errorMessage } from '../../model/errors.ts';
import type { ConfigFinding } from './finding.ts';
import { isTree, type Path, type Tree } from './tree.ts';

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
