import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeEach, describe, expect, it } from 'vitest';
import { TestCli } from '../support/cli.ts';
import { failureOf } from '../support/ending.ts';
import { makeTemporaryFolder, NO_WORKER } from '../support/home.ts';
import { bin, call, search } from '../support/mcp.ts';

interface Installed {
  readonly changed: boolean;
  readonly dryRun: boolean;
  readonly files: readonly { file: string; change: string; diff: string; backup: string | null }[];
}

interface Entry {
  readonly command: string;
  readonly args: string[];
}

let userHome: string;
let home: string;

beforeEach(() => {
  userHome = makeTemporaryFolder();
  home = path.join(userHome, 'my memory');
});

function cliWith(answers?: readonly string[]): TestCli {
  return new TestCli(home, { logPlaces: { userHome }, answers });
}

function settings(relative: string): string {
  return path.join(userHome, relative);
}

function readJson(relative: string): unknown {
  return JSON.parse(fs.readFileSync(settings(relative), 'utf8'));
}

// SPEC CONTEXT-4
describe('mneme install', () => {
  it('shows what it would change, asks, and then connects something that works', async () => {
    fs.writeFileSync(settings('.claude.json'), '{\n  "oauthToken": "keep",\n  "numStartups": 7\n}\n');
    const cli = cliWith(['y', 'y']);
    await cli.init();
    const declined = await cliWith(['n']).ok('install', 'claude-code');
    expect(declined).toContain('+  "mcpServers": {');
    expect(declined).toContain('Nothing was changed.');
    expect(fs.existsSync(settings('.claude/settings.json'))).toBe(false);
    expect(await cli.ok('install', 'claude-code')).toMatch(/Connect Claude Code\?.*\n[\s\S]*Connected Claude Code/u);
    expect(await cli.ok('install', 'claude-code')).toContain('Already connected: Claude Code');

    const { mcpServers } = readJson('.claude.json') as { mcpServers: { mneme: Entry } };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ ...mcpServers.mneme, stderr: 'ignore', env: { PATH: '/usr/bin:/bin', ...NO_WORKER } }),
    );
    await call(client, 'memory_write', { text: 'The ferry leaves at nine' });
    expect((await search(client, { query: 'ferry' })).hits[0]?.text).toContain('ferry leaves');
    await client.close();

    const { hooks } = readJson('.claude/settings.json') as {
      hooks: Record<string, [{ hooks: [{ command: string }] }]>;
    };
    const command = hooks['SessionStart']?.[0].hooks[0].command ?? '';
    const input = JSON.stringify({
      hook_event_name: 'SessionStart',
      source: 'startup',
      session_id: 's',
      cwd: userHome,
    });
    // With time enough for a machine that is busy with other tests.
    await cli.ok('config', 'set', 'hooks.timeout_ms', '20000');
    const hook = spawnSync('sh', ['-c', command], {
      input,
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', ...NO_WORKER },
    });
    expect(hook.status).toBe(0);
    expect(hook.stderr).toBe('');

    const doctor = await cli.json<{ name: string; isOk: boolean; message: string }[]>('doctor');
    expect(doctor.find(({ name }) => name === 'claude-code')).toMatchObject({
      isOk: true,
      message: 'connected, starts and answers',
    });
    expect(doctor.find(({ name }) => name === 'codex')?.message).toBe('not installed here');
  });

  it('leaves no trace when taken back, and the memory stays', async () => {
    const original = '// mine\n{\n  agents: { main: {} }, // one\n}\n';
    fs.mkdirSync(settings('.openclaw'));
    fs.writeFileSync(settings('.openclaw/openclaw.json'), original);
    const cli = cliWith();
    await cli.ok('install', 'openclaw', '--yes');
    expect(fs.readFileSync(settings('.openclaw/openclaw.json'), 'utf8')).toContain('"mcp"');
    const taken = await cli.json<Installed>('uninstall', 'openclaw', '--yes');
    expect(taken.changed).toBe(true);
    expect(fs.readFileSync(settings('.openclaw/openclaw.json'), 'utf8')).toBe(original);
    expect(await cli.ok('uninstall', 'openclaw', '--yes')).toContain('is not connected');
    expect(fs.existsSync(path.join(home, 'mneme.yaml'))).toBe(true);
  });

  it('prints one JSON value, and a dry run writes nothing at all', async () => {
    const cli = cliWith();
    const dry = await cli.json<Installed>('install', 'codex', '--dry-run');
    expect(dry).toMatchObject({
      changed: false,
      dryRun: true,
      files: [{ change: 'create', backup: null }, { change: 'create' }],
    });
    expect(dry.files[0]?.diff).toContain('+[mcp_servers.mneme]');
    expect(fs.readdirSync(userHome)).toEqual([]);
    const done = await cli.json<Installed>('install', 'codex', '--yes');
    expect(done).toMatchObject({ changed: true, dryRun: false });
    const again = await cli.json<Installed>('install', 'codex', '--yes');
    expect(again).toMatchObject({ changed: false, files: [{ change: 'none', diff: '' }, { change: 'none' }] });
    expect(fs.readFileSync(settings('.codex/config.toml'), 'utf8')).toContain(
      `"--home", ${JSON.stringify(home)}, "mcp"]`,
    );
  });

  it('asks nobody where nobody is, and refuses what it does not know', async () => {
    const cli = cliWith();
    await cli.init();
    const unasked = await cli.run(['install', 'gemini', '--json']);
    expect(unasked.code).toBe(2);
    expect(JSON.parse(unasked.out)).toMatchObject({ error: { hint: expect.stringContaining('--yes') } });
    expect(fs.existsSync(settings('.gemini'))).toBe(false);
    expect((await cli.run(['install', 'emacs'])).err).toMatch(/There are: claude-code[\s\S]*"mcpServers"[\s\S]*"mcp"/u);
    expect((await cli.run(['install', 'openclaw', '--scope', 'project'])).err).toContain(
      'no settings for a single project',
    );
    expect((await cli.run(['install', 'cursor', '--scope', 'galaxy'])).code).toBe(2);
    expect((await cli.run(['--as', 'reader:x', 'install', 'cursor', '--yes'])).code).toBe(5);
    expect(fs.existsSync(settings('.cursor'))).toBe(false);
  });

  it('says where a settings file is broken, and does not touch it', async () => {
    const cli = cliWith();
    fs.mkdirSync(settings('.gemini'));
    fs.writeFileSync(settings('.gemini/settings.json'), '{\n  "theme": "dark"\n  "x": 1\n}');
    const { code, err } = await cli.run(['install', 'gemini', '--yes']);
    expect(code).toBe(1);
    expect(err).toMatch(/settings\.json cannot be understood \(line 3, column 3.*nothing was changed/u);
    const listed = await cli.json<{ client: string; state: string }[]>('install');
    expect(listed.find(({ client }) => client === 'gemini')?.state).toBe('unreadable');
  });

  it('does not show keys that stand beside the entry', async () => {
    const cli = cliWith();
    const token = `ghp_${'a1B2c3D4'.repeat(4)}abcd`;
    fs.mkdirSync(settings('.cursor'));
    fs.writeFileSync(
      settings('.cursor/mcp.json'),
      `{\n  "mcpServers": {\n    "gh": { "env": { "T": "${token}" } }\n  }\n}\n`,
    );
    const { out, err } = await cli.run(['install', 'cursor', '--dry-run']);
    expect(out).toContain('+    "mneme": {');
    expect(out + err).not.toContain(token);
    await cli.ok('install', 'cursor', '--yes');
    expect(fs.readFileSync(settings('.cursor/mcp.json'), 'utf8')).toContain(token);
  });

  it('does not show what other servers are given, however plain it looks', async () => {
    const other = {
      args: ['--token', 'Zx8Kq2'],
      url: 'https://example.org/mcp?key=AbCdEf123456',
      env: { PASSWORD: 'correct horse', API_KEY: 'sk-live-SECRET1', PLACE: 'hidden-too' },
    };
    fs.mkdirSync(settings('.cursor'));
    fs.mkdirSync(settings('.codex'));
    fs.writeFileSync(settings('.cursor/mcp.json'), `{\n"mcpServers": {\n"o": ${JSON.stringify(other)}\n}\n}\n`);
    fs.writeFileSync(settings('.claude.json'), `{\n"mcpServers": {\n"o": ${JSON.stringify(other)}\n}\n}\n`);
    fs.writeFileSync(settings('.codex/config.toml'), '[mcp_servers.o.env]\nAPI_TOKEN = "tok_simple_abc"\n');
    for (const client of ['cursor', 'claude-code', 'codex']) {
      for (const how of [[], ['--json']]) {
        const { out, err } = await cliWith().run(['install', client, '--dry-run', ...how]);
        expect(out).toContain('redacted:setting');
        expect(out).toContain('mneme');
        expect(out + err).not.toMatch(/Zx8Kq2|AbCdEf|correct horse|SECRET1|hidden-too|tok_simple/u);
      }
    }
  });
});

