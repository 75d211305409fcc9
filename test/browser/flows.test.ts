import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

function readFile(relative: string): string {
  return fs.readFileSync(path.join(dashboard.server.home, 'workspace', relative), 'utf8');
}

// SPEC PAGE-2
it('remembers, and takes it back', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByLabel('What to remember').fill('The lighthouse keeper in Skagen is called Bo');
  await page.getByRole('button', { name: 'Remember' }).click();
  await page.getByText('Remembered.').waitFor();
  const { hits } = await dashboard.server.client('owner').call('recall', { query: 'lighthouse keeper called Bo' });
  expect(hits[0]?.text).toContain('lighthouse keeper');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Taken back.').waitFor();
  const after = await dashboard.server.client('owner').call('recall', { query: 'lighthouse keeper called Bo' });
  expect(after.hits.map(({ text }) => text).join()).not.toContain('lighthouse keeper');
  await context.close();
});

it('shows what the agent was told, why, and word for word', async () => {
  const { page, context } = await dashboard.visit();
  const card = page.getByRole('region', { name: 'What your agent was told' });
  await card.getByText('Can we release the Skagen board on Friday?').last().waitFor();
  await card.getByRole('link', { name: 'topics/release.md' }).waitFor();
  await card
    .getByRole('link', { name: /^We decided that boards are released on Tuesdays/u })
    .first()
    .waitFor();
  await card.getByText(/Left out, and why/u).click();
  await card.getByText('The prompt, word for word').click();
  expect(await card.locator('pre').textContent()).toContain('Never on a Friday');
  await context.close();
});

it('says of a silent prompt what was considered and why not, as `mneme why` does', async () => {
  const owner = dashboard.server.client('owner');
  const message = 'explain what a monad is in Haskell';
  await owner.call('context', { message, event: 'prompt' });
  const { silence } = await owner.call('context show', { receipt: 'last' });
  expect(silence?.closest).toHaveLength(3);
  const { page, context, problems } = await dashboard.visit();
  const card = page.getByRole('region', { name: 'What your agent was told' });
  await card.getByText(silence?.summary ?? '', { exact: true }).waitFor();
  for (const { line } of silence?.closest ?? []) await card.getByRole('link', { name: line, exact: true }).waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('answers for edits made outside', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByRole('button', { name: 'Yes, mine' }).click();
  await page.getByText('Noted: MEMORY.md was you.').waitFor();
  await page.getByText('Were these edits yours?').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Were these edits yours?').waitFor();
  await page.getByRole('button', { name: 'Yes, mine' }).click();
  const waiting = async (): Promise<number> =>
    (await dashboard.server.client('owner').call('audit alerts')).externalEdits.length;
  expect(await waiting()).toBe(1);
  await expect.poll(waiting, { timeout: 20_000 }).toBe(0);
  await context.close();
});

it('approves a part of a proposal as changed, and rejects another with a reason', async () => {
  const { page, context } = await dashboard.visit('inbox');
  await page.getByRole('link', { name: /What harbours ask for/u }).click();
  await page.getByLabel(/Change 2: edit MEMORY.md/u).uncheck();
  await page.getByRole('button', { name: 'Change, then approve' }).click();
  const text = page.getByLabel('The proposal');
  await text.fill((await text.inputValue()).replace('kept for a month', 'kept for a year'));
  await page.getByRole('button', { name: 'Approve as changed' }).click();
  await page.getByText('Approved 1 change of 2.').waitFor();
  expect(readFile('memory/reference/going-live.md')).toContain('kept for a year');
  expect(readFile('MEMORY.md')).not.toContain('Tove has them ready');

  await page.getByRole('link', { name: /Merge T. Lindqvist/u }).click();
  await page.getByRole('heading', { name: /Merge T. Lindqvist/u }).waitFor();
  await page.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel(/Why\?/u).fill('They are cousins');
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText(/Rejected. The same will not be proposed again/u).waitFor();
  await page.getByRole('link', { name: /Merge T. Lindqvist/u }).waitFor({ state: 'detached' });
  // A page that is closed at once still hands over what was decided.
  await page.goto('about:blank');
  const reasons = async (): Promise<(string | undefined)[]> => {
    const { proposals } = await dashboard.server.client('owner').call('proposals list', { state: 'rejected' });
    return proposals.map(({ reason }) => reason);
  };
  await expect.poll(reasons, { timeout: 20_000 }).toContain('They are cousins');
  await context.close();
});

it('finds as one types, explains a hit, and looks into the past', async () => {
  const { page, context, problems } = await dashboard.visit('memory');
  await page.getByRole('searchbox').pressSequentially('tide times were an hour off', { delay: 15 });
  const first = page.locator('.hit').filter({ hasText: 'the zone was added twice' }).first();
  await first.waitFor();
  await first.locator('.hit-open').click();
  await first.getByText('Meaning', { exact: true }).waitFor();
  await first.getByText('Written by').waitFor();
  await page.getByText('Filters and time travel').click();
  await page.getByLabel('As it was on').fill(new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10));
  await page.getByLabel('As it was on').dispatchEvent('change');
  await page.locator('.hit').filter({ hasText: 'the zone was added twice' }).first().waitFor({ state: 'detached' });
  expect(page.url()).toContain('at=');
  expect(problems).toEqual([]);
  await context.close();
});

