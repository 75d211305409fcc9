import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { diagnoseClients } from './diagnose.ts';
import { hookAgent } from './hook-agents.ts';
import { connectHooks } from './hook-entries.ts';
import type { ClientPlaces } from './client.ts';
import { probeHook, probeServer } from './probe.ts';

let folder: string;
let places: ClientPlaces;

beforeEach(() => {
  folder = makeTemporaryFolder();
  places = { userHome: path.join(folder, 'user'), project: path.join(folder, 'project'), platform: 'linux' };
  write('user/.mneme/mneme.yaml', '');
});

function write(relative: string, text: string): string {
  const file = path.join(folder, relative);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

async function messageFor(name: string): Promise<{ isOk: boolean; message: string }> {
  const diagnoses = await diagnoseClients(places, path.join(folder, 'user', '.mneme'));
  return diagnoses.find((one) => one.name === name) ?? { isOk: false, message: 'not mentioned' };
}

/** A program called mneme that notes every start, and says hello as an MCP server does. */
function fakeMneme(
  greeting = '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"mneme","version":"1.2.3"}}}',
): string {
  const script = `if (process.env.MNEME_HOME === '/wrong') process.exit(3);
require('fs').appendFileSync(${JSON.stringify(path.join(folder, 'starts'))}, 'x');
if (process.argv.includes('--version')) console.log('1.2.3');
else process.stdin.once('data', () => console.log(${JSON.stringify(greeting)}));
process.stdin.resume();`;
  return write('bin/mneme', script);
}

function cursorEntry(script: string): string {
  return JSON.stringify({ mcpServers: { mneme: { command: process.execPath, args: [script, 'mcp'] } } });
}

describe('doctor', () => {
  it('tells what is here from what is not, and what is connected', async () => {
    expect(await messageFor('cursor')).toMatchObject({ isOk: true, message: 'not installed here' });
    write('user/.cursor/mcp.json', '{}');
    expect((await messageFor('cursor')).message).toBe('installed, not connected (mneme install cursor)');
    write('user/.cursor/mcp.json', cursorEntry(fakeMneme()));
    expect(await messageFor('cursor')).toMatchObject({ isOk: true, message: 'connected, starts and answers' });
    write('user/.cursor/mcp.json', '{');
    expect(await messageFor('cursor')).toMatchObject({ isOk: false, message: expect.stringContaining('line 1') });
  });

  it('says when what is connected does not work', async () => {
    write('user/.cursor/mcp.json', cursorEntry(path.join(folder, 'gone/mneme')));
    const gone = await messageFor('cursor');
    expect(gone.isOk).toBe(false);
    expect(gone.message).toMatch(/connected, but it ended with 1.*`mneme install cursor` repairs/u);
    write('user/.cursor/mcp.json', cursorEntry(fakeMneme('no protocol')));
    expect((await messageFor('cursor')).message).toContain('answered with something else');
  });

  it('starts the same command once, however many programs name it, and none that a project names', async () => {
    const script = fakeMneme();
    for (const name of ['.cursor/mcp.json', '.gemini/settings.json']) write(`user/${name}`, cursorEntry(script));
    write(
      'project/.cursor/mcp.json',
      cursorEntry(write('evil/mneme', `require('fs').writeFileSync('${folder}/ran', '')`)),
    );
    expect((await messageFor('cursor')).message).toContain('connected in this project');
    expect(fs.readFileSync(path.join(folder, 'starts'), 'utf8')).toBe('x');
    expect(fs.existsSync(path.join(folder, 'ran'))).toBe(false);
  });

  it('finds an entry of the same name that starts something else', async () => {
    write('user/.cursor/mcp.json', '{ "mcpServers": { "mneme": { "command": "/gone/tool", "args": ["serve"] } } }');
    const { isOk, message } = await messageFor('cursor');
    expect([isOk, message]).toEqual([
      false,
      expect.stringMatching(/not connected: mcpServers\.mneme in .*starts \/gone\/tool.*`mneme install cursor`/u),
    ]);
  });

  it('finds a program or a home that is gone', async () => {
    write('user/.cursor/mcp.json', '{ "mcpServers": { "mneme": { "command": "/gone/mneme", "args": ["mcp"] } } }');
    expect(await messageFor('cursor')).toMatchObject({ isOk: false, message: expect.stringContaining('ENOENT') });
    const args = JSON.stringify([fakeMneme(), '--home', '/gone/home', 'mcp']);
    write(
      'user/.cursor/mcp.json',
      `{ "mcpServers": { "mneme": { "command": "${process.execPath}", "args": ${args} } } }`,
    );
    const { isOk, message } = await messageFor('cursor');
    expect(isOk).toBe(false);
    expect(message).toContain('no memory home in /gone/home');
  });

  it('says which home is used when it is not the one asked about', async () => {
    write('elsewhere/mneme.yaml', '');
    const env = { MNEME_HOME: path.join(folder, 'elsewhere') };
    const entry = { command: process.execPath, args: [fakeMneme(), 'mcp'], env };
    write('user/.cursor/mcp.json', JSON.stringify({ mcpServers: { mneme: entry } }));
    const { isOk, message } = await messageFor('cursor');
    expect(isOk).toBe(true);
    expect(message).toContain(`connected to another home, ${env.MNEME_HOME} (mneme install cursor connects this one)`);
  });

  it('starts a server with the variables that its entry sets', async () => {
    const entry = { command: process.execPath, args: [fakeMneme(), '--home', path.join(folder, 'user/.mneme'), 'mcp'] };
    const settings = (env: object): string => JSON.stringify({ mcpServers: { mneme: { ...entry, env } } });
    write('user/.cursor/mcp.json', settings({ MNEME_HOME: '/wrong' }));
    expect(await messageFor('cursor')).toMatchObject({ isOk: false, message: expect.stringContaining('ended with 3') });
    write('user/.cursor/mcp.json', settings({}));
    expect(await messageFor('cursor')).toMatchObject({ isOk: true });
  });

  it.each([
    ['cursor', '.cursor/mcp.json', { mcpServers: { mneme: { disabled: true } } }, 'switched off in'],
    ['gemini', '.gemini/settings.json', { mcpServers: { mneme: {} }, mcp: { excluded: ['mneme'] } }, '"mcp.excluded"'],
    ['gemini', '.gemini/settings.json', { mcpServers: { mneme: {} }, allowMCPServers: ['x'] }, 'does not name mneme'],
  ] as const)('finds that %s was told not to use it', async (name, file, settings, fault) => {
    const mneme = { command: process.execPath, args: [fakeMneme(), 'mcp'], ...settings.mcpServers.mneme };
    write(`user/${file}`, JSON.stringify({ ...settings, mcpServers: { mneme } }));
    expect(await messageFor(name)).toMatchObject({ isOk: false, message: expect.stringContaining(fault) });
  });

  it('finds that Codex was told not to use it', async () => {
    const table = `[mcp_servers.mneme]\ncommand = "${process.execPath}"\nargs = ["${fakeMneme()}", "mcp"]\n`;
    write('user/.codex/config.toml', table);
    const hooks = connectHooks('', { command: process.execPath, args: [fakeMneme()] }, 'linux', hookAgent('codex'));
    write('user/.codex/hooks.json', hooks.text);
    expect(await messageFor('codex')).toMatchObject({ isOk: true });
    write('user/.codex/config.toml', `${table}enabled = false\n`);
    expect(await messageFor('codex')).toMatchObject({ isOk: false, message: expect.stringContaining('switched off') });
  });
});

describe('doctor, of Claude Code', () => {
  const EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'];

  function hooksFor(events: readonly string[], home = ''): Record<string, unknown> {
    const start = `'${process.execPath}' '${fakeMneme()}'${home}`;
    const hook = (event: string) => [{ hooks: [{ type: 'command', command: `${start} hook claude-code ${event}` }] }];
    return { hooks: Object.fromEntries(events.map((event) => [event, hook(event)])) };
  }

  beforeEach(() => {
    write('user/.claude.json', cursorEntry(fakeMneme()));
  });

  it('is content when server and hooks are there', async () => {
    write('user/.claude/settings.json', JSON.stringify(hooksFor(EVENTS)));
    expect(await messageFor('claude-code')).toEqual({
      name: 'claude-code',
      isOk: true,
      message: 'connected, starts and answers',
    });
  });

  it('finds that hooks are missing, all or some, or the server', async () => {
    expect(await messageFor('claude-code')).toMatchObject({
      isOk: false,
      message: expect.stringMatching(/connected in part, but its hooks are missing.*`mneme install claude-code` adds/u),
    });
    write('user/.claude/settings.json', JSON.stringify(hooksFor(EVENTS.slice(0, 3))));
    expect((await messageFor('claude-code')).message).toContain('its hooks for PreCompact, SessionEnd are missing');
    write('user/.claude/settings.json', JSON.stringify(hooksFor(EVENTS)));
    write('user/.claude.json', '{}');
    expect((await messageFor('claude-code')).message).toContain('its MCP server is missing');
  });

  it.each(['user/.claude/settings.json', 'project/.claude/settings.json', 'project/.claude/settings.local.json'])(
    'finds that %s switches all hooks off',
    async (file) => {
      write('user/.claude/settings.json', JSON.stringify(hooksFor(EVENTS)));
      const present = file.startsWith('user') ? hooksFor(EVENTS) : {};
      write(file, JSON.stringify({ ...present, disableAllHooks: true }));
      const { isOk, message } = await messageFor('claude-code');
      expect(isOk).toBe(false);
      expect(message).toContain(`"disableAllHooks" in ${path.join(folder, file)}`);
    },
  );

  it('finds that its server is switched off in this folder', async () => {
    write('user/.claude/settings.json', JSON.stringify(hooksFor(EVENTS)));
    const entry = JSON.parse(cursorEntry(fakeMneme())) as object;
    const projects = { [places.project]: { disabledMcpServers: ['mneme'] } };
    write('user/.claude.json', JSON.stringify({ ...entry, projects }));
    expect(await messageFor('claude-code')).toMatchObject({
      isOk: false,
      message: expect.stringContaining('switched off in this folder'),
    });
  });

  it('finds that server and hooks use different homes', async () => {
    write('it’s/mneme.yaml', '');
    const quoted = ` --home '${path.join(folder, 'it’s')}'`;
    write('user/.claude/settings.json', JSON.stringify(hooksFor(EVENTS, quoted)));
    const { isOk, message } = await messageFor('claude-code');
    expect(isOk).toBe(false);
    expect(message).toContain(`several homes, ${path.join(folder, 'user/.mneme')} and ${path.join(folder, 'it’s')}`);
  });

  it('goes on when a project’s settings cannot be understood', async () => {
    write('user/.claude/settings.json', JSON.stringify(hooksFor(EVENTS)));
    write('project/.claude/settings.json', '{');
    expect(await messageFor('claude-code')).toMatchObject({ isOk: false, message: expect.stringContaining('line 1') });
  });
});

describe('a probe', () => {
  it('gives up in time and leaves nothing running', async () => {
    const script = write(
      'mneme',
      `require('fs').writeFileSync('${folder}/pid', String(process.pid)); setInterval(() => {}, 1000);`,
    );
    expect(await probeServer(process.execPath, [script], {}, 1500)).toMatchObject({
      isOk: false,
      problem: expect.stringContaining('no answer within 1.5 s'),
    });
    const pid = Number(fs.readFileSync(path.join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('says why a program ended, not how', async () => {
    const gone = path.join(folder, 'gone.js');
    const missing = await probeServer(process.execPath, [gone]);
    expect(missing).toMatchObject({
      isOk: false,
      problem: expect.stringMatching(/^it ended with 1: Error: Cannot find module/u),
    });
    const script = write('bad.js', "console.error('no home in /x\\nsee mneme init'); process.exit(3);");
    expect(await probeServer(process.execPath, [script])).toEqual({
      isOk: false,
      problem: 'it ended with 3: no home in /x',
    });
  });

  it('starts a hook’s program with its arguments, without a shell', async () => {
    const script = fakeMneme();
    expect(await probeHook(`'${process.execPath}' "${script}"`)).toEqual({ isOk: true, version: '1.2.3' });
    expect(await probeHook('/no/such/mneme')).toMatchObject({ isOk: false });
    expect(await probeHook(`cd / && '${process.execPath}' '${script}'`)).toMatchObject({
      isOk: false,
      problem: expect.stringContaining('does more than start Mneme'),
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
