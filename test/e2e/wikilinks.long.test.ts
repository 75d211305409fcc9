import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { TestCli } from '../support/cli.ts';
import type { ResolvedLink } from '../support/wikilink-resolver.ts';

const RESOLVER = path.join(import.meta.dirname, '../support/wikilink-resolver.ts');

/** A home with everything that writes links: extraction, relations, renames, a merge, core memory, the index. */
async function makeSampleHome(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.ok('init', '--full', '--yes');
  const said = [
    'My sister Vera lives in Graz.',
    'I work at Tidewater Maps as a senior engineer.',
    'We decided to use Redis for the tile cache of harbor, because Kemal Aydin knows it.',
    'Remember that Kemal Aydin is the CTO of Tidewater Maps.',
  ];
  for (const text of said) await cli.ok('remember', text);
  await cli.ok('graph', 'add', 'Ines Kaldor', '--type', 'person', '--tag', 'user');
  await cli.ok('graph', 'add', 'Harbor', '--type', 'project');
  await cli.ok('graph', 'add', 'Tidewater', '--type', 'organization');
  await cli.ok('graph', 'add', 'Çelik & Söhne', '--type', 'organization');
  await cli.ok('graph', 'link', 'Ines', 'develops', 'Harbor');
  await cli.ok('graph', 'link', 'Harbor', 'part-of', 'organization--tidewater');
  await cli.ok('graph', 'link', 'Ines', 'works-for', 'Çelik & Söhne');
  await cli.ok('graph', 'fact', 'Ines', 'Leads [[project--harbor|the tile server]].');
  await cli.ok(
    'append',
    'memory/reference/plan.md',
    'See [[project--harbor#Relations]] and [[person--ines-kaldor|Ines]].',
  );
  await cli.ok('graph', 'rename', 'Harbor', 'Harbour Tiles');
  await cli.ok('graph', 'rename', 'Çelik & Söhne', 'Çelik Söhne AG');
  const { proposal } = await cli.json<{ proposal: string }>(
    'graph',
    'merge',
    'organization--tidewater',
    'Çelik Söhne AG',
  );
  await cli.ok('approve', proposal);
  await cli.ok('graph', 'index');
  return cli;
}

describe('under @portaljs/remark-wiki-link', () => {
  test('every wikilink of a home leads to a file', async () => {
    const { home } = await makeSampleHome();
    const printed = execFileSync(process.execPath, [RESOLVER, path.join(home, 'workspace')], { encoding: 'utf8' });
    const links = JSON.parse(printed) as ResolvedLink[];
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter(({ exists }) => !exists)).toEqual([]);
  });
});
