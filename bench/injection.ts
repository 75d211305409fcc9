/**
 * Whether prompts that need memory get it, and no others: what the hook for every typed message would inject.
 *
 *   npm run bench:injection -- [--prompts FILE] [--data DIR] [--wrong] [--json]
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Briefing } from '../src/compile/receipt.ts';
import type { Mneme } from '../src/mneme.ts';
import { readHomes, readPrompts, withHome, type LabelledPrompt } from './injection/homes.ts';
import type { Conversation, ConversationTurn } from './retrieval/conversations.ts';
import { percentile, printResult, progress } from './support.ts';

interface Outcome {
  readonly prompt: LabelledPrompt;
  readonly relevance: number;
  readonly isInjected: boolean;
  readonly hasEvidence: boolean;
  readonly tokens: number;
  readonly tookMs: number;
}

/** A turn counts as told when its beginning stands in the prompt; a cut turn keeps its beginning. */
const BEGINNING = 80;
const THRESHOLDS = [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6];
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** Prompts with labels, in the form of bench/data/injection/prompts.json. */
    prompts: { type: 'string', default: path.join(import.meta.dirname, 'data/injection/prompts.json') },
    /** A folder with the conversations: `coding/` has a home a file, `daily/` is one home. */
    data: { type: 'string', default: path.join(import.meta.dirname, 'data') },
    /** Lists the prompts that were judged wrongly. */
    wrong: { type: 'boolean', default: false },
  },
});

const prompts = readPrompts(options.prompts);
const outcomes: Outcome[] = [];
let storedTurns = 0;
for (const [name, conversations] of readHomes(options.data)) {
  const turns = new Map(conversations.flatMap((conversation) => turnsByName(conversation, conversations.length > 1)));
  storedTurns += conversations.reduce((sum, { sessions }) => sum + countTurns(sessions), 0);
  const own = prompts.filter(({ home }) => home === name);
  progress(`${name}: ${own.length} prompts`);
  if (own.length === 0) continue;
  await withHome(conversations, async (mneme) => {
    for (const prompt of own) outcomes.push(await judge(mneme, prompt, turns));
  });
}
if (options.wrong) listWrong(outcomes);
printResult(options.json, 'Injection: prompts that need memory get it, and no others', {
  prompts: outcomes.length,
  turns: storedTurns,
  ...ratesOf(outcomes),
  evenIds: ratesOf(outcomes.filter(({ prompt }) => hasEvenId(prompt))),
  oddIds: ratesOf(outcomes.filter(({ prompt }) => !hasEvenId(prompt))),
  curve: THRESHOLDS.map((threshold) => ({ threshold, ...curvePoint(outcomes, threshold) })),
  wrongByKind: wrongByKind(outcomes),
  tokensMean: mean(outcomes.filter(({ isInjected }) => isInjected).map(({ tokens }) => tokens)),
  tokensMax: Math.max(...outcomes.map(({ tokens }) => tokens)),
  contextP95Ms: percentile(
    outcomes.map(({ tookMs }) => tookMs),
    0.95,
  ),
});

/** `S8:24`, or where several people share a home `noor:S8:24`, whatever sign stands behind the name. */
function turnsByName({ id, sessions }: Conversation, isShared: boolean): [string, ConversationTurn][] {
  const turns = sessions.flatMap((session) => session.turns);
  return turns.map((turn) => [evidenceKey(isShared ? `${id}:${turn.id}` : turn.id), turn]);
}

function evidenceKey(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/gu, ':');
}

async function judge(
  mneme: Mneme,
  prompt: LabelledPrompt,
  turns: ReadonlyMap<string, ConversationTurn>,
): Promise<Outcome> {
  const startedMs = performance.now();
  const briefing = await mneme.context(prompt.text, { event: 'prompt' });
  const tookMs = performance.now() - startedMs;
  const evidence = prompt.evidence.flatMap((name) => turns.get(evidenceKey(name)) ?? []);
  return {
    prompt,
    relevance: briefing.receipt.decision?.value ?? 0,
    isInjected: briefing.prompt !== '',
    hasEvidence: evidence.some(({ text }) => tells(briefing, text)),
    tokens: briefing.tokens,
    tookMs,
  };
}

function tells({ prompt }: Briefing, text: string): boolean {
  const flat = (value: string): string => value.replaceAll(/\s+/gu, ' ').trim();
  return flat(prompt).includes(flat(text).slice(0, BEGINNING));
}

function ratesOf(some: readonly Outcome[]): Record<string, number> {
  const negatives = some.filter(({ prompt }) => !prompt.inject);
  const positives = some.filter(({ prompt }) => prompt.inject);
  return {
    falseInjection: percent(negatives, ({ isInjected }) => isInjected),
    missed: percent(positives, ({ isInjected }) => !isInjected),
    evidenceTold: percent(
      positives.filter(({ prompt }) => prompt.evidence.length > 0),
      ({ hasEvidence }) => hasEvidence,
    ),
  };
}

function curvePoint(some: readonly Outcome[], threshold: number): Record<string, number> {
  const negatives = some.filter(({ prompt }) => !prompt.inject);
  const positives = some.filter(({ prompt }) => prompt.inject);
  return {
    falseInjection: percent(negatives, ({ relevance }) => relevance >= threshold),
    missed: percent(positives, ({ relevance }) => relevance < threshold),
  };
}

function wrongByKind(some: readonly Outcome[]): Record<string, string> {
  const kinds = [...new Set(some.map(({ prompt }) => prompt.kind))].sort();
  return Object.fromEntries(
    kinds.flatMap((kind) => {
      const own = some.filter(({ prompt }) => prompt.kind === kind);
      const wrong = own.filter(isWrong).length;
      return wrong === 0 ? [] : [[kind, `${wrong} of ${own.length}`]];
    }),
  );
}

function isWrong({ prompt, isInjected }: Outcome): boolean {
  return prompt.inject !== isInjected;
}

function listWrong(some: readonly Outcome[]): void {
  for (const { prompt, relevance } of some.filter(isWrong)) {
    const kind = prompt.inject ? 'missed' : 'false';
    process.stderr.write(`${kind} ${prompt.id} ${relevance.toFixed(2)} ${JSON.stringify(prompt.text.slice(0, 100))}\n`);
  }
}

function hasEvenId({ id }: LabelledPrompt): boolean {
  return Number(id.replaceAll(/\D+/gu, '')) % 2 === 0;
}

function countTurns(sessions: Conversation['sessions']): number {
  return sessions.reduce((sum, { turns }) => sum + turns.length, 0);
}

function percent(some: readonly Outcome[], test: (outcome: Outcome) => boolean): number {
  return some.length === 0 ? 0 : Math.round((some.filter(test).length / some.length) * 1000) / 10;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
