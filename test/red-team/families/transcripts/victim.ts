import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { NotedItem } from '../../../../src/chain/record/queue.ts';
import { Mneme, openMneme } from '../../../../src/mneme.ts';
import { check } from '../../../../src/operations/check.ts';
import { initTestHome, makeTemporaryFolder } from '../../../support/home.ts';

/** A home with a conversation and a decision, copied for each case. */
export interface TalkedHomes {
  /** The chain has signed both and was verified. */
  readonly signed: string;
  /** Both wait for the chain. */
  readonly waiting: string;
  /** The transcript, relative to raw/. */
  readonly transcript: string;
}

export const SAID = 'The crane in Trieste was painted vermilion.';
export const FORGED = 'The crane in Trieste was painted ochre.';

export async function makeTalkedHomes(): Promise<TalkedHomes> {
  const waiting = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(waiting);
  // As a command that ends at once: nothing is signed behind it.
  const mneme = await Mneme.open({ home: waiting, actor: 'manual', mode: 'brief' });
  const session = await mneme.session.start({ user: 'Ines' });
  await session.message('user', SAID);
  const { path: transcript } = await session.end();
  await mneme.remember('We decided to keep the ledger in Postgres.', { type: 'decision' });
  await mneme.remember('We decided to sell the dinghy.', { type: 'decision' });
  await mneme.internals.workspace.drain();
  await mneme.close();
  const signed = path.join(makeTemporaryFolder(), 'home');
  fs.cpSync(waiting, signed, { recursive: true });
  await inHome(signed, (opened) => opened.chain.verify());
  return { signed, waiting, transcript: transcript ?? '' };
}

export async function inHome<T>(home: string, body: (mneme: Mneme) => Promise<T>): Promise<T> {
  const mneme = await openMneme({ home, actor: 'manual' });
  try {
    return await body(mneme);
  } finally {
    await mneme.close();
  }
}

/** One copy of a home, and what somebody does to it from outside. */
export class Victim {
  readonly home: string;
  readonly #transcript: string;

  constructor(from: string, transcript: string) {
    this.home = path.join(makeTemporaryFolder(), 'home');
    fs.cpSync(from, this.home, { recursive: true });
    this.#transcript = transcript;
  }

  get file(): string {
    return path.join(this.home, 'raw', this.#transcript);
  }

  get name(): string {
    return this.#transcript;
  }

  remove(...names: string[]): void {
    for (const name of names) fs.rmSync(path.join(this.home, name), { recursive: true, force: true });
  }

  forge(): void {
    const words = fs.readFileSync(this.file, 'utf8');
    fs.chmodSync(this.file, 0o644);
    fs.writeFileSync(this.file, words.replaceAll('vermilion', 'ochre'));
  }

  git(...args: string[]): void {
    execFileSync('git', args, { cwd: path.join(this.home, 'raw'), stdio: 'pipe' });
  }

  commit(): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--no-verify', '--message', 'tidy up');
  }

  /** Changes the note about something that waits for the chain. */
  changeNote(type: string, change: (note: { items: NotedItem[]; key?: string; sig?: string }, name: string) => object) {
    const folder = path.join(this.home, 'journal/chain/queue');
    for (const name of fs.readdirSync(folder)) {
      const note = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as { items: NotedItem[] };
      if (note.items.some((item) => item.type === type))
        fs.writeFileSync(path.join(folder, name), JSON.stringify(change(note, name)));
    }
  }

  /** What `chain verify` and `check` find. */
  findings(): Promise<string[]> {
    return inHome(this.home, async (mneme) => {
      const verified = await mneme.chain.verify();
      const checked = await check.run(mneme.internals, { repair: false });
      const found = checked.findings.filter(({ area }) => ['transcripts', 'chain', 'git'].includes(area));
      return [...verified.findings, ...found].map(({ message }) => message);
    });
  }
}
