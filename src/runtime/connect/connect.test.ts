import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { systemRandom } from '../../platform/random.ts';
import { applyConnectPlan, type AppliedFile } from './apply.ts';
import { CLIENT_NAMES, type Client, type ClientName, type ClientPlaces, type ConnectScope } from './client.ts';
import { findClient } from './clients.ts';
import { planConnect, planDisconnect, type ConnectPlan } from './plan.ts';
import { planProgram, type Program } from './program.ts';
import { Receipts } from './receipts.ts';

const HOME = '/my home';
const PROGRAM: Program = { command: '/usr/bin/node', args: ['/opt/mneme/bin/mneme', '--home', HOME] };

let folder: string;
let places: ClientPlaces;
let receipts: Receipts;

beforeEach(() => {
  folder = makeTemporaryFolder();
  places = { userHome: path.join(folder, 'user'), project: path.join(folder, 'project'), platform: 'linux' };
  write('home/mneme.yaml', '');
  receipts = new Receipts(path.join(folder, 'home'));
});

function clientOf(name: ClientName): Client {
  const client = findClient(name);
  if (client === undefined) throw new Error(name);
  return client;
}

function connecting(name: ClientName, scope: ConnectScope = 'user', program = PROGRAM): ConnectPlan {
  return planConnect({ client: clientOf(name), scope, places, home: HOME, receipts }, program);
}

function disconnecting(name: ClientName, scope: ConnectScope = 'user'): ConnectPlan {
  return planDisconnect({ client: clientOf(name), scope, places, home: HOME, receipts });
}

let timeMs = 0;
function apply(plan: ConnectPlan): Promise<AppliedFile[]> {
  timeMs += 1000;
  return applyConnectPlan(plan, { receipts, places, clock: { now: () => timeMs }, random: systemRandom });
}

