import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { isMnemeError } from '../../src/model/errors.ts';
import { unpackHome } from '../../src/operations/backup/unpack.ts';
import { REPOSITORIES } from '../../src/workspace/journal/record.ts';
import { openWorkspace } from '../support/home.ts';
import {
  findTouched,
  fingerprint,
  journalFile,
  makeHostileHomes,
  plantInArchive,
  plantInParts,
  plantJournal,
  restoredHome,
  type HostileHomes,
  type Place,
} from '../support/hostile-homes.ts';

/** More with MNEME_REPLAY_RUNS=5000. */
const RUNS = Number(process.env['MNEME_REPLAY_RUNS'] ?? 30);

const PLAIN = ['a', 'b', 'memory', 'link', 'inner', 'hooks', 'notes.md', 'outside.md', 'x.md', 'pre-commit', 'C:'];
const DOTS = ['..', '.', '', '...', ' ', '.. ', '..\\..', '\0', '~', '%2e%2e', '\u2025', '/', '\uD800'];
const GIT = ['.git', '.GIT', '.git.', '.git ', 'git~1', '.g\u200Cit', '.git:x', '.git\\hooks'];

const plainPath = fc.array(fc.constantFrom(...PLAIN), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const hostilePath = fc
  .array(fc.constantFrom(...PLAIN, ...DOTS, ...GIT), { minLength: 1, maxLength: 6 })
  .map((names) => names.join('/'));

/** Mostly such that the journal is followed, so that links get their turn. */
const file = fc.record({
  repository: fc.constantFrom(...REPOSITORIES),
  path: fc.oneof({ weight: 9, arbitrary: plainPath }, { weight: 1, arbitrary: hostilePath }),
  text: fc.option(fc.constantFrom('#!/bin/sh\n', '[core]\n'), { nil: undefined, freq: 4 }),
});
const journal = fc.array(file, { minLength: 1, maxLength: 6 });

const LINKED = ['link', 'a', 'a/b', 'x.md', 'hooks', 'inner/link'].flatMap((name) =>
  ['workspace', 'raw', 'chain'].map((root) => `${root}/${name}`),
);
const TARGETS = [
  '..',
  '../..',
  '../../deep',
  '../../outside.md',
  '../../made.md',
  '.git',
  '.git/hooks',
  '../raw',
  'inner',
];
const links = fc.array(fc.tuple(fc.constantFrom(...LINKED), fc.constantFrom(...TARGETS)), { maxLength: 3 });

let homes: HostileHomes;
beforeAll(async () => {
  homes = await makeHostileHomes();
});

function makeLinks({ home }: Place, wanted: readonly (readonly [string, string])[]): void {
  for (const [name, target] of wanted) {
    const full = path.join(home, name);
    // A link of the same case may be in the way.
    if (wanted.some(([other]) => name.startsWith(`${other}/`)) || fs.existsSync(full)) continue;
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.rmSync(full, { force: true });
    fs.symlinkSync(target, full);
  }
}

/** Whether it went through; anything but a refusal in words of ours fails the test. */
async function survives(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (isMnemeError(error)) return false;
    throw error;
  }
}

async function replay({ home }: Place): Promise<void> {
  const workspace = await openWorkspace(home);
  try {
    await workspace.scan();
    await workspace.drain();
  } finally {
    await workspace.close();
  }
}

// SPEC SAFETY-6
describe('whatever a journal says', () => {
  it('replaying it touches nothing outside of the home and nothing of git', async () => {
    const outcomes = { replayed: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(journal, links, async (files, wanted) => {
        const place = homes.copy();
        makeLinks(place, wanted);
        plantJournal(place.home, files);
        const before = fingerprint(place);
        outcomes[(await survives(() => replay(place))) ? 'replayed' : 'refused'] += 1;
        expect(findTouched(before, fingerprint(place))).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
    expect(Math.min(outcomes.replayed, outcomes.refused)).toBeGreaterThan(0);
  });

  it('is replayed whole when every path is harmless', async () => {
    const name = fc.tuple(fc.constantFrom('a', 'memory/b', 'c d', 'ä/é'), fc.constantFrom('x.md', 'ü?.md', '..y.md'));
    const harmless = fc.record({
      repository: fc.constant('workspace' as const),
      path: name.map((parts) => parts.join('/')),
      text: fc.constantFrom('one\n', 'two\n'),
    });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(harmless, { minLength: 1, selector: (one) => one.path }), async (files) => {
        const place = homes.copy();
        plantJournal(place.home, files);
        await replay(place);
        for (const { path: name, text } of files) {
          expect(fs.readFileSync(path.join(place.home, 'workspace', name), 'utf8')).toBe(text);
        }
      }),
      { numRuns: Math.ceil(RUNS / 5) },
    );
  });
});

describe('whatever an archive holds', () => {
  const entryPath = fc.oneof(
    plainPath.map((name) => `workspace/${name}`),
    { weight: 1, arbitrary: hostilePath.map((name) => `workspace/${name}`) },
    { weight: 1, arbitrary: hostilePath },
  );
  const archive = fc.record({
    entries: fc.array(entryPath, { maxLength: 2 }),
    files: fc.option(journal, { nil: undefined }),
    form: fc.constantFrom('whole', 'parts'),
  });

  it('unpacking it touches nothing outside of its folder and leaves git’s own files to git', async () => {
    await fc.assert(
      fc.asyncProperty(archive, async ({ entries, files, form }) => {
        const place = homes.copy();
        const content = {
          ...Object.fromEntries(entries.map((entry) => [entry, Buffer.from('#!/bin/sh\n')])),
          ...(files === undefined ? {} : journalFile(files)),
        };
        const source = path.join(place.folder, form === 'whole' ? 'mneme.tar.gz' : 'mneme.parts.json');
        if (form === 'whole') await plantInArchive(homes.whole, source, content);
        else plantInParts(homes.incremental, source, content);
        const before = fingerprint(place);
        const restored = restoredHome(place);
        fs.mkdirSync(restored);
        await survives(() => unpackHome(source, restored));
        expect(findTouched(before, fingerprint(place))).toBeUndefined();
        const hooks = path.join(restored, 'workspace/.git/hooks');
        expect(fs.existsSync(hooks) ? fs.readdirSync(hooks) : []).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    );
  });
});
