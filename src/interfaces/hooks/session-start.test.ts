import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder, writeWorkspaceFile } from '../../../test/support/home.ts';
import { ackAudit } from '../../operations/audit.ts';
import { runOperation } from '../../operations/operation.ts';
import { openMneme, type Mneme } from '../../mneme.ts';
import { PREAMBLE } from '../../compile/fill/layout.ts';
import type { Briefing, StartSource } from '../../compile/receipt.ts';

let home: string;
let mneme: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  writeWorkspaceFile(home, 'SOUL.md', '# Soul\n\nI am Silas. I answer briefly.\n');
  writeWorkspaceFile(
    home,
    'MEMORY.md',
    '# Core Memory\n\n## Facts\n- Mara leads the routing team\n- The quay closes at nine <!-- trust:agent learned:2026-11-15 -->\n',
  );
  mneme = await openMneme({ home });
  // Both were written past the write path.
  await runOperation(ackAudit, { ...mneme.internals, actor: 'manual' }, {});
  await mneme.remember('The ferry leaves from pier nine at dawn');
});
afterEach(() => mneme.close());

const start = (source: StartSource, budget?: number): Promise<Briefing> =>
  mneme.context('', { session: 'ses_a', event: 'session-start', source, budget });

describe('a session that starts', () => {
  it('is told first how to read the rest, and which line of core memory is an agent’s', async () => {
    const { prompt } = await start('startup');
    expect(prompt.startsWith(`${PREAMBLE}\n<identity>\n`)).toBe(true);
    expect(prompt).toContain('\n- Mara leads the routing team\n- [agent, 2026-11-15] The quay closes at nine\n</core>');
  });

  it.each([undefined, 200])('hears nothing twice when it is resumed, with a budget of %s', async (budget) => {
    expect((await start('startup', budget)).prompt).toContain('Silas');
    const resumed = await start('resume', budget);
    expect(resumed.prompt).not.toMatch(/Silas|Mara|quay/u);
    expect(resumed.receipt.items.map(({ reason }) => reason)).toContain('already told in this session');
    for (const source of ['startup', 'clear', 'compact'] as const)
      expect((await start(source, budget)).prompt).toContain('Silas');
  });

  it('hears what is new when it is resumed', async () => {
    await start('startup');
    await mneme.remember('The lighthouse is painted green this spring');
    const { prompt } = await start('resume');
    expect(prompt).toContain('painted green');
    expect(prompt).not.toContain('pier nine');
  });
});
