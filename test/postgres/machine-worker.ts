/** One machine of `machines.ts`: writes, exchanges its files, holds the lease when it can, and does jobs of the queue. */
import fs from 'node:fs';
import path from 'node:path';
import { openMneme } from '../../src/mneme.ts';
import { isMnemeError } from '../../src/model/errors.ts';
import { sync } from '../../src/operations/history/sync.ts';
import { openJobQueue } from '../../src/runtime/coordination/open-coordination.ts';
import type { WriterLease } from '../../src/runtime/coordination/writer-lease.ts';

export interface MachineOptions {
  readonly home: string;
  readonly name: string;
  /** Writes of this life; the parent kills most of them earlier. */
  readonly from: number;
  readonly to: number;
  /** Where everything is noted that the parent checks. */
  readonly ledger: string;
}

const SYNC_EVERY = 8;

const options = JSON.parse(process.argv[2] ?? '{}') as MachineOptions;
const note = (file: string, line: string): void => fs.appendFileSync(path.join(options.ledger, file), `${line}\n`);
const mneme = await openMneme({ home: options.home, actor: 'bot:main' });
const { internals: context } = mneme;
const queue = openJobQueue(context);

for (let number = options.from; number < options.to; number += 1) {
  const text = `Fact ${options.name}-${number} was seen.`;
  const isWriter = (await context.writer?.whyNot()) === undefined;
  if (isWriter) note('fences.log', `${await fenceOf()} ${options.name}`);
  if (number % 3 === 0) await mneme.remember(text);
  else await mneme.append('memory/reference/shared.md', `- ${text}\n`);
  note('acknowledged.log', text);
  if (number % SYNC_EVERY === SYNC_EVERY - 1) await exchange();
  if (isWriter) await doOneJob();
}
await exchange();
note('lives.log', `${options.name} ${options.to}`);
await queue?.close();
await mneme.close();

async function fenceOf(): Promise<number> {
  const held = await (context.writer as WriterLease | undefined)?.take();
  return held?.fence ?? 0;
}

async function exchange(): Promise<void> {
  try {
    // So that everybody gets their turn.
    await (context.writer as WriterLease | undefined)?.release();
    await sync.run(context, sync.input.parse({}));
  } catch (error) {
    // Others push all the time; what was not sent now is sent next time.
    if (!isMnemeError(error)) throw error;
    note('troubles.log', `${options.name} ${error.message}`);
  }
}

/** What it does is a file of its own that cannot be made twice; who is killed in between leaves it to the next. */
async function doOneJob(): Promise<void> {
  try {
    const taken = await queue?.take('daily');
    if (taken === undefined) return;
    const effect = path.join(options.ledger, 'effects', taken.occurrence);
    if (!fs.existsSync(effect)) fs.writeFileSync(effect, options.name, { flag: 'wx' });
    await taken.done();
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    note('troubles.log', `${options.name} ${error.message}`);
  }
}
