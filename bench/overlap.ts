/**
 * How alike PostgreSQL and the embedded engine answer the questions of the retrieval benchmark: what both have among
 * their first ten, through the whole of `recall`, and for the nearest vectors by HNSW alone, which small collections
 * never need.
 *
 *   MNEME_POSTGRES_URL=… npm run bench:overlap -- [--data DIR] [--json]
 *
 * The data are conversations with labelled questions, one JSON file each; without --data our own coding sessions.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openMneme, type Mneme } from '../src/mneme.ts';
import { migrateIndex } from '../src/operations/search/index-migrate.ts';
import { PostgresIndex } from '../src/search-index/postgres/postgres-index.ts';
import type { SearchIndex } from '../src/search-index/port.ts';
import { EVERYTHING } from '../src/search-index/testing/documents.ts';
import { readConversations, type Conversation } from './retrieval/conversations.ts';
import { ConversationHome } from './retrieval/system.ts';
import { openTier } from './retrieval/tiers.ts';
import { printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('data/coding', import.meta.url)) },
    json: { type: 'boolean', default: false },
  },
});
const HITS = 10;
const LEAST_OVERLAP = 0.95;
const SCHEMA = 'mneme_overlap';

const url = process.env['MNEME_POSTGRES_URL'];
if (url === undefined) {
  process.stderr.write('Set MNEME_POSTGRES_URL; `node scripts/postgres-server.ts start` brings a server up.\n');
  process.exit(2);
}

/** Answers of both engines, counted. */
class Overlap {
  questions = 0;
  #expected = 0;
  #common = 0;
  #sameOrder = 0;

  add(expected: readonly string[], found: readonly string[]): void {
    this.questions += 1;
    this.#expected += expected.length;
    this.#common += expected.filter((id) => found.includes(id)).length;
    if (expected.join() === found.join()) this.#sameOrder += 1;
  }

  get share(): number {
    return this.#common / Math.max(1, this.#expected);
  }

  get sameOrder(): number {
    return this.#sameOrder / Math.max(1, this.questions);
  }
}

const recalled = new Overlap();
const nearest = new Overlap();
let standIns = 0;
for (const conversation of readConversations(values.data)) {
  await compare(conversation);
  progress(`${conversation.id}: ${recalled.questions} questions, in common ${recalled.share.toFixed(4)}`);
}
const isAlike = recalled.share >= LEAST_OVERLAP && nearest.share >= LEAST_OVERLAP && standIns === 0;
printResult(values.json, 'overlap', {
  questions: recalled.questions,
  recallTop10: recalled.share,
  recallSameOrder: recalled.sameOrder,
  hnswTop10: nearest.share,
  standIns,
  isAlike,
});
process.exit(isAlike ? 0 : 1);

async function compare(conversation: Conversation): Promise<void> {
  const namespace = `overlap/${conversation.id}-${process.pid}`;
  const tier = openTier('static');
  const settings = ['index:', `  postgres_schema: ${SCHEMA}`, `  postgres_namespace: ${namespace}`];
  const configuration = `${tier.configuration}\n${settings.join('\n')}\n`;
  const home = await ConversationHome.build(conversation, { ...tier, configuration });
  const { clock } = home.mneme.internals;
  const open = (): Promise<Mneme> =>
    openMneme({ home: home.folder, actor: 'manual', parts: { clock }, embedding: tier.embedding });
  const person = await open();
  await migrateIndex(person.internals, { to: 'postgres' });
  await person.close();
  const shared = await open();
  try {
    await compareAnswers(conversation, home.mneme, shared);
    await compareNearest(conversation, home.mneme, namespace);
  } finally {
    await shared.close();
    await home.close();
  }
}

async function compareAnswers(conversation: Conversation, embedded: Mneme, shared: Mneme): Promise<void> {
  const idsOf = async (mneme: Mneme, text: string): Promise<string[]> =>
    (await mneme.recall(text, { limit: HITS })).hits.map(({ id }) => id);
  for (const { text } of conversation.questions) {
    recalled.add(await idsOf(embedded, text), await idsOf(shared, text));
    if (shared.internals.homeIndex.standInReason !== undefined) standIns += 1;
  }
}

/** By the graph of neighbours alone, whatever the size. */
async function compareNearest(conversation: Conversation, embedded: Mneme, namespace: string): Promise<void> {
  const { homeIndex } = embedded.internals;
  const [model] = await homeIndex.models();
  if (model === undefined) throw new Error('The static table did not open.');
  const options = { url: url ?? '', schema: SCHEMA, namespace, device: 'bench' };
  const approximate = new PostgresIndex({ ...options, compareUpTo: 0, indexFromVectors: 1 });
  await approximate.optimize({ isThorough: true });
  const texts = conversation.questions.map(({ text }) => text);
  const vectors = await model.embedder.embed(texts, 'query');
  for (const vector of vectors) {
    const of = (index: SearchIndex): Promise<string[]> => nearestOf(index, model.embedder.id, vector);
    nearest.add(await of(homeIndex.engine), await of(approximate));
  }
  await approximate.server.eraseNamespace(namespace);
  await approximate.close();
}

async function nearestOf(index: SearchIndex, model: string, vector: Float32Array): Promise<string[]> {
  const view = await index.view(EVERYTHING);
  const found = await view.findNearest(model, vector, HITS);
  const passages = await view.read(found.map(({ passage }) => passage));
  return passages.map(({ document, number, first }) => `${document.path}#${number - first}`);
}
