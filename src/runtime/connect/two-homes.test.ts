import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { systemRandom } from '../../platform/random.ts';
import { applyConnectPlan } from './apply.ts';
import type { ClientName, ClientPlaces } from './client.ts';
import { findClient } from './clients.ts';
import { planConnect, planDisconnect, type ConnectPlan } from './plan.ts';
import { Receipts } from './receipts.ts';

let folder: string;
let places: ClientPlaces;

beforeEach(() => {
  folder = makeTemporaryFolder();
  places = { userHome: path.join(folder, 'user'), project: path.join(folder, 'project'), platform: 'linux' };
});

function write(relative: string, text: string): void {
  const file = path.join(folder, relative);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** Every settings file of the person, with its text. */
function snapshot(): Record<string, string> {
  const root = path.join(folder, 'user');
  if (!fs.existsSync(root)) return {};
  const files = fs.readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((file) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')]));
}

describe('two homes', () => {
  const ORIGINAL = '{\n  // mine\n  "theme": "dark"\n}\n';

  /** Works on one home, as `mneme --home` does. */
  function at(name: 'a' | 'b') {
    const home = path.join(folder, name, 'home');
    write(`${name}/home/mneme.yaml`, '');
    const own = new Receipts(home);
    const input = (client: ClientName) => ({
      client: clientNamed(client),
      scope: 'user' as const,
      places,
      home,
      receipts: own,
    });
    const program = { command: '/usr/bin/node', args: ['/opt/mneme/bin/mneme', '--home', home] };
    const done = async (plan: ConnectPlan): Promise<ConnectPlan> => {
      await applyConnectPlan(plan, { receipts: own, places, clock: { now: () => 0 }, random: systemRandom });
      return plan;
    };
    return {
      home,
      install: (client: ClientName) => done(planConnect(input(client), program)),
      uninstall: (client: ClientName) => done(planDisconnect(input(client))),
    };
  }

  it.each([
    ['cursor', 'user/.cursor/mcp.json', ORIGINAL],
    ['claude-code', 'user/.claude/settings.json', ORIGINAL],
    ['codex', 'user/.codex/config.toml', 'model = "gpt"\n'],
    ['gemini', 'user/.gemini/settings.json', undefined],
  ] as const)(
    '%s: the second takes over, says so, and leaves what was there before the first',
    async (name, file, text) => {
      if (text !== undefined) write(file, text);
      const before = snapshot();
      const [a, b] = [at('a'), at('b')];
      await a.install(name);
      const { notes } = await b.install(name);
      expect(notes.join(' ')).toContain(`uses the memory in ${a.home} now`);
      expect(Object.values(snapshot()).join('')).not.toContain(a.home);
      await expect(async () => a.uninstall(name)).rejects.toThrow(`connected to another home: ${b.home}`);
      expect(Object.values(snapshot()).join('')).toContain(b.home);
      await b.uninstall(name);
      expect(snapshot()).toEqual(before);
    },
  );

  it('and the first again', async () => {
    write('user/.cursor/mcp.json', ORIGINAL);
    const before = snapshot();
    await at('a').install('cursor');
    await at('b').install('cursor');
    await at('a').install('cursor');
    await at('a').uninstall('cursor');
    expect(snapshot()).toEqual(before);
  });

  it('the first of which is gone: what it put in goes, what a person wrote stays', async () => {
    write('user/.cursor/mcp.json', ORIGINAL);
    await at('a').install('cursor');
    fs.rmSync(path.join(folder, 'a'), { recursive: true });
    await at('b').install('cursor');
    await at('b').uninstall('cursor');
    const left = snapshot()['user/.cursor/mcp.json'] ?? '';
    expect(left).toContain('// mine\n  "theme": "dark"');
    expect(left).not.toContain('opt/mneme');
  });
});

function clientNamed(name: ClientName): NonNullable<ReturnType<typeof findClient>> {
  const client = findClient(name);
  if (client === undefined) throw new Error(name);
  return client;
}