it('undoes a change of the history after a preview', async () => {
  const { page, context } = await dashboard.visit('time/changes');
  await page.getByRole('link', { name: /Ida Brandt wants the tide in centimetres/u }).click();
  await page.getByRole('button', { name: /Take this back/u }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.diff-line.cut').filter({ hasText: 'centimetres' }).waitFor();
  await dialog.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText(/Taken back:/u).waitFor();
  const { hits } = await dashboard.server.client('owner').call('recall', { query: 'tide in centimetres' });
  expect(hits.map(({ text }) => text).join()).not.toContain('centimetres');
  await context.close();
});

it('compares two dates', async () => {
  const { page, context } = await dashboard.visit('time/compare');
  await page.getByLabel('From the beginning of').fill(new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10));
  await page.getByLabel('From the beginning of').dispatchEvent('change');
  await page.locator('.diff-line.add').filter({ hasText: 'never on Fridays' }).first().waitFor();
  expect(await page.getByRole('region', { name: /files changed/u }).count()).toBe(1);
  await context.close();
});

it('leads from a day to the turn, and from a turn to what was learned', async () => {
  const { page, context } = await dashboard.visit('time');
  await page.getByRole('link', { name: /The tide feed drifts by an hour/u }).click();
  await page.getByRole('heading', { level: 1, name: 'The tide feed drifts by an hour' }).waitFor();
  await dashboard.go(page, 'time/talk/tide-feed?turn=t3');
  expect(await page.locator('.turn.target').textContent()).toContain('we never store local times again');
  await page.getByRole('region', { name: 'Learned from it' }).getByRole('link').first().click();
  await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor();
  await context.close();
});

