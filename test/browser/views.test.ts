import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dashboard, VIEWS } from './support/dashboard.ts';
import { isLongRun } from '../support/effort.ts';

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

const SIZES = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;

/** What is opened on a view, beside the view itself. */
const STATES: readonly (readonly [name: string, open: (page: Page) => Promise<void>])[] = [
  ['the palette', (page) => page.keyboard.press('Control+k')],
  ['the keys', (page) => page.keyboard.press('?')],
  ['what can be done with a memory', (page) => page.locator('.statement').first().hover()],
  ['asked again', (page) => page.getByRole('button', { name: 'Ask again' }).click()],
];

// SPEC PAGE-4
describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  // Colours and widths have their barriers each: the short run looks at every one of them once, the long one at all pairs.
  const short = colorScheme === 'light' ? 'wide' : 'narrow';
  it.each(Object.entries(SIZES).filter(([name]) => isLongRun || name === short))(
    'has no barrier in any view and state, %s, and no complaint of the browser',
    async (_name, viewport) => {
      const { page, context, problems } = await dashboard.visit('now', { colorScheme, viewport });
      const found: Record<string, string[]> = {};
      const look = async (what: string): Promise<void> => {
        const barriers = await findBarriers(page);
        if (barriers.length > 0) found[what] = barriers;
      };
      for (const view of VIEWS) {
        await dashboard.go(page, view);
        await look(view);
      }
      await dashboard.go(page, 'now');
      const { receipts } = await dashboard.server.client('owner').call('context list', { limit: 1 });
      await dashboard.go(page, `now/${receipts[0]?.id ?? ''}`);
      for (const [name, open] of STATES) {
        await page.locator('main').focus();
        await open(page);
        await page.waitForTimeout(200);
        await look(name);
        await page.keyboard.press('Escape');
      }
      await dashboard.go(page, 'inbox');
      await page.getByRole('link', { name: 'Ida Brandt lives in Skagen' }).click();
      await page.getByRole('button', { name: /Reject this one/u }).click();
      await look('rejecting');
      await page.keyboard.press('Escape');
      await dashboard.go(page, 'memory?q=nobody ever said xylophone zebra');
      await look('nothing found');
      await dashboard.go(page, 'memory/files/MEMORY.md');
      await page.getByRole('button', { name: 'Edit' }).click();
      await look('editing');
      await context.clearCookies();
      await page.goto(`${dashboard.server.url}/#/system`);
      await page.getByRole('dialog', { name: 'The session has ended' }).waitFor();
      await look('the session has ended');
      expect(found).toEqual({});
      expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
      await context.close();
    },
    240_000,
  );
});

it('fits a phone in every view', async () => {
  const { page, context } = await dashboard.visit('now', { viewport: { width: 360, height: 740 } });
  const tooWide: string[] = [];
  for (const view of VIEWS) {
    await dashboard.go(page, view);
    const width = await page.locator('html').evaluate((root) => root.scrollWidth);
    if (width > 360) tooWide.push(`${view}: ${width}`);
  }
  expect(tooWide).toEqual([]);
  await context.close();
});

it('has the places at the foot of a phone, and a way back from what was picked', async () => {
  const { page, context } = await dashboard.visit('now', { viewport: { width: 390, height: 844 } });
  await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Time' }).click();
  await page.getByRole('link', { name: 'Changes' }).click();
  const list = page.getByRole('navigation', { name: 'Changes' });
  await list.getByRole('link', { name: /The tide feed has been right/u }).click();
  await page.getByRole('region', { name: /The tide feed has been right/u }).waitFor();
  expect(await list.isVisible()).toBe(false);
  await page.locator('.back').click();
  await list.waitFor();
  await context.close();
});

it('goes everywhere by keys', async () => {
  const { page, context } = await dashboard.visit();
  const places = [
    ['i', 'Inbox'],
    ['m', 'Search'],
    ['t', 'Timeline'],
    ['s', 'System'],
    ['n', 'Now'],
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
  expect(await page.getByRole('dialog').count()).toBe(0);
  await context.close();
});

it('puts the focus into the search field by /, by keys and by a click, so that what is typed is searched', async () => {
  const { page, context } = await dashboard.visit();
  const field = page.getByRole('searchbox', { name: 'Search the memory' });
  const isFocused = (): Promise<boolean> => field.evaluate((element) => element.matches(':focus'));
  const ways = [
    () => page.keyboard.press('/'),
    async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('m');
    },
    () => page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Memory' }).click(),
  ];
  for (const go of ways) {
    await dashboard.go(page, 'now');
    await page.locator('main').focus();
    await go();
    await field.waitFor();
    await expect.poll(isFocused).toBe(true);
    await page.keyboard.type('g t');
    expect(await field.inputValue()).toBe('g t');
    expect(page.url()).toContain('#/memory');
  }
  await context.close();
});

it('goes to a view, a person and a memory from the palette', async () => {
  const { page, context } = await dashboard.visit();
  const field = page.getByRole('combobox', { name: 'Go to anything' });
  await page.keyboard.press('Control+k');
  await field.fill('playb');
  await page.getByRole('option', { name: /Playbooks/u }).click();
  await page.getByRole('heading', { level: 1, name: 'Playbooks' }).waitFor();
  await page.keyboard.press('Control+k');
  await field.fill('jonas');
  await page.getByRole('option', { name: /Jonas Pell/u }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).toContain('#/memory/playbooks');
  await context.close();
});

it('moves through a list with j and k, and opens with Enter', async () => {
  const { page, context } = await dashboard.visit('time/changes');
  await page.locator('main').focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/time\/changes\/\w+/u);
  expect(await page.locator('nav[aria-label=Changes] a[aria-current=true]').count()).toBe(1);
  await context.close();
});

it('keeps the colours a person chose', async () => {
  const { page, context } = await dashboard.visit('now', { colorScheme: 'light' });
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
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
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
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await context.close();
});

it('asks for little before the first view is there, and for the rest of the page afterwards', async () => {
  const { page, context } = await dashboard.visit();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('about:blank');
  asked.length = 0;
  await page.goto(`${dashboard.server.url}/#/now`);
  await page.locator('.told h2').waitFor();
  const scripts = asked.filter((path) => path.endsWith('.js') && !path.includes('others'));
  expect(scripts.length).toBeLessThanOrEqual(2);
  const answers = asked.filter((path) => path.startsWith('/api/') && !path.endsWith('/events'));
  // None waits for another.
  expect(new Set(answers)).toEqual(
    new Set(['/api/v1/me', '/api/v1/context/list', '/api/v1/context/show', ...answers.filter(isAboutMore)]),
  );
  expect(answers.filter((path) => path.includes('/context/'))).toHaveLength(2);
  await page.waitForTimeout(1200);
  // The number beside the inbox is not worth a list of thousands.
  expect(asked.filter((path) => path.endsWith('/proposals/list') || path.endsWith('/audit/alerts'))).toEqual([]);
  await context.close();
});

/** The learned statements stand below the prompts and come later. */
function isAboutMore(path: string): boolean {
  return path === '/api/v1/log' || path === '/api/v1/proposals/count';
}
