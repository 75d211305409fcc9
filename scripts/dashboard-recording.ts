/** `node scripts/dashboard-recording.ts [FILE]`: twenty seconds of the demo home, as an animated PNG. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { launchChromium } from '../test/browser/support/chromium.ts';
import { serveTestHome } from '../test/support/http-server.ts';
import { makeDemoHome } from '../src/interfaces/cli/programs/demo/make-demo-home.ts';
import { animate, type Frame } from './animated-png.ts';

const [, , file = 'docs/images/tour.png'] = process.argv;
await build({ root: 'dashboard', logLevel: 'error' });
const home = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-recording-')), 'home');
const given = process.env['MNEME_DEMO_HOME'];
if (given === undefined) await makeDemoHome(home);
else fs.cpSync(given, home, { recursive: true });
const server = await serveTestHome({ hasDashboard: true }, home);
const browser = await launchChromium();
const context = await browser.newContext({ viewport: { width: 1040, height: 660 }, reducedMotion: 'reduce' });
const page = await context.newPage();
await page.goto(`${server.url}/#token=${server.token('owner')}`);
await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
await page.reload();

const frames: Frame[] = [];
await goTo('now');
await take(1800);
// Why it said so: from the prompt to the memory, and to the turn that taught it.
const told = page.getByRole('region', { name: 'As the model read it' });
await told.locator('.statement').filter({ hasText: 'We decided that boards' }).first().hover();
await take(1500);
await page.getByRole('button', { name: 'Ask again' }).click();
await take(1700);
await goTo('memory?q=why were the tide times wrong');
await take(1700);
await page.locator('.statement').filter({ hasText: 'an hour off' }).first().locator('.words').click();
await take(1800);
// A decision, with what speaks against it.
await goTo('inbox');
await take(1500);
await page.getByRole('link', { name: 'Ida Brandt lives in Skagen' }).click();
await take(2200);
// A person through time.
await goTo('memory/about/person--jonas-pell');
await take(1800);
await page.getByRole('button', { name: 'True then' }).click();
await page.getByLabel('What was true on').fill(String(Date.parse('2025-06-15') / 86_400_000));
await take(2000);
await page.keyboard.press('Control+k');
await page.getByRole('combobox', { name: 'Go to anything' }).fill('lantern');
await take(1700);
await goTo('memory/graph');
await page.locator('canvas[data-settled]').waitFor();
await take(1800);
await browser.close();
await server.close();
fs.mkdirSync(path.dirname(file), { recursive: true });
fs.writeFileSync(file, animate(frames));
const seconds = frames.reduce((sum, { shownMs }) => sum + shownMs, 0) / 1000;
process.stdout.write(`${file}: ${frames.length} pictures, ${seconds} s, ${fs.statSync(file).size} bytes\n`);

async function goTo(address: string): Promise<void> {
  await page.goto(`${server.url}/#/${address}`);
  await settle(page);
}

async function take(shownMs: number): Promise<void> {
  await settle(page);
  // Where it stands on this machine is of no interest.
  await page.evaluate("document.querySelector('.home-path').textContent = '~/.mneme'");
  frames.push({ png: await page.screenshot(), shownMs });
}

async function settle(on: Page): Promise<void> {
  await on.waitForTimeout(300);
  await on.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' });
  await on.waitForTimeout(200);
}
