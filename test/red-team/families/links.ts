import fs from 'node:fs';
import path from 'node:path';
import { zipSync, type Zippable } from 'fflate';
import { append } from '../../../src/operations/append.ts';
import { edit } from '../../../src/operations/edit.ts';
import { changeFiles } from '../../../src/operations/files/change-files.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { read } from '../../../src/operations/read.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { attack, control, type Family } from '../table.ts';
import { contextAs, everyByte, mustBeRefused, OUTSIDE, type World } from '../world.ts';

let count = 0;

/** A link in the workspace, under a name no other case has; relative to the workspace. */
function link({ workspace }: World, target: string): string {
  count += 1;
  const relative = `memory/reference/link-${count}`;
  fs.mkdirSync(path.join(workspace, 'memory/reference'), { recursive: true });
  fs.symlinkSync(target, path.join(workspace, relative));
  return relative;
}

const person = (world: World) => contextAs(world, 'manual');

type Try = readonly [what: string, go: (world: World) => Promise<string | undefined>];

const ATTACKS: readonly Try[] = [
  [
    'reading a file link that leads out',
    (world) => {
      const target = link(world, path.join(world.outside, 'outside.md'));
      return mustBeRefused(() => runOperation(read, person(world), { target }));
    },
  ],
  [
    'reading through a folder link that leads out',
    (world) => {
      const target = `${link(world, world.outside)}/outside.md`;
      return mustBeRefused(() => runOperation(read, person(world), { target }));
    },
  ],
  [
    'writing a file link that leads out',
    (world) => {
      const file = link(world, path.join(world.outside, 'outside.md'));
      return mustBeRefused(() => runOperation(edit, person(world), { path: file, content: 'x\n' }));
    },
  ],
  [
    'appending through a folder link that leads out',
    (world) => {
      const file = `${link(world, world.outside)}/outside.md`;
      return mustBeRefused(() => runOperation(append, person(world), { path: file, text: 'x' }));
    },
  ],
  [
    'a new file through a folder link that leads out',
    (world) => {
      const file = `${link(world, world.outside)}/new.md`;
      return mustBeRefused(() => runOperation(edit, person(world), { path: file, content: 'x\n' }));
    },
  ],
  [
    'writing through a link into .git',
    (world) => {
      const file = `${link(world, path.join(world.workspace, '.git'))}/hooks/post-commit`;
      return mustBeRefused(() => runOperation(edit, person(world), { path: file, content: 'x\n' }));
    },
  ],
  [
    'writing through a link that leads nowhere',
    (world) => {
      const file = link(world, path.join(world.outside, 'not-there.md'));
      return mustBeRefused(() => runOperation(edit, person(world), { path: file, content: 'x\n' }));
    },
  ],
  [
    'reading through a chain of links',
    (world) => {
      const first = link(world, world.outside);
      const second = link(world, path.join(world.workspace, first));
      return mustBeRefused(() => runOperation(read, person(world), { target: `${second}/outside.md` }));
    },
  ],
  [
    'a link that leads to itself',
    (world) => {
      count += 1;
      const relative = `memory/reference/link-${count}`;
      fs.symlinkSync(path.join(world.workspace, relative), path.join(world.workspace, relative));
      return mustBeRefused(() => runOperation(read, person(world), { target: relative }));
    },
  ],
  [
    'an agent moving a link that leads out',
    (world) => {
      const file = link(world, path.join(world.outside, 'outside.md'));
      const changes = [{ kind: 'rename' as const, path: file, to: 'memory/reference/stolen.md' }];
      return mustBeRefused(() => runOperation(changeFiles, contextAs(world, 'bot:main'), { changes }));
    },
  ],
  [
    'a folder that is swapped for a link between two writes',
    async (world) => {
      const folder = path.join(world.workspace, 'memory/reference/swapped');
      await runOperation(edit, person(world), { path: 'memory/reference/swapped/a.md', content: '# A\n' });
      fs.renameSync(folder, `${folder}-old`);
      fs.symlinkSync(world.outside, folder);
      const held = await mustBeRefused(() =>
        runOperation(edit, person(world), { path: 'memory/reference/swapped/outside.md', content: 'x\n' }),
      );
      fs.rmSync(folder);
      return held;
    },
  ],
  [
    'importing a folder with a link that leads out',
    async (world) => {
      const folder = makeTemporaryFolder();
      fs.writeFileSync(path.join(folder, 'note.md'), '# A note\n\nThe harbour.\n');
      fs.symlinkSync(path.join(world.outside, 'outside.md'), path.join(folder, 'leak.md'));
      fs.symlinkSync(world.outside, path.join(folder, 'leaks'));
      await world.server.mneme.import({ from: 'markdown', path: folder });
      return everyByte(path.join(world.workspace, 'memory')).includes(OUTSIDE) ? 'it came in' : undefined;
    },
  ],
  [
    'exporting a workspace with links that lead out',
    async (world) => {
      const target = path.join(makeTemporaryFolder(), 'export');
      await world.server.mneme.export(target);
      return everyByte(target).includes(OUTSIDE) ? 'it went out' : undefined;
    },
  ],
  [
    'exporting into the home itself',
    (world) => mustBeRefused(() => world.server.mneme.export(path.join(world.workspace, 'memory/export'))),
  ],
  [
    'restoring, reading and showing what is called like a way out',
    async (world) => {
      const asked = ['../../outside', '../outside.md', '/etc/passwd', '..'];
      for (const id of asked) {
        const held = await mustBeRefused(() => runOperation(read, person(world), { target: `${id}#t1` }));
        if (held !== undefined) return `${id} ${held}`;
      }
      return undefined;
    },
  ],
];

