import { describe, expect, it } from 'vitest';
import { blobId } from '../known-files.ts';
import { findSaveBase, healStaleSave, type RecentVersions } from './stale-save.ts';

function list(...items: string[]): string {
  return items.map((item) => `- ${item}\n`).join('');
}

/** Versions of a file, oldest first. */
function history(...texts: string[]): { recent: RecentVersions; newestOid: string } {
  const versions = texts.map((text) => ({ text, oid: blobId(Buffer.from(text)) })).reverse();
  return { recent: { find: () => Promise.resolve(versions) }, newestOid: versions[0]?.oid ?? '' };
}

async function heal(texts: string[], saved: string): Promise<string | undefined> {
  const { recent, newestOid } = history(...texts);
  return (await healStaleSave({ path: 'a.md', text: saved, savedAtMs: 0 }, newestOid, recent))?.text;
}

describe('a save from a stale buffer', () => {
  it('gets back what was written since the buffer was loaded', async () => {
    const texts = [list('one'), list('one', 'two'), list('one', 'two', 'three')];
    expect((await heal(texts, list('one', 'mine')))?.trim().split('\n').sort()).toEqual([
      '- mine',
      '- one',
      '- three',
      '- two',
    ]);
  });

  it("is none when it takes back somebody's own edit, and nothing of ours", async () => {
    const { recent, newestOid } = history(list('one', 'two'), list('one', 'broken'));
    const versions = await recent.find({ path: 'a.md', text: '', savedAtMs: 0 }, newestOid);
    const edited = versions.map(({ text, oid }, age) => ({ text, oid, isExternal: age === 0 }));
    const save = { path: 'a.md', text: list('one', 'two'), savedAtMs: 0 };
    const find = (): Promise<typeof edited> => Promise.resolve(edited);
    expect(await healStaleSave(save, newestOid, { find })).toBeUndefined();
    expect(await healStaleSave(save, newestOid, recent)).toMatchObject({ isEarlierVersion: true });
  });

  it('is left alone when it was made from the newest version', async () => {
    expect(await heal([list('one'), list('one', 'two')], list('one', 'two', 'mine'))).toBeUndefined();
  });

  it('keeps what the person had deleted and brought back by an undo', async () => {
    const texts = [list('one', 'two', 'three', 'four', 'five'), list('one')];
    const saved = list('one', 'two', 'three', 'four', 'five', 'mine');
    expect((await heal(texts, saved)) ?? saved).toBe(saved);
  });

  it('is told from one of hundreds of versions', async () => {
    const items = Array.from({ length: 600 }, (_, index) => `item ${index}`);
    const texts = items.map((_, index) => list(...items.slice(0, index + 1)));
    const healed = await heal(texts, list(...items.slice(0, 300), 'mine'));
    expect(healed?.trim().split('\n')).toHaveLength(601);
  });
});

describe('the base of a save', () => {
  it('is what was last seen, unless an older version is closer', async () => {
    const { recent } = history(list('one'), list('one', 'two'), list('one', 'two', 'three'));
    const find = (text: string): Promise<string> =>
      findSaveBase({ path: 'a.md', text, savedAtMs: 0 }, list('one', 'two', 'three'), recent);
    expect(await find(list('one', 'two', 'three', 'mine'))).toBe(list('one', 'two', 'three'));
    expect(await find(list('one', 'mine'))).toBe(list('one'));
  });
});
