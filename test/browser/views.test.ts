import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, VIEWS } from './support/dashboard.ts';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

/** Each finding in a line: what is wrong, and where. */
async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}

// SPEC PAGE-4
describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  it('has no barrier in any view, and no complaint of the browser', async () => {
    const { page, context, problems } = await dashboard.visit('today', { colorScheme });
    const found: Record<string, string[]> = {};
    for (const view of VIEWS) {
      await dashboard.go(page, view);
      const barriers = await findBarriers(page);
      if (barriers.length > 0) found[view] = barriers;
    }
    expect(found).toEqual({});
    expect(problems).toEqual([]);
    await context.close();
  });
});

it('fits a phone in every view', async () => {
  const { page, context } = await dashboard.visit('today', { viewport: { width: 360, height: 740 } });
  const tooWide: string[] = [];
  for (const view of VIEWS) {
    await dashboard.go(page, view);
    const width = await page.locator('html').evaluate((root) => root.scrollWidth);
    if (width > 360) tooWide.push(`${view}: ${width}`);
  }
  expect(tooWide).toEqual([]);
  await context.close();
});

it('opens its menu on a phone and closes it again', async () => {
  const { page, context } = await dashboard.visit('today', { viewport: { width: 360, height: 740 } });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Health' }).click();
  await page.getByRole('heading', { level: 1, name: 'Health' }).waitFor();
  await page.locator('.scrim').waitFor({ state: 'detached' });
  // It slides out: on a busy machine it is still on its way when its shade has gone.
  const menu = page.getByRole('navigation', { name: 'Views' });
  await menu.waitFor({ state: 'hidden' });
  expect(await menu.isVisible()).toBe(false);
  await context.close();
});

it('goes everywhere by keys', async () => {
  const { page, context } = await dashboard.visit();
  const places = [
    ['a', 'Approvals'],
    ['h', 'History'],
    ['l', 'Timeline'],
    ['f', 'Core & files'],
    ['g', 'Graph'],
    ['o', 'Topics'],
    ['e', 'Health'],
    ['t', 'Today'],
  ] as const;
  for (const [key, name] of places) {
    await page.locator('main').focus();
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  }
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.getByRole('searchbox', { name: 'Search the memory' }).waitFor();
  expect(page.url()).toContain('#/search');
  await context.close();
});

it('moves through a list with j and k, and opens with Enter', async () => {
  const { page, context } = await dashboard.visit('history');
  await page.locator('main').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.locator('nav[aria-label=Changes] a:nth-of-type(2)[aria-current=true]').waitFor();
  expect(page.url()).toMatch(/#\/history\/\w+/u);
  await context.close();
});

it('keeps the colours a person chose', async () => {
  const { page, context } = await dashboard.visit('today', { colorScheme: 'light' });
  const theme = (): Promise<string | null> => page.locator('html').getAttribute('data-theme');
  expect(await theme()).toBe('light');
  await page.getByRole('button', { name: 'As the system' }).click();
  await page.getByRole('button', { name: 'Light' }).click();
  expect(await theme()).toBe('dark');
  await page.reload();
  await page.getByRole('button', { name: 'Dark' }).waitFor();
  expect(await theme()).toBe('dark');
  await context.close();
});

it('takes the token out of the address and stays logged in', async () => {
  const { page, context } = await dashboard.visit();
  expect(page.url()).not.toContain('token');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  await context.close();
});

it('logs out, and lets nobody back in without a token', async () => {
  const { page, context } = await dashboard.visit();
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Token').waitFor();
  await page.reload();
  await page.getByLabel('Token').waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  await context.close();
});

it('asks for a token when it has none, and says when it is wrong', async () => {
  const { page, context } = await dashboard.visit();
  await context.clearCookies();
  await page.reload();
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('alert').filter({ hasText: 'opens nothing here' }).waitFor();
  await page.getByLabel('Token').fill(`${dashboard.server.url}/#token=${dashboard.server.token('owner')}`);
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('heading', { level: 1, name: 'Today' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await context.close();
});
