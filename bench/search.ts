/**
 * How fast questions are answered: in a process that stays, in a new process, and against SQLite's FTS5 in the same
 * run, over synthetic conversations that are chunked, indexed and embedded by the product itself.
 *
 *   npm run bench:search -- [--chunks 100000] [--questions 200] [--json]
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from './search/corpus.ts';
import { FullTextSearch } from './search/fts5.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '100000' },
    questions: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
  },
});
const sessions = Math.ceil(Number(values.chunks) / TURNS_PER_SESSION);
const COLD_RUNS = 7;

const home = makeTemporaryFolder('mneme-search-');
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
progress(`writing ${sessions} sessions`);
const characters = writeTranscripts(path.join(home, 'raw'), new SyntheticCorpus(1), sessions);

const mneme = await openMneme({ home });
let startedMs = performance.now();
const report = await syncIndex(mneme.internals, {
  onEmbedding: ({ done, remaining }) => {
    if (done % 20_480 === 0) progress(`${done} vectors, ${remaining ?? 0} to go`);
  },
});
const indexingMs = performance.now() - startedMs;
const { homeIndex } = mneme.internals;
const status = await homeIndex.engine.status();
progress(`${status.passages} passages in ${report.put} documents indexed in ${(indexingMs / 1000).toFixed(1)} s`);

const corpus = new SyntheticCorpus(2);
const turns = [...turnsOf(new SyntheticCorpus(1), Math.min(sessions, 200))];
const questions = Array.from({ length: Number(values.questions) }, (_, index) =>
  // One in five remembers the topic and none of the words.
  index % 5 === 4 ? corpus.vagueQuestion() : corpus.questionAbout(turns[(index * 37) % turns.length] ?? ''),
);
for (const question of questions.slice(0, 20)) await mneme.recall(question);
const searchMs = await timeEach(questions, (question) => mneme.recall(question));

const [model] = await homeIndex.models();
if (model === undefined) throw new Error('The static table did not open.');
const view = await homeIndex.engine.view({ scopes: ['shared'] });
const vectors = await model.embedder.embed(questions, 'query');
const knnMs = await timeEach(vectors, (vector) => view.findNearest(model.embedder.id, vector, 200));
const rssMb = process.memoryUsage().rss / 1e6;
await mneme.close();

const coldMs = measureCold(questions.slice(0, COLD_RUNS));
const ratioToFts5 = Number(values.chunks) > 200_000 ? undefined : await compareWithFts5();

printResult(values.json, 'search', {
  chunks: status.passages,
  searchP50Ms: percentile(searchMs, 0.5),
  searchP95Ms: percentile(searchMs, 0.95),
  knnP50Ms: percentile(knnMs, 0.5),
  knnP95Ms: percentile(knnMs, 0.95),
  coldMs,
  rssMb,
  bytesPer1kTokens: (status.bytes / (characters / 4)) * 1000,
  indexMb: status.bytes / 1e6,
  passagesPerSecond: status.passages / (indexingMs / 1000),
  ratioToFts5,
});
fs.rmSync(home, { recursive: true, force: true });

async function timeEach<T>(inputs: readonly T[], run: (input: T) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  for (const input of inputs) {
    startedMs = performance.now();
    await run(input);
    samples.push(performance.now() - startedMs);
  }
  return samples;
}

/** The median of new processes of the bundle, everything from the start of Node to its exit counted. */
function measureCold(asked: readonly string[]): number {
  const bundle = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
  if (!fs.existsSync(bundle)) execFileSync('npm', ['run', 'build'], { stdio: 'ignore' });
  const samples = asked.map((question) => {
    startedMs = performance.now();
    execFileSync(process.execPath, [bundle, 'recall', question, '--home', home, '--json'], { stdio: 'pipe' });
    return performance.now() - startedMs;
  });
  progress(`new processes: ${samples.map((sample) => sample.toFixed(0)).join(' ')} ms`);
  return percentile(samples, 0.5);
}

/** The same questions in the same run; how many times longer FTS5 takes for its words alone. */
async function compareWithFts5(): Promise<number> {
  const fts5 = new FullTextSearch();
  const source = new SyntheticCorpus(1);
  fts5.fill(turnsOf(source, sessions));
  const fts5Ms = await timeEach(questions, (question) => Promise.resolve(fts5.find(question)));
  fts5.close();
  progress(`FTS5 p50 ${percentile(fts5Ms, 0.5).toFixed(1)} ms, p95 ${percentile(fts5Ms, 0.95).toFixed(1)} ms`);
  return percentile(fts5Ms, 0.5) / percentile(searchMs, 0.5);
}

function* turnsOf(source: SyntheticCorpus, count: number): Generator<string> {
  for (let session = 0; session < count; session += 1) {
    for (const turn of source
      .transcript(session)
      .text.split(/^## .*$/mu)
      .slice(1))
      yield turn.trim();
  }
}
