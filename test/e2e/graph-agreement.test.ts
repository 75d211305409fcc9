import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { StateDatabase } from '../../src/platform/sqlite.ts';
import { TestCli } from '../support/cli.ts';
import { readWorkspaceFile, writeWorkspaceFile } from '../support/home.ts';

const FOLDER = 'memory/graph/entities';

interface Finding {
  readonly area: string;
  readonly message: string;
  readonly hint: string;
  readonly isRepairable: boolean;
}

async function graphFindings(cli: TestCli, ...options: string[]): Promise<readonly Finding[]> {
  const { out } = await cli.run(['check', '--json', ...options]);
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
  return findings.filter(({ area }) => area === 'graph');
}

// SPEC GRAPH-4, GRAPH-5
describe('what waits for somebody who is renamed', () => {
  const cli = new TestCli();

  beforeAll(async () => {
    await cli.init();
    await cli.ok('graph', 'add', 'Vera Kowalski', '--type', 'person', '--alias', 'Vera');
    await cli.ok('graph', 'add', 'Atlas', '--type', 'project');
  });

  test('a proposal follows to the new name and is applied there', async () => {
    const residence = ['--attribute', 'residence', '--value'];
    await cli.ok('graph', 'fact', 'Vera', 'Lives in Graz.', ...residence, 'Graz');
    const { id: moving } = await cli.json(
      'graph',
      'fact',
      'Vera',
      'Lives in Rome.',
      ...residence,
      'Rome',
      '--as',
      'bot:x',
    );
    const { proposal: naming } = await cli.json('graph', 'rename', 'Atlas', 'Atlas Tiles', '--as', 'bot:x');
    const renamed = await cli.json('graph', 'rename', 'Vera', 'Vera Lind');
    expect(renamed['proposalsFollowed']).toEqual([moving]);
    await cli.ok('approve', String(moving));
    expect(readWorkspaceFile(cli.home, `${FOLDER}/person--vera-lind.md`)).toMatch(/Lives in Rome/u);
    expect(await cli.ok('proposals', 'show', String(naming))).toContain('Atlas Tiles');
    expect(await graphFindings(cli)).toEqual([]);
  });

  test('so does one that would merge two, and one that no longer fits is said to stay behind', async () => {
    await cli.ok('graph', 'add', 'Ada', '--type', 'person');
    await cli.ok('graph', 'add', 'Adele', '--type', 'person');
    const { proposal: merging } = await cli.json('graph', 'merge', 'Ada', 'Adele');
    expect((await cli.json('graph', 'rename', 'Adele', 'Adele Berg'))['proposalsFollowed']).toEqual([merging]);
    await cli.ok('approve', String(merging));
    expect(readWorkspaceFile(cli.home, `${FOLDER}/person--ada.md`)).toContain('person--adele-berg');
    const { proposal: naming } = await cli.json('graph', 'rename', 'Atlas', 'Atlas Maps', '--as', 'bot:y');
    const { warnings } = await cli.json<{ warnings: string[] }>('graph', 'rename', 'Atlas', 'Atlas Charts');
    expect(warnings.join('\n')).toContain(`Proposal ${String(naming)} still speaks of project--atlas`);
  });
});

describe('check of the graph', () => {
  const cli = new TestCli();

  beforeAll(async () => {
    await cli.init();
    await cli.ok('graph', 'add', 'Acme', '--type', 'organization');
    await cli.ok('graph', 'fact', 'Acme', 'Makes anvils.');
  });

  const entity = (id: string, lines: string, head = ''): void =>
    writeWorkspaceFile(
      cli.home,
      `${FOLDER}/${id}.md`,
      `---\nid: ${id}\ntype: concept\n${head}---\n\n# ${id}\n\n${lines}\n`,
    );

  test('agrees with a home that is as it should be', async () => {
    expect(await graphFindings(cli)).toEqual([]);
  });

  test('finds what leads nowhere, goes in a circle or is there twice, each with what to do', async () => {
    entity(
      'concept--a',
      '## Facts\n\n- One. ^0000000000001\n\n## Relations\n\n- part-of [[concept--b]] ^0000000000002',
    );
    entity('concept--b', '## Relations\n\n- part-of [[concept--a]] ^0000000000003\n- relates-to [[concept--nobody]]');
    entity(
      'concept--c',
      '## Facts\n\n- Two. ^0000000000001\n- ~~Old.~~ <!-- superseded_by:0000000000zzz --> ^0000000000004',
    );
    entity('concept--d', '## Facts\n\n- Sees [[concept--gone|him]].', 'merged_into: concept--lost\n');
    writeWorkspaceFile(cli.home, `${FOLDER}/concept--e.md`, '---\nid: concept--c\ntype: concept\n---\n\n# E\n');
    writeWorkspaceFile(
      cli.home,
      'memory/procedures/hello.md',
      '# Hello\n\nAsk [[person--missing]], or [[Some note]].\n',
    );
    entity('concept--f', '## Relations\n\n- part-of [[concept--f]]', 'merged_into: concept--f\n');
    entity('concept--g', `## Facts\n\n- ${'x'.repeat(4_200_000)}`);
    const findings = await graphFindings(cli);
    const said = findings.map(({ message }) => message).join('\n');
    expect(said).toMatch(/part-of goes in a circle: /u);
    expect(said).toMatch(/concept--b\.md:\d+: .*\[\[concept--nobody\]\], which has no file/u);
    expect(said).toMatch(/concept--c\.md:\d+: \^0000000000001 stands at .*concept--a\.md:\d+ too/u);
    expect(said).toMatch(/\^0000000000zzz replaced it, which is nowhere/u);
    expect(said).toMatch(/concept--d was merged into concept--lost, which has no file/u);
    expect(said).toMatch(/concept--d\.md:\d+: \[\[concept--gone\]\] leads to no entity/u);
    expect(said).toMatch(/both have the id concept--c/u);
    expect(said).toMatch(/hello\.md:3: \[\[person--missing\]\] leads to no entity/u);
    expect(said).toMatch(/concept--f part-of itself/u);
    expect(said).toMatch(/concept--f was merged into concept--f, which is itself/u);
    expect(said).toMatch(/concept--g: it has 4 MB, more than the 4 that are read/u);
    expect(said).not.toContain('Some note');
    expect(findings.every(({ hint, isRepairable }) => hint.length > 10 && !isRepairable)).toBe(true);
  });

  test('finds a table that was written to by somebody else, and makes it from the files', async () => {
    const table = new StateDatabase(path.join(cli.home, 'state/entities.db'), '');
    // As if it had been taken in a while ago: what is younger is looked at again anyway.
    const { size, mtimeMs, ctimeMs, ino } = fs.lstatSync(
      path.join(cli.home, 'workspace', FOLDER, 'organization--acme.md'),
    );
    table
      .prepare("UPDATE entities SET size = ?, mtime = ?, ctime = ?, inode = ? WHERE id = 'organization--acme'")
      .run(size, mtimeMs, ctimeMs, ino);
    table.prepare("UPDATE facts SET text = 'Makes cannons.' WHERE text LIKE 'Makes%'").run();
    table.close();
    const wrong = (findings: readonly Finding[]): readonly string[] =>
      findings.filter(({ isRepairable }) => isRepairable).map(({ message }) => message);
    expect(wrong(await graphFindings(cli))).toEqual([expect.stringContaining('organization--acme.md')]);
    expect(wrong(await graphFindings(cli, '--repair'))).toEqual([]);
    expect(await cli.ok('graph', 'show', 'Acme')).toContain('Makes anvils.');
  });
});
