import fs from 'node:fs';
import path from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { inject } from 'vitest';
import type { ServeOptions } from '../../../src/interfaces/http/serve.ts';
import type { ApiRole } from '../../../src/interfaces/http/route.ts';
import { makeTemporaryFolder } from '../../support/home.ts';
import { serveTestHome, type TestServer } from '../../support/http-server.ts';
import { launchChromium } from './chromium.ts';

export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser refused or complained about; a healthy page leaves it empty. */
  readonly problems: string[];
}

/** A served copy of the demo home, and a browser to look at it with. */
export class Dashboard {
  server: TestServer;
  readonly #browser: Browser;
  readonly #options: Partial<ServeOptions>;

  private constructor(server: TestServer, browser: Browser, options: Partial<ServeOptions>) {
    this.server = server;
    this.#browser = browser;
    this.#options = options;
  }

  static async open(given: Partial<ServeOptions> = {}): Promise<Dashboard> {
    const home = path.join(makeTemporaryFolder('mneme-page-'), 'home');
    fs.cpSync(inject('demoHome'), home, { recursive: true });
    const options = { hasDashboard: true, maxBodyBytes: 4_000_000, ...given };
    return new Dashboard(await serveTestHome(options, home), await launchChromium(), options);
  }

  /** Ends the server and starts it again at the same address, as an update or a restart of the machine does. */
  async restart(whileAway: () => Promise<void>): Promise<void> {
    const { home, url } = this.server;
    await this.server.close();
    await whileAway();
    this.server = await serveTestHome({ ...this.#options, port: Number(new URL(url).port) }, home);
  }

  /** A new tab with cookies of its own, logged in, at a view. */
  async visit(
    view = 'now',
    { role = 'owner', ...options }: BrowserContextOptions & { role?: ApiRole } = {},
  ): Promise<OpenedPage> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
    });
    await page.goto(`${this.server.url}/#token=${this.server.token(role)}`);
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor();
    if (view !== 'now') await this.go(page, view);
    return { page, context, problems };
  }

  /** Waits until nothing is being loaded. */
  async go(page: Page, view: string): Promise<void> {
    await page.goto(`${this.server.url}/#/${view}`);
    await page.locator('main h1').first().waitFor();
    await page.waitForTimeout(250);
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.server.close();
  }
}

export const VIEWS = [
  'now',
  'inbox',
  'memory?q=tide times',
  'time/changes',
  'time/compare',
  'time',
  'time/talk/tide-feed?turn=t3',
  'memory/files/MEMORY.md',
  'memory/graph',
  'memory/people',
  'memory/about/project--lantern',
  'memory/playbooks/release',
  'memory/procedures',
  'memory/fading',
  'system',
  'system/work',
  'system/control',
  'system/settings/search',
] as const;
