/**
 * Whether requests to remember are filed where a person would look: `npm run bench:routing -- [--data FILE] [--wrong] [--json]`.
 * Each request goes through the real `remember` into a new home; it is right when the expected place of that home holds
 * what it says. FILE is a list of `{text, store, mustContain}`; the default is the set it was developed with.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openMneme } from '../src/index.ts';
import { initHome } from '../src/operations/home/init.ts';
import { createContentReader, STORES, type RequestStore } from './routing/places.ts';
import { printResult, progress } from './support.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(import.meta.dirname, 'data', 'routing.json') },
    /** Lists requests that went elsewhere, and where. */
    wrong: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

interface Request {
  readonly text: string;
  readonly store: RequestStore;
  readonly mustContain: readonly string[];
}

const requests = JSON.parse(fs.readFileSync(options.data, 'utf8')) as readonly Request[];
const right = new Map<RequestStore, number>();
for (const [number, request] of requests.entries()) {
  const isRight = await isFiled(request);
  right.set(request.store, (right.get(request.store) ?? 0) + (isRight ? 1 : 0));
  if ((number + 1) % 20 === 0) progress(`${number + 1} of ${requests.length}`);
}

const byStore = Object.fromEntries(
  STORES.map((store) => [store, requests.filter((request) => request.store === store).length] as const)
    .filter(([, count]) => count > 0)
    .map(([store, count]) => [
      store,
      { requests: count, accuracy: Number(((right.get(store) ?? 0) / count).toFixed(4)) },
    ]),
);
const total = [...right.values()].reduce((sum, count) => sum + count, 0);
printResult(options.json, 'routing', {
  requests: requests.length,
  accuracy: total / Math.max(1, requests.length),
  byStore,
});

async function isFiled({ text, store, mustContain }: Request): Promise<boolean> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-routing-'));
  const home = path.join(folder, 'home');
  try {
    await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
    const mneme = await openMneme({ home, actor: 'manual' });
    try {
      const { path: written, warnings } = await mneme.remember(text);
      const read = createContentReader(path.join(home, 'workspace'));
      const isRight = read(store).some((entry) =>
        mustContain.every((words) => entry.toLowerCase().includes(words.toLowerCase())),
      );
      if (!isRight && options.wrong) process.stderr.write(`${store} → ${written} ${warnings.join(' ')}| ${text}\n`);
      return isRight;
    } finally {
      await mneme.close();
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
