import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { launchChromium } from './support/chromium.ts';

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Printed {
  readonly url: string;
  readonly isOpened: boolean;
  readonly pid: number;
}

async function startDashboard(home: string, ...args: string[]): Promise<{ child: ChildProcess; printed: Printed }> {
  const child = spawn(path.resolve('bin/mneme'), ['--home', home, 'dashboard', '--no-open', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(child);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, printed: JSON.parse(line) as Printed };
}

it('serves the home, lets a browser in, is found by the next call, and ends when told', async () => {
  const home = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(home);
  const { child, printed } = await startDashboard(home, '--port', '0');
  expect(printed).toMatchObject({ isOpened: false, pid: child.pid });

  const again = await startDashboard(home, '--read-only');
  expect(again.printed.pid).toBe(child.pid);
  expect(new URL(again.printed.url).origin).toBe(new URL(printed.url).origin);

  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(printed.url);
  await page.getByText('No agent has asked yet').waitFor();
  await page.goto('about:blank');
  await page.goto(again.printed.url);
  await page.getByText('Read only.').waitFor();
  await browser.close();

  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('shows an invented memory to look around in, and deletes it at the end', async () => {
  const { child, printed } = await startDashboard(path.join(makeTemporaryFolder(), 'nothing-here'), '--demo');
  const browser = await launchChromium();
  const page = await browser.newPage();
  await page.goto(printed.url);
  await page.getByRole('heading', { level: 2, name: 'Can we release the Skagen board on Friday?' }).waitFor();
  const home = (await page.locator('.home-path').textContent()) ?? '';
  expect(fs.existsSync(home)).toBe(true);
  await browser.close();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(fs.existsSync(home)).toBe(false);
});
