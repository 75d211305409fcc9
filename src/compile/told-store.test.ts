import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { type Told, ToldStore, isTold, keysOf } from './told-store.ts';

const told = (...texts: readonly string[]): Told => ({
  keys: new Set(texts.flatMap((said) => keysOf({ id: 'x', said }))),
  sinceMs: undefined,
});

describe('what was told', () => {
  it('is known again by its lines, in whatever piece they come', () => {
    const before = told('- **Never** deploy on Fridays\n- The quay moves in May', 'Mara leads the routing team');
    expect(isTold([{ id: 'a', said: 'never deploy on fridays' }], before)).toBe(true);
    expect(
      isTold(
        [
          { id: 'b', said: 'Mara leads the routing team' },
          { id: 'c', said: 'The quay moves in May' },
        ],
        before,
      ),
    ).toBe(true);
  });

  it('is something else once it says more or was changed', () => {
    const before = told('The quay moves in May');
    expect(isTold([{ id: 'x', said: 'The quay moves in June' }], before)).toBe(false);
    expect(isTold([{ id: 'x', said: 'The quay moves in May\nand back in October' }], before)).toBe(false);
    expect(isTold([], before)).toBe(false);
  });

  it('is known by its id where it says next to nothing', () => {
    const before: Told = { keys: new Set(keysOf({ id: 'a', said: 'yes' })), sinceMs: undefined };
    expect(isTold([{ id: 'a', said: 'yes' }], before)).toBe(true);
    expect(isTold([{ id: 'b', said: 'yes' }], before)).toBe(false);
  });
});

describe('ToldStore', () => {
  const make = (): { store: ToldStore; folder: string } => {
    const journal = makeTemporaryFolder();
    return { store: new ToldStore(nodeFileSystem, journal), folder: path.join(journal, 'told') };
  };

  it('keeps keys and no words, session by session', async () => {
    const { store, folder } = make();
    expect(store.read('ses_a').keys.size).toBe(0);
    await store.write('ses_a', told('The quay moves in May'));
    expect([...store.read('ses_a').keys]).toEqual([...told('The quay moves in May').keys]);
    expect(store.read('ses_b').keys.size).toBe(0);
    expect(fs.readFileSync(path.join(folder, 'ses_a.json'), 'utf8')).not.toContain('quay');
  });

  it('forgets when the window is emptied, and remembers since when', async () => {
    const { store } = make();
    await store.write('ses_a', told('The quay moves in May'));
    await store.forget('ses_a', 90_000);
    expect(store.read('ses_a')).toEqual({ keys: new Set(), sinceMs: 60_000 });
  });

  it('takes any name of a session, and any damage for nothing told', async () => {
    const { store, folder } = make();
    await store.write('../../outside', told('The quay moves in May'));
    expect(store.read('../../outside').keys.size).toBe(1);
    expect(fs.readdirSync(path.dirname(folder))).toEqual(['told']);
    await store.write('ses_a', told('The quay moves in May'));
    fs.writeFileSync(path.join(folder, 'ses_a.json'), '{"keys": [7, ');
    expect(store.read('ses_a').keys.size).toBe(0);
  });

  it('does not grow without end', async () => {
    const { store, folder } = make();
    await store.write('ses_a', { keys: new Set(Array.from({ length: 9000 }, (_, at) => `k${at}`)), sinceMs: 1 });
    const { keys } = store.read('ses_a');
    expect([keys.size, keys.has('k8999'), keys.has('k0')]).toEqual([4000, true, false]);
    for (let at = 0; at < 340; at += 1) fs.writeFileSync(path.join(folder, `old-${at}.json`), '{}');
    await store.write('ses_b', told('The quay moves in May'));
    expect(fs.readdirSync(folder).length).toBeLessThanOrEqual(301);
  });
});