function write(relative: string, text: string): string {
  const file = path.join(folder, relative);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

/** Every file below the folder but the home's, with its text. */
function snapshot(): Record<string, string> {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/home/'));
  return Object.fromEntries(texts.map((file) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')]));
}

const PRESENT: Readonly<Record<ClientName, Readonly<Record<string, string>>>> = {
  'claude-code': {
    'user/.claude.json': '{\n  "numStartups": 3,\n  "mcpServers": {},\n  "projects": {}\n}',
    'user/.claude/settings.json':
      '{\n  "model": "opus",\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [{ "type": "command", "command": "say done" }]\n      }\n    ]\n  }\n}\n',
    'project/.mcp.json': '{"mcpServers": {"other": {"command": "x"}}}\n',
  },
  codex: { 'user/.codex/config.toml': 'model = "gpt"\n\n[mcp_servers.other]\ncommand = "x" # theirs\n' },
  cursor: { 'user/.cursor/mcp.json': '{\n\t"mcpServers": {\n\t\t"other": { "url": "https://x" } // theirs\n\t}\n}\n' },
  openclaw: {
    'user/.openclaw/openclaw.json': "// mine\n{\n  gateway: { mode: 'local' },\n  mcp: { servers: {} },\n}\n",
  },
  vscode: { 'user/.config/Code/User/mcp.json': '{\r\n    "servers": {},\r\n    "inputs": []\r\n}\r\n' },
  gemini: { 'user/.gemini/settings.json': '{}' },
  'claude-desktop': { 'user/.config/Claude/claude_desktop_config.json': '{\n  "globalShortcut": ""\n}' },
  windsurf: { 'user/.codeium/windsurf/mcp_config.json': '{\n  "mcpServers": {}\n}\n' },
  zed: { 'user/.config/zed/settings.json': '// mine\n{\n  "theme": "One Dark",\n}\n' },
  cline: {
    'user/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json':
      '{\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n',
  },
  copilot: { 'user/.copilot/mcp-config.json': '{ "mcpServers": {} }\n' },
  amp: { 'user/.config/amp/settings.json': '{\n  "amp.showCosts": true\n}\n' },
  qwen: { 'user/.qwen/settings.json': '{\n  "theme": "dark"\n}\n' },
  opencode: { 'user/.config/opencode/opencode.json': '{\n  "$schema": "https://opencode.ai/config.json"\n}\n' },
};

/** They have no settings for a single project. */
const USER_ONLY: ReadonlySet<string> = new Set(['openclaw', 'claude-desktop', 'windsurf', 'cline', 'copilot']);

const SCOPES: readonly (readonly [ClientName, ConnectScope])[] = [
  ...CLIENT_NAMES.map((name) => [name, 'user'] as const),
  ...CLIENT_NAMES.filter((name) => !USER_ONLY.has(name)).map((name) => [name, 'project'] as const),
];

describe.each(SCOPES)('%s, %s', (name, scope) => {
  it.each([true, false])(
    'is connected once, and disconnected without a trace (settings present: %s)',
    async (isPresent) => {
      if (isPresent) for (const [file, text] of Object.entries(PRESENT[name])) write(file, text);
      const before = snapshot();
      const applied = await apply(connecting(name, scope));
      expect(applied.every(({ change }) => change !== 'none')).toBe(true);
      const connected = snapshot();
      expect(Object.values(connected).join('')).toContain('/opt/mneme/bin/mneme');
      const again = connecting(name, scope);
      expect(again.changes.map(({ after }) => after)).toEqual(again.changes.map(({ before: text }) => text));
      await apply(disconnecting(name, scope));
      expect(snapshot()).toEqual(before);
      expect(fs.existsSync(path.join(folder, 'user'))).toBe(isPresent);
    },
  );

  it('leaves what others wrote meanwhile', async () => {
    for (const [file, text] of Object.entries(PRESENT[name])) write(file, text);
    await apply(connecting(name, scope));
    for (const { file } of connecting(name, scope).changes) {
      const text = fs.readFileSync(file, 'utf8');
      // A program that saves its settings writes all of them anew; what it does not know of, a person appended.
      fs.writeFileSync(file, file.endsWith('.toml') ? `${text}\n[tui]\ntheme = "dark"\n` : `// a person's\n${text}`);
    }
    await apply(disconnecting(name, scope));
    for (const { file, after } of disconnecting(name, scope).changes) {
      const text = fs.readFileSync(file, 'utf8');
      expect(text).toBe(after);
      expect(text).not.toContain('mneme');
      expect(text).toMatch(/a person's|theme = "dark"/u);
      const original = PRESENT[name][path.relative(folder, file)];
      for (const line of original?.split(/\r?\n/u).filter((one) => /\w/u.test(one)) ?? []) {
        expect(text).toContain(line.replace(/,$/u, '').replace(/\{\}$/u, ''));
      }
    }
  });
});

describe('what is written', () => {
  it('Claude Code gets the server and a hook for each event, behind those already there', async () => {
    for (const [file, text] of Object.entries(PRESENT['claude-code'])) write(file, text);
    await apply(connecting('claude-code'));
    const { 'user/.claude.json': servers = '', 'user/.claude/settings.json': settings = '' } = snapshot();
    expect(JSON.parse(servers)).toEqual({
      numStartups: 3,
      mcpServers: { mneme: { type: 'stdio', command: '/usr/bin/node', args: [...PROGRAM.args, 'mcp'] } },
      projects: {},
    });
    const { hooks, model } = JSON.parse(settings) as { model: string; hooks: Record<string, unknown[]> };
    expect(model).toBe('opus');
    expect(Object.keys(hooks)).toEqual(['Stop', 'SessionStart', 'UserPromptSubmit', 'PreCompact', 'SessionEnd']);
    expect(hooks['Stop']).toEqual([
      { hooks: [{ type: 'command', command: 'say done' }] },
      {
        hooks: [
          {
            type: 'command',
            command: "/usr/bin/node /opt/mneme/bin/mneme --home '/my home' hook claude-code Stop",
            timeout: 10,
          },
        ],
      },
    ]);
  });

  it('on Windows hooks have slashes, which every shell there understands', async () => {
    places = { ...places, platform: 'win32' };
    const program = { command: 'C:\\Program Files\\nodejs\\node.exe', args: ['C:\\m\\bin\\mneme'] };
    await apply(connecting('claude-code', 'user', program));
    expect(snapshot()['user/.claude/settings.json']).toContain(
      JSON.stringify('"C:/Program Files/nodejs/node.exe" C:/m/bin/mneme hook claude-code Stop'),
    );
    expect(connecting('claude-code', 'user', program).changes.every(({ before, after }) => before === after)).toBe(
      true,
    );
  });

  it('a program that moved is corrected in place, and what a person added stays', async () => {
    await apply(connecting('codex'));
    const file = path.join(places.userHome, '.codex/config.toml');
    fs.appendFileSync(file, 'tool_timeout_sec = 90\n');
    await apply(connecting('claude-code'));
    const moved = { command: '/usr/local/bin/node', args: ['/srv/mneme/bin/mneme', '--home', HOME] };
    await apply(connecting('codex', 'user', moved));
    await apply(connecting('claude-code', 'user', moved));
    expect(Object.values(snapshot()).join('')).not.toContain('/opt/');
    expect(fs.readFileSync(file, 'utf8')).toContain(
      'args = ["/srv/mneme/bin/mneme", "--home", "/my home", "mcp"]\ntool_timeout_sec = 90\n',
    );
    await apply(disconnecting('codex'));
    await apply(disconnecting('claude-code'));
    expect(snapshot()).toEqual({});
  });

  it('follows links, keeps permissions, and keeps a copy nobody else can read', async () => {
    const target = write('dotfiles/mcp.json', '{ }\n');
    fs.chmodSync(target, 0o640);
    const file = path.join(places.userHome, '.cursor/mcp.json');
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(target, file);
    const [applied] = await apply(connecting('cursor'));
    expect(fs.lstatSync(file).isSymbolicLink()).toBe(true);
    expect(fs.statSync(target).mode & 0o777).toBe(0o640);
    expect(fs.readdirSync(path.dirname(target))).toEqual(['mcp.json']);
    expect(fs.readFileSync(applied?.backup ?? '', 'utf8')).toBe('{ }\n');
    expect(fs.statSync(applied?.backup ?? '').mode & 0o777).toBe(0o600);
    await apply(disconnecting('cursor'));
    expect(fs.readFileSync(target, 'utf8')).toBe('{ }\n');
  });

  it('goes where the environment says a program keeps its settings', () => {
    const [xdgConfig, appData] = [path.join(folder, 'xdg'), path.join(folder, 'roaming')];
    const openclawConfig = path.join(folder, 'claw.json5');
    const fileOf = (name: ClientName, given: Partial<ClientPlaces>): string | undefined =>
      clientOf(name).targets({ ...places, ...given }, 'user')?.[0]?.file;
    expect(fileOf('vscode', { xdgConfig })).toBe(path.join(xdgConfig, 'Code/User/mcp.json'));
    expect(fileOf('vscode', { appData, xdgConfig, platform: 'win32' })).toBe(path.join(appData, 'Code/User/mcp.json'));
    expect(fileOf('openclaw', { openclawConfig, openclawState: folder })).toBe(openclawConfig);
    expect(fileOf('openclaw', { openclawState: folder })).toBe(path.join(folder, 'openclaw.json'));
  });

  it('says so where nothing of the program is to be seen', () => {
    expect(connecting('cursor').notes.join(' ')).toContain('Nothing of Cursor was found');
    write('user/.cursor/mcp.json', '{}');
    expect(connecting('cursor').notes).toEqual([]);
  });

  it('is made anew on top of what the program wrote since the plan', async () => {
    const file = write('user/.claude.json', '{"numStartups": 1}');
    const plan = connecting('claude-code');
    fs.writeFileSync(file, '{"numStartups": 2}');
    await apply(plan);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toMatchObject({ numStartups: 2, mcpServers: { mneme: {} } });
  });
});

describe('folders that connecting made', () => {
  const foldersOfUser = (): string[] =>
    fs.existsSync(places.userHome) ? fs.readdirSync(places.userHome, { recursive: true }).map(String) : [];

  it.each([
    ['in the same order', (names: readonly ClientName[]) => names],
    ['in the other order', (names: readonly ClientName[]) => names.toReversed()],
  ])('are removed when the programs that share them are disconnected %s', async (_order, ordered) => {
    fs.mkdirSync(places.userHome);
    for (const name of CLIENT_NAMES) await apply(connecting(name));
    expect(foldersOfUser()).not.toEqual([]);
    for (const name of ordered(CLIENT_NAMES)) await apply(disconnecting(name));
    expect(foldersOfUser()).toEqual([]);
  });

  it('stay where a person put something beside the settings, and where they were there before', async () => {
    fs.mkdirSync(path.join(places.userHome, '.config'), { recursive: true });
    for (const name of ['vscode', 'cline'] as const) await apply(connecting(name));
    const own = write('user/.config/Code/User/keybindings.json', '[]');
    for (const name of ['vscode', 'cline'] as const) await apply(disconnecting(name));
    expect(foldersOfUser().sort()).toEqual(
      ['.config', '.config/Code', '.config/Code/User', path.relative(places.userHome, own)].sort(),
    );
  });
});

it('a home that is gone is not begun again to disconnect from it', async () => {
  const file = write('user/.cursor/mcp.json', '{ "mcpServers": {"other": {"command": "x"}} }');
  await apply(connecting('cursor'));
  fs.rmSync(path.join(folder, 'home'), { recursive: true });
  receipts = new Receipts(path.join(folder, 'home'));
  const [applied] = await apply(disconnecting('cursor'));
  expect(fs.readFileSync(file, 'utf8')).toBe('{ "mcpServers": {"other": {"command": "x"}} }');
  expect(applied?.backup).toContain('.cursor/mcp.json.mneme-backup-');
  expect(fs.existsSync(path.join(folder, 'home'))).toBe(false);
});

describe('TOML that is written in one line', () => {
  const args = JSON.stringify([...PROGRAM.args, 'mcp']);
  const INLINE = `mcp_servers = { mneme = { command = "/usr/bin/node", args = ${args} } }\n`;

  it('counts as connected when it says the right thing', () => {
    write('user/.codex/config.toml', INLINE);
    const [change] = connecting('codex').changes;
    expect(change?.after).toBe(change?.before);
  });

  it('is left to the person who wrote it, with what to write', () => {
    write('user/.codex/config.toml', 'mcp_servers = {}\n');
    const error = errorOf(() => connecting('codex'));
    expect(error).toMatchObject({ code: 'conflict', hint: expect.stringContaining(`args = ${args}`) as string });
    write('user/.codex/config.toml', INLINE);
    expect(errorOf(() => disconnecting('codex'))).toMatchObject({
      message: expect.stringContaining('line 1 sets mcp_servers') as string,
      hint: expect.stringContaining('take it out by hand') as string,
    });
  });
});

function errorOf(body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}

describe('nothing is written', () => {
  it.each([
    ['user/.claude/settings.json', '{ "hooks": ', 'claude-code', 'cannot be understood (line 1, column 12'],
    ['user/.claude/settings.json', '{ "hooks": { "Stop": {} } }', 'claude-code', '"hooks.Stop" is no list'],
    ['user/.claude.json', '[]', 'claude-code', 'is no object'],
    ['user/.cursor/mcp.json', '{ "mcpServers": [] }', 'cursor', '"mcpServers" is no object'],
    ['user/.cursor/mcp.json', '{ "mcpServers": { "mneme": { "command": "mneme-rs" } } }', 'cursor', 'not by Mneme'],
    [
      'user/.cursor/mcp.json',
      '{ "mcpServers": { "mneme": { "url": "http://x/mcp" } } }',
      'cursor',
      'leads to http://x',
    ],
    ['user/.codex/config.toml', 'model = \n', 'codex', 'a value is missing'],
    [
      'user/.codex/config.toml',
      '\nmcp_servers = { a = { command = "x" } }\n',
      'codex',
      'line 2 sets mcp_servers in a form that Mneme does not take apart (an inline table',
    ],
  ] as const)('%s: %s', (file, text, name, message) => {
    write(file, text);
    expect(() => connecting(name)).toThrow(message);
    expect(snapshot()).toEqual({ [file]: text });
  });

  it.skipIf(process.getuid?.() === 0)('where a file is read-only', () => {
    fs.chmodSync(write('user/.cursor/mcp.json', '{}'), 0o400);
    expect(() => connecting('cursor')).toThrow('cannot be written');
  });

  it('where a file is no text, a folder or a link to nowhere', () => {
    const file = write('user/.cursor/mcp.json', '{}');
    fs.writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]));
    expect(() => connecting('cursor')).toThrow('no UTF-8');
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(() => connecting('cursor')).toThrow('cannot be read');
    fs.rmdirSync(file);
    fs.symlinkSync('/nowhere/at/all', file);
    expect(() => connecting('cursor')).toThrow('leads nowhere');
  });

  it('when the second file fails, the first is put back', async () => {
    const file = write('user/.claude.json', '{}');
    const settings = write('user/.claude/settings.json', '{}');
    const plan = connecting('claude-code');
    fs.writeFileSync(settings, 'broken');
    await expect(apply(plan)).rejects.toThrow('cannot be understood');
    expect(fs.readFileSync(file, 'utf8')).toBe('{}');
  });

  it('when an entry of the same name is somebody else’s, uninstalling leaves it', () => {
    write('user/.gemini/settings.json', '{ "mcpServers": { "mneme": { "command": "uvx", "args": ["other"] } } }');
    expect(() => disconnecting('gemini')).toThrow('not by Mneme');
  });
});

describe('how Mneme is started', () => {
  const options = (given: object) => ({
    self: ['/n/node', '/p/bin/mneme'],
    home: '/u/.mneme',
    defaultHome: '/u/.mneme',
    searchPath: '',
    platform: 'linux' as const,
    isShared: false,
    ...given,
  });

  it('by absolute paths, with the home when it is not the usual one', () => {
    expect(planProgram(options({}))).toEqual({ command: '/n/node', args: ['/p/bin/mneme'] });
    expect(planProgram(options({ home: '/x' }))).toEqual({
      command: '/n/node',
      args: ['/p/bin/mneme', '--home', '/x'],
    });
  });

  it('by the link that survives an upgrade, and by name in files that others get', () => {
    const node = write('cellar/24/bin/node', '');
    const script = write('lib/mneme/bin/mneme', '');
    const bin = path.join(folder, 'bin');
    fs.mkdirSync(bin);
    fs.symlinkSync(node, path.join(bin, 'node'));
    fs.symlinkSync(script, path.join(bin, 'mneme'));
    const given = { self: [node, script], searchPath: `relative:${bin}` };
    expect(planProgram(options(given))).toEqual({ command: path.join(bin, 'node'), args: [script] });
    expect(planProgram(options({ ...given, isShared: true }))).toEqual({ command: 'mneme', args: [] });
    expect(planProgram(options({ self: [node, script], isShared: true })).command).toBe(node);
  });

  it('not from a place that npx clears away', () => {
    const self = ['/n/node', '/c/_npx/ab12/node_modules/mneme/bin/mneme'];
    expect(() => planProgram(options({ self }))).toThrow('fetched for one call only');
  });
});
