import { MnemeError } from '../../model/errors.ts';
import { ENTRY_NAME, type Target } from './client.ts';
import { findNode, insertLast, parseSettings, removeEntry, replaceValue, type JsonPath } from './json/edit.ts';
import { valueOf } from './json/tree.ts';
import { homeArgument, isOwnServer, serverArgs, type Program } from './program.ts';
import { appendTable, findTable, removeTable, setPairs } from './toml/edit.ts';

export type ServerTarget = Extract<Target, { kind: 'server' }>;

/** The entry for Mneme's server in a settings file. */
export type ServerEntry =
  | { readonly kind: 'none' }
  | OwnEntry
  /** Reached over HTTP, which somebody set up by hand. */
  | { readonly kind: 'remote'; readonly url: string; readonly isOff: boolean }
  | { readonly kind: 'foreign'; readonly command: string | undefined };

interface OwnEntry {
  readonly kind: 'own';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The home it names; undefined where that is the usual one. */
  readonly home: string | undefined;
  /** Whether the program was told not to use it. */
  readonly isOff: boolean;
}

/** A text after a change, and the containers that had to be made for it, outermost first. */
export interface Edited {
  readonly text: string;
  readonly made: readonly JsonPath[];
}

const TOML_COMMENT = 'Added by `mneme install codex`; `mneme uninstall codex` takes it out again.';

export function findServer(text: string, target: ServerTarget): ServerEntry {
  return target.format === 'toml' ? findInToml(text, target) : findInJson(text, target);
}

export function connectServer(text: string, target: ServerTarget, program: Program): Edited {
  const entry = findServer(text, target);
  const { command } = program;
  const args = serverArgs(program);
  if (entry.kind === 'foreign' || entry.kind === 'remote') throw occupied(target, entry);
  const isThere = entry.kind === 'own' && isSameStart(entry, command, args);
  if (isThere) return { text, made: [] };
  assertEditable(text, target, `add ${ENTRY_NAME} = ${inlineEntry(command, args)} to it by hand`);
  if (entry.kind === 'none') return addServer(text, target, { command, args });
  // Additions by a person to the entry, such as a timeout, are kept.
  if (target.format === 'toml') return { text: setPairs(text, target.path, { command, args }), made: [] };
  if (target.isList === true) {
    return { text: replaceValue(text, [...target.path, 'command'], [command, ...args]), made: [] };
  }
  const withCommand = replaceValue(text, [...target.path, 'command'], command);
  return { text: replaceValue(withCommand, [...target.path, 'args'], args), made: [] };
}

export function disconnectServer(text: string, target: ServerTarget, made: readonly JsonPath[]): string {
  const entry = findServer(text, target);
  if (entry.kind === 'none') return text;
  if (entry.kind === 'foreign') throw occupied(target, entry);
  assertEditable(text, target, 'take it out by hand');
  if (target.format === 'toml') return removeTable(text, target.path, TOML_COMMENT);
  return removeEmpty(removeEntry(text, target.path), made);
}

/** Takes out those containers that were made for Mneme and hold nothing any more. */
export function removeEmpty(text: string, made: readonly JsonPath[]): string {
  let result = text;
  for (const path of made.toReversed()) {
    const node = findNode(parseSettings(result), path);
    const isEmpty =
      (node?.kind === 'object' && node.members.length === 0) || (node?.kind === 'array' && node.items.length === 0);
    if (isEmpty && /^.\s*.$/su.test(result.slice(node.start, node.end))) result = removeEntry(result, path);
  }
  return result;
}

/** Puts a value at the path, making the objects on the way to it. */
export function addMember(text: string, path: readonly string[], value: unknown): Edited {
  const root = parseSettings(text);
  let depth = 0;
  while (depth < path.length - 1 && findNode(root, path.slice(0, depth + 1)) !== undefined) depth += 1;
  for (let length = 0; length <= depth; length += 1) {
    const node = findNode(root, path.slice(0, length));
    if (node !== undefined && node.kind !== 'object') {
      const what = length === 0 ? 'the whole of it' : `"${path.slice(0, length).join('.')}"`;
      throw new MnemeError('conflict', `${what} is no object with names and values.`);
    }
  }
  const made = path.slice(depth, -1).map((_step, index) => path.slice(0, depth + index + 1));
  const nested = path.slice(depth + 1).reduceRight((inner, key) => ({ [key]: inner }), value);
  return { text: insertLast(text, path.slice(0, depth), nested, path[depth]), made };
}

