import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeHome, makeTemporaryFolder, openWorkspace } from '../../test/support/home.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { homePaths } from './home-paths.ts';
import {
  PACKED_MANIFEST,
  existsPacked,
  findUnpacked,
  pack,
  packedName,
  parsePackedManifest,
  plainName,
  readPacked,
  renderPackedLine,
  unpack,
} from './packed.ts';
import type { Workspace } from './workspace.ts';

// SPEC FADE-4
describe('a packed file', () => {
  it('holds the same bytes, and the same bytes are packed alike', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(unpack(pack(bytes), 'x.md.gz')).toEqual(Buffer.from(bytes));
        expect(pack(bytes)).toEqual(pack(bytes));
      }),
    );
  });

  it('is found by either name, and the plain file wins', () => {
    const file = path.join(makeTemporaryFolder(), 'x.md');
    expect(existsPacked(nodeFileSystem, file)).toBe(false);
    expect(readPacked(nodeFileSystem, file)).toBeUndefined();
    fs.writeFileSync(packedName(file), pack(Buffer.from('packed')));
    expect(existsPacked(nodeFileSystem, file)).toBe(true);
    expect(readPacked(nodeFileSystem, packedName(file))?.toString()).toBe('packed');
    fs.writeFileSync(file, 'plain');
    expect(readPacked(nodeFileSystem, packedName(file))?.toString()).toBe('plain');
    expect(plainName(packedName(file))).toBe(file);
  });

  it('says so when it is damaged', () => {
    const damaged = pack(Buffer.from('something longer than a few bytes')).subarray(0, 20);
    expect(() => unpack(damaged, 'raw/x.md.gz')).toThrowError(/raw\/x\.md\.gz is damaged/u);
    expect(findUnpacked(damaged)).toBeUndefined();
    expect(findUnpacked(Buffer.from('plain'))).toBeUndefined();
  });
});

it('reads a manifest with torn lines; the last line of a file counts', () => {
  const line = (sha: string): string => renderPackedLine({ path: 'a.md', sha256: sha.repeat(64), bytes: 1, at: 0 });
  const manifest = parsePackedManifest(`${line('a')}{"path":"b.md"\n${line('b')}{"pa`);
  expect([...manifest.keys()]).toEqual(['a.md']);
  expect(manifest.get('a.md')?.sha256).toBe('b'.repeat(64));
});

describe('the append-only door', () => {
  const FILE = 'conversations/2026/01/01/1000-ses_a.md';
  let home: string;
  let workspace: Workspace;

  beforeEach(async () => {
    home = await makeHome();
    workspace = await openWorkspace(home);
    await workspace.commit({
      repository: 'raw',
      actor: 'system:capture',
      summary: 'a conversation',
      changes: [{ path: FILE, content: 'said\n', base: undefined }],
    });
  });
  afterEach(() => workspace.close());

  const full = (file: string): string => path.join(homePaths(home).repositories.raw.workTree, file);
  const take = (packed: Uint8Array | undefined): Promise<unknown> =>
    workspace.commit({
      repository: 'raw',
      actor: 'system:retention',
      summary: 'packed',
      changes: [
        ...(packed === undefined ? [] : [{ path: packedName(FILE), content: packed, base: undefined }]),
        { path: FILE, content: undefined, base: 'said\n' },
        { path: PACKED_MANIFEST, append: Buffer.from('{}\n') },
      ],
    });

  it.each([
    ['nothing', undefined],
    ['other words', pack(Buffer.from('other\n'))],
    ['no packed file', Buffer.from('said\n')],
  ])('lets no file go for %s', async (_what, packed) => {
    await expect(take(packed)).rejects.toMatchObject({ code: 'refused' });
    expect(fs.readFileSync(full(FILE), 'utf8')).toBe('said\n');
    expect(fs.existsSync(full(PACKED_MANIFEST))).toBe(false);
  });

  it('packs it in one commit, and a replay of the journal ends the same', async () => {
    await take(pack(Buffer.from('said\n')));
    await workspace.drain();
    const tracked = await workspace.git.raw.text(['ls-files']);
    expect(tracked.split('\n').sort()).toEqual([packedName(FILE), PACKED_MANIFEST]);
    expect(await workspace.git.raw.text(['status', '--short'])).toBe('');
    expect(fs.existsSync(full(FILE))).toBe(false);
    await workspace.close();
    // As after a crash: everything since the last checkpoint is redone.
    fs.rmSync(homePaths(home).state, { recursive: true });
    workspace = await openWorkspace(home);
    expect(fs.existsSync(full(FILE))).toBe(false);
    expect(readPacked(nodeFileSystem, full(FILE))?.toString()).toBe('said\n');
  });
});
