/**
 * Many who search while a few write, on PostgreSQL and on the embedded engine in the same run; how alike their answers
 * are; what the tables weigh; and moving an index from one to the other and back.
 *
 *   node scripts/postgres-server.ts start          prints an address
 *   MNEME_POSTGRES_URL=… npm run bench:scale -- [--chunks 10000] [--clients 50] [--writers 5] [--searches 1000] [--json]
 *   … npm run bench:scale -- --weigh --chunks 100000       only what tables and server weigh: nobody writes, nothing is moved back
 *
 * Clients ask one after the other without pausing, all from this process: what they wait for is mostly each other.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openMneme, type Mneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { migrateIndex, type IndexMigrated } from '../src/operations/search/index-migrate.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { systemClock } from '../src/platform/clock.ts';
import { openPostgres } from '../src/search-index/open-index.ts';
import type { SearchIndex } from '../src/search-index/port.ts';
import type { PostgresIndex } from '../src/search-index/postgres/postgres-index.ts';
import { SqliteIndex } from '../src/search-index/sqlite/sqlite-index.ts';
import { makeDocument, put, TYPICAL_SHAPES } from '../src/search-index/testing/documents.ts';
import { extractQueryTerms } from '../src/search-index/text/terms.ts';
import { readServerUse, type ServerUse } from '../test/postgres/server-memory.ts';
import { readSizes } from '../test/postgres/table-sizes.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from './search/corpus.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '50' },
    writers: { type: 'string', default: '5' },
    searches: { type: 'string', default: '1000' },
    weigh: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const clients = Number(values.clients);
const OVERLAP_QUESTIONS = 200;
const WRITE_PAUSE_MS = 100;
const HITS = 10;

if (process.env['MNEME_POSTGRES_URL'] === undefined) {
  process.stderr.write('Set MNEME_POSTGRES_URL; `node scripts/postgres-server.ts start` brings a server up.\n');
  process.exit(2);
}

const home = makeTemporaryFolder('mneme-scale-');
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
const namespace = `bench/${path.basename(home)}`;
fs.appendFileSync(
  path.join(home, 'mneme.yaml'),
  // A schema of its own, so that what is weighed is only this.
  `index:\n  postgres_schema: mneme_bench\n  postgres_namespace: ${namespace}\n  postgres_timeout_ms: 600000\n`,
);
const sessions = Math.ceil(Number(values.chunks) / TURNS_PER_SESSION);
progress(`writing ${sessions} sessions`);
writeTranscripts(path.join(home, 'raw'), new SyntheticCorpus(1), sessions);

const embedded = await openMneme({ home, actor: 'manual' });
if (!values.weigh) {
  await syncIndex(embedded.internals);
  progress('the embedded engine has everything');
}
const toPostgres = await migrateIndex(embedded.internals, { to: 'postgres' });
const { passages } = toPostgres;
progress(`to postgres: ${JSON.stringify(toPostgres)}`);
const shared = await openMneme({ home, actor: 'manual' });
const corpus = new SyntheticCorpus(2);
const turns = new SyntheticCorpus(1).transcript(0).text.split(/^## .*$/mu);
const questions = Array.from({ length: OVERLAP_QUESTIONS }, (_, index) =>
  index % 5 === 4 ? corpus.vagueQuestion() : corpus.questionAbout(turns[index % turns.length] ?? ''),
);
const overlap = values.weigh ? undefined : await compareAnswers(embedded, shared);
if (overlap !== undefined) progress(`top ${HITS} of both engines agree by ${overlap.toFixed(3)}`);

const [model] = await embedded.internals.homeIndex.models();
if (model === undefined) throw new Error('The static table did not open.');
const vectors = await model.embedder.embed(questions, 'query');
const parts = shared.internals.homeIndex.parts;
const file = path.join(home, 'state', 'index.db');
/** What was written last is in the log beside it. */
const fileBytes = [file, `${file}-wal`].reduce(
  (sum, each) => sum + (fs.statSync(each, { throwIfNoEntry: false })?.size ?? 0),
  0,
);
const weighed = await weigh(openPostgres(parts));
progress(JSON.stringify(weighed));
let serverMemory: ServerUse | undefined;
const onPostgres = await measure(
  () =>
    openPostgres({ ...parts, config: { ...parts.config, index: { ...parts.config.index, postgres_connections: 1 } } }),
  async () => {
    // While all of them are still connected.
    const index = openPostgres(parts);
    serverMemory = await readServerUse(index.server);
    await index.close();
  },
);
progress(JSON.stringify({ ...onPostgres, serverMemory }));
const onSqlite = values.weigh ? undefined : await measure(() => new SqliteIndex(file, systemClock));
if (onSqlite !== undefined) progress(JSON.stringify(onSqlite));

if (!values.weigh) fs.rmSync(file, { force: true });
await embedded.close();
const toSqlite = values.weigh ? undefined : await moveBack();
await shared.close();
const admin = openPostgres(parts);
await admin.server.eraseNamespace(namespace);
await admin.close();

