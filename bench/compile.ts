/**
 * What reaches the prompt: evidence recall through the whole compiler with identity, core, active projects and procedures in their slots, the time a prompt
 * takes over a large memory, and how much of its beginning a provider's cache can keep from turn to turn.
 *
 *   npm run bench:compile -- [--data DIR] [--chunks 100000] [--tier static|onnx|none] [--only recall|speed|prefix] [--json]
 *
 * The data are conversations with labelled questions, as for bench:retrieval; without --data our own coding sessions.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ABLATIONS, BUDGETS, RecallScores, scoreConversation } from './compile/recall.ts';
import type { SlotFill } from './compile/fixture.ts';
import { measurePrefix } from './compile/prefix.ts';
import { measureSpeed } from './compile/speed.ts';
import { readConversations } from './retrieval/conversations.ts';
import { openTier, TIERS } from './retrieval/tiers.ts';
import { printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: fileURLToPath(new URL('data/coding', import.meta.url)) },
    chunks: { type: 'string', default: '100000' },
    tier: { type: 'string', default: 'static' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

function isWanted(part: 'recall' | 'speed' | 'prefix'): boolean {
  return values.only === undefined || values.only === part;
}

async function measureRecall(): Promise<Record<string, unknown>> {
  const name = TIERS.find((tier) => tier === values.tier);
  if (name === undefined) throw new Error(`--tier is ${values.tier}; it can be ${TIERS.join(', ')}.`);
  const conversations = readConversations(values.data);
  if (conversations.length === 0) throw new Error(`There are no .json files in ${values.data}.`);
  const tier = openTier(name);
  const scores = new RecallScores();
  const ablated = new Map(ABLATIONS.map((ablation) => [ablation, new RecallScores()]));
  for (const conversation of conversations) {
    progress(`${conversation.id}: ${conversation.questions.length} questions`);
    await scoreConversation(conversation, tier, scores, ablated);
  }
  showRecall(`Mneme, ${tier.name}`, scores);
  for (const [budget, slots] of scores.slots) showSlots(budget, slots);
  for (const [ablation, own] of ablated) showRecall(`  ${ablation.name}`, own);
  return {
    questions: scores.questions,
    recall: scores.recall(),
    meanTokens: scores.meanTokens(),
    slots: Object.fromEntries([...scores.slots].map(([budget, slots]) => [budget, slots.report()])),
    ablations: Object.fromEntries([...ablated].map(([ablation, own]) => [ablation.name, own.recall()])),
  };
}

function showRecall(name: string, scores: RecallScores): void {
  const recall = scores.recall();
  const shown = BUDGETS.map(({ tokens }) => `${tokens}: ${(recall[tokens] ?? 0).toFixed(1)} %`).join('   ');
  progress(`${name.padEnd(38)} ${shown}`);
}

function showSlots(budget: number, slots: SlotFill): void {
  const shown = Object.entries(slots.report()).map(
    ([name, { tokens, inPercent }]) => `${name} ${tokens} tokens in ${inPercent} %`,
  );
  progress(`  slots at ${budget}: ${shown.join(', ')}`);
}

const recall = isWanted('recall') ? await measureRecall() : {};
const prefix = isWanted('prefix') ? await measurePrefix() : {};
const speed = isWanted('speed') ? await measureSpeed(Number(values.chunks)) : {};
printResult(values.json, 'compile', { ...recall, ...speed, ...prefix });
