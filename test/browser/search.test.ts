import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dashboard } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

it('finds a memory by the beginning of a word, and marks what begins so', async () => {
  const { page, context } = await dashboard.visit('memory');
  await page.getByRole('searchbox').pressSequentially('centim', { delay: 20 });
  const hit = page.locator('.hit').filter({ hasText: 'centimetres' }).first();
  await hit.waitFor();
  expect(await hit.locator('mark').first().textContent()).toMatch(/^centim/iu);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).fill('centim');
  await page
    .getByRole('option', { name: /centimetres/u })
    .first()
    .waitFor();
  await context.close();
});

it('shows the turn that matches, with its conversation as the source, and never a whole conversation', async () => {
  const { page, context } = await dashboard.visit('memory?q=the zone was added twice');
  const turn = page
    .locator('.hit')
    .filter({ has: page.locator('.about a') })
    .first();
  await turn.waitFor();
  const words = await page.locator('.hit .words').allTextContents();
  expect(words.filter((text) => text.includes('\n') || text.length > 450)).toEqual([]);
  // The user's words are theirs, whoever spoke next; and "the" is marked nowhere.
  const said = page.locator('.hit', { has: page.locator('.about', { hasText: /^(?!agent)/u }) });
  expect(await said.locator('.statement.yours').count()).toBeGreaterThan(0);
  const marks = await page.locator('.hit mark').allTextContents();
  expect(marks.filter((mark) => mark.toLowerCase() === 'the')).toEqual([]);
  await turn.locator('.about a').click();
  await page.locator('.turn.target').waitFor();
  expect(page.url()).toMatch(/#\/time\/talk\/[\w-]+\?turn=t\d+/u);
  await context.close();
});

it('narrows by what is typed before a colon, and offers the values', async () => {
  const { page, context, problems } = await dashboard.visit('memory');
  const field = page.getByRole('searchbox');
  await field.pressSequentially('kind:fa');
  await page.getByRole('button', { name: 'kind:facts' }).click();
  expect(await field.inputValue()).toBe('kind:facts ');
  await field.pressSequentially('person:jon');
  await page.getByRole('button', { name: 'person:Jonas Pell' }).click();
  expect(await field.inputValue()).toBe('kind:facts person:"Jonas Pell" ');
  await field.pressSequentially('lives ');
  await page.locator('.hit').filter({ hasText: 'Lives in Aarhus' }).first().waitFor();
  const kinds = await page.locator('.hit .about').allTextContents();
  expect(kinds.every((kind) => kind.includes('facts'))).toBe(true);
  await field.fill('before:2001 tide');
  await page.getByText('Nothing remembered answers that').waitFor();
  await field.fill('kind:nonsense tide');
  await page.getByText('“nonsense” is none of').waitFor();
  expect(problems).toEqual([]);
  await context.close();
});

it('searches where few results are allowed, and says so when more are asked for', async () => {
  await dashboard.server.client('owner').call('config set', { key: 'search.max_results', value: '5' });
  await dashboard.restart(() => Promise.resolve());
  const { page, context, problems } = await dashboard.visit('memory?q=release of the boards');
  await page.locator('.hit').first().waitFor();
  await page.getByRole('button', { name: 'Look for more' }).click();
  await page.getByText('search.max_results allows 5 hits').waitFor();
  expect(await page.locator('.hit').count()).toBeGreaterThan(0);
  expect(problems).toEqual([]);
  await dashboard.server.client('owner').call('config unset', { key: 'search.max_results' });
  await context.close();
});
