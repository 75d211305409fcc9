/**
 * How much of what a question needs is in what the system puts into the prompt: evidence recall at 1 000, 2 000 and
 * 4 000 tokens, against plain BM25 and plain vectors, with every stage taken away once.
 *
 *   npm run bench:retrieval -- [--data DIR] [--tier static|builtin|onnx|none] [--ablations] [--json]
 *
 * The data are conversations with labelled questions, one JSON file each; without --data our own coding sessions.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openStaticEmbedder } from '../src/providers/embeddings/static.ts';
import { ABLATIONS } from './retrieval/ablations.ts';
import { bm25Windows, vectorTurns, type Baseline } from './retrieval/baselines.ts';
import { readConversations, type Conversation } from './retrieval/conversations.ts';
import { BUDGETS, Scores } from './retrieval/measure.ts';
import { ConversationHome } from './retrieval/system.ts';
import { openTier, TIERS, type TierName } from './retrieval/tiers.ts';
import { printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('data/coding', import.meta.url)) },
    tier: { type: 'string', default: 'static' },
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

const conversations = readConversations(values.data);
if (conversations.length === 0) throw new Error(`There are no .json files in ${values.data}.`);
const tier = openTier(tierOf(values.tier));
progress(`${conversations.length} conversations; recall at 1K, 2K, 4K tokens; ms p50 / p95 a question`);

const windows = await scoreBaseline(conversations, bm25Windows(6, 3));
show('BM25, 6-turn windows', windows);
const turns = await scoreBaseline(conversations, bm25Windows(1, 1));
show('BM25, single turns', turns);
const vectors = await scoreBaseline(conversations, vectorTurns(openStaticEmbedder()));
show('static vectors, single turns', vectors);

const system = new Scores();
const ablated = ABLATIONS.map((ablation) => ({ ...ablation, scores: new Scores() }));
for (const conversation of conversations) {
  const home = await ConversationHome.build(conversation, tier);
  try {
    for (const question of conversation.questions) {
      const { byBudget, tookMs } = await home.ask(question.text);
      system.add(question, byBudget, tookMs);
      if (!values.ablations) continue;
      for (const { change, scores } of ablated) {
        const config = { ...home.config, search: change(home.config.search) };
        const other = await home.ask(question.text, config);
        scores.add(question, other.byBudget, other.tookMs);
      }
    }
  } finally {
    await home.close();
  }
}
show(`Mneme, ${tier.name}`, system);
if (values.ablations) for (const { name, scores } of ablated) show(`  ${name}`, scores);

const { p50, p95 } = system.latency();
printResult(values.json, 'retrieval', {
  tier: tier.name,
  questions: system.questions,
  recall: system.recall(),
  byCategory: system.byCategory(),
  sessionRecall: system.sessionRecall(),
  baseline: windows.recall(),
  bm25Turns: turns.recall(),
  vectorsOnly: vectors.recall(),
  latencyMs: { p50: Number(p50.toFixed(2)), p95: Number(p95.toFixed(2)) },
  ...(values.ablations
    ? { ablations: Object.fromEntries(ablated.map(({ name, scores }) => [name, scores.recall()])) }
    : {}),
});
