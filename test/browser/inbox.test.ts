import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
let researcher: Mneme;
beforeAll(async () => {
  dashboard = await Dashboard.open();
  researcher = await openMneme({ home: dashboard.server.home, actor: 'subagent:researcher' });
});
afterAll(async () => {
  await researcher.close();
  await dashboard.close();
});

function readFile(relative: string): string {
  return fs.readFileSync(path.join(dashboard.server.home, 'workspace', relative), 'utf8');
}

async function isRemembered(words: string): Promise<boolean> {
  const { hits } = await dashboard.server.client('owner').call('recall', { query: words });
  return hits.some(({ text }) => text.includes(words));
}

it('approves what a sub-agent says one statement at a time, by a key, and undoes it by another', async () => {
  await researcher.agents.propose({
    text: 'The harbour office in Skagen closes at three',
    evidence: ['release-plan#t3'],
  });
  await researcher.agents.propose({ text: 'The crane in Grenaa lifts twelve tonnes' });
  const { page, context, problems } = await dashboard.visit('inbox');
  await page.getByRole('link', { name: /harbour office in Skagen/u }).click();
  await page.getByRole('region', { name: 'Evidence' }).getByText('We release on Tuesdays').waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('a');
  await page.getByText('Approved.').waitFor();
  expect(await isRemembered('harbour office in Skagen closes at three')).toBe(true);
  expect(await isRemembered('crane in Grenaa lifts')).toBe(false);
  await page.getByRole('link', { name: /harbour office in Skagen/u }).waitFor({ state: 'detached' });
  await page.keyboard.press('z');
  await page.getByText('Taken back.').waitFor();
  expect(await isRemembered('harbour office in Skagen closes at three')).toBe(false);
  expect(problems).toEqual([]);
  await context.close();
});

it('keeps what a sub-agent says in other words', async () => {
  await researcher.agents.propose({ text: 'The pilot boat is called Svane' });
  const { page, context } = await dashboard.visit('inbox');
  await page.getByRole('link', { name: /pilot boat is called Svane/u }).click();
  await page.getByRole('heading', { name: 'Should this be remembered?' }).waitFor();
  await page.locator('main').focus();
  await page.keyboard.press('e');
  await page.getByLabel('The words to remember').fill('The pilot boat is called Svanen');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByText('Approved.').waitFor();
  expect(await isRemembered('pilot boat is called Svanen')).toBe(true);
  await context.close();
});

