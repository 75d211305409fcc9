/** Installs agents from npm and runs each against a loopback model: `npm run test:programs`, see docs/programs.md. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { renderMatrix, type Results } from './matrix.ts';
import { copyPackage } from './package-copy.ts';
import { pinnedVersion, PROGRAMS, type Program } from './programs.ts';
import { installProgram, STEPS, tryProgram, type Tried } from './try-program.ts';

const RESULTS = path.join(import.meta.dirname, 'results.json');
const PAGE = path.resolve(import.meta.dirname, '../../docs/programs.md');

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { rotate: { type: 'boolean', default: false }, write: { type: 'boolean', default: false } },
  });
  const chosen = values.rotate ? [ofToday()] : PROGRAMS.filter(({ name }) => isNamed(name, positionals));
  const results: Results = JSON.parse(fs.readFileSync(RESULTS, 'utf8')) as Results;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-package-'));
  const mneme = copyPackage(folder);
  let failed = 0;
  for (const program of chosen) {
    const tried = await tryOne(program, mneme);
    const wrong = tried.notInstalled === undefined ? Object.keys(tried.failures) : ['installed'];
    if (wrong.length > 0) failed += 1;
    describe(tried);
    results[program.name] = {
      version: pinnedVersion(program),
      date: new Date().toISOString().slice(0, 10),
      system: process.platform,
      ...(tried.notInstalled === undefined ? {} : { notInstalled: true }),
      works: tried.notInstalled === undefined ? STEPS.filter((step) => tried.failures[step] === undefined) : [],
    };
  }
  fs.rmSync(folder, { recursive: true });
  if (values.write) {
    fs.writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
    fs.writeFileSync(PAGE, renderMatrix(results));
  }
  console.log(`${chosen.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function tryOne(program: Program, mneme: string): Promise<Tried> {
  const notInstalled = await installProgram(program);
  if (notInstalled !== undefined) return { name: program.name, notInstalled, failures: {} };
  return tryProgram(program, mneme);
}

function describe({ name, notInstalled, failures }: Tried): void {
  if (notInstalled !== undefined) console.log(`${name}: NOT INSTALLED\n${notInstalled}`);
  for (const step of notInstalled === undefined ? STEPS : []) {
    const failure = failures[step];
    console.log(`${name}: ${step} ${failure === undefined ? 'ok' : `FAILED\n${failure}`}`);
  }
}

/** OpenClaw takes minutes to install and to start: it is run by hand. */
const ROTATED = PROGRAMS.filter(({ name }) => name !== 'openclaw');

/** Another program every day, so that each has its turn within a week. */
function ofToday(): Program {
  const day = Math.floor(Date.now() / 86_400_000);
  const program = ROTATED[day % ROTATED.length];
  if (program === undefined) throw new Error('there are no programs');
  return program;
}

function isNamed(name: string, names: readonly string[]): boolean {
  return names.length === 0 || names.includes(name);
}

await run();