it('edits a file with a preview, and brings two versions together when an agent wrote meanwhile', async () => {
  const { page, context } = await dashboard.visit('memory/files/MEMORY.md');
  await page.getByRole('button', { name: 'Edit' }).click();
  const editor = page.getByLabel('Edit MEMORY.md');
  await editor.fill((await editor.inputValue()).replace('Never store local times', 'Never, ever store local times'));
  await page.getByRole('region', { name: 'Preview' }).getByText('Never, ever store local times').waitFor();
  await dashboard.server.mneme.core.add('Bo keeps the lighthouse', { block: 'Critical Facts' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page
    .getByRole('dialog', { name: 'It was changed meanwhile' })
    .getByRole('button', { name: 'Bring both together' })
    .click();
  expect(await editor.inputValue()).toContain('Bo keeps the lighthouse');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  expect(readFile('MEMORY.md')).toContain('Bo keeps the lighthouse');
  expect(readFile('MEMORY.md')).toContain('Never, ever store local times');
  await context.close();
});

it('draws the graph, finds a way, and shows somebody over time', async () => {
  const { page, context, problems } = await dashboard.visit('memory/graph');
  await page.locator('canvas[data-settled]').waitFor();
  await page.getByLabel('One of them').fill('Jonas Pell');
  await page.getByLabel('The other').fill('SQLite');
  await page.getByRole('button', { name: 'connected?' }).click();
  await page.locator('.path-finder').getByRole('link', { name: 'Lantern' }).waitFor();
  await page.getByRole('button', { name: 'List' }).click();
  await page.getByRole('button', { name: 'Jonas Pell' }).click();
  await page.getByRole('button', { name: 'Over time' }).click();
  await page.getByText('Odense').first().waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('keeps half-written texts when the view is left and the page is reloaded', async () => {
  const { page, context } = await dashboard.visit();
  await page.getByLabel('What to remember').fill('Half a thought about buoys');
  await dashboard.go(page, 'memory/files/MEMORY.md');
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('Edit MEMORY.md').fill('half an edit');
  await dashboard.go(page, 'time');
  await page.reload();
  await dashboard.go(page, 'now');
  expect(await page.getByLabel('What to remember').inputValue()).toBe('Half a thought about buoys');
  await dashboard.go(page, 'memory/files/MEMORY.md');
  expect(await page.getByLabel('Edit MEMORY.md').inputValue()).toBe('half an edit');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await context.close();
});

it('leads to a change that is older than the list, with the way to undo it', async () => {
  const first = await dashboard.server.mneme.remember('The old pier was painted green');
  for (let number = 0; number < 65; number += 1) await dashboard.server.mneme.remember(`Boat ${number} was moored`);
  const { page, context } = await dashboard.visit(`time/changes/${first.mutation}`);
  await page.getByRole('region', { name: /old pier was painted green/u }).waitFor();
  await page.getByRole('button', { name: /Take this back/u }).waitFor();
  await dashboard.go(page, 'time/changes/01ZZZZZZZZZZZZZZZZZZZZZZZZ');
  await page.getByText('This change is not in the history').waitFor();
  expect(await page.getByRole('button', { name: /Take this back/u }).count()).toBe(0);
  await context.close();
});

it('tries a message against the topics', async () => {
  const { page, context } = await dashboard.visit('memory/playbooks');
  await page.getByLabel('A message to try').fill('Please release the board to Skagen tonight');
  await page.getByText('release would come.').waitFor();
  await page.getByRole('region', { name: 'What was decided' }).getByText('told').first().waitFor();
  expect(await page.getByRole('region', { name: 'Try a message' }).getByText('comes').count()).toBeGreaterThan(0);
  await context.close();
});

it('shows what fades, and keeps it from fading', async () => {
  const { page, context } = await dashboard.visit('system');
  const card = page.getByRole('region', { name: 'What fades next' });
  await card.getByRole('button', { name: 'Keep' }).last().click();
  await page.getByText(/will not fade\./u).waitFor();
  for (const title of [
    'How memories fade',
    'Growth',
    'In step',
    'What runs by itself',
    'What models cost',
    'Provable history',
  ]) {
    expect(await page.getByRole('region', { name: title }).count()).toBe(1);
  }
  await context.close();
});

it('pauses background work and lets it go on', async () => {
  const { page, context } = await dashboard.visit('system');
  const card = page.getByRole('region', { name: 'In the background' });
  await card.getByRole('button', { name: 'Pause for two hours' }).click();
  await card.getByText('paused', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Resume' }).click();
  await card.getByRole('button', { name: 'Pause for two hours' }).waitFor();
  expect(await card.getByText('paused', { exact: true }).count()).toBe(0);
  await context.close();
});
