import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ackAudit } from '../../src/operations/audit.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { initTestHome, makeTemporaryFolder, writeWorkspaceFile } from '../support/home.ts';
import type { Briefing } from '../../src/compile/receipt.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';

const START = Date.UTC(2026, 2, 10, 12);
const QUESTION = 'Which port does the staging database of the lantern project listen on?';

let home: string;
let mneme: Mneme;
let nowMs: number;

beforeEach(async () => {
  home = makeTemporaryFolder();
  nowMs = START;
  await initTestHome(home);
  mneme = await openMneme({ home, parts: { clock: { now: () => nowMs } } });
});
afterEach(() => mneme.close());

const prompt = (session = 'ses_a', message = QUESTION): Promise<Briefing> =>
  mneme.context(message, { session, event: 'prompt' });
const start = (source: 'startup' | 'resume' | 'compact' = 'startup', session = 'ses_a'): Promise<Briefing> =>
  mneme.context('', { session, event: 'session-start', source });

const PORT = 'The staging database of the lantern project listens on port 5544.';

// SPEC CONTEXT-5
describe('a memory that a prompt of the session already included', () => {
  it('is not included again in that session, but is in another', async () => {
    await mneme.remember(PORT);
    expect((await prompt()).prompt).toContain('5544');
    const again = await prompt();
    expect(again.prompt).toBe('');
    expect(again.receipt.items.map(({ reason }) => reason)).toContain('already told in this session');
    expect((await prompt('ses_b')).prompt).toContain('5544');
    expect((await mneme.context(QUESTION, { session: 'ses_a' })).prompt).toContain('5544');
  });

  it('is not included again when the context at session start had it, among the recent days or in core memory', async () => {
    await mneme.remember(PORT);
    writeWorkspaceFile(
      home,
      'MEMORY.md',
      '# Core Memory\n\n## Facts\n- The gate code of the quay is written on the tide table\n',
    );
    await mneme.internals.workspace.scan();
    const gate = 'What is the gate code of the quay, is it on the tide table?';
    expect((await prompt('ses_b', gate)).prompt).toContain('tide table');
    const { prompt: told } = await start();
    expect(told).toContain('5544');
    expect(told).toContain('gate code of the quay');
    expect((await prompt()).prompt).toBe('');
    expect((await prompt('ses_a', gate)).prompt).toBe('');
  });

  it('is included again after a compaction, but not after a resume', async () => {
    await mneme.remember(PORT);
    await prompt();
    await start('resume');
    expect((await prompt()).prompt).toBe('');
    nowMs += 3 * 86_400_000;
    expect((await start('compact')).prompt).toContain('5544');
    expect((await prompt()).prompt).toBe('');
  });

  it('is included again when it has changed', async () => {
    const { id } = await mneme.remember(PORT);
    await prompt();
    const { path } = await mneme.read(id);
    await mneme.edit({ path, replace: '5544', with: '6655' });
    expect((await prompt()).prompt).toContain('6655');
  });

  it('may be a turn of the session itself only after a compaction removed that turn from the context window', async () => {
    const session = await mneme.session.start({ id: 'ses_a' });
    await session.message('user', PORT);
    expect((await prompt()).prompt).toBe('');
    nowMs += 10 * 60_000;
    await start('compact', 'ses_other');
    await session.reset();
    expect((await prompt()).prompt).toContain('5544');
  });
});

describe('a project', () => {
  async function talk(project: string, text: string): Promise<void> {
    nowMs += 60_000;
    const session = await mneme.session.start({ project });
    await session.message('user', text);
    await session.end();
  }

  it('decides which conversation was the last, by folder or by name', async () => {
    await talk('/home/ines/lantern', 'The wick is too short.');
    await talk('harbour', 'The crane is stuck.');
    expect((await start()).prompt).toContain('crane');
    const there = await mneme.context('', { event: 'session-start', project: '/elsewhere/lantern' });
    expect(there.prompt).toContain('wick');
    expect(there.prompt).not.toContain('crane');
    const reasons = there.receipt.items.map(({ reason }) => reason);
    expect(reasons).toContain('included: the last conversation about lantern');
    const unknown = await mneme.context('', { event: 'session-start', project: ['nothing', 'known'] });
    expect(unknown.prompt).toContain('crane');
  });

  it('has what is its own told first, and to nobody else', async () => {
    await mneme.remember('The old wick burns longer.', { scope: 'project:lantern' });
    nowMs += 30 * 86_400_000;
    const inside = { event: 'session-start', project: 'lantern', scope: 'project:lantern' } as const;
    expect((await mneme.context('', inside)).prompt).toContain('old wick');
    expect((await mneme.context('', { event: 'session-start', project: 'lantern' })).prompt).not.toContain('old wick');
    for (const name of ['quay', 'lantern', 'crane'])
      await mneme.remember(`Something about the ${name} of today.`, { store: 'episodic' });
    const { receipt } = await mneme.context('', { ...inside, budget: 400 });
    const recent = receipt.items.filter(({ reason }) => reason.startsWith('included: about'));
    expect(recent).toHaveLength(1);
  });
});

describe('the receipt', () => {
  it('says how far core memory is trusted', async () => {
    writeWorkspaceFile(
      home,
      'MEMORY.md',
      '# Core Memory\n\n## Facts\n- Mara leads the team\n\n## From elsewhere\n- The price list changes in June <!-- trust:external -->\n',
    );
    await mneme.internals.workspace.scan();
    await runOperation(ackAudit, { ...mneme.internals, actor: 'manual' }, {});
    const { receipt } = await start();
    const trust = new Map(receipt.items.filter(({ slot }) => slot === 'P1').map((item) => [item.id, item.trust]));
    // As the prompt says it: a line without a mark is the user's own.
    expect(trust.get('MEMORY.md#Facts')).toBe('user');
    expect(trust.get('MEMORY.md#From elsewhere')).toBe('external');
  });

  it('is of a prompt that fits the characters allowed', async () => {
    for (const name of ['Rosa', 'Henrik', 'Ines', 'Tomas', 'Vera', 'Olga', 'Piet', 'Nadia'])
      await mneme.remember(`${name} reads the tide table: ${`${name}crane ${name}gate ${name}quay `.repeat(10)}`);
    const { prompt: whole } = await start();
    const short = await mneme.context('', { event: 'session-start', maxChars: 1500 });
    expect(whole.length).toBeGreaterThan(1500);
    expect(short.prompt.length).toBeLessThanOrEqual(1500);
    expect(short.prompt).toContain('tide table');
  });
});
