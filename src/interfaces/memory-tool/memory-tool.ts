import { isMnemeError, type MnemeError } from '../../model/errors.ts';
import { asAgent } from '../../model/mutation.ts';
import { type Scope, scopeFolder } from '../../model/provenance.ts';
import type { Mneme } from '../../mneme.ts';
import type { OperationContext } from '../../operations/context.ts';
import {
  type ChangeFilesInput,
  type ChangedFiles,
  changeFiles,
  linesOf,
  splitLines,
} from '../../operations/files/change-files.ts';
import { type FoundEntry, listFolder, readText } from '../../operations/files/read-visible.ts';
import { runOperation } from '../../operations/operation.ts';
import { visibleTo } from '../../operations/visible-to.ts';
import { isHidden } from '../../search-index/sync/home-files.ts';
import { type MemoryCommand, type MemoryCommandOf, MemoryToolError, parseCommand } from './commands.ts';

/** Where agents find their files. */
const ROOT = '/memories';

/** Where they lie in the workspace. */
const FOLDER = 'memory/agent-notes';

const DISGUISED = /%(?:2e|2f|5c|00)/iu;

/** The workspace path of a memory path; refuses whatever is not plainly below the root. */
export function toWorkspacePlace(given: string, scope: Scope): string {
  const path = given.length > ROOT.length ? given.replace(/\/+$/u, '') : given;
  const isBelow = path === ROOT || path.startsWith(`${ROOT}/`);
  const names = path.slice(ROOT.length + 1).split('/');
  const isPlain =
    path === ROOT ||
    (!path.includes('\\') && !path.includes('\0') && names.every((name) => !['', '.', '..'].includes(name)));
  if (!isBelow || !isPlain || DISGUISED.test(path)) {
    throw new MemoryToolError(`Error: The path ${given} is not a path below ${ROOT}.`);
  }
  const folder = `${scopeFolder(scope)}${FOLDER}`;
  return path === ROOT ? folder : `${folder}/${names.join('/')}`;
}

const MAX_LINES = 999_999;
const NUMBER_WIDTH = 6;
/** About ten thousand tokens; the rest is read in another call. */
const MAX_CHARS = 40_000;

/** As the documentation shows a file. */
function renderFile(shown: string, text: string, range: readonly [number, number] | undefined): string {
  const lines = splitLines(text);
  if (lines.length > MAX_LINES) {
    throw new MemoryToolError(`File ${shown} exceeds maximum line limit of 999,999 lines.`);
  }
  const [first, last] = range ?? [1, -1];
  if (range !== undefined && (first < 1 || first > Math.max(lines.length, 1) || (last !== -1 && last < first))) {
    throw new MemoryToolError(
      `Error: Invalid \`view_range\` parameter: [${first}, ${last}]. It should be within the range of lines of the file: [1, ${lines.length}]`,
    );
  }
  const wanted = lines.slice(first - 1, last === -1 ? undefined : last);
  const { kept, next } = fit(wanted, first);
  const more = next === undefined ? '' : `\n(Cut off: use view_range [${next}, -1] for the rest.)`;
  return `Here's the content of ${shown} with line numbers:\n${numbered(kept, first)}${more}`;
}

function fit(lines: readonly string[], first: number): { readonly kept: readonly string[]; readonly next?: number } {
  let chars = 0;
  const end = lines.findIndex((line) => (chars += line.length + NUMBER_WIDTH + 2) > MAX_CHARS);
  if (end === -1) return { kept: lines };
  const count = Math.max(end, 1);
  return count === lines.length ? { kept: lines } : { kept: lines.slice(0, count), next: first + count };
}

/** The lines to show around a change. */
const CONTEXT_LINES = 2;

function renderSnippet(text: string, line: number, count: number): string {
  const first = Math.max(1, line - CONTEXT_LINES);
  return numbered(splitLines(text).slice(first - 1, line + count - 1 + CONTEXT_LINES), first);
}

function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, at) => `${String(first + at).padStart(NUMBER_WIDTH)}\t${line}`).join('\n');
}

const MAX_DEPTH = 2;

/** As the documentation shows a directory. */
function renderListing(shown: string, entries: readonly FoundEntry[]): string {
  const total = entries.reduce((sum, { isFolder, bytes }) => (isFolder ? sum : sum + bytes), 0);
  const lines = entries
    .filter(({ depth, path: relative }) => depth <= MAX_DEPTH && !relative.split('/').some(isHidden))
    .map(({ path: relative, isFolder, bytes }) => `${humanSize(bytes)}\t${shown}/${relative}${isFolder ? '/' : ''}`);
  const head = `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items and node_modules:`;
  return [head, `${humanSize(total)}\t${shown}`, ...lines].join('\n');
}

