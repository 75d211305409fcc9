import fs from 'node:fs';
import path from 'node:path';
import { openMneme } from '../src/mneme.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { initTestHome, makeTemporaryFolder } from '../test/support/home.ts';
import { askPrompt, type Asked } from './asked.ts';
import { DAY_MS } from '../src/model/time.ts';

const NOW_MS = Date.UTC(2026, 5, 1);
/** The first memory is about five months old, and one follows each week. */
const FIRST_DAYS_AGO = 150;
const DAYS_APART = 7;

const MEMORY = /^(?<number>\d+) \[\w+\] (?<text>.+)$/u;
const PROMPT = /^\? (?<needs>[\d,]+|-) \| (?<text>.+)$/u;

interface SmallHome {
  readonly author: string;
  readonly memories: readonly { readonly number: number; readonly text: string }[];
  readonly prompts: readonly { readonly needs: readonly number[]; readonly text: string }[];
}

/** Remembers each home of the folder (`training/data/prompts`) in a home of its own, and asks its prompts. */
export async function askSmallHomes(folder: string, report: (line: string) => void): Promise<Asked[]> {
  const homes = readHomes(folder);
  const asked: Asked[] = [];
  for (const [at, home] of homes.entries()) {
    if (at % 20 === 0) report(`small home ${at + 1} of ${homes.length}`);
    asked.push(...(await askHome(home)));
  }
  return asked;
}

async function askHome({ author, memories, prompts }: SmallHome): Promise<Asked[]> {
  const folder = makeTemporaryFolder('mneme-small-');
  await initTestHome(folder);
  let nowMs = NOW_MS;
  const mneme = await openMneme({ home: folder, actor: 'human:user', parts: { clock: { now: () => nowMs } } });
  try {
    const numbers = new Map<string, number>();
    for (const [at, { number, text }] of memories.entries()) {
      nowMs = NOW_MS - (FIRST_DAYS_AGO - at * DAYS_APART) * DAY_MS;
      numbers.set((await mneme.remember(text)).id, number);
    }
    nowMs = NOW_MS;
    await syncIndex(mneme.internals);
    const asked: Asked[] = [];
    for (const { needs, text } of prompts) {
      const heldBy = ({ id }: { readonly id: string }): readonly number[] => {
        const number = numbers.get(id);
        return number !== undefined && needs.includes(number) ? [number] : [];
      };
      const prompt = { group: author, text, needs: needs.length, heldBy, project: undefined, nowMs };
      asked.push(await askPrompt(mneme, prompt));
    }
    return asked;
  } finally {
    await mneme.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function readHomes(folder: string): SmallHome[] {
  return fs
    .readdirSync(folder)
    .sort()
    .flatMap((author) =>
      fs
        .readFileSync(path.join(folder, author), 'utf8')
        .split(/^== /mu)
        .slice(1)
        .map((text) => parseHome(author, text.split('\n'))),
    );
}

function parseHome(author: string, lines: readonly string[]): SmallHome {
  const memories = lines.flatMap((line) => {
    const { number, text } = MEMORY.exec(line)?.groups ?? {};
    return number === undefined || text === undefined ? [] : [{ number: Number(number), text }];
  });
  const prompts = lines.flatMap((line) => {
    const { needs, text } = PROMPT.exec(line)?.groups ?? {};
    if (needs === undefined || text === undefined) return [];
    return [{ needs: needs === '-' ? [] : needs.split(',').map(Number), text }];
  });
  return { author, memories, prompts };
}
