import fs from 'node:fs';
import path from 'node:path';
import { DAY_MS, localTime } from '../../src/model/time.ts';
import { openMneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import type { SampleSession } from '../extract/sample.ts';
import { progress } from '../support.ts';
import { snapshot, type Written } from './written.ts';

/** Entries are carried over once they have settled. */
const SETTLE_DAYS = 10;
/** Above `CONSOLIDATION.minImportance`: consolidation alone decides what of it lasts. */
const IMPORTANCE = 0.8;

/**
 * Everything the user said, as entries of their days – what an agent that notes all it hears would leave – and what
 * consolidation makes of them by itself.
 */
export async function consolidateSample(
  sessions: readonly SampleSession[],
  { user, zone }: { readonly user: string; readonly zone: string },
): Promise<readonly Written[]> {
  const home = makeTemporaryFolder('mneme-bench-');
  await initHome({ home, timeZone: zone, isFull: false, command: ['mneme'] });
  writeDays(path.join(home, 'workspace/memory/episodes'), sessions, zone);
  const lastMs = Math.max(...sessions.map(({ started }) => Date.parse(started)));
  const mneme = await openMneme({ home, parts: { clock: { now: () => lastMs + SETTLE_DAYS * DAY_MS } } });
  try {
    await mneme.graph.add({ name: user, type: 'person', tags: ['user'] });
    const before = new Set(snapshot(mneme.internals.workspace.root).map(({ id }) => id));
    for (const period of ['day', 'week', 'month'] as const) {
      progress(`consolidating, ${period}`);
      await mneme.consolidate({ period });
    }
    return snapshot(mneme.internals.workspace.root).filter(({ id }) => !before.has(id));
  } finally {
    await mneme.close();
    fs.rmSync(home, { recursive: true, force: true });
  }
}

function writeDays(folder: string, sessions: readonly SampleSession[], zone: string): void {
  fs.mkdirSync(folder, { recursive: true });
  const said = sessions.flatMap(({ session, turns }) =>
    turns.filter(({ role }) => role === 'user').map((turn) => ({ ...turn, session })),
  );
  const entries = said.map(({ time, text, session, id: turn }, index) => ({
    ...localTime(Date.parse(time), zone),
    text,
    origin: `session:${session} turn:${turn}`,
    id: `e${String(index).padStart(12, '0')}`,
  }));
  for (const [date, day] of Map.groupBy(entries, (entry) => entry.date)) {
    const lines = day.map(
      ({ time, text, id, origin }) =>
        `## ${time.slice(0, 5)} | event\n<!-- importance:${IMPORTANCE} trust:user source:auto ${origin} -->\n${text.replaceAll(/\s+/gu, ' ')} ^${id}\n`,
    );
    const head = `---\ntype: episodes\ndate: ${date}\n---\n\n# ${date}\n\n`;
    fs.writeFileSync(path.join(folder, `${date}.md`), `${head}${lines.join('\n')}`);
  }
}
