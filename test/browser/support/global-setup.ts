import fs from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { makeDemoHome } from '../../../src/interfaces/cli/programs/demo/make-demo-home.ts';
import { makeTemporaryFolder } from '../../support/home.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A home to copy. */
    readonly demoHome: string;
  }
}

/** Builds the page, and one home that every file of tests takes a copy of. */
export async function setup(project: TestProject): Promise<() => void> {
  await build({ root: 'dashboard', logLevel: 'warn' });
  const folder = makeTemporaryFolder('mneme-browser-');
  const home = path.join(folder, 'home');
  const given = process.env['MNEME_DEMO_HOME'];
  if (given === undefined) await makeDemoHome(home);
  else fs.cpSync(given, home, { recursive: true });
  project.provide('demoHome', home);
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
