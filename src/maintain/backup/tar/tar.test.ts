import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import { parsePax, serializeHeader } from './header.ts';
import { readArchive } from './reader.ts';
import { ArchiveWriter } from './writer.ts';

interface Content {
  readonly path: string;
  readonly bytes: Buffer;
}

async function write(file: string, contents: readonly Content[]): Promise<void> {
  const writer = ArchiveWriter.create(file);
  for (const { path: name, bytes } of contents) {
    const entry = { path: name, size: bytes.length, mode: 0o640, mtimeMs: 1_771_200_000_000 };
    const written = await writer.add(entry, bytes);
    expect(written).toEqual({ path: name, size: bytes.length, sha256: hash('sha256', bytes) });
  }
  await writer.finish();
}

async function read(file: string): Promise<Content[]> {
  const contents: Content[] = [];
  for await (const entry of readArchive(file)) {
    const pieces: Buffer[] = [];
    for await (const piece of entry.content) pieces.push(piece);
    contents.push({ path: entry.path, bytes: Buffer.concat(pieces) });
  }
  return contents;
}

const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => !/[/\0\\]/u.test(text) && text !== '.' && text !== '..' && text.isWellFormed());
const content = fc.record({
  path: fc.array(segment, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/')),
  bytes: fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes)),
});

// SPEC BACKUP-1
it('gives back what was put in, whatever the names and contents', async () => {
  const folder = makeTemporaryFolder();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(content, { maxLength: 8 }), async (contents) => {
      count += 1;
      const file = path.join(folder, `${count}.tar.gz`);
      await write(file, contents);
      expect(await read(file)).toEqual(contents);
    }),
    { numRuns: 60 },
  );
});

it('what is not read of an entry is skipped', async () => {
  const file = path.join(makeTemporaryFolder(), 'a.tar.gz');
  await write(file, [
    { path: 'a', bytes: Buffer.alloc(200_000, 1) },
    { path: 'b', bytes: Buffer.from('b') },
  ]);
  const names: string[] = [];
  for await (const { path: name } of readArchive(file)) names.push(name);
  expect(names).toEqual(['a', 'b']);
});

const hasTar = spawnSync('tar', ['--version']).status === 0;

it.runIf(hasTar)('the system’s own tar unpacks it, long and foreign names included', async () => {
  const folder = makeTemporaryFolder();
  const file = path.join(folder, 'a.tar.gz');
  const long = `${'ordner/'.repeat(20)}größe – ${'x'.repeat(80)}.md`;
  await write(file, [
    { path: 'plain.md', bytes: Buffer.from('plain') },
    { path: long, bytes: Buffer.from('long') },
  ]);
  execFileSync('tar', ['-xzf', file, '-C', folder]);
  expect(fs.readFileSync(path.join(folder, 'plain.md'), 'utf8')).toBe('plain');
  expect(fs.readFileSync(path.join(folder, long), 'utf8')).toBe('long');
  expect(fs.statSync(path.join(folder, 'plain.md')).mode & 0o777).toBe(0o640);
});

it('a pax record counts its own digits', () => {
  for (const length of [1, 5, 88, 89, 90, 91, 92, 985, 990, 995, 1000]) {
    const path = 'ä'.repeat(length);
    const blocks = serializeHeader({ path, size: 0, mode: 0o644, mtimeMs: 0 });
    const body = blocks.subarray(512, -512);
    const end = body.lastIndexOf(0x0a) + 1;
    expect(parsePax(body.subarray(0, end))).toEqual(new Map([['path', path]]));
  }
});

it('a file larger than eight gigabytes says so in a record', () => {
  const blocks = serializeHeader({ path: 'big', size: 9_000_000_000, mode: 0o644, mtimeMs: 0 });
  expect(blocks.toString('latin1')).toContain('size=9000000000\n');
});

describe('damage', () => {
  const whole = async (): Promise<string> => {
    const file = path.join(makeTemporaryFolder(), 'a.tar.gz');
    await write(file, [
      { path: 'a', bytes: Buffer.from('first'.repeat(500)) },
      { path: 'b', bytes: Buffer.from('second'.repeat(500)) },
    ]);
    return file;
  };

  it('at any byte is noticed, or the contents are what they were', async () => {
    const file = await whole();
    const bytes = fs.readFileSync(file);
    const expected = await read(file);
    const outcomes = new Set<string>();
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      fs.writeFileSync(file, changed);
      const found = await read(file).then(
        (contents) => JSON.stringify(contents),
        (error: Error) => error.message.replace(/damaged:.*/u, 'damaged'),
      );
      outcomes.add(found);
    }
    // The header of a compressed file has a few bytes that say nothing about its contents.
    expect([...outcomes].sort()).toEqual(['The archive is damaged', JSON.stringify(expected)]);
  });

  it('a file cut short anywhere is noticed', async () => {
    const file = await whole();
    const bytes = fs.readFileSync(file);
    for (let length = 0; length < bytes.length; length += 3) {
      fs.writeFileSync(file, bytes.subarray(0, length));
      await expect(read(file)).rejects.toThrow(/damaged/u);
    }
  });

  it('links and other special entries are refused', async () => {
    const file = await whole();
    const plain = gunzipSync(fs.readFileSync(file));
    plain.write('2', 156, 'latin1');
    let sum = 0;
    for (let at = 0; at < 512; at += 1) sum += at >= 148 && at < 156 ? 32 : (plain[at] ?? 0);
    plain.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    fs.writeFileSync(file, gzipSync(plain));
    await expect(read(file)).rejects.toThrow('a is not a plain file');
  });

  it('a missing file is said to be missing', async () => {
    await expect(read(path.join(makeTemporaryFolder(), 'none.tar.gz'))).rejects.toMatchObject({ code: 'not-found' });
  });
});

it('a disk that refuses ends the writing with an error', async () => {
  const writer = ArchiveWriter.create(path.join(makeTemporaryFolder(), 'no', 'such', 'folder.tar.gz'));
  const entry = { path: 'a', size: 5_000_000, mode: 0o644, mtimeMs: 0 };
  await expect(writer.add(entry, Buffer.alloc(5_000_000)).then(() => writer.finish())).rejects.toThrow('ENOENT');
});