function addServer(text: string, target: ServerTarget, entry: { command: string; args: readonly string[] }): Edited {
  if (target.format === 'toml') return { text: appendTable(text, target.path, entry, TOML_COMMENT), made: [] };
  const start = target.isList === true ? { command: [entry.command, ...entry.args] } : entry;
  return addMember(text, target.path, { ...(target.hasType ? { type: 'stdio' } : {}), ...start, ...target.more });
}

function findInJson(text: string, target: ServerTarget): ServerEntry {
  const node = findNode(parseSettings(text), target.path);
  if (node === undefined) return { kind: 'none' };
  const value = valueOf(node);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'foreign', command: undefined };
  return describeEntry(value as Record<string, unknown>);
}

function findInToml(text: string, target: ServerTarget): ServerEntry {
  const table = findTable(text, target.path);
  if (table.kind === 'none') return { kind: 'none' };
  if (table.kind === 'inline') return table.values === undefined ? { kind: 'none' } : describeEntry(table.values);
  const values = Object.fromEntries([...table.pairs].map(([key, { value }]) => [key, value]));
  const env = findTable(text, [...target.path, 'env']);
  const inEnv = env.kind === 'table' ? Object.fromEntries([...env.pairs].map(([key, { value }]) => [key, value])) : {};
  return describeEntry({ env: inEnv, ...values });
}

function describeEntry(entry: Readonly<Record<string, unknown>>): ServerEntry {
  const [command, args] = startOf(entry);
  const env = entry['env'] ?? entry['environment'];
  const url = entry['url'] ?? entry['httpUrl'] ?? entry['serverUrl'];
  const isOff = entry['disabled'] === true || entry['enabled'] === false;
  if (typeof url === 'string') return { kind: 'remote', url, isOff };
  if (!isOwnServer(command, args)) {
    return { kind: 'foreign', command: typeof command === 'string' ? command : undefined };
  }
  const words = (args as unknown[]).map(String);
  const variables = Object.entries(typeof env === 'object' && env !== null ? env : {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : [],
  );
  const named: Readonly<Record<string, string>> = Object.fromEntries(variables);
  const home = homeArgument(words) ?? named['MNEME_HOME'];
  return { kind: 'own', command: String(command), args: words, env: named, home, isOff };
}

/** Some programs write the command and its arguments as one list. */
function startOf({ command, args }: Readonly<Record<string, unknown>>): readonly [unknown, unknown] {
  return Array.isArray(command) ? [command[0], command.slice(1)] : [command, args];
}

function isSameStart(entry: OwnEntry, command: string, args: readonly string[]): boolean {
  return entry.command === command && JSON.stringify(entry.args) === JSON.stringify(args);
}

/** TOML that is written in one line, or as dotted keys, only a person can change without spoiling how they wrote it. */
function assertEditable(text: string, target: ServerTarget, remedy: string): void {
  if (target.format !== 'toml') return;
  const table = findTable(text, target.path);
  if (table.kind !== 'inline') return;
  throw new MnemeError(
    'conflict',
    `line ${table.line} sets ${table.name} in a form that Mneme does not take apart (an inline table, dotted keys or a list).`,
    { hint: `Write it as a table, [${target.path.slice(0, -1).join('.')}.NAME], or ${remedy}; then run this again.` },
  );
}

function inlineEntry(command: string, args: readonly string[]): string {
  return `{ command = ${JSON.stringify(command)}, args = ${JSON.stringify(args)} }`;
}

function occupied(target: ServerTarget, entry: ServerEntry): MnemeError {
  const name = target.path.join('.');
  if (entry.kind === 'remote') {
    return new MnemeError('conflict', `${name} leads to ${entry.url} already.`, {
      hint: 'To have the server started instead, take that entry out first: `mneme uninstall` does.',
    });
  }
  return new MnemeError('conflict', `${name} is set already, and not by Mneme's installer.`, {
    hint: 'Look at the entry; rename it or take it out, then run this again.',
  });
}
