import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { CURRENT_FORMAT } from '../../src/model/config/schema.ts';
import { TestCli } from '../support/cli.ts';
import { makeTemporaryFolder } from '../support/home.ts';

/** Everything below a folder: files with their bytes, and folders. */
function contentsOf(folder: string): Record<string, string> {
  const found = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => [path.join(entry.parentPath, entry.name), entry.isFile()] as const);
  return Object.fromEntries(
    found.map(([file, isFile]) => [path.relative(folder, file), isFile ? fs.readFileSync(file, 'base64') : 'a folder']),
  );
}

it('uninstall leaves nothing of any program that was connected, and does not touch the memory', async () => {
  const userHome = makeTemporaryFolder();
  const home = path.join(makeTemporaryFolder(), 'memory');
  const cli = new TestCli(home, { logPlaces: { userHome } });
  await cli.init();
  await cli.ok('remember', 'The spare key hangs behind the boiler');
  fs.mkdirSync(path.join(userHome, '.cursor'));
  fs.writeFileSync(
    path.join(userHome, '.cursor/mcp.json'),
    '{\n  // mine\n  "mcpServers": { "time": { "command": "uvx" } }\n}\n',
  );
  const before = contentsOf(userHome);
  const memory = contentsOf(path.join(home, 'workspace'));

  const clients = await cli.json<readonly { client: string }[]>('install');
  expect(clients.length).toBeGreaterThan(10);
  for (const { client } of clients) await cli.ok('install', client, '--yes');
  expect(Object.keys(contentsOf(userHome)).length).toBeGreaterThan(clients.length);
  // The last one first: a folder that two programs share is removed with the one it was made for.
  for (const { client } of clients.toReversed()) await cli.ok('uninstall', client, '--yes');

  expect(contentsOf(userHome)).toEqual(before);
  expect(contentsOf(path.join(home, 'workspace'))).toEqual(memory);
  expect(await cli.ok('recall', 'where is the spare key?')).toContain('behind the boiler');
});

it.each(Array.from({ length: CURRENT_FORMAT }, (_, format) => format))(
  'a home of format %i is brought up to date, and nothing in it is lost',
  async (format) => {
    const cli = new TestCli();
    await cli.init();
    await cli.ok('remember', 'The spare key hangs behind the boiler');
    const file = path.join(cli.home, 'mneme.yaml');
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(/^format: \d+$/mu, format === 0 ? '' : `format: ${format}`));
    const memory = contentsOf(path.join(cli.home, 'workspace/memory'));
    await cli.ok('config', 'migrate');
    expect(fs.readFileSync(file, 'utf8')).toMatch(new RegExp(`^format: ${CURRENT_FORMAT}$`, 'mu'));
    expect(contentsOf(path.join(cli.home, 'workspace/memory'))).toEqual(memory);
    expect(await cli.ok('recall', 'where is the spare key?')).toContain('behind the boiler');
    expect(await cli.ok('check')).toContain('Everything agrees');
  },
);