const UNITS = ['B', 'K', 'M', 'G'] as const;

function humanSize(bytes: number): string {
  let unit = 0;
  let amount = bytes;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit += 1;
  }
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)}${UNITS[unit]}`;
}

export interface MemoryToolOptions {
  /** The owner of the files: all, or a user, project, channel or agent. */
  readonly scope?: string | undefined;
  /** The conversation, for the history. */
  readonly session?: string | undefined;
}

/** The answer to one call, as a `tool_result` takes it. */
export interface MemoryToolResult {
  readonly content: string;
  readonly is_error: boolean;
}

/**
 * Anthropic's memory tool (`memory_20250818`) onto the workspace: every write is a mutation with history and undo, and
 * who only proposes, proposes. The methods are named as the commands, which is the shape that `betaMemoryTool` takes.
 */
export class MemoryTool {
  readonly #context: OperationContext;
  readonly #session: string | undefined;
  readonly #scope: Scope;

  constructor({ internals }: Mneme, options: MemoryToolOptions = {}) {
    // A model calls it, whoever opened the home.
    this.#context = { ...internals, actor: asAgent(internals.actor) };
    this.#session = options.session;
    this.#scope = visibleTo(this.#context).enter(options.scope);
  }

  /** One call, whatever it is: what cannot be done is an answer as well. */
  async execute(given: unknown): Promise<MemoryToolResult> {
    try {
      return { content: await this.#run(parseCommand(given)), is_error: false };
    } catch (error) {
      if (error instanceof MemoryToolError) return { content: error.content, is_error: true };
      if (!isMnemeError(error)) throw error;
      return { content: explain(error).replaceAll(toWorkspacePlace(ROOT, this.#scope), ROOT), is_error: true };
    }
  }

  #run(command: MemoryCommand): Promise<string> {
    switch (command.command) {
      case 'view':
        return this.view(command);
      case 'create':
        return this.create(command);
      case 'str_replace':
        return this.str_replace(command);
      case 'insert':
        return this.insert(command);
      case 'delete':
        return this.delete(command);
      case 'rename':
        return this.rename(command);
    }
  }

  async view({ path: shown, view_range: range }: MemoryCommandOf<'view'>): Promise<string> {
    const place = this.#place(shown);
    const entries = await this.#list(place);
    if (entries !== undefined && (entries.length > 0 || isRoot(shown)))
      return renderListing(shown.replace(/(.)\/+$/u, '$1'), entries);
    const text = await this.#find(place);
    if (text === undefined && isRoot(shown)) return renderListing(shown, []);
    if (text === undefined) throw new MemoryToolError(`The path ${shown} does not exist. Please provide a valid path.`);
    return renderFile(shown, text, range ?? undefined);
  }

  async create({ path: shown, file_text: text }: MemoryCommandOf<'create'>): Promise<string> {
    const place = this.#place(shown);
    if (shown === ROOT || (await this.#exists(place))) throw new MemoryToolError(`Error: File ${shown} already exists`);
    const done = await this.#change([{ kind: 'create', path: place, text }], `created ${shown}`);
    return told(done, `File created successfully at: ${shown}`);
  }

  // Named as the command is: Anthropic's SDK calls it so.
  async str_replace({
    path: shown,
    old_str: old,
    new_str: replacement,
  }: MemoryCommandOf<'str_replace'>): Promise<string> {
    const place = this.#place(shown);
    const text = await this.#find(place);
    if (text === undefined) {
      throw new MemoryToolError(`Error: The path ${shown} does not exist. Please provide a valid path.`);
    }
    const [line, ...others] = old === '' ? [] : linesOf(text, old);
    if (line === undefined) {
      throw new MemoryToolError(
        `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${shown}.`,
      );
    }
    if (others.length > 0) {
      throw new MemoryToolError(
        `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ${[line, ...others].join(', ')}. Please ensure it is unique`,
      );
    }
    const fresh = replacement ?? '';
    const done = await this.#change([{ kind: 'replace', path: place, find: old, with: fresh }], `edited ${shown}`);
    const at = text.indexOf(old);
    const after = text.slice(0, at) + fresh + text.slice(at + old.length);
    const snippet = renderSnippet((await this.#find(place)) ?? after, line, fresh.split('\n').length);
    return told(
      done,
      `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`,
    );
  }

  async insert({ path: shown, insert_line: line, insert_text: text }: MemoryCommandOf<'insert'>): Promise<string> {
    const place = this.#place(shown);
    const current = await this.#find(place);
    if (current === undefined) throw new MemoryToolError(`Error: The path ${shown} does not exist`);
    const count = splitLines(current).length;
    if (line < 0 || line > count) {
      throw new MemoryToolError(
        `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${count}]`,
      );
    }
    const done = await this.#change([{ kind: 'insert', path: place, line, text }], `inserted into ${shown}`);
    return told(done, `The file ${shown} has been edited.`);
  }

  async delete({ path: shown }: MemoryCommandOf<'delete'>): Promise<string> {
    const place = this.#place(shown);
    if (isRoot(shown)) throw new MemoryToolError(`Error: The ${ROOT} directory itself cannot be deleted`);
    const files = await this.#filesOf(place);
    if (files.length === 0) throw new MemoryToolError(`Error: The path ${shown} does not exist`);
    const changes = files.map((file) => ({ kind: 'delete' as const, path: file }));
    return told(await this.#change(changes, `deleted ${shown}`), `Successfully deleted ${shown}`);
  }

  async rename({ old_path: from, new_path: to }: MemoryCommandOf<'rename'>): Promise<string> {
    const [old, fresh] = [this.#place(from), this.#place(to)];
    if (isRoot(from) || isRoot(to)) throw new MemoryToolError(`Error: The ${ROOT} directory itself cannot be renamed`);
    const files = await this.#filesOf(old);
    if (files.length === 0) throw new MemoryToolError(`Error: The path ${from} does not exist`);
    if (fresh.startsWith(`${old}/`)) throw new MemoryToolError(`Error: ${to} lies inside ${from}`);
    if (await this.#exists(fresh)) throw new MemoryToolError(`Error: The destination ${to} already exists`);
    const changes = files.map((file) => ({
      kind: 'rename' as const,
      path: file,
      to: `${fresh}${file.slice(old.length)}`,
    }));
    const done = await this.#change(changes, `renamed ${from} to ${to}`);
    return told(done, `Successfully renamed ${from} to ${to}`);
  }

  #place(shown: string): string {
    return toWorkspacePlace(shown, this.#scope);
  }

  /** The text of a file; undefined where there is none, or none that may be seen. */
  async #find(place: string): Promise<string | undefined> {
    try {
      return (await runOperation(readText, this.#context, { path: place })).text;
    } catch (error) {
      if (isMnemeError(error, 'not-found') || isMnemeError(error, 'usage')) return undefined;
      throw error;
    }
  }

  #list(place: string): Promise<readonly FoundEntry[] | undefined> {
    return runOperation(listFolder, this.#context, { path: place });
  }

  async #exists(place: string): Promise<boolean> {
    return (await this.#find(place)) !== undefined || ((await this.#list(place))?.length ?? 0) > 0;
  }

  /** The file itself, or all that is in the folder. */
  async #filesOf(place: string): Promise<string[]> {
    const entries = await this.#list(place);
    if (entries === undefined) return (await this.#find(place)) === undefined ? [] : [place];
    return entries.filter(({ isFolder }) => !isFolder).map(({ path: relative }) => `${place}/${relative}`);
  }

  #change(changes: ChangeFilesInput['changes'], summary: string): Promise<ChangedFiles> {
    const session = this.#session;
    return runOperation(changeFiles, this.#context, { changes, summary, trigger: 'memory-tool', session });
  }
}

function isRoot(shown: string): boolean {
  return shown.replace(/\/+$/u, '') === ROOT;
}

/** The documented words, unless they would not be true. */
function told({ proposal, waitsBecause, redacted, warnings }: ChangedFiles, words: string): string {
  const head =
    waitsBecause === null ? words : `Nothing has changed yet: it was proposed as ${proposal ?? ''} (${waitsBecause}).`;
  const secrets = redacted.length === 0 ? [] : [`Taken out as secret: ${redacted.join(', ')}.`];
  return [head, ...secrets, ...warnings.map((warning) => `Note: ${warning}`)].join('\n');
}

function explain({ message, hint }: MnemeError): string {
  return `Error: ${hint === undefined ? message : `${message} ${hint}`}`;
}
