import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

it('shows what fades, and keeps it from fading', async () => {
  const { page, context } = await dashboard.visit('system');
  const card = page.getByRole('region', { name: 'What fades next' });
  await card.getByRole('button', { name: 'Keep' }).last().click();
  await page.getByText(/will not fade\./u).waitFor();
  for (const title of ['How memories fade', 'Growth', 'In step', 'Provable history']) {
    expect(await page.getByRole('region', { name: title }).count()).toBe(1);
  }
  await context.close();
});

it('pauses background work and lets it go on', async () => {
  const { page, context } = await dashboard.visit('system/work');
  const card = page.getByRole('region', { name: 'What is being learned' });
  await card.getByRole('button', { name: 'Pause for two hours' }).click();
  await card.getByText('paused', { exact: true }).waitFor();
  await card.getByRole('button', { name: 'Resume' }).click();
  await card.getByRole('button', { name: 'Pause for two hours' }).waitFor();
  expect(await card.getByText('paused', { exact: true }).count()).toBe(0);
  await context.close();
});

it('shows a procedure with its steps, and how each run went', async () => {
  const folder = path.join(dashboard.server.home, 'workspace/memory/procedures');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'greet.md'),
    '---\nname: Greet the harbour\n---\n# Greet the harbour\n\n## Steps\n1. Say it\n   - action: say ahoy\n',
  );
  await dashboard.server.mneme.procedures.run('Greet the harbour');
  const { page, context } = await dashboard.visit('memory/procedures');
  await page.getByRole('link', { name: /Greet the harbour/u }).click();
  await page.getByRole('region', { name: 'Steps' }).getByText('Say it').waitFor();
  const runs = page.getByRole('region', { name: 'Runs' });
  await runs.getByText('succeeded').first().click();
  expect(await runs.getByRole('listitem').filter({ hasText: 'Say it' }).count()).toBeGreaterThan(0);
  await context.close();
});

it('explains each setting, changes it, keeps what was typed, and goes back to what it comes as', async () => {
  const { page, context } = await dashboard.visit('system/settings');
  await page.getByRole('region', { name: 'What you changed' }).waitFor();
  await page.getByLabel('Find a setting').fill('default_results');
  const field = page.getByLabel(/search\.default_results/u);
  await field.fill('7');
  await dashboard.go(page, 'now');
  await dashboard.go(page, 'system/settings/search');
  expect(await field.inputValue()).toBe('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('search.default_results is now 7.').waitFor();
  const owner = dashboard.server.client('owner');
  expect((await owner.call('config get', { key: 'search.default_results' })).values[0]?.value).toBe(7);
  await page.getByRole('button', { name: 'As it comes' }).click();
  await page.getByText('search.default_results is back').waitFor();
  expect((await owner.call('config get', { key: 'search.default_results' })).values[0]?.isDefault).toBe(true);
  await context.close();
});

it('shows jobs and costs on one page', async () => {
  const { page, context } = await dashboard.visit('system/work');
  const jobs = page.getByRole('region', { name: 'What runs by itself' });
  await jobs.getByRole('row', { name: /backup/u }).waitFor();
  await page.getByRole('region', { name: 'What models cost' }).getByText('Nothing so far').waitFor();
  await page
    .getByRole('region', { name: 'What is being learned' })
    .getByText(/to learn from/u)
    .waitFor();
  expect(await jobs.getByRole('button', { name: 'Run backup' }).isEnabled()).toBe(true);
  await context.close();
});

it('shows what was decided about learning and telling, and takes each back', async () => {
  const owner = dashboard.server.client('owner');
  const { id } = await owner.call('remember', { text: 'The spare key hangs behind the boiler' });
  await owner.call('feedback', { id, verdict: 'always' });
  await dashboard.server.mneme.session.start({ id: 'secret', private: true });
  const { page, context, problems } = await dashboard.visit('system/control');
  await page.getByRole('region', { name: 'Private conversations' }).getByText('secret').waitFor();
  const paused = page.getByRole('region', { name: 'Pause' });
  await paused.getByRole('button', { name: 'Until I resume it' }).click();
  await paused.getByText('until you resume it').waitFor();
  await paused.getByRole('button', { name: 'Resume' }).click();
  await paused.getByRole('button', { name: 'For a day' }).waitFor();
  const rules = page.getByRole('region', { name: 'Never learned about' });
  await rules.getByLabel('A subject to learn nothing about').fill('my divorce');
  await page.keyboard.press('Enter');
  await rules.getByRole('listitem').filter({ hasText: 'my divorce' }).waitFor();
  expect((await owner.call('ignore list', {})).rules).toEqual(['my divorce']);
  await rules.getByRole('button', { name: 'Remove' }).click();
  await rules.getByText('there are no rules').waitFor();
  const said = page.getByRole('region', { name: 'What you said of memories' });
  const key = said.getByRole('listitem').filter({ hasText: 'The spare key hangs behind the boiler' });
  await key.getByText('always told').waitFor();
  await key.getByRole('button', { name: 'Take back' }).click();
  await key.waitFor({ state: 'detached' });
  expect((await owner.call('feedback list', {})).feedback).toEqual([]);
  expect(problems).toEqual([]);
  await context.close();
});

it('lists all that fades next, keeps one and forgets another', async () => {
  const { page, context } = await dashboard.visit('system');
  await page.getByRole('region', { name: 'What fades next' }).getByRole('link', { name: 'all of it' }).click();
  const list = page.getByRole('navigation', { name: 'What fades next' });
  const first = list.locator('.fading-row').first();
  const words = (await first.getByRole('link').textContent()) ?? '';
  await first.getByRole('button', { name: 'Forget now' }).click();
  await page.getByText('It is in the archive.').waitFor();
  await list.getByText(words, { exact: true }).waitFor({ state: 'detached' });
  expect(await list.locator('.fading-row').count()).toBeGreaterThan(1);
  await first.getByRole('button', { name: 'Keep' }).click();
  await page.getByText(/will not fade\./u).waitFor();
  await context.close();
});
