import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { SettledFolders } from './settled-folders.ts';

let folder: string;
let settled: SettledFolders;
const long = new Date(2020, 0, 1);

const write = (name: string, text: string): void => {
  fs.writeFileSync(path.join(folder, name), text);
  fs.utimesSync(folder, long, long);
};
const names = (): string[] | undefined => settled.find(folder)?.map(({ name, size }) => `${name} ${size}`);

beforeEach(() => {
  folder = makeTemporaryFolder();
  settled = new SettledFolders();
  write('a.md.gz', '12');
});

describe('a folder of packed files', () => {
  it('is known from then on, and looked at anew when a file comes, goes or is replaced', () => {
    expect(names()).toEqual(['a.md.gz 2']);
    write('b.md.gz', '123');
    expect(names()).toEqual(['a.md.gz 2', 'b.md.gz 3']);
    fs.rmSync(path.join(folder, 'b.md.gz'));
    fs.writeFileSync(path.join(folder, 'new'), '1234');
    fs.renameSync(path.join(folder, 'new'), path.join(folder, 'a.md.gz'));
    fs.utimesSync(folder, long, long);
    expect(names()).toEqual(['a.md.gz 4']);
  });

  it('does not stay believed for ever', () => {
    names();
    fs.appendFileSync(path.join(folder, 'a.md.gz'), '3');
    const seen = Array.from({ length: 50 }, () => names()?.[0]);
    expect(seen[0]).toBe('a.md.gz 2');
    expect(seen.at(-1)).toBe('a.md.gz 3');
  });

  it('is no such folder while it is young, is empty, is gone, or holds anything else', () => {
    fs.writeFileSync(path.join(folder, 'c.md.gz'), '');
    expect(names()).toBeUndefined();
    write('d.md', 'plain');
    expect(names()).toBeUndefined();
    expect(settled.find(path.join(folder, 'gone'))).toBeUndefined();
    expect(settled.find(path.join(folder, 'd.md'))).toBeUndefined();
    expect(settled.find(makeTemporaryFolder())).toBeUndefined();
  });
});
