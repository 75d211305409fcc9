import fs from 'node:fs';
import path from 'node:path';
import { type Life } from './live.ts';
import type { Planted } from './story.ts';
import { DAY_MS } from '../../src/model/time.ts';

/** What was used in the last so many days counts as recently used. */
const RECENT_DAYS = 30;
const MONTH_NIGHTS = 30;
const MEGABYTE = 1024 * 1024;
const CHARS_PER_TOKEN = 4;

export interface Quality {
  /** Share of the facts that matter which a question still finds. */
  readonly importantRecall: number;
  /** How many of the trivial ones are still told unasked. */
  readonly trivialPushed: number;
  /** Of the facts that matter and were used lately, the share that comes with a prompt they belong to. */
  readonly pushedOnRelated: number;
  readonly recentlyUsed: number;
  readonly lost: readonly string[];
  readonly pushedTrivia: readonly string[];
  readonly notPushed: readonly string[];
}

export async function measureQuality(life: Life): Promise<Quality> {
  const { mneme, important, trivial, usedMs, clock } = life;
  const lost: string[] = [];
  const notPushed: string[] = [];
  const pushedTrivia: string[] = [];
  for (const fact of important) {
    const { hits } = await mneme.recall(fact.question);
    if (!hits.some(({ text }) => tells(text, fact))) lost.push(fact.statement);
  }
  const recent = important.filter((fact) => (usedMs.get(fact) ?? 0) >= clock.time - RECENT_DAYS * DAY_MS);
  for (const fact of recent) if (!(await isPushed(life, fact))) notPushed.push(fact.statement);
  for (const fact of trivial) if (await isPushed(life, fact)) pushedTrivia.push(fact.statement);
  return {
    importantRecall: 1 - lost.length / important.length,
    trivialPushed: pushedTrivia.length,
    pushedOnRelated: recent.length === 0 ? 1 : 1 - notPushed.length / recent.length,
    recentlyUsed: recent.length,
    lost,
    pushedTrivia,
    notPushed,
  };
}

async function isPushed({ mneme }: Life, fact: Planted): Promise<boolean> {
  const { prompt } = await mneme.context(fact.prompt, { event: 'prompt' });
  return tells(prompt, fact);
}

/** All words of the answer in one text: in two memories each, they would tell something else. */
function tells(text: string, { answer }: Planted): boolean {
  const said = text.toLowerCase();
  return answer.every((word) => said.includes(word.toLowerCase()));
}

export interface Sizes {
  readonly textMb: number;
  /** The workspace and the transcripts: what holds the text. */
  readonly workspaceMb: number;
  /** Signed entries, salts and hashes of the provable history: no text, and about twice its size. */
  readonly chainMb: number;
  readonly gitMb: number;
  readonly indexMb: number;
  readonly journalMb: number;
  readonly indexBytesPerToken: number;
}

export function measureSizes(home: string, saidBytes: number): Sizes {
  const isGit = (file: string): boolean => file.split(path.sep).includes('.git');
  const isChain = (file: string): boolean => file.startsWith(path.join(home, 'chain'));
  const trees = ['workspace', 'raw', 'chain'].flatMap((name) => filesBelow(path.join(home, name)));
  const index = filesBelow(path.join(home, 'state')).filter(({ file }) => path.basename(file).startsWith('index.db'));
  const indexBytes = sum(index);
  return {
    textMb: saidBytes / MEGABYTE,
    workspaceMb: sum(trees.filter(({ file }) => !isGit(file) && !isChain(file))) / MEGABYTE,
    chainMb: sum(trees.filter(({ file }) => !isGit(file) && isChain(file))) / MEGABYTE,
    gitMb: sum(trees.filter(({ file }) => isGit(file))) / MEGABYTE,
    indexMb: indexBytes / MEGABYTE,
    journalMb: sum(filesBelow(path.join(home, 'journal'))) / MEGABYTE,
    indexBytesPerToken: indexBytes / (saidBytes / CHARS_PER_TOKEN),
  };
}

interface Sized {
  readonly file: string;
  readonly bytes: number;
}

function filesBelow(folder: string): Sized[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file, bytes: fs.statSync(file).size }));
}

function sum(files: readonly Sized[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

/** The mean night of a month, in all and by job. */
export function nightOf(life: Life, month: number): { readonly all: number; readonly jobs: Record<string, number> } {
  const nights = life.nights.slice((month - 1) * MONTH_NIGHTS, month * MONTH_NIGHTS);
  const jobs: Record<string, number> = {};
  for (const night of nights)
    for (const [job, ms] of Object.entries(night)) jobs[job] = (jobs[job] ?? 0) + ms / nights.length;
  const all = Object.values(jobs).reduce((total, ms) => total + ms, 0);
  return { all, jobs: Object.fromEntries(Object.entries(jobs).map(([job, ms]) => [job, Math.round(ms)])) };
}

/** Files that hold archived memories: what a person never agreed to hide must not be there. */
export function countHidden(home: string): number {
  const folder = path.join(home, 'workspace/memory/archive');
  return filesBelow(folder).length;
}
