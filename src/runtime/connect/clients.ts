import path from 'node:path';
import type { ClientPlaces, ConnectScope } from './places.ts';

export const CLIENT_NAMES = ['claude-code', 'codex', 'cursor', 'openclaw', 'vscode', 'gemini'] as const;
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
}

interface HooksTarget {
  readonly kind: 'hooks';
  readonly file: string;
  readonly format: 'json';
}

export interface Client {
  readonly name: ClientName;
  readonly title: string;
  /** Files and folders by which one sees that the program is used here. */
  signs(places: ClientPlaces): readonly string[];
  /** Undefined where the program knows no such scope. */
  targets(places: ClientPlaces, scope: ConnectScope): readonly Target[] | undefined;
  /** What the person still has to do for it to take effect. */
  readonly next: string;
}

const JSON_SERVER = { kind: 'server', format: 'json', hasType: false } as const;

/**
 * Claude Code keeps user-wide MCP servers beside its folder (`~/.claude.json`), inside it when `CLAUDE_CONFIG_DIR` is
 * set. Hooks of a project go to the settings that are the person's own: the memory they lead to is, too.
 */
const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  signs: (places) => [claudeFolder(places), claudeState(places)],
  targets: (places, scope) => {
    const isUser = scope === 'user';
    return [
      {
        ...JSON_SERVER,
        file: isUser ? claudeState(places) : path.join(places.project, '.mcp.json'),
        path: ['mcpServers', ENTRY_NAME],
        hasType: true,
      },
      {
        kind: 'hooks',
        format: 'json',
        file: isUser
          ? path.join(claudeFolder(places), 'settings.json')
          : path.join(places.project, '.claude', 'settings.local.json'),
      },
    ];
  },
  next: 'New sessions of Claude Code use it; `/mcp` and `/hooks` show it there.',
};

function claudeFolder({ claudeConfig, userHome }: ClientPlaces): string {
  return claudeConfig ?? path.join(userHome, '.claude');
}

function claudeState({ claudeConfig, userHome }: ClientPlaces): string {
  return path.join(claudeConfig ?? userHome, '.claude.json');
}

const codex: Client = {
  name: 'codex',
  title: 'Codex',
  signs: (places) => [codexFolder(places)],
  targets: (places, scope) => {
    const folder = scope === 'user' ? codexFolder(places) : path.join(places.project, '.codex');
    const file = path.join(folder, 'config.toml');
    return [{ kind: 'server', format: 'toml', file, path: ['mcp_servers', ENTRY_NAME], hasType: false }];
  },
  next: 'New sessions of Codex use it; `codex mcp list` shows it. A project’s settings count once Codex trusts the project.',
};

function codexFolder({ codexHome, userHome }: ClientPlaces): string {
  return codexHome ?? path.join(userHome, '.codex');
}

const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  signs: ({ userHome }) => [path.join(userHome, '.cursor')],
  targets: ({ userHome, project }, scope) => {
    const file = path.join(scope === 'user' ? userHome : project, '.cursor', 'mcp.json');
    return [{ ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME] }];
  },
  next: 'Restart Cursor, and switch it on under Settings → MCP if it is not.',
};

const openclaw: Client = {
  name: 'openclaw',
  title: 'OpenClaw',
  signs: (places) => [openclawFolder(places), openclawConfig(places)],
  targets: (places, scope) =>
    scope === 'user'
      ? [
          {
            ...JSON_SERVER,
            file: openclawConfig(places),
            path: ['mcp', 'servers', ENTRY_NAME],
          },
        ]
      : undefined,
  next: 'Restart the gateway; `openclaw mcp doctor mneme --probe` tries it from there.',
};

function openclawFolder({ openclawState, userHome }: ClientPlaces): string {
  return openclawState ?? path.join(userHome, '.openclaw');
}

function openclawConfig(places: ClientPlaces): string {
  return places.openclawConfig ?? path.join(openclawFolder(places), 'openclaw.json');
}

const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  signs: (places) => [vscodeFolder(places)],
  targets: (places, scope) => {
    const folder = scope === 'user' ? vscodeFolder(places) : path.join(places.project, '.vscode');
    return [{ ...JSON_SERVER, file: path.join(folder, 'mcp.json'), path: ['servers', ENTRY_NAME], hasType: true }];
  },
  next: 'VS Code asks once whether to trust it; “MCP: List Servers” shows it.',
};

/** The default profile's folder. */
function vscodeFolder({ userHome, platform, appData, xdgConfig }: ClientPlaces): string {
  if (platform === 'win32') return path.join(appData ?? path.join(userHome, 'AppData', 'Roaming'), 'Code', 'User');
  if (platform === 'darwin') return path.join(userHome, 'Library', 'Application Support', 'Code', 'User');
  return path.join(xdgConfig ?? path.join(userHome, '.config'), 'Code', 'User');
}

const gemini: Client = {
  name: 'gemini',
  title: 'Gemini CLI',
  signs: ({ userHome }) => [path.join(userHome, '.gemini')],
  targets: ({ userHome, project }, scope) => {
    const file = path.join(scope === 'user' ? userHome : project, '.gemini', 'settings.json');
    return [{ ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME] }];
  },
  next: 'New sessions of Gemini CLI use it; `/mcp` shows it there.',
};

export const CLIENTS: readonly Client[] = [claudeCode, codex, cursor, openclaw, vscode, gemini];

export function findClient(name: string): Client | undefined {
  return CLIENTS.find((client) => client.name === name);
}
