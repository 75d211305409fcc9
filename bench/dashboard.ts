/**
 * The dashboard in a real Chromium, on synthetic conversations and a synthetic graph.
 *
 *   npm run bench:dashboard -- [--chunks 10000] [--entities 5000] [--quick] [--json]
 *
 * interactiveMs: from opening the address until the first view shows what it is about, the median of five, the page in no cache.
 * longestTaskMs: the longest the page's thread was busy at a stretch while somebody typed in the search.
 * graphFrameMs: what drawing one picture of the graph costs the page's thread, at the 99th percentile, while it is laid out and dragged.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { launchChromium } from '../test/browser/support/chromium.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { serveTestHome } from '../test/support/http-server.ts';
import { fillGraph } from './graph/home.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from './search/corpus.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    entities: { type: 'string', default: '5000' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const sessions = Math.ceil((values.quick ? 1000 : Number(values.chunks)) / TURNS_PER_SESSION);
const entities = values.quick ? 500 : Number(values.entities);
const OPENINGS = 5;
const TYPED = 'what did we decide about the release of the second board last week';

await build({ root: 'dashboard', logLevel: 'error' });
const home = path.join(makeTemporaryFolder('mneme-page-bench-'), 'home');
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
progress(`writing ${sessions} conversations and ${entities} entities`);
writeTranscripts(path.join(home, 'raw'), new SyntheticCorpus(1), sessions);
fillGraph(path.join(home, 'workspace'), { entities, relations: entities * 2, facts: entities });
const mneme = await openMneme({ home });
await syncIndex(mneme.internals);
const { passages } = await mneme.internals.homeIndex.engine.status();
await mneme.graph.list({ limit: 1 });
await mneme.close();

const server = await serveTestHome({ hasDashboard: true }, home);
await server.client('owner').call('recall', { query: 'warm' });
const browser = await launchChromium();
const interactive: number[] = [];
for (let opening = 0; opening < OPENINGS; opening += 1) {
  progress(`opening ${opening + 1} of ${OPENINGS}`);
  interactive.push(await timeOpening());
}
progress('typing');
const { longestTaskMs, answerMs } = await timeTyping();
progress('drawing');
const frames = await timeGraph();
await browser.close();
await server.close();

printResult(values.json, 'dashboard', {
  passages,
  entities,
  interactiveMs: Math.round(percentile(interactive, 0.5)),
  ...measureScripts('dist/dashboard/assets'),
  longestTaskMs,
  answerMs,
  graphFrames: frames.length,
  graphFrameMs: round(percentile(frames, 0.99)),
  longestGraphFrameMs: round(Math.max(...frames)),
});

async function timeOpening(): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(`${server.url}/#token=${server.token('owner')}`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Remember' }).waitFor();
  const took = performance.now() - start;
  await context.close();
  return took;
}

async function timeTyping(): Promise<{ readonly longestTaskMs: number; readonly answerMs: number }> {
  const page = await openAt('search');
  await page.evaluate(`(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
  })()`);
  await page.getByRole('searchbox').pressSequentially(TYPED, { delay: 60 });
  const start = performance.now();
  await page.locator('[aria-busy=false] .hit').first().waitFor();
  const answerMs = Math.round(performance.now() - start);
  const tasks = (await page.evaluate('window.longTasks')) as number[];
  await page.context().close();
  // The browser tells only of those above 50 ms.
  return { longestTaskMs: Math.round(Math.max(0, ...tasks)), answerMs };
}

async function timeGraph(): Promise<number[]> {
  const page = await openAt('now');
  await page.evaluate(`(() => {
    window.frames_ = [];
    new PerformanceObserver((list) => window.frames_.push(...list.getEntriesByName('mneme:graph-frame').map(({ duration }) => duration))).observe({ entryTypes: ['measure'] });
  })()`);
  await page.evaluate("location.hash = '#/memory/graph'");
  const canvas = page.locator('canvas');
  await canvas.waitFor();
  await page.locator('canvas[data-settled]').waitFor({ timeout: 120_000 });
  const box = await canvas.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 200];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < 60; step += 1) await page.mouse.move(x + step * 4, y + step * 2);
  await page.mouse.up();
  for (let step = 0; step < 20; step += 1) await page.mouse.wheel(0, step < 10 ? -120 : 120);
  await page.waitForTimeout(500);
  const frames = (await page.evaluate('window.frames_')) as number[];
  await page.context().close();
  return frames;
}

async function openAt(view: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${server.url}/#token=${server.token('owner')}`);
  await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
  if (view !== 'now') await page.goto(`${server.url}/#/${view}`);
  await page.locator('main h1').first().waitFor();
  return page;
}

function measureScripts(folder: string): { readonly gzipKb: number; readonly firstViewGzipKb: number } {
  const sizes = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, gzipSync(fs.readFileSync(path.join(folder, name))).length] as const);
  const sum = (of: typeof sizes): number => round(of.reduce((total, [, size]) => total + size, 0) / 1000);
  const html = fs.readFileSync(path.join(folder, '../index.html'), 'utf8');
  return {
    gzipKb: sum(sizes),
    firstViewGzipKb: sum(sizes.filter(([name]) => html.includes(name) || name.startsWith('now'))),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
