import fs from 'node:fs';
import path from 'node:path';
import { SLOT_OF } from '../../src/compile/slots.ts';
import type { Briefing } from '../../src/compile/receipt.ts';
import { openMneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { fixtureFiles, storeFiles, writeFixture } from './fixture.ts';

const TURNS = 50;
const CORE_EDITS = new Set([13, 26, 39]);
/** Turns in which something is remembered, which the recent days then tell. */
const NOTED = new Set([7, 19, 31, 44]);

export interface PrefixResult {
  /** The share of P0 and P1 that a cache still holds at the next turn, over all turns, in percent. */
  readonly prefixStability: number;
  /** Of the turns without a write, how many had P0 and P1 byte for byte as before, in percent. */
  readonly unchangedIdentical: number;
}

/** A conversation of fifty turns in which core memory is edited three times and something is noted four times. */
export async function measurePrefix(): Promise<PrefixResult> {
  const home = makeTemporaryFolder('mneme-prefix-');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  writeFixture(path.join(home, 'workspace'), { ...fixtureFiles(1), ...storeFiles(['crane number']) });
  const mneme = await openMneme({ home, actor: 'manual' });
  const session = await mneme.session.start({});
  const shares: number[] = [];
  let identical = 0;
  let unchanged = 0;
  let before: string | undefined;
  for (let turn = 1; turn <= TURNS; turn += 1) {
    if (CORE_EDITS.has(turn)) editCore(home, turn);
    if (CORE_EDITS.has(turn)) await mneme.internals.workspace.scan();
    if (NOTED.has(turn)) await mneme.remember(`Noted at turn ${turn}: the harbour crane needs key number ${turn}`);
    const message = `What do we know about crane number ${turn}?`;
    const stable = stableOf(await mneme.context(message, { session: session.id }));
    if (before !== undefined) {
      shares.push(commonPrefix(before, stable) / Buffer.byteLength(before));
      const isWritten = CORE_EDITS.has(turn) || NOTED.has(turn);
      unchanged += isWritten ? 0 : 1;
      identical += !isWritten && stable === before ? 1 : 0;
    }
    before = stable;
    await session.message('user', message);
    await session.message('agent', `Crane number ${turn} was last serviced in week ${turn}.`);
  }
  await mneme.close();
  fs.rmSync(home, { recursive: true, force: true });
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  return { prefixStability: mean * 100, unchangedIdentical: (identical / unchanged) * 100 };
}

/** A line more, in the middle of the file, as a person edits. */
function editCore(home: string, turn: number): void {
  const file = path.join(home, 'workspace', 'MEMORY.md');
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.replace('\n## Persona', `- Added at turn ${turn}\n\n## Persona`));
}

function stableOf({ sections }: Briefing): string {
  return sections
    .filter(({ tag }) => tag === 'preamble' || SLOT_OF[tag] === 'P0' || SLOT_OF[tag] === 'P1')
    .map(({ text }) => text)
    .join('\n');
}

function commonPrefix(left: string, right: string): number {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
