/** `node scripts/dashboard-pictures.ts [FOLDER]`: the pictures of the docs, or every view of the demo home in light, dark and on a phone. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchChromium } from '../test/browser/support/chromium.ts';
import { serveTestHome } from '../test/support/http-server.ts';
import { makeDemoHome } from '../src/interfaces/cli/programs/demo/make-demo-home.ts';

const VIEWS: Readonly<Record<string, string>> = {
  now: 'now',
  inbox: 'inbox',
  outside: 'inbox/outside',
  search: 'memory?q=why were the tide times wrong',
  people: 'memory/people',
  about: 'memory/about/person--jonas-pell',
  changes: 'time/changes',
  compare: 'time/compare',
  time: 'time',
  talk: 'time/talk/tide-feed?turn=t3',
  files: 'memory/files',
  graph: 'memory/graph',
  playbooks: 'memory/playbooks/release',
  fading: 'memory/fading',
  system: 'system',
  work: 'system/work',
  control: 'system/control',
  settings: 'system/settings/search',
};

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
};

/** The pictures that the docs show beside every view in light and dark colours. */
const IN_DOCS: ReadonlySet<string> = new Set(['now-phone', 'inbox-phone']);

const [, , asked = ''] = process.argv;
const folder = asked === '' ? 'docs/images' : asked;
const given = process.env['MNEME_DEMO_HOME'];
const home = given ?? path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-pictures-')), 'home');
if (given === undefined) await makeDemoHome(home);
fs.mkdirSync(folder, { recursive: true });
const server = await serveTestHome({ hasDashboard: true }, home);
const browser = await launchChromium();
for (const [look, options] of Object.entries(LOOKS)) {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.on('console', (message) => process.stderr.write(`${look}: ${message.text()}\n`));
  page.on('pageerror', (error) => process.stderr.write(`${look}: ${error.message}\n`));
  await page.goto(`${server.url}/#token=${server.token('owner')}`);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  // A font that comes too late for the first page is there for the next.
  await page.reload();
  for (const [name, address] of Object.entries(VIEWS)) {
    if (asked === '' && look === 'phone' && !IN_DOCS.has(`${name}-${look}`)) continue;
    await show(page, address);
    await page.screenshot({ path: path.join(folder, `${name}-${look}.png`) });
  }
  await context.close();
}
await browser.close();
await server.close();

async function show(page: Page, address: string): Promise<void> {
  await page.goto(`${server.url}/#/${address}`);
  await page.waitForTimeout(200);
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
  if (address === 'memory/graph') await page.locator('canvas[data-settled]').waitFor();
  if (address === 'inbox') await page.getByRole('link', { name: 'Ida Brandt lives in Skagen' }).click();
  if (address === 'now' && page.viewportSize()?.width === 390) await page.locator('.pick').first().click();
  // The bundled fonts, and what a click has opened.
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(600);
  // Where it stands on this machine is of no interest.
  await page.evaluate("document.querySelector('.home-path').textContent = '~/.mneme'");
}
