import fs from 'node:fs';
import path from 'node:path';
import type { ForgetPlan } from '../../src/operations/forget.ts';
import type { Forgotten } from '../../src/operations/forget/plan-file.ts';
import { TestCli } from './cli.ts';
import { humanGit, writeWorkspaceFile } from './home.ts';

export const ALEX = 'memory/graph/entities/person--alex.md';
export const ALEX_TEXT = `---
id: person--alex
type: person
name: Alex
---

# Alex

## Facts

- Alex lives in Leeds. ^aaaaaaaaaaaaa
- Alex plays the cello in a quartet. ^bbbbbbbbbbbbb
- Alex is allergic to walnuts. <!-- pinned --> ^ccccccccccccc

## Goals and Tasks

- [ ] Buy new strings for the cello. ^ddddddddddddd

## Decisions

- 2026-02-14: Sell the cello. ^eeeeeeeeeeeee
  - Rationale: the quartet broke up

## Relations

- knows [[person--kim]] ^fffffffffffff
`;
const KIM = 'memory/graph/entities/person--kim.md';
const KIM_TEXT = '---\nid: person--kim\ntype: person\nname: Kim\n---\n\n# Kim\n';
export const SHIPPING = 'memory/procedures/how-to-ship.md';
const SHIPPING_TEXT =
  '---\nname: How to ship\n---\n\n# How to ship\n\n## Steps\n\n1. Wrap the parcel.\n2. Call the zeppelin.\n';

/** A home with a person, a procedure and a day, to forget something of. */
export async function makeForgetHome(): Promise<TestCli> {
  const cli = new TestCli();
  await cli.init();
  writeWorkspaceFile(cli.home, ALEX, ALEX_TEXT);
  writeWorkspaceFile(cli.home, KIM, KIM_TEXT);
  writeWorkspaceFile(cli.home, SHIPPING, SHIPPING_TEXT);
  await cli.ok('remember', 'The quartet rehearses on Tuesdays');
  await cli.ok('remember', 'The kettle is blue', '--store', 'episodic');
  return cli;
}

export const ask = (cli: TestCli, ...args: string[]): Promise<ForgetPlan> => cli.json<ForgetPlan>('forget', ...args);
export const confirm = (cli: TestCli, code: string | null, ...args: string[]): Promise<Forgotten> =>
  cli.json<Forgotten>('forget', '--confirm', code ?? '', ...args);
export const textsOf = ({ matches }: ForgetPlan): string[] => matches.map(({ text }) => text);

/** Every workspace file with its text, archive included. */
export function snapshot(home: string): Record<string, string> {
  const root = path.join(home, 'workspace');
  const files = humanGit(home, 'ls-files').split('\n');
  const known = files.filter((file) => file !== '' && !file.startsWith('memory/meta/'));
  return Object.fromEntries(known.map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
}
