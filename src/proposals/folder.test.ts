import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { ProposalFolder } from './folder.ts';
import { PROPOSALS_FOLDER, proposalPath } from './proposal.ts';

const FIRST = '01KHK0000000000000000000AB';
const SECOND = '01KHK1000000000000000000AB';

function makeFolder(files: Readonly<Record<string, string | Buffer>>): string {
  const root = makeTemporaryFolder();
  fs.mkdirSync(path.join(root, PROPOSALS_FOLDER), { recursive: true });
  for (const [name, content] of Object.entries(files))
    fs.writeFileSync(path.join(root, PROPOSALS_FOLDER, name), content);
  return root;
}

function header(id: string): string {
  return `---\nid: ${id}\nstate: pending\nkind: memory\nactor: bot:x\ntrust: agent\ncreated: 2026-02-16\n---\n`;
}

describe('the folder of proposals', () => {
  it('is empty where there is none', () => {
    expect(new ProposalFolder(makeTemporaryFolder()).readAll()).toEqual({ files: [], problems: [] });
  });

  it('reports what is no proposal and goes on', () => {
    const root = makeFolder({
      [`${SECOND}.md`]: header(SECOND),
      [`${FIRST}.md`]: 'no header\n',
      'notes.md': 'mine\n',
      'x.bin': Buffer.from([0, 1, 2]),
    });
    fs.mkdirSync(path.join(root, PROPOSALS_FOLDER, 'sub'));
    const { files, problems } = new ProposalFolder(root).readAll();
    expect(files.map((file) => file.proposal.id)).toEqual([SECOND]);
    expect(problems).toEqual([
      { path: proposalPath(FIRST), message: expect.stringContaining('has no readable header') },
      { path: `${PROPOSALS_FOLDER}/notes.md`, message: 'is not named by an id' },
      { path: `${PROPOSALS_FOLDER}/x.bin`, message: expect.stringContaining('is no text') },
    ]);
    expect(() => new ProposalFolder(root).get(FIRST)).toThrow(/Its file has no readable header/);
  });

  it('reads a file again only when it changed', () => {
    const root = makeFolder({ [`${FIRST}.md`]: header(FIRST) });
    const read: string[] = [];
    const counting = {
      ...nodeFileSystem,
      read(file: string) {
        read.push(file);
        return nodeFileSystem.read(file);
      },
    };
    const folder = new ProposalFolder(root, counting);
    folder.readAll();
    folder.readAll();
    expect(read).toHaveLength(1);
    fs.writeFileSync(path.join(root, proposalPath(FIRST)), header(FIRST).replace('pending', 'rejected'));
    expect(folder.get(FIRST).proposal.state).toBe('rejected');
    expect(read).toHaveLength(2);
  });
});
