import type { Browser, Page } from 'playwright-core';
import type { TestServer } from '../../test/support/http-server.ts';

/** What the browser itself tells of: how long after a key or a click the next picture came, and what moved by itself. */
const WATCH = `
  window.interactions = [];
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId > 0) window.interactions.push([entry.interactionId, entry.duration]);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
`;
/** Shorter ones are not told of; they count as the shortest that are. */
const SHORTEST_MS = 16;

export async function openAt(browser: Browser, server: TestServer, view: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  await page.goto(`${server.url}/#token=${server.token('owner')}`);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  if (view !== 'now') await page.goto(`${server.url}/#/${view}`);
  await page.locator('main h1').first().waitFor();
  return page;
}

export interface ViewMeasures {
  readonly view: string;
  readonly nodes: number;
  readonly shift: number;
}

/** Each view freshly loaded: how many elements it has once nothing is being loaded, and how far it moved until then. */
export async function measureView(browser: Browser, server: TestServer, view: string): Promise<ViewMeasures> {
  const page = await openAt(browser, server, 'now');
  await page.goto('about:blank');
  await page.goto(`${server.url}/#/${view}`);
  await page.locator('main h1').first().waitFor();
  await settle(page);
  const nodes = await page.locator('*').count();
  const shift = (await page.evaluate('window.shifted')) as number;
  await page.context().close();
  return { view, nodes, shift: Math.round(shift * 1000) / 1000 };
}

export async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(300);
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached', timeout: 120_000 });
  await page.waitForTimeout(300);
}

/** What a person does in a few minutes: goes through the places, the lists, searches and decides. */
export async function interact(browser: Browser, server: TestServer): Promise<number[]> {
  const page = await openAt(browser, server, 'now');
  const key = async (...keys: readonly string[]): Promise<void> => {
    for (const one of keys) {
      await page.keyboard.press(one);
      await page.waitForTimeout(120);
    }
  };
  for (const place of ['i', 't', 's', 'm', 'n']) {
    await page.locator('main').focus();
    await key('g', place);
    await settle(page);
  }
  for (const name of ['Inbox', 'Memory', 'Time', 'System', 'Now']) {
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name }).click();
    await settle(page);
  }
  await page.goto(`${server.url}/#/inbox`);
  await settle(page);
  await page.locator('main').focus();
  await key('j', 'j', 'j', 'Enter');
  await settle(page);
  await key('e', 'Tab');
  await page.goto(`${server.url}/#/memory`);
  await page.getByRole('searchbox').pressSequentially('what did we decide about the garden', { delay: 70 });
  await settle(page);
  await page.goto(`${server.url}/#/memory/people`);
  await settle(page);
  await page.getByRole('searchbox').pressSequentially('bado', { delay: 70 });
  await key('Tab', 'Enter');
  await settle(page);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Go to anything' }).pressSequentially('kalo', { delay: 70 });
  await settle(page);
  await key('ArrowDown', 'ArrowDown', 'Escape');
  const entries = (await page.evaluate('window.interactions')) as (readonly [number, number])[];
  const pressed = (await page.evaluate('performance.interactionCount ?? 0')) as number;
  await page.context().close();
  const longest = new Map<number, number>();
  for (const [id, duration] of entries) longest.set(id, Math.max(duration, longest.get(id) ?? 0));
  const short = Math.max(0, pressed - longest.size);
  return [...longest.values(), ...Array.from({ length: short }, () => SHORTEST_MS)];
}

/** From the address until it can be read. */
export async function timeTo(page: Page, url: string, selector: string): Promise<number> {
  const start = performance.now();
  await page.goto(url);
  await page.locator(selector).first().waitFor({ timeout: 120_000 });
  return Math.round(performance.now() - start);
}
