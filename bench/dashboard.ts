/**
 * The dashboard in a real Chromium, on a home as large as years of use make it.
 *
 *   npm run bench:dashboard -- [--memories 10000] [--entities 5000] [--edits 1500] [--proposals 5000] [--quick] [--home FOLDER] [--json]
 *
 * `--home` measures a home that was made before; where the folder is not there yet, it is made there.
 *
 * interactiveMs: from opening the address until the first view shows what it is about, the median of five, the page in no cache.
 * interactionMs: from a key or a click to the next picture, as the browser tells it, at the 95th percentile.
 * mostNodes, mostShift: the most elements a view has, and how far one moved by itself while it loaded.
 * localGraphMs, wholeGraphMs: until the connections of one, and the whole graph, can be read.
 * longestTaskMs: the longest the page's thread was busy at a stretch while somebody typed in the search.
 * graphFrameMs: what drawing one picture of the graph costs the page's thread, at the 99th percentile, while it is laid out and dragged.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { launchChromium } from '../test/browser/support/chromium.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { serveTestHome } from '../test/support/http-server.ts';
import { makeLargeHome } from './dashboard/home.ts';
import { interact, measureView, openAt, timeTo, type ViewMeasures } from './dashboard/measure.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    memories: { type: 'string', default: '10000' },
    entities: { type: 'string', default: '5000' },
    edits: { type: 'string', default: '1500' },
    proposals: { type: 'string', default: '5000' },
    home: { type: 'string' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const share = values.quick ? 0.05 : 1;
const sizes = {
  memories: Number(values.memories) * share,
  entities: Number(values.entities) * share,
  outsideEdits: Number(values.edits) * share,
  proposals: Number(values.proposals) * share,
  turns: 2000 * share,
};
const OPENINGS = 5;
const TYPED = 'what did we decide about the release of the second board last week';

await build({ root: 'dashboard', logLevel: 'error' });
const home = values.home ?? path.join(makeTemporaryFolder('mneme-page-bench-'), 'home');
if (!fs.existsSync(home)) {
  progress('making the home');
  await makeLargeHome(home, sizes);
}
const server = await serveTestHome({ hasDashboard: true, timeoutMs: 120_000 }, home);
const owner = server.client('owner');
progress('asking');
for (let prompt = 0; prompt < 12; prompt += 1)
  await owner.call('context', { message: `${TYPED} number ${prompt}?`, event: 'prompt' });
const { entities } = await owner.call('graph page', { limit: 1 });
const [hub] = entities;
const browser = await launchChromium();
const VIEWS = [
  'now',
  'inbox',
  'inbox/outside',
  'memory?q=garden',
  'memory/people',
  `memory/about/${hub?.id ?? ''}`,
  'memory/graph',
  'memory/playbooks',
  'memory/files',
  'time',
  'time/talk/ses_0000001',
  'time/changes',
  'time/compare?from=2020-01-01',
  'system',
  'system/work',
  'system/settings',
];
const views: ViewMeasures[] = [];
for (const view of VIEWS) {
  const measures = await measureView(browser, server, view);
  progress(`${view}: ${measures.nodes} elements, moved by ${measures.shift}`);
  views.push(measures);
}
const interactive: number[] = [];
for (let opening = 0; opening < OPENINGS; opening += 1) {
  progress(`opening ${opening + 1} of ${OPENINGS}`);
  interactive.push(await timeOpening());
}
progress('interacting');
const interactions = await interact(browser, server);
progress(
  `the longest of ${interactions.length}: ${interactions
    .toSorted((one, other) => other - one)
    .slice(0, 6)
    .join(', ')} ms`,
);
progress('graphs');
const page = await openAt(browser, server, 'memory/people');
const localGraphMs = await timeTo(page, `${server.url}/#/memory/about/${hub?.id ?? ''}`, '.local-graph');
const wholeGraphMs = await timeTo(page, `${server.url}/#/memory/graph`, 'canvas[data-settled]');
await page.context().close();
progress('typing');
const { longestTaskMs, answerMs } = await timeTyping();
progress('drawing');
const frames = await timeGraph();
await browser.close();
await server.close();

printResult(values.json, 'dashboard', {
  ...sizes,
  interactiveMs: Math.round(percentile(interactive, 0.5)),
  interactions: interactions.length,
  interactionMs: percentile(interactions, 0.95),
  mostNodes: Math.max(...views.map(({ nodes }) => nodes)),
  mostShift: Math.max(...views.map(({ shift }) => shift)),
  localGraphMs,
  wholeGraphMs,
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
  await page.locator('.told h2').waitFor();
  const took = performance.now() - start;
  await context.close();
  return took;
}

async function timeTyping(): Promise<{ readonly longestTaskMs: number; readonly answerMs: number }> {
  const page = await openAt(browser, server, 'memory');
  await page.evaluate(`(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ['longtask'] });
  })()`);
  await page.getByRole('searchbox').pressSequentially(TYPED, { delay: 60 });
  const start = performance.now();
  await page.locator('[aria-busy=false] :is(.hit, .empty)').first().waitFor();
  const answerMs = Math.round(performance.now() - start);
  const tasks = (await page.evaluate('window.longTasks')) as number[];
  await page.context().close();
  // The browser tells only of those above 50 ms.
  return { longestTaskMs: Math.round(Math.max(0, ...tasks)), answerMs };
}

async function timeGraph(): Promise<number[]> {
  const page = await openAt(browser, server, 'now');
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
