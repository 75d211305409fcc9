import fs from 'node:fs';
import path from 'node:path';
import { openMneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from '../search/corpus.ts';
import { percentile, progress } from '../support.ts';
import { fixtureFiles, SlotFill, storeFiles, writeFixture } from './fixture.ts';

const QUESTIONS = 200;
const WARM_UP = 20;

export interface SpeedResult {
  readonly chunks: number;
  readonly compileP50Ms: number;
  readonly compileP95Ms: number;
  /** What the prompts consisted of. */
  readonly speedSlots: ReturnType<SlotFill['report']>;
}

/** A whole prompt at 8 K, receipt written, in a process that stays open over a memory of so many passages. */
export async function measureSpeed(chunks: number): Promise<SpeedResult> {
  const home = makeTemporaryFolder('mneme-compile-');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const sessions = Math.ceil(chunks / TURNS_PER_SESSION);
  progress(`writing ${sessions} sessions`);
  writeTranscripts(path.join(home, 'raw'), new SyntheticCorpus(1), sessions);
  const questions = questionsAbout(sessions);
  writeFixture(path.join(home, 'workspace'), { ...fixtureFiles(1), ...storeFiles(questions) });
  const mneme = await openMneme({ home });
  await syncIndex(mneme.internals);
  const { passages } = await mneme.internals.homeIndex.engine.status();
  progress(`${passages} passages indexed`);
  const session = `ses_${String(sessions - 1).padStart(7, '0')}`;
  for (const question of questions.slice(0, WARM_UP)) await mneme.context(question, { budget: 8000, session });
  const samples: number[] = [];
  const slots = new SlotFill();
  for (const question of questions) {
    const startedMs = performance.now();
    const told = await mneme.context(question, { budget: 8000, session });
    samples.push(performance.now() - startedMs);
    slots.add(told);
  }
  await mneme.close();
  fs.rmSync(home, { recursive: true, force: true });
  const [compileP50Ms, compileP95Ms] = [percentile(samples, 0.5), percentile(samples, 0.95)];
  return { chunks: passages, compileP50Ms, compileP95Ms, speedSlots: slots.report() };
}

/** As `bench:search` asks: about something that was said, and one time in five about nothing in particular. */
function questionsAbout(sessions: number): string[] {
  const corpus = new SyntheticCorpus(2);
  const said = new SyntheticCorpus(1);
  const turns = Array.from({ length: Math.min(sessions, 200) }, (_, session) => said.transcript(session).text);
  return Array.from({ length: QUESTIONS }, (_, index) =>
    index % 5 === 4 ? corpus.vagueQuestion() : corpus.questionAbout(turns[(index * 37) % turns.length] ?? ''),
  );
}
