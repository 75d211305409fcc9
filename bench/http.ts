/**
 * The HTTP server under load: searches at a constant rate against a server in a process of its own, on synthetic
 * conversations. How long an answer took is counted from when its request was due.
 *
 *   npm run bench:http -- [--chunks 10000] [--rate 200] [--seconds 60] [--quick] [--json]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TokenFile } from '../src/interfaces/http/access/token-file.ts';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { systemRandom } from '../src/platform/random.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { applyLoad, createPoster } from './http/constant-rate.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from './search/corpus.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const seconds = values.quick ? 5 : Number(values.seconds);
const perSecond = values.quick ? 50 : Number(values.rate);
const sessions = Math.ceil((values.quick ? 1000 : Number(values.chunks)) / TURNS_PER_SESSION);
/** Until code is compiled and caches are filled; growth counts from there. */
const WARM_UP_SECONDS = values.quick ? 2 : 10;
const RSS_LOOK_MS = 1000;

const home = makeTemporaryFolder('mneme-http-');
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
progress(`writing ${sessions} sessions`);
writeTranscripts(path.join(home, 'raw'), new SyntheticCorpus(1), sessions);
const mneme = await openMneme({ home });
await syncIndex(mneme.internals);
const { passages } = await mneme.internals.homeIndex.engine.status();
await mneme.close();
// These conversations were never learned from; a server would do so first, beside the searches that are measured here.
fs.appendFileSync(
  path.join(home, 'mneme.yaml'),
  '\nextract:\n  trigger: manual\nserver:\n  port: 0\n  max_requests_per_minute: 0\n',
);
const token = await new TokenFile(path.join(home, 'state')).add({ name: 'bench', role: 'owner' }, systemRandom, '');

const { server, url } = await startServer();
const post = createPoster(url, token);
const questions = makeQuestions(1000);
const search = async (number: number): Promise<void> => {
  await post('/api/v1/recall', { query: questions[number % questions.length] });
};
progress(`warming up at ${url}`);
await applyLoad({ perSecond, seconds: WARM_UP_SECONDS, send: search });
const { rss: startRss, cpuSeconds: startCpu } = await readMetrics();
let mostRss = startRss;
const looking = setInterval(() => {
  void readMetrics().then(({ rss }) => {
    mostRss = Math.max(mostRss, rss);
  });
}, RSS_LOOK_MS);
progress(`${perSecond} searches a second for ${seconds} s on ${passages} passages`);
const { latenciesMs, failures, tookSeconds } = await applyLoad({ perSecond, seconds, send: search });
clearInterval(looking);
const { cpuSeconds } = await readMetrics();
server.kill('SIGTERM');
await new Promise((resolve) => server.once('close', resolve));

printResult(values.json, 'http', {
  passages,
  requestsPerSecond: latenciesMs.length / tookSeconds,
  failures: failures.length,
  p50Ms: percentile(latenciesMs, 0.5),
  p95Ms: percentile(latenciesMs, 0.95),
  p99Ms: percentile(latenciesMs, 0.99),
  /** Independent of what else the machine does. */
  cpuMsPerRequest: ((cpuSeconds - startCpu) * 1000) / latenciesMs.length,
  rssMb: mostRss / 1e6,
  rssGrowth: mostRss / startRss,
});
fs.rmSync(home, { recursive: true, force: true });
if (failures.length > 0) {
  console.error(failures[0]);
  process.exitCode = 1;
}

function makeQuestions(count: number): string[] {
  const corpus = new SyntheticCorpus(2);
  const known = new SyntheticCorpus(1);
  const turns = Array.from({ length: Math.min(sessions, 50) }, (_, session) => known.transcript(session).text)
    .flatMap((text) => text.split(/^## .*$/mu).slice(1))
    .map((turn) => turn.trim());
  return Array.from({ length: count }, (_, index) =>
    index % 5 === 4 ? corpus.vagueQuestion() : corpus.questionAbout(turns[(index * 37) % turns.length] ?? ''),
  );
}

async function readMetrics(): Promise<{ readonly rss: number; readonly cpuSeconds: number }> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await response.text();
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'mu').exec(text)?.[1] ?? Number.NaN);
  return { rss: read('mneme_resident_bytes'), cpuSeconds: read('mneme_cpu_seconds_total') };
}

function startServer(): Promise<{ readonly server: ChildProcess; readonly url: string }> {
  const bin = path.resolve(import.meta.dirname, '../bin/mneme');
  const started = spawn(process.execPath, [bin, '--home', home, 'serve'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    started.stderr.setEncoding('utf8');
    started.stderr.on('data', (chunk: string) => {
      said += chunk;
      const found = / at (http:\S+)/u.exec(said)?.[1];
      if (found !== undefined) resolve({ server: started, url: found });
    });
    started.once('close', () => reject(new Error(said)));
  });
}
