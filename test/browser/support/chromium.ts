import { execFileSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

/** What a page in a container needs, and nothing that talks to the outside. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-dev-shm-usage',
];

/** The Chromium of this machine; none is downloaded. */
export function findChromium(): string {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8' }).trim();
    } catch (error) {
      if (!(error instanceof Error)) throw error;
    }
  }
  throw new Error('There is no Chromium on this machine; install one (apt-get install chromium) to run these tests.');
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: ARGUMENTS });
}