printResult(values.json, 'scale', {
  engine: 'postgres',
  chunks: passages,
  clients,
  writers: Number(values.writers),
  ...onPostgres,
  embedded: onSqlite === undefined ? undefined : { engine: 'sqlite', ...onSqlite },
  overlapTop10: overlap,
  ...weighed,
  fileBytesPerChunk: fileBytes / passages,
  serverMemory,
  toPostgresMs: toPostgres.tookMs,
  toSqliteMs: toSqlite?.tookMs,
  lost: toPostgres.findings.length + (toSqlite?.findings.length ?? 0),
});
fs.rmSync(home, { recursive: true, force: true });

async function moveBack(): Promise<IndexMigrated> {
  const back = await openMneme({ home, actor: 'manual' });
  const moved = await migrateIndex(back.internals, { to: 'sqlite' });
  progress(`to sqlite: ${JSON.stringify(moved)}`);
  await back.close();
  return moved;
}

/** What the server says its tables weigh, how long the index over vectors takes, and what a client keeps in memory. */
async function weigh(index: PostgresIndex): Promise<Record<string, unknown>> {
  const { server } = index;
  await server.administer('SELECT drop_vector_index($1, 1)', namespace);
  const before = await readServerUse(server);
  const buildStartedMs = performance.now();
  await server.administer('SELECT build_vector_index($1, 1, 384)', namespace);
  const hnswBuildMs = performance.now() - buildStartedMs;
  const after = await readServerUse(server);
  const hnswBuildCpuMs = before === undefined || after === undefined ? undefined : after.cpuMs - before.cpuMs;
  const { total, hnsw, tables } = await readSizes(index);
  const bytesPerChunk = Object.entries(tables).map(([name, { rows, indexes }]): [string, number] => [
    name.replace(/^vectors_\d+$/u, 'vectors'),
    Math.round((rows + indexes) / passages),
  ]);
  const empty = await bytesInUse();
  await index.view({ scopes: ['shared'] });
  const grown = (await bytesInUse()) - empty;
  await index.close();
  return {
    serverBytesPerChunk: total / passages,
    hnswBytesPerChunk: hnsw / passages,
    bytesPerChunk: Object.fromEntries(bytesPerChunk.filter(([, bytes]) => bytes > 0)),
    hnswBuildMs,
    hnswBuildCpuMs,
    clientBytesPerChunk: grown / passages,
  };
}

/** After collecting what nobody needs, which would otherwise hide a megabyte more or less. */
async function bytesInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  // What buffers held is given back some time after they are collected.
  for (let round = 0; round < 3; round += 1) {
    runInNewContext('gc()');
    await wait(WRITE_PAUSE_MS);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function compareAnswers(one: Mneme, other: Mneme): Promise<number> {
  let common = 0;
  let all = 0;
  for (const question of questions) {
    const expected = (await one.recall(question, { limit: HITS })).hits.map(({ id }) => id);
    const found = new Set((await other.recall(question, { limit: HITS })).hits.map(({ id }) => id));
    common += expected.filter((id) => found.has(id)).length;
    all += expected.length;
  }
  return common / Math.max(1, all);
}

async function measure(open: () => SearchIndex, look?: () => Promise<void>): Promise<Record<string, number>> {
  const indexes = Array.from({ length: clients }, open);
  for (const index of indexes) await search(index, 0);
  const writing = new AbortController();
  let writes = 0;
  const writers = Array.from({ length: values.weigh ? 0 : Number(values.writers) }, async (_, writer) => {
    const index = open();
    for (let round = 0; !writing.signal.aborted; round += 1) {
      const texts = [`harbour note ${writer} ${round}`, `and what came after it ${round}`];
      await index.apply(put(makeDocument({ path: `bench/${writer}.md`, hash: String(round) }, texts)));
      writes += 1;
      await wait(WRITE_PAUSE_MS);
    }
    await index.close();
  });
  const samples: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  await Promise.all(
    indexes.map(async (index) => {
      while (next < Number(values.searches)) {
        const question = next++ % questions.length;
        const askedMs = performance.now();
        await search(index, question);
        samples.push(performance.now() - askedMs);
        // A file never waits for anything: without a pause nobody else would get their turn.
        await new Promise(setImmediate);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  writing.abort();
  await Promise.all(writers);
  await look?.();
  for (const index of indexes) await index.close();
  return {
    searchP50Ms: percentile(samples, 0.5),
    searchP95Ms: percentile(samples, 0.95),
    searchesPerSecond: samples.length / seconds,
    writesPerSecond: writes / seconds,
  };
}

/** What a question asks of an engine: words, meaning, and the texts of the best. */
async function search(index: SearchIndex, question: number): Promise<void> {
  const view = await index.view({ scopes: ['shared'] });
  const terms = extractQueryTerms(questions[question] ?? '').map((term) => ({ term, weight: 1 }));
  const { passages: found } = await view.findByTerms({ terms, shapes: TYPICAL_SHAPES, limit: 50 });
  const vector = vectors[question] ?? new Float32Array(384);
  const nearest = await view.findNearest(model?.embedder.id ?? '', vector, 200);
  await view.similarities(model?.embedder.id ?? '', vector, [...found].slice(0, 100));
  await view.read(nearest.slice(0, HITS).map(({ passage }) => passage));
}
