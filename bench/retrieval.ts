/**
 * How much of what a question needs is in what the system puts into the prompt: evidence recall at 1 000, 2 000 and
 * 4 000 tokens, against plain BM25 and plain vectors, with every stage taken away once.
 *
 *   npm run bench:retrieval -- [--data DIR [--kinds a,b,…|all] [--questions N]] [--tier builtin|static|onnx|none]
 *                              [--ablations] [--coverage 10,50,90] [--untrained DIR] [--json]
 *
 * The data are conversations with labelled questions, one JSON file each; without --data our own coding sessions. With
 * --kinds they are folders in the form of training/data/conversations, each kind one memory. --questions takes at most so
 * many of each conversation, evenly. --coverage asks the same while only so many percent have a vector of the tier's model.
 * --untrained prints the share of misses at 1,000 tokens that the tier removes against the weights it was trained from, which
 * training/fetch.sh fetches into DIR.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStaticEmbedder } from '../src/providers/embeddings/static.ts';
import { ABLATIONS } from './retrieval/ablations.ts';
import { bm25Windows, vectorTurns, type Baseline } from './retrieval/baselines.ts';
import { readConversations, type Conversation } from './retrieval/conversations.ts';
import { compareTiers } from './retrieval/compare.ts';
import { scoreCoverage } from './retrieval/coverage.ts';
import { listKinds, readKind } from './retrieval/own-conversations.ts';
import { BUDGETS, Scores } from './retrieval/measure.ts';
import { ConversationHome } from './retrieval/system.ts';
import { openTier, TIERS, type TierName } from './retrieval/tiers.ts';
import { writeUntrainedModel } from './retrieval/untrained.ts';
import { printResult, progress } from './support.ts';
import { TUNING } from '../src/retrieve/settings.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('data/coding', import.meta.url)) },
    kinds: { type: 'string' },
    questions: { type: 'string', default: 'Infinity' },
    tier: { type: 'string', default: 'builtin' },
    coverage: { type: 'string' },
    untrained: { type: 'string' },
    ablations: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

function tierOf(text: string): TierName {
  const tier = TIERS.find((name) => name === text);
  if (tier === undefined) throw new Error(`--tier is ${text}; it can be ${TIERS.join(', ')}.`);
  return tier;
}

async function scoreBaseline(conversations: readonly Conversation[], baseline: Baseline): Promise<Scores> {
  const scores = new Scores();
  for (const conversation of conversations) {
    const ask = await baseline(conversation);
    for (const question of conversation.questions) {
      const startedMs = performance.now();
      const answer = await ask(question.text);
      const tookMs = performance.now() - startedMs;
      scores.add(question, new Map(BUDGETS.map((budget) => [budget, answer])), tookMs);
    }
  }
  return scores;
}

function show(name: string, scores: Scores): void {
  const recall = BUDGETS.map((budget) => (scores.recall()[budget] ?? 0).toFixed(1).padStart(5)).join(' ');
  const { p50, p95 } = scores.latency();
  progress(`${name.padEnd(30)} ${recall}   ${p50.toFixed(1)} / ${p95.toFixed(1)} ms`);
}

function readData({ data, kinds }: typeof values): Conversation[] {
  if (kinds === undefined) return readConversations(data);
  return (kinds === 'all' ? listKinds(data) : kinds.split(',')).map((kind) => readKind(data, kind));
}

function takeEvenly(conversation: Conversation, most: number): Conversation {
  const step = Math.max(1, conversation.questions.length / most);
  const { questions } = conversation;
  return {
    ...conversation,
    questions: questions.filter((_, at) => Math.floor(at / step) > Math.floor((at - 1) / step)),
  };
}

const conversations = readData(values).map((one) => takeEvenly(one, Number(values.questions)));
if (conversations.length === 0) throw new Error(`There are no .json files in ${values.data}.`);
const tier = openTier(tierOf(values.tier));
progress(`${conversations.length} conversations; recall at 1K, 2K, 4K tokens; ms p50 / p95 a question`);

if (values.untrained !== undefined) {
  const start = { ...openTier('builtin'), embedding: { packagedModel: writeUntrainedModel(values.untrained) } };
  const compared = await compareTiers(conversations, start, tier);
  for (const [name, { questions, missesBefore, missesAfter, gone, from, to }] of compared) {
    progress(
      `${name.padEnd(20)} ${questions} questions, misses ${missesBefore} → ${missesAfter} %; gone ${gone} % (${from} to ${to})`,
    );
  }
  printResult(values.json, 'untrained', { tier: tier.name, ...Object.fromEntries(compared) });
  process.exit();
}

const windows = await scoreBaseline(conversations, bm25Windows(6, 3));
show('BM25, 6-turn windows', windows);
const turns = await scoreBaseline(conversations, bm25Windows(1, 1));
show('BM25, single turns', turns);
const vectors = await scoreBaseline(conversations, vectorTurns(openStaticEmbedder()));
show('static vectors, single turns', vectors);

if (values.coverage !== undefined) {
  const scored = await scoreCoverage(conversations, tier, values.coverage.split(',').map(Number));
  for (const [name, scores] of scored) show(name, scores);
  const recall = Object.fromEntries([...scored].map(([name, scores]) => [name, scores.recall()]));
  printResult(values.json, 'coverage', { tier: tier.name, questions: scored.get('static')?.questions, recall });
  process.exit();
}

const system = new Scores();
const byConversation = new Map(conversations.map(({ id }) => [id, new Scores()]));
const ablated = ABLATIONS.map((ablation) => ({ ...ablation, scores: new Scores() }));
for (const conversation of conversations) {
  const home = await ConversationHome.build(conversation, tier);
  try {
    for (const question of conversation.questions) {
      const { byBudget, tookMs } = await home.ask(question.text);
      system.add(question, byBudget, tookMs);
      byConversation.get(conversation.id)?.add(question, byBudget, tookMs);
      if (!values.ablations) continue;
      for (const { change, scores } of ablated) {
        const other = await home.ask(question.text, change(TUNING));
        scores.add(question, other.byBudget, other.tookMs);
      }
    }
  } finally {
    await home.close();
  }
}
show(`Mneme, ${tier.name}`, system);
if (values.kinds !== undefined) for (const [kind, scores] of byConversation) show(`  ${kind}`, scores);
if (values.ablations) for (const { name, scores } of ablated) show(`  ${name}`, scores);

const { p50, p95 } = system.latency();
printResult(values.json, 'retrieval', {
  tier: tier.name,
  questions: system.questions,
  recall: system.recall(),
  byCategory: system.byCategory(),
  sessionRecall: system.sessionRecall(),
  ...(values.kinds === undefined
    ? {}
    : { byKind: Object.fromEntries([...byConversation].map(([kind, scores]) => [kind, scores.recall()])) }),
  baseline: windows.recall(),
  bm25Turns: turns.recall(),
  vectorsOnly: vectors.recall(),
  latencyMs: { p50: Number(p50.toFixed(2)), p95: Number(p95.toFixed(2)) },
  ...(values.ablations
    ? { ablations: Object.fromEntries(ablated.map(({ name, scores }) => [name, scores.recall()])) }
    : {}),
});
