import fs from 'node:fs';
import path from 'node:path';
import { openMneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from '../search/corpus.ts';
import { percentile, progress } from '../support.ts';
import { fillerOf, fixtureFiles } from './fixture.ts';

const QUESTIONS = 200;
const WARM_UP = 20;

export interface SpeedResult {
  readonly chunks: number;
  readonly compileP50Ms: number;
  readonly compileP95Ms: number;
}

/** A whole prompt at 8 K, receipt written, in a process that stays open over a memory of so many passages. */
export async function measureSpeed(chunks: number): Promise<SpeedResult> {
  const home = makeTemporaryFolder('mneme-compile-');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const sessions = Math.ceil(chunks / TURNS_PER_SESSION);
  progress(`writing ${sessions} sessions`);
  writeTranscripts(path.join(home, 'raw'), new SyntheticCorpus(1), sessions);
  for (const [name, text] of Object.entries({ ...fixtureFiles(1), ...projects() })) {
    const file = path.join(home, 'workspace', name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  const mneme = await openMneme({ home });
  await syncIndex(mneme.internals);
  const { passages } = await mneme.internals.homeIndex.engine.status();
  progress(`${passages} passages indexed`);
  const questions = questionsAbout(sessions);
  const session = `ses_${String(sessions - 1).padStart(7, '0')}`;
  for (const question of questions.slice(0, WARM_UP)) await mneme.context(question, { budget: 8000, session });
  const samples: number[] = [];
  for (const question of questions) {
    const startedMs = performance.now();
    await mneme.context(question, { budget: 8000, session });
    samples.push(performance.now() - startedMs);
  }
  await mneme.close();
  fs.rmSync(home, { recursive: true, force: true });
  return { chunks: passages, compileP50Ms: percentile(samples, 0.5), compileP95Ms: percentile(samples, 0.95) };
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

/** Some active projects, so that their slot is measured too. */
function projects(): Record<string, string> {
  const entries = ['atlas', 'beacon', 'comet', 'delta'].map((name, at): [string, string] => [
    `memory/graph/entities/project--${name}.md`,
    `---\nid: project--${name}\ntype: project\nname: ${name}\nstatus: active\n---\n\n# ${name}\n\n## Summary\n\n${fillerOf(40, at, 'Goal').slice(2)}\n`,
  ]);
  return Object.fromEntries(entries);
}
