import { findMember, parseJsonTree, type JsonItem, type JsonNode } from './tree.ts';

/** Changes of a JSON text that leave everything else in it as it is: comments, order, indentation, line ends. */

export type JsonPath = readonly (string | number)[];

/** A text that is empty, or nothing but space, is an object without members to every program that reads settings. */
export function parseSettings(text: string): JsonNode {
  return text.replace(/^\uFEFF/u, '').trim() === '' ? EMPTY : parseJsonTree(text);
}

const EMPTY: JsonNode = { kind: 'object', start: 0, end: 0, members: [] };

export function findNode(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const step of path) {
    if (typeof step === 'string') node = findMember(node, step)?.value;
    else node = node?.kind === 'array' ? node.items.at(step)?.value : undefined;
  }
  return node;
}

/** The text with the value at the path, whose containers exist. */
export function replaceValue(text: string, path: JsonPath, value: unknown): string {
  const node = findNode(parseSettings(text), path);
  if (node === undefined) return text;
  const style = styleOf(text);
  return splice(text, [{ start: node.start, end: node.end, insert: render(value, style, indentAt(text, node.start)) }]);
}

/** The text with a new last member in the object, or a new last item in the array, at the path. */
export function insertLast(text: string, path: JsonPath, value: unknown, key?: string): string {
  const root = parseSettings(text);
  if (root === EMPTY) return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${freshDocument(key, value)}`;
  const container = findNode(root, path);
  if (container === undefined || container.kind === 'scalar') return text;
  const entries: readonly JsonItem[] = container.kind === 'object' ? container.members : container.items;
  const style = styleOf(text);
  const last = entries.at(-1);
  const isOnOneLine = last !== undefined && !text.slice(container.start, container.end).includes('\n');
  const outer = indentAt(text, container.start);
  const inner = last === undefined ? outer + style.unit : indentAt(text, last.start);
  const entry = `${key === undefined ? '' : `${JSON.stringify(key)}: `}${render(value, isOnOneLine ? COMPACT : style, inner)}`;
  // Behind comments that follow the last entry, before the space that leads to the bracket.
  const close = container.end - 1;
  const place = text.slice(0, close).trimEnd().length;
  const comma = last?.comma === undefined ? '' : ',';
  const edits: Edit[] = [];
  if (last !== undefined && last.comma === undefined) edits.push({ start: last.end, end: last.end, insert: ',' });
  if (isOnOneLine) edits.push({ start: place, end: place, insert: ` ${entry}${comma}` });
  else {
    const isTight = !text.slice(place, close).includes('\n');
    const behind = isTight ? `${style.newline}${outer}` : '';
    edits.push({
      start: place,
      end: isTight ? close : place,
      insert: `${style.newline}${inner}${entry}${comma}${behind}`,
    });
  }
  return splice(text, edits);
}

/** The text without the member or item at the path. */
export function removeEntry(text: string, path: JsonPath): string {
  const container = findNode(parseSettings(text), path.slice(0, -1));
  const step = path.at(-1);
  if (container === undefined || container.kind === 'scalar' || step === undefined) return text;
  const entries: readonly JsonItem[] = container.kind === 'object' ? container.members : container.items;
  const index =
    container.kind === 'object'
      ? container.members.findLastIndex((member) => member.key === step)
      : container.items.findIndex((_item, at) => at === step);
  const entry = entries[index];
  if (entry === undefined) return text;
  if (entries.length === 1 && hasOnlySpaceAround(text, container, entry)) {
    return splice(text, [{ start: container.start + 1, end: container.end - 1, insert: '' }]);
  }
  const start = startOfRemoval(text, entry);
  const edits: Edit[] = [{ start, end: entry.end, insert: '' }];
  const before = entries[index - 1];
  if (entry.comma !== undefined) edits.push({ start: entry.comma, end: entry.comma + 1, insert: '' });
  else if (before?.comma !== undefined) edits.push({ start: before.comma, end: before.comma + 1, insert: '' });
  return splice(text, edits);
}

/**
 * The space before an entry goes too, and with it the line it stood on; unless something follows on that line, which
 * would then stand behind whatever the line before ends with, maybe a comment.
 */
function startOfRemoval(text: string, entry: JsonItem): number {
  const trimmed = text.slice(0, entry.start).trimEnd().length;
  const rest = text.slice(entry.comma === undefined ? entry.end : entry.comma + 1);
  const hasLineOfItsOwn = /^[ \t]*(?:\r?\n|$)/u.test(rest);
  return hasLineOfItsOwn || !text.slice(trimmed, entry.start).includes('\n') ? trimmed : entry.start;
}

function hasOnlySpaceAround(text: string, container: JsonNode, entry: JsonItem): boolean {
  const behind = text.slice(entry.end, container.end - 1).replace(',', '');
  return text.slice(container.start + 1, entry.start).trim() === '' && behind.trim() === '';
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

function splice(text: string, edits: readonly Edit[]): string {
  let result = text;
  // From the end, so that places stay right; of two at the same place, the first given comes first.
  for (const { start, end, insert } of edits.toReversed().toSorted((a, b) => b.start - a.start)) {
    result = result.slice(0, start) + insert + result.slice(end);
  }
  return result;
}

interface Style {
  readonly newline: string;
  /** One level of indentation; nothing where values stand on one line. */
  readonly unit: string;
}

const COMPACT: Style = { newline: '', unit: '' };

/** As the text does it: its line ends, and the indentation of its first indented line. */
function styleOf(text: string): Style {
  return {
    newline: text.includes('\r\n') ? '\r\n' : '\n',
    unit: /\n(?<unit>[ \t]+)["'\w$]/u.exec(text)?.groups?.['unit'] ?? '  ',
  };
}

/** The space that the line of a place begins with. */
function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}

function freshDocument(key: string | undefined, value: unknown): string {
  return `${JSON.stringify(key === undefined ? value : { [key]: value }, null, 2)}\n`;
}

function render(value: unknown, { newline, unit }: Style, indent: string): string {
  if (unit === '') return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`);
}
