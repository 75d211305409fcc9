import path from 'node:path';
import { type Client, type ClientPlaces, ENTRY_NAME, JSON_SERVER } from './client.ts';

/** Programs that get the MCP server and nothing else. */

const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  signs: (places) => [settingsFolder(places, 'Claude')],
  targets: (places, scope) => {
    const file = path.join(settingsFolder(places, 'Claude'), 'claude_desktop_config.json');
    return scope === 'user' ? [{ ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME] }] : undefined;
  },
  next: 'Quit Claude Desktop and start it again; Settings → Developer shows it.',
};

const windsurf: Client = {
  name: 'windsurf',
  title: 'Windsurf',
  command: 'windsurf',
  signs: ({ userHome }) => [path.join(userHome, '.codeium', 'windsurf')],
  targets: ({ userHome }, scope) => {
    const file = path.join(userHome, '.codeium', 'windsurf', 'mcp_config.json');
    return scope === 'user' ? [{ ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME] }] : undefined;
  },
  next: 'Refresh the list of MCP servers in Windsurf, under Cascade.',
};

const zed: Client = {
  name: 'zed',
  title: 'Zed',
  command: 'zed',
  signs: (places) => [zedFolder(places)],
  targets: (places, scope) => {
    const folder = scope === 'user' ? zedFolder(places) : path.join(places.project, '.zed');
    const file = path.join(folder, 'settings.json');
    return [{ ...JSON_SERVER, file, path: ['context_servers', ENTRY_NAME], more: { source: 'custom' } }];
  },
  next: 'Zed starts it at once; the agent panel’s settings show it. A project’s settings count once Zed trusts the project.',
};

function zedFolder({ userHome, platform, appData, xdgConfig }: ClientPlaces): string {
  if (platform === 'win32') return path.join(appData ?? path.join(userHome, 'AppData', 'Roaming'), 'Zed');
  return path.join(
    platform === 'linux' ? (xdgConfig ?? path.join(userHome, '.config')) : path.join(userHome, '.config'),
    'zed',
  );
}

const cline: Client = {
  name: 'cline',
  title: 'Cline',
  signs: (places) => [clineFolder(places)],
  targets: (places, scope) => {
    const file = path.join(clineFolder(places), 'settings', 'cline_mcp_settings.json');
    return scope === 'user' ? [{ ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME] }] : undefined;
  },
  next: 'Cline starts it at once; its list of MCP servers shows it.',
};

function clineFolder(places: ClientPlaces): string {
  return path.join(vscodeFolder(places), 'globalStorage', 'saoudrizwan.claude-dev');
}

const copilot: Client = {
  name: 'copilot',
  title: 'Copilot CLI',
  command: 'copilot',
  signs: ({ userHome }) => [path.join(userHome, '.copilot')],
  targets: ({ userHome }, scope) => {
    const file = path.join(userHome, '.copilot', 'mcp-config.json');
    const more = { tools: ['*'] };
    return scope === 'user'
      ? [{ ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME], hasType: true, more }]
      : undefined;
  },
  next: 'New sessions of Copilot CLI use it; `/mcp show` shows it there.',
};

const amp: Client = {
  name: 'amp',
  title: 'Amp',
  command: 'amp',
  signs: (places) => [ampFolder(places)],
  targets: (places, scope) => {
    const folder = scope === 'user' ? ampFolder(places) : path.join(places.project, '.amp');
    return [{ ...JSON_SERVER, file: path.join(folder, 'settings.json'), path: ['amp.mcpServers', ENTRY_NAME] }];
  },
  next: 'New sessions of Amp use it. For a project’s settings, run `amp mcp approve mneme` once.',
};

function ampFolder({ userHome }: ClientPlaces): string {
  return path.join(userHome, '.config', 'amp');
}

const qwen: Client = {
  name: 'qwen',
  title: 'Qwen Code',
  command: 'qwen',
  signs: ({ userHome }) => [path.join(userHome, '.qwen')],
  targets: ({ userHome, project }, scope) => {
    const file = path.join(scope === 'user' ? userHome : project, '.qwen', 'settings.json');
    return [{ ...JSON_SERVER, file, path: ['mcpServers', ENTRY_NAME] }];
  },
  next: 'New sessions of Qwen Code use it in folders that you trusted there; `/mcp` shows it.',
};

const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  command: 'opencode',
  signs: (places) => [opencodeFolder(places)],
  targets: (places, scope) => {
    const file = path.join(scope === 'user' ? opencodeFolder(places) : places.project, 'opencode.json');
    const more = { type: 'local', enabled: true };
    const server = { ...JSON_SERVER, file, path: ['mcp', ENTRY_NAME], isList: true, more } as const;
    // A project's settings are shared with others; the plugin is named by its place on this machine.
    if (scope === 'project') return [server];
    return [server, { kind: 'plugin', format: 'json', file, path: ['plugin'], name: 'opencode' }];
  },
  next: 'New sessions of opencode use it; `opencode mcp list` and `opencode debug config` show it.',
};

function opencodeFolder({ userHome, xdgConfig }: ClientPlaces): string {
  return path.join(xdgConfig ?? path.join(userHome, '.config'), 'opencode');
}

export const MORE_CLIENTS: readonly Client[] = [claudeDesktop, windsurf, zed, cline, copilot, amp, qwen, opencode];

/** The default profile's folder. */
export function vscodeFolder(places: ClientPlaces): string {
  return path.join(settingsFolder(places, 'Code'), 'User');
}

/** Where programs of the desktop keep their settings. */
function settingsFolder({ userHome, platform, appData, xdgConfig }: ClientPlaces, name: string): string {
  if (platform === 'win32') return path.join(appData ?? path.join(userHome, 'AppData', 'Roaming'), name);
  if (platform === 'darwin') return path.join(userHome, 'Library', 'Application Support', name);
  return path.join(xdgConfig ?? path.join(userHome, '.config'), name);
}
