import fs from 'node:fs';
import path from 'node:path';
import { zipSync, type Zippable } from 'fflate';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { openTarget } from '../export/target.ts';
import { readSmall } from './open-source.ts';
import { openZip } from './zip.ts';

function write(bytes: Uint8Array): string {
  const file = path.join(makeTemporaryFolder(), 'a.zip');
  fs.writeFileSync(file, bytes);
  return file;
}

const words = Buffer.from('The rhubarb is behind the shed. '.repeat(500));

// SPEC EXCHANGE-4
describe('an archive', () => {
  it('is read as it was written, by us and by others', async () => {
    const other = write(zipSync({ 'notes/a.md': words, 'b.md': [words, { level: 0 }], 'empty.md': new Uint8Array() }));
    const own = path.join(makeTemporaryFolder(), 'own.zip');
    const target = openTarget(own, false);
    target.add('notes/a.md', words, Date.UTC(2024, 1, 3));
    target.finish();
    for (const archive of [other, own]) {
      const { files, refused, isCutOff } = await openZip(archive);
      expect([refused, isCutOff]).toEqual([[], false]);
      const first = files.find(({ relative }) => relative === 'notes/a.md');
      expect(first === undefined ? undefined : await readSmall(first, 1e6)).toEqual(words);
      const tail = first?.open(words.length - 5);
      expect(Buffer.concat(await Array.fromAsync(tail ?? [])).toString()).toBe('hed. ');
    }
    expect((await openZip(other)).files.map(({ relative, size }) => [relative, size])).toContainEqual(['empty.md', 0]);
  });

  it('gives nothing that leads out of it or is made to fill a memory', async () => {
    const entries: Zippable = {
      '../evil.md': words,
      '/abs.md': words,
      'C:/windows.md': words,
      'a\\..\\..\\b.md': words,
      'bomb.json': new Uint8Array(40 * 1024 * 1024),
      'good.md': words,
    };
    const { files, refused } = await openZip(write(zipSync(entries)));
    expect(files.map(({ relative }) => relative)).toEqual(['good.md']);
    expect(refused.map(({ name, why }) => [name, /leads out|times its size/u.test(why)])).toEqual([
      ['../evil.md', true],
      ['/abs.md', true],
      ['C:/windows.md', true],
      ['a\\..\\..\\b.md', true],
      ['bomb.json', true],
    ]);
  });

  it('that lies about a size, or whose bytes changed, is noticed while reading', async () => {
    const honest = Buffer.from(zipSync({ 'a.md': words }));
    const lying = Buffer.from(honest);
    const directory = lying.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    lying.writeUInt32LE(100, directory + 24);
    const changed = Buffer.from(zipSync({ 'a.md': [words, { level: 0 }] }));
    changed[200] = 0x21;
    for (const [bytes, why] of [
      [lying, 'longer than it says'],
      [changed, 'checksum'],
    ] as const) {
      const [file] = (await openZip(write(bytes))).files;
      await expect(async () => Array.fromAsync(file?.open() ?? [])).rejects.toThrow(why);
    }
  });

  it('whose end is missing gives what is there', async () => {
    const whole = zipSync({ 'a.md': words, 'b.md': words, 'c.md': [words, { level: 0 }] });
    const { files, isCutOff } = await openZip(write(whole.subarray(0, whole.length - 9000)));
    expect(isCutOff).toBe(true);
    expect(files.map(({ relative }) => relative)).toEqual(['a.md', 'b.md', 'c.md']);
    expect(Buffer.concat(await Array.fromAsync(files[1]?.open() ?? []))).toEqual(words);
    await expect(async () => Array.fromAsync(files[2]?.open() ?? [])).rejects.toThrow('ends early');
  });
});
