/** Recall over many passages, with the packaged model asking and made-up vectors of it to find among. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { WIDTH } from '../../src/encoder/encoder.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { must } from '../../src/model/errors.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { seededRandom } from '../logs/seeded.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from '../search/corpus.ts';
import { percentile, progress } from '../support.ts';

const QUESTIONS = 200;
const WARMING = 20;
const PROCESSES = 7;
const BATCH = 8192;

export interface RecallTimes {
  readonly passages: number;
  readonly recallP50Ms: number;
  readonly recallP95Ms: number;
  /** From the start of Node to its end, the median; `mneme recall` of the bundle. */
  readonly newProcessMs: number;
}

export async function measureRecall(passages: number, program: string): Promise<RecallTimes> {
  const home = makeTemporaryFolder('mneme-encoder-');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const sessions = Math.ceil(passages / TURNS_PER_SESSION);
  progress(`indexing ${sessions} sessions`);
  writeTranscripts(path.join(home, 'raw'), new SyntheticCorpus(1), sessions);
  const mneme = await openMneme({ home });
  await mneme.internals.homeIndex.sync({ vectors: 'instant' });
  await putMadeUpVectors(mneme);
  const told = new SyntheticCorpus(1);
  const asked = new SyntheticCorpus(2);
  const questions = Array.from({ length: QUESTIONS }, (_, number) =>
    number % 5 === 4 ? asked.vagueQuestion() : asked.questionAbout(told.transcript(number).text.slice(-400)),
  );
  progress('asking');
  for (const question of questions.slice(0, WARMING)) await mneme.recall(question);
  const times: number[] = [];
  for (const question of questions) {
    const startedMs = performance.now();
    const { mode } = await mneme.recall(question);
    times.push(performance.now() - startedMs);
    if (mode !== 'hybrid') throw new Error(`the question was answered by ${mode}`);
  }
  const { passages: indexed } = await mneme.internals.homeIndex.status();
  await mneme.close();
  const env = { ...process.env, MNEME_WORKER: 'off', MNEME_TRY_BUNDLE: '1' };
  const processes = questions.slice(0, PROCESSES + 1).map((question) => {
    const startedMs = performance.now();
    execFileSync(process.execPath, [program, '--home', home, 'recall', question, '--json'], { env, stdio: 'pipe' });
    return performance.now() - startedMs;
  });
  fs.rmSync(home, { recursive: true, force: true });
  return {
    passages: indexed,
    recallP50Ms: percentile(times, 0.5),
    recallP95Ms: percentile(times, 0.95),
    // The first fills the compile cache.
    newProcessMs: percentile(processes.slice(1), 0.5),
  };
}

/** Encoding them all would take most of an hour, and how long a search takes does not depend on what they say. */
async function putMadeUpVectors({ internals: { homeIndex } }: Mneme): Promise<void> {
  const model = must((await homeIndex.models()).at(-1), 'the packaged model').embedder;
  const random = seededRandom(3);
  for (;;) {
    const missing = await homeIndex.engine.listMissingVectors(model.id, BATCH);
    if (missing.length === 0) return;
    const entries = missing.map(({ passage }) => ({ passage, vector: unitVector(random.next) }));
    await homeIndex.engine.putVectors(model.id, WIDTH, entries);
  }
}

function unitVector(next: () => number): Float32Array {
  const values = Float32Array.from({ length: WIDTH }, () => next() + next() + next() - 1.5);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