async function importArchive(world: World, entries: Zippable): Promise<string> {
  const file = path.join(makeTemporaryFolder(), 'notes.zip');
  fs.writeFileSync(file, zipSync(entries));
  await world.server.mneme.import({ from: 'markdown', path: file });
  return everyByte(path.join(world.workspace, 'memory'));
}

const NAMES: readonly string[] = ['../../evil.md', '/evil.md', 'C:/evil.md', String.raw`a\..\..\evil.md`];

export const LINKS: Family<World> = {
  title: 'Links and archives',
  cases: [
    ...ATTACKS.map(([name, go]) => attack<World>(name, go)),
    ...NAMES.map((name, at) =>
      attack<World>(`an archive with an entry called ${JSON.stringify(name)}`, async (world) => {
        const words = Buffer.from(`# Evil\n\nbasilisk ${at} is in.\n`);
        const text = await importArchive(world, { [name]: words, [`good-${at}.md`]: Buffer.from('# Good\n') });
        const isBeside = fs.existsSync(path.join(path.dirname(world.server.home), 'evil.md'));
        return text.includes(`basilisk ${at}`) || isBeside ? 'it came in' : undefined;
      }),
    ),
    attack('an archive that unpacks to forty megabytes of nothing', async (world) => {
      const text = await importArchive(world, { 'bomb.md': new Uint8Array(40 * 1024 * 1024) });
      return text.length > 30_000_000 ? `${text.length} bytes came in` : undefined;
    }),
    control('an archive of notes is imported', async (world) => {
      const text = await importArchive(world, { 'deep/fine.md': Buffer.from('# Fine\n\nThe pelican is fine.\n') });
      return text.includes('The pelican is fine.') ? undefined : 'it did not come in';
    }),
    control('a folder link that stays inside is read through', async (world) => {
      const as = person(world);
      await runOperation(edit, as, { path: 'memory/reference/inside/a.md', content: '# Inside\n' });
      const folder = link(world, path.join(world.workspace, 'memory/reference/inside'));
      const { text } = await runOperation(read, as, { target: `${folder}/a.md` });
      return text.includes('Inside') ? undefined : text;
    }),
    control('an export is written', async (world) => {
      const target = path.join(makeTemporaryFolder(), 'export');
      const { files } = await world.server.mneme.export(target);
      return files > 0 ? undefined : 'it is empty';
    }),
  ],
};
