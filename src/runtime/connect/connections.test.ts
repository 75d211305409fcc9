import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { diagnoseClients } from './diagnose.ts';
import type { ClientPlaces } from './places.ts';
import { probeHook, probeServer } from './probe.ts';

let folder: string;
let places: ClientPlaces;

beforeEach(() => {
  folder = makeTemporaryFolder();
  places = { userHome: path.join(folder, 'user'), project: path.join(folder, 'project'), platform: 'linux' };
});

function write(relative: string, text: string): string {
  const file = path.join(folder, relative);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

async function messageFor(name: string): Promise<{ isOk: boolean; message: string }> {
  const diagnoses = await diagnoseClients(places);
  return diagnoses.find((one) => one.name === name) ?? { isOk: false, message: 'not mentioned' };
}

/** A program called mneme that notes every start, and says hello as an MCP server does. */
function fakeMneme(
  greeting = '{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"mneme","version":"1.2.3"}}}',
): string {
  const script = `require('fs').appendFileSync(${JSON.stringify(path.join(folder, 'starts'))}, 'x');
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

  it('takes Claude Code without hooks for connected in part', async () => {
    write('user/.claude.json', cursorEntry(fakeMneme()));
    expect((await messageFor('claude-code')).message).toContain('connected in part (mneme install claude-code');
  });
});

describe('a probe', () => {
  it('gives up in time and leaves nothing running', async () => {
    const script = write(
      'mneme',
      `require('fs').writeFileSync('${folder}/pid', String(process.pid)); setInterval(() => {}, 1000);`,
    );
    expect(await probeServer(process.execPath, [script], 1500)).toMatchObject({
      isOk: false,
      problem: expect.stringContaining('no answer within 1.5 s'),
    });
    const pid = Number(fs.readFileSync(path.join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it('starts hooks through a shell', async () => {
    const script = fakeMneme();
    expect(await probeHook(`'${process.execPath}' '${script}'`, 'linux')).toEqual({ isOk: true, version: '1.2.3' });
    expect(await probeHook('/no/such/mneme', 'linux')).toMatchObject({ isOk: false });
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