describe('in a project, through the real program', () => {
  it('writes to the folder, by name when others will get the file', async () => {
    const project = makeTemporaryFolder();
    const onPath = makeTemporaryFolder();
    fs.symlinkSync(bin, path.join(onPath, 'mneme'));
    const run = (args: readonly string[], PATH: string): string =>
      execFileSync(process.execPath, [bin, ...args], {
        cwd: project,
        encoding: 'utf8',
        env: { HOME: userHome, USERPROFILE: userHome, PATH, ...NO_WORKER },
      });
    const systemPath = `${path.dirname(process.execPath)}:/usr/bin:/bin`;
    run(['install', 'vscode', '--scope', 'project', '--yes'], `${onPath}:${systemPath}`);
    const vscode = JSON.parse(fs.readFileSync(path.join(project, '.vscode/mcp.json'), 'utf8')) as unknown;
    expect(vscode).toEqual({ servers: { mneme: { type: 'stdio', command: 'mneme', args: ['mcp'] } } });
    run(['install', 'claude-code', '--scope', 'project', '--yes'], systemPath);
    expect(fs.readdirSync(path.join(project, '.claude'))).toEqual(['settings.local.json']);
    expect(fs.readFileSync(path.join(project, '.mcp.json'), 'utf8')).toContain(JSON.stringify(bin));
    for (const name of ['vscode', 'claude-code']) run(['uninstall', name, '--scope', 'project', '--yes'], systemPath);
    expect(fs.readdirSync(project)).toEqual([]);
  });

  it('several at once do not get into one another’s way', async () => {
    fs.mkdirSync(settings('.cursor'));
    fs.writeFileSync(settings('.cursor/mcp.json'), '{ "mcpServers": { "other": { "command": "x" } } }\n');
    await cliWith().init();
    const run = (): Promise<string | undefined> =>
      failureOf(
        spawn(process.execPath, [bin, '--home', home, 'install', 'cursor', '--yes'], {
          env: { HOME: userHome, USERPROFILE: userHome, PATH: process.env['PATH'] },
          stdio: ['ignore', 'ignore', 'pipe'],
        }),
      );
    const failures = await Promise.all([run(), run(), run()]);
    expect(failures.filter((failure) => failure?.startsWith('exit 4') === false)).toEqual([]);
    const text = fs.readFileSync(settings('.cursor/mcp.json'), 'utf8');
    expect(text.match(/"mneme":/gu)).toHaveLength(1);
    expect(JSON.parse(text)).toMatchObject({ mcpServers: { other: { command: 'x' } } });
  });
});
