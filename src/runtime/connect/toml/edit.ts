import {
  isInline,
  parseTomlStatements,
  withValue,
  type TomlInline,
  type TomlPair,
  type TomlStatement,
  type TomlValue,
} from './statements.ts';

/** Changes of a TOML text that leave everything else in it as it is. */

type TomlPath = readonly string[];

/** The definition of a path: absent, in tables of its own, or in a form that only a person should take apart. */
export type TomlTable =
  | { readonly kind: 'none' }
  | { readonly kind: 'table'; readonly pairs: ReadonlyMap<string, TomlPair> }
  | InlineTable;

interface InlineTable {
  readonly kind: 'inline';
  /** The statement that stands in the way: `mcp_servers` in line 3. */
  readonly name: string;
  readonly line: number;
  /** The values it sets at the path; undefined when there are none. */
  readonly values: TomlInline | undefined;
}

export function findTable(text: string, path: TomlPath): TomlTable {
  const statements = parseTomlStatements(text);
  const inTables = sectionsOf(text, statements, path);
  const elsewhere = statements.filter((statement) =>
    statement.kind === 'header'
      ? statement.isArray && startsWith(path, statement.path)
      : !inTables.some(({ start, end }) => statement.start >= start && statement.start < end) &&
        (startsWith(statement.path, path) || (statement.isInlineTable && startsWith(path, statement.path))),
  );
  const [first] = elsewhere;
  if (first !== undefined) {
    const line = text.slice(0, first.start).split('\n').length;
    return { kind: 'inline', name: first.path.join('.'), line, values: inlineValues(elsewhere, path) };
  }
  if (inTables.length === 0) return { kind: 'none' };
  const pairs = statements.filter((one) => one.kind === 'pair').filter((one) => isChild(one.path, path));
  return { kind: 'table', pairs: new Map(pairs.map((pair) => [pair.path.at(-1) ?? '', pair])) };
}

export function appendTable(
  text: string,
  path: TomlPath,
  pairs: Readonly<Record<string, unknown>>,
  comment: string,
): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = [
    `# ${comment}`,
    `[${path.map(renderKey).join('.')}]`,
    ...Object.entries(pairs).map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`),
    '',
  ];
  const gap = text === '' ? '' : text.endsWith('\n') ? newline : `${newline}${newline}`;
  return text + gap + lines.join(newline);
}

/** The text with other values for keys of a table; keys it lacks are put right below its header. */
export function setPairs(text: string, path: TomlPath, pairs: Readonly<Record<string, unknown>>): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  let result = text;
  for (const [key, value] of Object.entries(pairs)) {
    const table = findTable(result, path);
    if (table.kind !== 'table') return result;
    const pair = table.pairs.get(key);
    if (pair !== undefined) {
      result = result.slice(0, pair.valueStart) + renderValue(value) + result.slice(pair.end);
      continue;
    }
    const header = parseTomlStatements(result).find((one) => one.kind === 'header' && isSame(one.path, path));
    const at = header === undefined ? -1 : result.indexOf('\n', header.end);
    const line = `${renderKey(key)} = ${renderValue(value)}${newline}`;
    if (at === -1) result += `${newline}${line}`;
    else result = result.slice(0, at + 1) + line + result.slice(at + 1);
  }
  return result;
}

/** The text without a table and the tables below it; `comment` goes too where it stands above. */
export function removeTable(text: string, path: TomlPath, comment: string): string {
  let result = text;
  for (const { start, end } of sectionsOf(text, parseTomlStatements(text), path).toReversed()) {
    const before = result.slice(0, start);
    const behind = result.slice(end);
    const own = new RegExp(`(?<gap>\\r?\\n)?# ${escapePattern(comment)}[ \\t]*\\r?\\n$`, 'u').exec(before);
    const kept = own === null ? before : before.slice(0, own.index);
    // An entry added at the end with an empty line above is removed with that line.
    result = kept + (own?.groups?.['gap'] !== undefined && behind !== '' && !kept.endsWith('\n') ? '\n' : '') + behind;
  }
  return result;
}

/** The values at a path that are set by pairs and inline tables outside a table of its own. */
function inlineValues(statements: readonly TomlStatement[], path: TomlPath): TomlInline | undefined {
  let all: TomlInline = {};
  for (const one of statements) if (one.kind === 'pair') all = withValue(all, one.path, one.value);
  let found: TomlValue | undefined = all;
  for (const key of path) found = isInline(found) ? found[key] : undefined;
  return isInline(found) ? found : undefined;
}

interface Section {
  readonly start: number;
  readonly end: number;
}

/** Where the table and the tables below it stand: from the header to the end of the last line that belongs to it. */
function sectionsOf(text: string, statements: readonly TomlStatement[], path: TomlPath): Section[] {
  const sections: Section[] = [];
  for (const [index, statement] of statements.entries()) {
    if (statement.kind !== 'header' || !startsWith(statement.path, path)) continue;
    let last: TomlStatement = statement;
    for (const next of statements.slice(index + 1)) {
      if (next.kind === 'header') break;
      last = next;
    }
    const lineEnd = text.indexOf('\n', last.end);
    sections.push({ start: statement.start, end: lineEnd === -1 ? text.length : lineEnd + 1 });
  }
  return sections;
}

function startsWith(path: TomlPath, start: TomlPath): boolean {
  return start.every((part, index) => path[index] === part);
}

function isSame(one: TomlPath, other: TomlPath): boolean {
  return one.length === other.length && startsWith(one, other);
}

function isChild(path: TomlPath, parent: TomlPath): boolean {
  return path.length === parent.length + 1 && startsWith(path, parent);
}

function renderKey(key: string): string {
  return /^[\w-]+$/u.test(key) ? key : renderText(key);
}

function renderValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(renderValue).join(', ')}]` : renderText(String(value));
}

/** JSON's escapes are all TOML's too; only DEL must be escaped besides. */
function renderText(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/gu, '\\$&');
}
