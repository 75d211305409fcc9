import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PackPart } from './manifest.ts';
import { planPackMerge } from './pack-merge.ts';
import {
  parseArchiveName,
  planRetention,
  serializeArchiveName,
  sortArchives,
} from '../../workspace/erase/backup-archives.ts';
import { assertEntryPath, parseManifest, serializeManifest } from './manifest.ts';

const HOME = 'aaaaaaaa';
const name = (time: string, number = 1, homeId = HOME): string =>
  serializeArchiveName({ homeId, time, number, form: 'whole' });

// SPEC BACKUP-3
describe('names', () => {
  it('are read back', () => {
    const given = { homeId: HOME, time: '20260216T040000Z', number: 12, form: 'parts' as const };
    expect(parseArchiveName(serializeArchiveName(given))).toEqual(given);
    expect(name('20260216T040000Z')).toBe('mneme-aaaaaaaa-20260216T040000Z.tar.gz');
  });

  it.each(['notes.tar.gz', 'mneme-aaaaaaaa-20260216T040000Z.tar.gz.partial', 'mneme-20260216T040000Z.tar.gz'])(
    '%s is no backup',
    (other) => expect(parseArchiveName(other)).toBeUndefined(),
  );
});

describe('which backups go', () => {
  it('only the oldest of this home, and nothing else in the folder', () => {
    const names = [
      name('20260103T040000Z'),
      name('20260101T040000Z'),
      name('20260102T040000Z', 10),
      name('20260102T040000Z', 2),
      name('20250101T040000Z', 1, 'bbbbbbbb'),
      'holiday.jpg',
    ];
    expect(planRetention(names, HOME, 2)).toEqual([name('20260101T040000Z'), name('20260102T040000Z', 2)]);
  });

  it('never more than there are to spare', () => {
    const times = fc.uniqueArray(fc.integer({ min: 10, max: 99 }), { maxLength: 20 });
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 10 }), (days, keep) => {
        const names = days.map((day) => name(`202601${day}T040000Z`));
        const gone = planRetention(names, HOME, keep);
        const left = sortArchives(
          names.filter((one) => !gone.includes(one)),
          HOME,
        );
        expect(left).toHaveLength(Math.min(keep, names.length));
        expect([...gone, ...left]).toEqual(sortArchives(names, HOME));
      }),
    );
  });
});

describe('the list of contents', () => {
  const manifest = {
    homeId: HOME,
    made: '2026-02-16T04:00:00.000Z',
    hasTranscripts: true,
    repositories: [{ name: 'workspace' as const, head: 'refs/heads/main', references: 'x', remotes: [] }],
    files: [{ path: 'mneme.yaml', size: 3, sha256: '0'.repeat(64) }],
  };

  it('is read back', () => {
    expect(parseManifest(serializeManifest(manifest))).toMatchObject(manifest);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{"format": 1'],
    ['something else', '{"format": 1}'],
  ])('%s is damage', (_name, text) => {
    expect(() => parseManifest(text)).toThrow('cannot be read');
  });

  it('of a newer format is refused, not guessed at', () => {
    const newer = serializeManifest(manifest).replace('"format": 1', '"format": 2');
    expect(() => parseManifest(newer)).toThrow('newer Mneme');
  });
});

describe('places in a home', () => {
  it.each(['mneme.yaml', 'workspace/MEMORY.md', 'raw/conversations/a.md', 'journal/wal/1.wal', 'git/raw.bundle'])(
    '%s has one',
    (path) => expect(() => assertEntryPath(path)).not.toThrow(),
  );

  it.each([
    '../evil',
    'workspace/../../evil',
    '/etc/passwd',
    'workspace//x',
    'C:/x',
    'workspace\\..\\x',
    'workspace/.git/config',
    'workspace/sub/.GIT/hooks/post-checkout',
    'state/lock.db',
    'service.env',
    'bin/mneme',
    '',
  ])('%s has none', (path) => {
    expect(() => assertEntryPath(path)).toThrow('no place in a home');
  });
});

describe('packs of incremental backups', () => {
  it('stay few however many nights there were, and each object is packed only a few times', () => {
    let packs: PackPart[] = [];
    let written = 0;
    for (let night = 1; night <= 1000; night += 1) {
      const { kept, before } = planPackMerge(packs, `references ${night - 1}`);
      const size = 10 + packs.slice(kept.length).reduce((sum, pack) => sum + pack.size, 0);
      written += size;
      packs = [...kept, { sha256: `pack ${night}`, size, before }];
    }
    expect(packs.length).toBeLessThan(12);
    expect(packs.reduce((sum, { size }) => sum + size, 0)).toBe(10_000);
    expect(written).toBeLessThan(10_000 * 12);
    // Each begins where the one before it ends.
    expect(packs[0]?.before).toBe('references 0');
    expect(packs.slice(1).map(({ before }) => before)).toEqual(
      packs.slice(0, -1).map(({ sha256 }) => sha256.replace('pack', 'references')),
    );
  });
});
