import fs from 'node:fs';
import { humanGit, makeHome, readWorkspaceFile } from '../support/home.ts';
import { Expectation } from './expectation.ts';
import { Participant } from './processes.ts';
import { verifyHome } from './verify.ts';
import { SHARED_FILES } from './worker.ts';

export interface ProcessSummary {
  readonly processes: number;
  readonly mutations: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly problems: readonly string[];
}

/** Several processes write to one home at once: everything is there, once, and in the order of each. */
export async function runManyProcesses(options: { processes: number; mutations: number }): Promise<ProcessSummary> {
  const home = await makeHome();
  const names = Array.from({ length: options.processes }, (_, index) => `w${index}`);
  const writers = names.map((name) => new Participant('writer.ts', { home, name, mutations: options.mutations }));
  await Promise.all(writers.map((writer) => writer.finished()));
  const expected = new Expectation();
  for (const writer of writers) expected.add(writer.entries());
  const findings = verifyHome(home, expected);
  const problems = [...findings.problems, ...findDisorder(home, names), ...findWrongTrailers(home)];
  const wanted = options.processes * options.mutations;
  if (expected.acknowledged.size !== wanted) problems.push(`${expected.acknowledged.size} of ${wanted} acknowledged`);
  if (problems.length === 0) fs.rmSync(home, { recursive: true, force: true });
  return {
    processes: options.processes,
    mutations: expected.acknowledged.size,
    lost: findings.lost,
    duplicated: findings.duplicated,
    problems,
  };
}

/** Each process's numbers, in the history and in every file, must rise. */
function findDisorder(home: string, names: readonly string[]): string[] {
  const history = humanGit(home, 'log', '--reverse', '--format=%s');
  const places = new Map([
    ['the history', history],
    ...SHARED_FILES.map((file) => [file, readWorkspaceFile(home, file)] as const),
  ]);
  const problems: string[] = [];
  for (const [place, text] of places) {
    for (const name of names) {
      const numbers = [...text.matchAll(new RegExp(`\\b${name}-n(\\d+)\\b`, 'g'))].map((match) => Number(match[1]));
      if (numbers.some((number, at) => number < (numbers[at - 1] ?? 0)))
        problems.push(`${name} is out of order in ${place}`);
    }
  }
  return problems;
}

function findWrongTrailers(home: string): string[] {
  const format =
    '--format=%s%x00%an%x00%(trailers:key=Actor,valueonly,separator=%x2C)%x00%(trailers:key=Session,valueonly,separator=%x2C)';
  return humanGit(home, 'log', format)
    .split('\n')
    .filter((line) => {
      const [subject = '', author, actor, session] = line.split('\0');
      const name = / — (w\d+)-n\d+$/.exec(subject)?.[1];
      return name !== undefined && (author !== `bot:${name}` || actor !== author || session !== `ses_${name}`);
    })
    .map((line) => `wrong trailers: ${line}`);
}
