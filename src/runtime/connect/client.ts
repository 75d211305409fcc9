import type { HookAgentName } from './hook-agents.ts';
import type { ClientPlaces, ConnectScope } from './places.ts';

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

/** What the entry is called among a program's MCP servers; tools appear under this name. */
export const ENTRY_NAME = 'mneme';

/** A settings file, and what of Mneme belongs into it. */
export type Target = ServerTarget | HooksTarget;

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
  /** What else the program wants an entry to say. */
  readonly more?: Readonly<Record<string, unknown>>;
}

interface HooksTarget {
  readonly kind: 'hooks';
  readonly file: string;
  readonly format: 'json';
  readonly agent: HookAgentName;
}

export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** What starts it, where that may be on the PATH. */
  readonly command?: string;
  /** Files and folders by which one sees that the program is used here. */
  signs(places: ClientPlaces): readonly string[];
  /** Undefined where the program knows no such scope. */
  targets(places: ClientPlaces, scope: ConnectScope): readonly Target[] | undefined;
  /** What the person still has to do for it to take effect. */
  readonly next: string;
}

export const JSON_SERVER = { kind: 'server', format: 'json', hasType: false } as const;
