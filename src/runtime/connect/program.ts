import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { HookAgentName } from './hook-agents.ts';

/** The command with which another program starts Mneme on a home. */
export interface Program {
  readonly command: string;
  /** The arguments before the verb. */
  readonly args: readonly string[];
}

export interface ProgramOptions {
  /** This program, as absolute paths. */
  readonly self: readonly string[];
  readonly home: string;
  /** The home that is used when none is named. */
  readonly defaultHome: string;
  /** `PATH` */
  readonly searchPath: string;
  readonly platform: NodeJS.Platform;
  /** A file that others may get as well: it should name no path of this machine. */
  readonly isShared: boolean;
}

/**
 * Absolute paths wherever possible: editors started from a desktop do not have the shell's PATH, and a version manager
 * changes it from folder to folder.
 */
export function planProgram(options: ProgramOptions): Program {
  const { self, home, defaultHome, isShared, platform } = options;
  const [node = 'mneme', script] = self;
  const homeArgs = path.resolve(home) === path.resolve(defaultHome) ? [] : ['--home', path.resolve(home)];
  if (script === undefined) return { command: node, args: homeArgs };
  if (script.split(path.sep).includes('_npx')) {
    throw new MnemeError('refused', 'This Mneme was fetched for one call only; nothing can be connected to it.', {
      hint: 'Install it with `npm install -g mneme`, then connect again.',
    });
  }
  if (isShared && platform !== 'win32' && isOnPath(script, options)) return { command: 'mneme', args: homeArgs };
  return { command: lastingNode(node, options), args: [script, ...homeArgs] };
}

export function serverArgs({ args }: Program): string[] {
  return [...args, 'mcp'];
}

/** Agents give hooks to a shell: bash, also on Windows, where it takes a backslash for an escape. */
export function hookCommand(
  { command, args }: Program,
  agent: HookAgentName,
  event: string,
  platform: NodeJS.Platform,
): string {
  const words = [command, ...args, 'hook', agent, event];
  const paths = platform === 'win32' ? words.map((word) => word.replaceAll('\\', '/')) : words;
  return paths.map((word) => quoteForShell(word, platform)).join(' ');
}

function quoteForShell(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
  // Double quotes are understood by more programs on Windows, but a shell runs `$(…)` inside them.
  if (platform === 'win32' && !/["$`!]/u.test(word)) return `"${word}"`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** An entry that this program wrote, in this or another place; others may be called mneme as well. */
export function isOwnServer(command: unknown, args: unknown): boolean {
  if (typeof command !== 'string' || !Array.isArray(args) || !args.includes('mcp')) return false;
  return isOwnStart([command, ...args.map(String)]);
}

/** Whether a command's words name this program, here or elsewhere. */
export function isOwnStart(words: readonly string[]): boolean {
  return words.some((word) => /(?:^|[\\/])mneme(?:\.cmd)?$/u.test(word));
}

/** The home that arguments name. */
export function homeArgument(args: readonly string[]): string | undefined {
  const at = args.indexOf('--home');
  if (at !== -1) return args[at + 1];
  return args.find((word) => word.startsWith('--home='))?.slice('--home='.length);
}

const QUOTED_HOME = /\s--home[ =](?:'(?<single>(?:[^']|'\\'')*)'|"(?<double>[^"]*)"|(?<bare>\S+))/u;

/** The home that the beginning of a hook's command names. */
export function homeOfHook(start: string): string | undefined {
  const { single, double, bare } = QUOTED_HOME.exec(start)?.groups ?? {};
  return single?.replaceAll(String.raw`'\''`, "'") ?? double ?? bare;
}

const OWN_HOOK = /(?:^|[\s\\/'"])mneme(?:\.cmd)?['"]?\s.*\bhook (?<agent>[a-z-]+) (?<event>\w+)\s*$/su;

/** The part of a hook's command that starts Mneme; undefined when it is somebody else's. */
export function ownHookStart(command: unknown, agent: HookAgentName, event: string): string | undefined {
  if (typeof command !== 'string') return undefined;
  const found = OWN_HOOK.exec(` ${command}`)?.groups;
  if (found?.['agent'] !== agent || found['event'] !== event) return undefined;
  return command.slice(0, command.lastIndexOf(` hook ${agent} `));
}

/** fnm makes links that are gone when the shell ends. */
const ONE_SHELL_ONLY = 'fnm_multishells';

/** A package manager replaces the folder of a version, and leaves the link to the current one. */
function lastingNode(node: string, { searchPath, platform }: ProgramOptions): string {
  const name = platform === 'win32' ? 'node.exe' : 'node';
  const candidates = findOnPath(name, searchPath).filter((file) => !file.includes(ONE_SHELL_ONLY));
  return candidates.find((file) => realPath(file) === realPath(node)) ?? node;
}

function isOnPath(script: string, { searchPath }: ProgramOptions): boolean {
  const [first] = findOnPath('mneme', searchPath);
  return first !== undefined && realPath(first) === realPath(script);
}

function findOnPath(name: string, searchPath: string): string[] {
  return searchPath
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .filter((file) => fs.existsSync(file));
}

function realPath(file: string): string {
  return fs.existsSync(file) ? fs.realpathSync(file) : file;
}
