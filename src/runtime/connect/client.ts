import type { LogPlaces } from '../../platform/environment.ts';
import type { HookAgentName } from './hook-agents.ts';

export const CLIENT_NAMES = [
  'claude-code',
  'codex',
  'cursor',
  'openclaw',
  'vscode',
  'gemini',
  'claude-desktop',
  'windsurf',
  'zed',
  'cline',
  'copilot',
  'amp',
  'qwen',
  'opencode',
] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** The name of the entry among a program's MCP servers; tools appear under this name. */
export const ENTRY_NAME = 'mneme';

/** A settings file, and what of Mneme belongs into it. */
export type Target = ServerTarget | HooksTarget | PluginTarget;

interface ServerTarget {
  readonly kind: 'server';
  readonly file: string;
  readonly format: 'json' | 'toml';
  /** Where the entry stands in the file. */
  readonly path: readonly string[];
  /** Whether an entry says by which transport it is reached. */
  readonly hasType: boolean;
  /** Set where the command and its arguments are one list. */
  readonly isList?: boolean;
  /** Further fields that the program expects in an entry. */
  readonly more?: Readonly<Record<string, unknown>>;
}

interface HooksTarget {
  readonly kind: 'hooks';
  readonly file: string;
  readonly format: 'json';
  readonly agent: HookAgentName;
}

/** A plugin of ours in a list of plugins. */
export interface PluginTarget {
  readonly kind: 'plugin';
  readonly file: string;
  readonly format: 'json';
  /** Where the list stands in the file. */
  readonly path: readonly string[];
  /** The name of its file in our package, without the ending. */
  readonly name: string;
}

export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** The command that starts it, where that may be on the PATH. */
  readonly command?: string;
  /** Files and folders by which one sees that the program is used here. */
  signs(places: ClientPlaces): readonly string[];
  /** Undefined where the program knows no such scope. */
  targets(places: ClientPlaces, scope: ConnectScope): readonly Target[] | undefined;
  /** The step the person still has to take for it to take effect. */
  readonly next: string;
}

export const JSON_SERVER = { kind: 'server', format: 'json', hasType: false } as const;

/** Where the programs that can be connected keep their settings. */
export interface ClientPlaces extends LogPlaces {
  /** The folder that `--scope project` means. */
  readonly project: string;
  readonly platform: NodeJS.Platform;
  /** `PATH`, by which programs are found that have kept nothing yet. */
  readonly searchPath?: string | undefined;
}

export const CONNECT_SCOPES = ['user', 'project'] as const;
export type ConnectScope = (typeof CONNECT_SCOPES)[number];

/** Where a settings file cannot be understood; whoever knows the file's name makes a message of it. */
export class SyntaxTrouble extends Error {
  constructor(text: string, at: number, what: string) {
    const before = text.slice(0, at).split('\n');
    super(`line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${what}`);
    this.name = 'SyntaxTrouble';
  }
}
