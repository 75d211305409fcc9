/**
 * Moves a whole index to PostgreSQL and back, killing the process again and again on the way, and compares every row of
 * passages, terms and vectors with the index it came from.
 *
 *   MNEME_TEST_POSTGRES_URL=… npm run test:migration -- [--chunks 100000] [--kills 3] [--json]
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SyntheticCorpus, TURNS_PER_SESSION, writeTranscripts } from '../../bench/search/corpus.ts';
import { printResult, progress } from '../../bench/support.ts';
import { openMneme } from '../../src/mneme.ts';
import { migrateIndex, type IndexMigrated } from '../../src/operations/search/index-migrate.ts';
import { syncIndex } from '../../src/operations/search/index-operations.ts';
import { openPostgres } from '../../src/search-index/open-index.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { compareContents, readContents, type ContentsCompared, type IndexContents } from './index-contents.ts';
import { newName } from './server.ts';
import { readSizes } from './table-sizes.ts';

type Engine = IndexMigrated['to'];

const URL_VARIABLE = 'MNEME_TEST_POSTGRES_URL';
/** Rotated and rounded to a byte on one side, half a float on the other. */
const LEAST_COSINE = 0.9999;

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    /** For the process that is killed. */
    home: { type: 'string' },
    to: { type: 'string' },
  },
});

/** What a server's texts and a file's do not hold alike. */
const ODD_TEXTS = [
  '# Odd',
  '- half a pair \ud83d alone',
  '- 👩‍👩‍👧‍👦 family, e\u0301 combined, \u202eright to left\u202c, \ufeff mark, \uffff last',
  '- \\x00 \\u0000 $1 {ns} %s \'quoted\' "twice" `$(rm)`',
  `- ${'long '.repeat(20_000)}`,
  // So late that the file is not taken for something other than text.
  '- NUL \u0000 in the middle',
];

if (process.env[URL_VARIABLE] === undefined) {
  process.stderr.write(`Set ${URL_VARIABLE}; \`node scripts/postgres-server.ts start\` brings a server up.\n`);
  process.exit(2);
}
if (values.home === undefined) await moveThereAndBack();
else await moveOnce(values.home, values.to === 'sqlite' ? 'sqlite' : 'postgres');

/** The process that may be killed at any time; tells how far it is. */
async function moveOnce(home: string, to: Engine): Promise<void> {
  const mneme = await openMneme({ home, actor: 'manual' });
  const tell = (share: number): void => void process.stdout.write(`${share}\n`);
  const onProgress = ({ done, total }: { done: number; total: number }): void => tell((done / total) * 0.5);
  const all = (await mneme.internals.homeIndex.engine.status()).passages;
  const onEmbedding = ({ done }: { done: number }): void => tell(0.5 + (done / Math.max(1, all)) * 0.4);
  const migrated = await migrateIndex(mneme.internals, { to }, { onProgress, onEmbedding });
  process.stdout.write(`${JSON.stringify(migrated)}\n`);
  await mneme.close();
}

async function moveThereAndBack(): Promise<void> {
  const home = makeTemporaryFolder('mneme-migration-');
  await initTestHome(home);
  const namespace = newName('migration');
  const settings = [
    'index:',
    `  postgres_namespace: ${namespace}`,
    `  postgres_url_env: ${URL_VARIABLE}`,
    '  postgres_schema: mneme_migration',
    '  postgres_timeout_ms: 600000',
  ];
  fs.appendFileSync(path.join(home, 'mneme.yaml'), `${settings.join('\n')}\n`);
  const notes = path.join(home, 'workspace', 'memory', 'reference');
  fs.mkdirSync(notes, { recursive: true });
  fs.writeFileSync(path.join(notes, 'odd.md'), ODD_TEXTS.join('\n\n'));
  writeTranscripts(
    path.join(home, 'raw'),
    new SyntheticCorpus(1),
    Math.ceil(Number(values.chunks) / TURNS_PER_SESSION),
  );
  const file = path.join(home, 'state', 'index.db');

  const first = await openMneme({ home, actor: 'manual' });
  await syncIndex(first.internals);
  const model = (await first.internals.homeIndex.models())[0]?.embedder.id ?? '';
  const original = await readContents(first.internals.homeIndex.engine, model, file);
  const { parts } = first.internals.homeIndex;
  await first.close();
  const fileBytes = fs.statSync(file).size;
  progress(`${original.passages.size} passages, ${original.terms.size} terms, ${original.vectors.size} vectors made`);

  const there = await move(home, 'postgres');
  const shared = openPostgres(parts);
  const onServer = compareContents(original, await readContents(shared, model, file));
  const sizes = await readSizes(shared);
  progress(`there: ${JSON.stringify({ ...there, ...onServer })}`);

  for (const suffix of ['', '-wal', '-shm']) fs.rmSync(`${file}${suffix}`, { force: true });
  const back = await move(home, 'sqlite');
  const last = await openMneme({ home, actor: 'manual' });
  const inFile = compareContents(original, await readContents(last.internals.homeIndex.engine, model, file));
  await last.close();
  progress(`back: ${JSON.stringify({ ...back, ...inFile })}`);

  await shared.server.eraseNamespace(namespace);
  await shared.close();
  const isLost = (compared: ContentsCompared): boolean =>
    compared.differences > 0 || compared.leastCosine < LEAST_COSINE || compared.vectors !== original.vectors.size;
  printResult(values.json, 'migration', {
    ...sizesOf(original),
    fileBytes,
    serverBytes: sizes,
    toPostgres: { ...there, ...onServer },
    toSqlite: { ...back, ...inFile },
    lost: isLost(onServer) || isLost(inFile),
  });
  fs.rmSync(home, { recursive: true, force: true });
  process.exit(isLost(onServer) || isLost(inFile) ? 1 : 0);
}

/** Killed at ever later points; what it had done by then is not done again. */
async function move(
  home: string,
  to: Engine,
): Promise<{ kills: number; tookMs: number; carried: number; made: number }> {
  const wanted = Number(values.kills);
  const startedMs = performance.now();
  let carried = 0;
  for (let kills = 0; ; kills += 1) {
    const outcome = await runChild(home, to, kills < wanted ? (kills + 1) / (wanted + 1) : Infinity);
    if (outcome === undefined) continue;
    if (!outcome.isSwitched) throw new Error(`It was not moved: ${outcome.findings.join(' ')}`);
    carried += outcome.vectors.carried;
    return { kills, tookMs: Math.round(performance.now() - startedMs), carried, made: outcome.vectors.made };
  }
}

/** Undefined when it was killed, which is as soon as it tells that it is so far. */
async function runChild(home: string, to: Engine, killAt: number): Promise<IndexMigrated | undefined> {
  const program = path.join(import.meta.dirname, 'migration.ts');
  const child = spawn(process.execPath, [program, '--home', home, '--to', to], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = '';
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    last = lines.at(-1) ?? last;
    if (!last.startsWith('{') && Number(last) >= killAt) child.kill('SIGKILL');
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code === null) return undefined;
  if (code !== 0) throw new Error(`Moving to ${to} ended with ${code}.`);
  return JSON.parse(last) as IndexMigrated;
}

function sizesOf({ passages, terms, vectors }: IndexContents): object {
  return { passages: passages.size, terms: terms.size, vectors: vectors.size };
}
