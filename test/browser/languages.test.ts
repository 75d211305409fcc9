import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Dashboard } from './support/dashboard.ts';

const HEBREW = 'הפגישה עם נועה ביום שלישי בתל אביב';

let dashboard: Dashboard;
beforeAll(async () => {
  dashboard = await Dashboard.open();
});
afterAll(() => dashboard.close());

/** The fonts that the browser really draws an element with. */
async function fontsOf(page: Page, element: string): Promise<readonly { familyName: string; isCustomFont: boolean }[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: element });
  return (await session.send('CSS.getPlatformFontsForNode', { nodeId })).fonts;
}

it('draws the page with its own fonts, also letters with accents, and loads nothing from elsewhere', async () => {
  await dashboard.server.client('owner').call('remember', { text: 'Spotkanie w Gdańsku, hala Łękowska, w środę' });
  const { page, context } = await dashboard.visit();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  // Fonts that come late are used from the next page on.
  for (let visit = 0; visit < 2; visit += 1) {
    await page.goto(`${dashboard.server.url}/#/memory?q=Gdańsku`);
    await page.reload();
    await page.locator('.hit').first().waitFor();
    await page.evaluate('document.fonts.ready');
    await page.waitForTimeout(300);
  }
  expect(await fontsOf(page, 'h1')).toMatchObject([{ isCustomFont: true }]);
  const words = await fontsOf(page, '.hit .words');
  expect(words.filter(({ isCustomFont }) => !isCustomFont)).toEqual([]);
  expect(asked.filter((url) => url.endsWith('.woff2')).length).toBeGreaterThan(1);
  expect(asked.filter((url) => !url.startsWith(dashboard.server.url))).toEqual([]);
  await context.close();
});

it('writes right to left what is written so, on every view, and leaves the page around it as it is', async () => {
  const owner = dashboard.server.client('owner');
  await owner.call('remember', { text: HEBREW });
  await owner.call('context', { message: HEBREW, event: 'prompt' });
  const { session } = dashboard.server.mneme;
  await session.start({ id: 'hebrew' });
  await session.message('hebrew', 'user', HEBREW);
  await owner.call('files save', {
    path: 'memory/reference/hebrew.md',
    text: `# Notes\n\n${HEBREW}\n\n- ${HEBREW}\n\nIn English.\n`,
    baseHash: null,
  });
  const { page, context, problems } = await dashboard.visit();
  const directionOf = (words: Locator): Promise<string> =>
    words.first().evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).direction ?? '');
  const VIEWS = {
    now: page.getByRole('heading', { level: 2, name: HEBREW }),
    [`memory?q=${encodeURIComponent('נועה')}`]: page.locator('.hit .words').filter({ hasText: 'נועה' }),
    'time/talk/hebrew': page.locator('.turn p').filter({ hasText: 'נועה' }),
    'memory/files/memory/reference/hebrew.md': page.locator('.prose li').filter({ hasText: 'נועה' }),
  };
  for (const [view, words] of Object.entries(VIEWS)) {
    await dashboard.go(page, view);
    await words.first().waitFor();
    expect(`${view} ${await directionOf(words)}`).toBe(`${view} rtl`);
    expect(await directionOf(page.locator('main'))).toBe('ltr');
  }
  const english = page.locator('.prose p').filter({ hasText: 'In English.' });
  expect(await directionOf(english)).toBe('ltr');
  await dashboard.go(page, 'memory');
  const field = page.getByRole('searchbox');
  await field.fill(HEBREW);
  expect(await directionOf(field)).toBe('rtl');
  expect(problems).toEqual([]);
  await context.close();
});
