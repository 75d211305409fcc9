import { isMap, isScalar, parseDocument, stringify, type ParsedNode, type YAMLMap } from 'yaml';
import { MnemeError } from '../../model/errors.ts';
import { type ParsedPair, type Path, findPair } from './yaml-source.ts';

/**
 * Edits of the YAML text itself, by cutting out and pasting in characters. Writing the parsed document back would be
 * shorter, but would reformat what a person wrote. These functions handle the shapes people use; the caller reads the
 * result back and refuses when it does not mean what it should.
 */

export type Place = 'end' | 'top';

/** The text with the value at the path: replaced where it stands, otherwise put into its section or a new one. */
export function writePair(text: string, path: Path, value: unknown, place: Place = 'end'): string {
  let map = rootOf(text);
  if (map === undefined) return insertLines(text, text.length, blockLines('', path, value));
  for (const [depth, word] of path.entries()) {
    const pair = findPair(map, word);
    const inner = path.slice(depth + 1);
    if (pair === undefined) return insertPair(text, map, path.slice(depth), value, depth === 0 ? place : 'section');
    if (inner.length === 0) return replaceValue(text, pair, renderValue(value, map.flow === true));
    if (isMap(pair.value)) map = pair.value;
    else if (isAbsent(pair.value)) return fillEmptySection(text, pair, inner, value);
    else return replaceValue(text, pair, `{${flowPair(inner, value)}}`);
  }
  return text;
}

/** The text without the key at the path, and without the section around it when nothing else was in that. */
export function removePair(text: string, path: Path): string {
  const chain: { map: YAMLMap.Parsed; pair: ParsedPair }[] = [];
  let map = rootOf(text);
  for (const word of path) {
    const pair = map === undefined ? undefined : findPair(map, word);
    if (map === undefined || pair === undefined) return text;
    chain.push({ map, pair });
    map = isMap(pair.value) ? pair.value : undefined;
  }
  let last = chain.pop();
  for (let outer = chain.pop(); last !== undefined && outer !== undefined; outer = chain.pop()) {
    if (last.map.items.length > 1 || holdsComment(text, outer.pair, last.pair)) break;
    last = outer;
  }
  if (last === undefined) return text;
  return last.map.flow === true ? removeFromFlow(text, last.map, last.pair) : removeLines(text, last.pair);
}

function rootOf(text: string): YAMLMap.Parsed | undefined {
  const root: ParsedNode | null = parseDocument(text).contents;
  if (isMap(root)) return root;
  if (root === null) return undefined;
  throw new MnemeError('usage', 'mneme.yaml is not a table of `key: value` lines.', { hint: 'Correct it by hand.' });
}

/** One line of YAML, whatever the value. */
function renderValue(value: unknown, insideFlow: boolean): string {
  const options = { collectionStyle: 'flow', flowCollectionPadding: false, lineWidth: 0, blockQuote: false } as const;
  if (!insideFlow) return stringify(value, options).trimEnd();
  // In a list the library quotes what the commas and brackets around it would break.
  return stringify([value], options).trimEnd().slice(1, -1);
}

function flowPair(path: Path, value: unknown): string {
  const [word = '', ...rest] = path;
  return rest.length === 0 ? `${word}: ${renderValue(value, true)}` : `${word}: {${flowPair(rest, value)}}`;
}

function blockLines(indent: string, path: Path, value: unknown): readonly string[] {
  return path.map((word, depth) => {
    const rendered = depth === path.length - 1 ? ` ${renderValue(value, false)}` : '';
    return `${indent}${'  '.repeat(depth)}${word}:${rendered}`;
  });
}

function insertPair(text: string, map: YAMLMap.Parsed, path: Path, value: unknown, place: Place | 'section'): string {
  const [first] = map.items;
  if (map.flow === true || first === undefined) {
    const comma = first === undefined ? '' : ', ';
    return splice(text, map.range[0] + 1, map.range[0] + 1, flowPair(path, value) + comma);
  }
  const start = first.key.range[0];
  const indent = indentBefore(text, start);
  const ends = { top: start - indent.length, end: text.length, section: endOfLines(text, map.items.at(-1) ?? first) };
  return insertLines(text, ends[place], blockLines(indent, path, value));
}

function fillEmptySection(text: string, section: ParsedPair, path: Path, value: unknown): string {
  const start = section.key.range[0];
  return insertLines(text, afterLine(text, start), blockLines(`${indentBefore(text, start)}  `, path, value));
}

function replaceValue(text: string, pair: ParsedPair, rendered: string): string {
  const afterColon = text.indexOf(':', pair.key.range[1]) + 1;
  if (pair.value === null || isAbsent(pair.value)) return splice(text, afterColon, afterColon, ` ${rendered}`);
  const [start, end] = pair.value.range;
  const valueEnd = start + text.slice(start, end).trimEnd().length;
  const between = text.slice(afterColon, start);
  // A comment in between stays; a line break, anchor or tag belonged to the old value.
  const keepsBetween = between.includes('#') || /^ +$/.test(between);
  return keepsBetween ? splice(text, start, valueEnd, rendered) : splice(text, afterColon, valueEnd, ` ${rendered}`);
}

function removeLines(text: string, pair: ParsedPair): string {
  const start = pair.key.range[0];
  return splice(text, start - indentBefore(text, start).length, endOfLines(text, pair), '');
}

function removeFromFlow(text: string, map: YAMLMap.Parsed, pair: ParsedPair): string {
  const position = map.items.indexOf(pair);
  const next = map.items[position + 1];
  const previous = map.items[position - 1];
  if (next !== undefined) return splice(text, pair.key.range[0], next.key.range[0], '');
  const start = previous === undefined ? pair.key.range[0] : endOf(previous);
  return splice(text, start, endOf(pair), '');
}

/** Whether a comment or anything else than the bare section line stands between a section's name and its only key. */
function holdsComment(text: string, section: ParsedPair, only: ParsedPair): boolean {
  return !/^\s*:\s*\{?\s*$/.test(text.slice(section.key.range[1], only.key.range[0]));
}

/** A key with nothing behind it: no value, not even a written null. */
function isAbsent(node: ParsedNode | null): boolean {
  return node === null || (isScalar(node) && node.value === null && node.range[0] === node.range[1]);
}

function endOf(pair: ParsedPair): number {
  return Math.max(pair.key.range[1], pair.value?.range[1] ?? 0);
}

function endOfLines(text: string, pair: ParsedPair): number {
  const end = endOf(pair);
  return text[end - 1] === '\n' ? end : afterLine(text, end);
}

function afterLine(text: string, offset: number): number {
  const lineEnd = text.indexOf('\n', offset);
  return lineEnd < 0 ? text.length : lineEnd + 1;
}

function indentBefore(text: string, offset: number): string {
  return / *$/.exec(text.slice(0, offset))?.[0] ?? '';
}

function insertLines(text: string, offset: number, lines: readonly string[]): string {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const startsLine = offset === 0 || text[offset - 1] === '\n' || text.slice(0, offset) === '\uFEFF';
  return splice(text, offset, offset, (startsLine ? '' : lineEnd) + lines.map((line) => line + lineEnd).join(''));
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end);
}
