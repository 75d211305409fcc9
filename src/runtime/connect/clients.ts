import fs from 'node:fs';
import path from 'node:path';
import { type Client, type ClientPlaces, ENTRY_NAME, JSON_SERVER } from './client.ts';
import { MORE_CLIENTS, vscodeFolder } from './more-clients.ts';

/**
 * Claude Code keeps user-wide MCP servers beside its folder (`~/.claude.json`), inside it when `CLAUDE_CONFIG_DIR` is
 * set. Hooks of a project go to the settings that are the person's own: the memory they lead to is, too.
 */
const claudeCode: Client = {
  name: 'claude-code',
  command: 'claude',
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
        agent: 'claude-code',
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
  command: 'codex',
  title: 'Codex',
  signs: (places) => [codexFolder(places)],
  targets: (places, scope) => {
    const folder = scope === 'user' ? codexFolder(places) : path.join(places.project, '.codex');
    const file = path.join(folder, 'config.toml');
    return [
      { kind: 'server', format: 'toml', file, path: ['mcp_servers', ENTRY_NAME], hasType: false },
      { kind: 'hooks', format: 'json', agent: 'codex', file: path.join(folder, 'hooks.json') },
    ];
  },
  next: 'New sessions of Codex use it. Type `/hooks` there once and trust its hooks, or nothing is recalled or captured by itself. A project’s settings count once Codex trusts the project.',
};

function codexFolder({ codexHome, userHome }: ClientPlaces): string {
  return codexHome ?? path.join(userHome, '.codex');
}

const cursor: Client = {
  name: 'cursor',
  command: 'cursor',
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
  command: 'openclaw',
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
  command: 'code',
  title: 'VS Code',
  signs: (places) => [vscodeFolder(places)],
  targets: (places, scope) => {
    const folder = scope === 'user' ? vscodeFolder(places) : path.join(places.project, '.vscode');
    return [{ ...JSON_SERVER, file: path.join(folder, 'mcp.json'), path: ['servers', ENTRY_NAME], hasType: true }];
  },
  next: 'VS Code asks once whether to trust it; “MCP: List Servers” shows it.',
};

const gemini: Client = {
  name: 'gemini',
  command: 'gemini',
  title: 'Gemini CLI',
  signs: ({ userHome }) => [path.join(userHome, '.gemini')],
  targets: ({ userHome, project }, scope) => {
    const file = path.join(scope === 'user' ? userHome : project, '.gemini', 'settings.json');
    return [
      { ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME] },
      { kind: 'hooks', format: 'json', agent: 'gemini', file },
    ];
  },
  next: 'New sessions of Gemini CLI use it in folders that you trusted there (`/permissions`); `/mcp` and `/hooks` show it.',
};

export const CLIENTS: readonly Client[] = [claudeCode, codex, cursor, openclaw, vscode, gemini, ...MORE_CLIENTS];

export function findClient(name: string): Client | undefined {
  return CLIENTS.find((client) => client.name === name);
}

/** Whether the program is used here: by what it keeps, or by its command on the PATH. */
export function isHere(client: Client, places: ClientPlaces): boolean {
  const { command } = client;
  if (client.signs(places).some((sign) => fs.existsSync(sign))) return true;
  const folders = command === undefined ? [] : (places.searchPath ?? '').split(path.delimiter);
  const names = places.platform === 'win32' ? [`${command}.cmd`, `${command}.exe`] : [command ?? ''];
  return folders.some(
    (folder) => path.isAbsolute(folder) && names.some((name) => fs.existsSync(path.join(folder, name))),
  );
}