it('shows what contradicts as either or, and never approves it together with others', async () => {
  await researcher.agents.propose({ text: 'Tove Lindqvist lives in Ribe.' });
  await researcher.agents.propose({ text: 'Tove Lindqvist lives in Varde.' });
  const { page, context } = await dashboard.visit('inbox');
  await page.getByRole('link', { name: /lives in Varde/u }).click();
  await page
    .getByRole('region', { name: 'Proposed too' })
    .getByText(/lives in Ribe/u)
    .waitFor();
  // Nothing is believed yet: rejecting one of two keeps nothing.
  expect(await page.getByRole('button', { name: 'Keep what is believed' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Reject this one' }).waitFor();
  const together = await page.getByRole('button', { name: /that nothing contradicts/u }).textContent();
  const waiting = await page.getByRole('navigation', { name: 'Decisions' }).getByRole('link').count();
  expect(Number(/\d+/u.exec(together ?? '')?.[0])).toBeLessThanOrEqual(waiting - 3);
  await page.getByRole('button', { name: 'Believe this one' }).click();
  await page.getByText('Approved.').waitFor();
  expect(await isRemembered('lives in Varde')).toBe(true);
  expect(await isRemembered('lives in Ribe')).toBe(false);
  await context.close();
});

it('says of what contradicts something known that it is kept', async () => {
  await dashboard.server.client('owner').call('graph fact', {
    entity: 'Tide feed',
    text: 'The depth at the gauge is 8 metres.',
  });
  const { contradicts } = await researcher.agents.propose({
    text: 'The depth at the gauge is 9 metres.',
    entities: ['project--tide-feed'],
  });
  expect(contradicts).toHaveLength(1);
  const { page, context } = await dashboard.visit('inbox');
  await page.getByRole('link', { name: /gauge is 9 metres/u }).click();
  await page
    .getByRole('region', { name: 'Believed now' })
    .getByText(/gauge is 8 metres/u)
    .waitFor();
  await page.getByRole('button', { name: 'Believe this instead' }).waitFor();
  await page.getByRole('button', { name: 'Keep what is believed' }).waitFor();
  await context.close();
});

it('approves two of three lines, and edits one of them; the rest can still be decided', async () => {
  const core = readFile('MEMORY.md');
  await researcher.internals.proposals.propose({
    actor: 'subagent:researcher',
    trust: 'agent',
    kind: 'memory',
    title: 'What ferries ask for',
    why: '',
    evidence: [],
    changes: [
      {
        path: 'memory/reference/ferries.md',
        after: '- A timetable, kept for a month.\n- Night colours.\n- Somebody who answers.\n',
      },
      { path: 'MEMORY.md', after: core.replace('night colours', 'night colours (Tove has them ready)') },
    ],
  });
  const { page, context } = await dashboard.visit('inbox');
  await page.getByRole('link', { name: /What ferries ask for/u }).click();
  await page.getByLabel('Take: Somebody who answers.').uncheck();
  await page.getByLabel(/Take: Skagen goes live this week/u).uncheck();
  await page
    .locator('.line-change')
    .filter({ hasText: 'kept for a month' })
    .getByRole('button', { name: 'edit' })
    .click();
  await page.getByLabel('This line in other words').fill('A timetable, kept for a year.');
  await page.getByRole('button', { name: 'Approve 2 of 4' }).click();
  await page.getByText('Approved 2 of 4 lines.').waitFor();
  expect(readFile('memory/reference/ferries.md')).toBe('- A timetable, kept for a year.\n- Night colours.\n');
  expect(readFile('MEMORY.md')).not.toContain('Tove has them ready');
  await page.getByRole('link', { name: /What ferries ask for/u }).click();
  await page.getByLabel(/Take: Skagen goes live this week/u).waitFor();
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).isEnabled()).toBe(true);
  await context.close();
});

it('merges whole or not at all, and rejects with a reason', async () => {
  const { page, context } = await dashboard.visit('inbox');
  await page.getByRole('link', { name: /Merge T. Lindqvist/u }).click();
  const title = page.getByRole('heading', { name: 'Merge T. Lindqvist into Tove Lindqvist', exact: true });
  await title.waitFor();
  expect(await page.locator('.decision input[type=checkbox]').count()).toBe(0);
  const owner = dashboard.server.client('owner');
  const merge = (await owner.call('proposals list', {})).proposals.find(({ kind }) => kind === 'merge');
  await expect(owner.call('approve', { ids: [merge?.id ?? ''], only: [1] })).rejects.toThrow('whole or not at all');

  await page.locator('main').focus();
  await page.keyboard.press('r');
  await page.getByLabel(/Why\?/u).fill('They are cousins');
  await page.keyboard.press('Enter');
  await page.getByText(/Rejected. The same will not be proposed again/u).waitFor();
  await page.getByRole('link', { name: /Merge T. Lindqvist/u }).waitFor({ state: 'detached' });
  // A page that is closed at once still hands over what was decided.
  await page.goto('about:blank');
  const reasons = async (): Promise<(string | undefined)[]> => {
    const { proposals } = await owner.call('proposals list', { state: 'rejected' });
    return proposals.map(({ reason }) => reason);
  };
  await expect.poll(reasons, { timeout: 20_000 }).toContain('They are cousins');
  await context.close();
});

it('asks one question about a thousand edits from outside, and stays small', async () => {
  const folder = path.join(dashboard.server.home, 'workspace/memory/reference/outside');
  fs.mkdirSync(folder, { recursive: true });
  for (let number = 0; number < 1000; number += 1)
    fs.writeFileSync(path.join(folder, `note-${number}.md`), `# Note ${number}\n`);
  // What was written outside is looked for when a home is opened.
  await (await openMneme({ home: dashboard.server.home, actor: 'human:mira' })).close();
  const owner = dashboard.server.client('owner');
  const found = async (): Promise<number> => (await owner.call('audit alerts')).externalEdits.length;
  await expect.poll(found, { timeout: 20_000 }).toBeGreaterThanOrEqual(1000);
  const { page, context } = await dashboard.visit('inbox/outside');
  await page.getByText(/\d,\d{3} files? changed|1,00\d files changed/u).waitFor();
  const nodes = await page.locator('*').count();
  expect(nodes).toBeLessThan(1500);
  const height = await page.locator('html').evaluate((root) => root.scrollHeight);
  expect(height).toBeLessThan(2500);
  await page.getByRole('button', { name: 'Yes, mine' }).click();
  await page.getByText('Noted: all of it was you.').waitFor();
  await page.getByText('Were these edits yours?').first().waitFor({ state: 'detached' });
  await context.close();
});
