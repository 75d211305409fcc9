import fs from 'node:fs';
import path from 'node:path';
import { humanGit } from '../support/home.ts';
import type { Expectation } from './expectation.ts';
import { countTokens, type Attempt } from './ledger.ts';

/** What is wrong with a home, in words; `lost` and `duplicated` count acknowledged mutations and saved lines. */
export interface Findings {
  readonly problems: string[];
  lost: number;
  duplicated: number;
  /** Saves by renaming that fell between the write path's last look and its own renaming; no system call closes that gap. */
  raced: number;
}

/** What can be seen of a home once everything has been recorded and drained. */
interface Observed {
  /** Occurrences of each token in each file. */
  readonly files: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Occurrences of each mutation in the history's trailers. */
  readonly mutations: ReadonlyMap<string, number>;
  /** Occurrences of each subject's last part: the token, or the person's message. */
  readonly summaries: ReadonlyMap<string, number>;
}

export function verifyHome(home: string, expected: Expectation): Findings {
  const findings: Findings = { problems: [], lost: 0, duplicated: 0, raced: 0 };
  const observed = observe(home);
  for (const attempt of expected.attempts.values()) verifyAttempt(attempt, expected, observed, findings);
  verifyPerson(expected, observed, findings);
  for (const [mutation, count] of observed.mutations) {
    if (count > 1) findings.problems.push(`mutation ${mutation} is in ${count} commits`);
  }
  findings.problems.push(...findRepositoryProblems(home), ...findLeftovers(home));
  return findings;
}

function observe(home: string): Observed {
  const root = path.join(home, 'workspace');
  const files = new Map<string, ReadonlyMap<string, number>>();
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const full = path.join(entry.parentPath, entry.name);
    const relative = path.relative(root, full);
    if (entry.isFile() && !relative.startsWith('.git/')) {
      files.set(relative, countTokens(fs.readFileSync(full, 'utf8')));
    }
  }
  const mutations = new Map<string, number>();
  const summaries = new Map<string, number>();
  const format = '--format=%s%x00%(trailers:key=Mutation,valueonly,separator=%x2C)';
  for (const line of humanGit(home, 'log', format).split('\n')) {
    const [subject = '', trailers = ''] = line.split('\0');
    const summary = subject.split(' — ').at(-1) ?? '';
    summaries.set(summary, (summaries.get(summary) ?? 0) + 1);
    for (const mutation of trailers.split(',').filter((text) => text !== '')) {
      mutations.set(mutation, (mutations.get(mutation) ?? 0) + 1);
    }
  }
  return { files, mutations, summaries };
}

function verifyAttempt(attempt: Attempt, expected: Expectation, observed: Observed, findings: Findings): void {
  const mutation = expected.acknowledged.get(attempt.token);
  const commits = observed.summaries.get(attempt.token) ?? 0;
  if (commits > 1) complain(findings, 'duplicated', `${attempt.token} is in ${commits} commits`);
  if (mutation !== undefined && observed.mutations.get(mutation) !== 1) {
    const count = observed.mutations.get(mutation) ?? 0;
    complain(findings, count === 0 ? 'lost' : 'duplicated', `acknowledged ${attempt.token} is in ${count} commits`);
  }
  // A mutation is in the history if and only if it is in the files.
  const isThere = commits > 0;
  if (attempt.kind === 'delete' || attempt.kind === 'rename') {
    for (const file of attempt.files) {
      if (isThere && observed.files.has(file)) complain(findings, 'lost', `${attempt.token}: ${file} is back`);
    }
    const isMoved = attempt.renameTo !== undefined && observed.files.has(attempt.renameTo);
    if (attempt.renameTo !== undefined && isMoved !== isThere) {
      complain(findings, 'lost', `${attempt.token}: ${attempt.renameTo} ${isMoved ? 'is' : 'is not'} there`);
    }
    return;
  }
  for (const file of placesOf(attempt, expected, observed)) {
    const count = observed.files.get(file)?.get(attempt.token) ?? 0;
    const wanted = isThere ? 1 : 0;
    if (count < wanted) complain(findings, 'lost', `${attempt.token} is missing from ${file} (${attempt.kind})`);
    if (count > wanted)
      complain(findings, 'duplicated', `${attempt.token} is ${count}× in ${file}, ${commits} commits`);
  }
}

/** Where the attempt's blocks have to be now: nowhere after a deletion, elsewhere after a renaming. */
function placesOf(attempt: Attempt, expected: Expectation, observed: Observed): readonly string[] {
  const move = expected.moves.get(attempt.token);
  const hasMoved = move !== undefined && (observed.summaries.get(move.token) ?? 0) > 0;
  if (!hasMoved) return attempt.files;
  return move.renameTo === undefined ? [] : [move.renameTo];
}

function verifyPerson(expected: Expectation, observed: Observed, findings: Findings): void {
  for (const { token, file, how } of expected.personLines.values()) {
    const count = observed.files.get(file)?.get(token) ?? 0;
    if (count === 0 && how === 'rename') findings.raced += 1;
    else if (count === 0) complain(findings, 'lost', `the person's ${token} is missing from ${file} (${how})`);
    if (count > 1) complain(findings, 'duplicated', `the person's ${token} is ${count}× in ${file}`);
  }
  for (const message of expected.personCommits) {
    const count = observed.summaries.get(message) ?? 0;
    if (count !== 1) complain(findings, 'lost', `the person's commit ${message} is ${count}× in history`);
  }
}

function complain(findings: Findings, kind: 'lost' | 'duplicated', problem: string): void {
  findings[kind] += 1;
  findings.problems.push(problem);
}

export function findRepositoryProblems(home: string): string[] {
  const problems: string[] = [];
  const status = humanGit(home, 'status', '--porcelain');
  if (status !== '') problems.push(`git status is not clean:\n${status}`);
  try {
    const said = humanGit(home, 'fsck', '--strict', '--no-dangling', '--no-progress');
    if (said !== '') problems.push(`git fsck: ${said}`);
  } catch (error) {
    problems.push(`git fsck: ${String(error)}`);
  }
  return problems;
}

const LEFTOVER_IN_GIT = /\.lock$|^mneme-|^fast_import_crash/;

/** What no process needs any more and a crash must not leave behind. */
function findLeftovers(home: string): string[] {
  const gitDir = path.join(home, 'workspace', '.git');
  const inGit = fs
    .readdirSync(gitDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && LEFTOVER_IN_GIT.test(entry.name))
    .map((entry) => path.relative(home, path.join(entry.parentPath, entry.name)));
  const temporary = fs.readdirSync(path.join(home, 'state', 'tmp')).map((name) => `state/tmp/${name}`);
  return [...inGit, ...temporary].map((file) => `left behind: ${file}`);
}
