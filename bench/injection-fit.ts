/**
 * Fits the wording model (assets/relevance/wording.bin) and the weights of src/compile/relevance/weights.ts, and says
 * how far to believe them: how prompts of one writer are judged by what was fitted on the others', and without each part.
 *
 *   node bench/injection-fit.ts [--write]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { featuresOf, type FeatureName } from '../src/compile/relevance/features.ts';
import { readPatterns } from '../src/compile/relevance/wording.ts';
import { serializeModel } from '../src/compile/relevance/wording-model.ts';
import { readHomes, readPrompts, withHome } from './injection/homes.ts';
import { fitLogistic, scoreOf, type Model } from './injection/logistic.ts';
import { fitSoftmax } from './injection/softmax.ts';
import { orderedShare, readWordings, WordingModels, WORDING_FILES, type SetPrompt } from './injection/wordings.ts';
import { progress } from './support.ts';

interface Example extends SetPrompt {
  readonly home: string;
  /** Undefined when the message is not even searched for; without what the wording model says. */
  readonly features: Readonly<Record<FeatureName, number>> | undefined;
}

interface Rates {
  readonly negatives: number;
  readonly falsely: number;
  readonly positives: number;
  readonly missed: number;
}

const DATA = path.join(import.meta.dirname, 'data');
const PROMPTS = path.join(DATA, 'injection');
const MODEL_FILE = path.join(import.meta.dirname, '../assets/relevance/wording.bin');
/** Each by another writer, or in other styles. */
const SETS = ['prompts', 'held-out', 'more', 'blind'];
/** The questions of the retrieval benchmark are many and alike; the everyday prompts are all of one side. */
const SET_WEIGHTS: Readonly<Record<string, number>> = { questions: 0.2, everyday: 0.5 };
const PENALTY = 5;
/** Of the negatives fitted on; unseen ones do worse, and the bar is 5 %. */
const MAX_FALSE = 0.04;
/** What `context.min_relevance` is by default, so that the fitted threshold lies there. */
const THRESHOLD = 0.3;
/** Neighbouring lines are pairs on one topic, so lines are left out in blocks. */
const BLOCK_LINES = 40;
const FOLDS = 5;

const { values: options } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const written = WORDING_FILES.map((file) => readWordings(PROMPTS, file));
reportWordings();
const examples = await readExamples();
const labelled = examples.filter(({ set }) => set !== 'questions');
const models = new WordingModels(written.flat(), labelled);
const names = Object.keys(examples.find(({ features }) => features !== undefined)?.features ?? {}) as FeatureName[];
reportSets('all parts', names);
for (const name of names) {
  reportSets(
    `without ${name}`,
    names.filter((other) => other !== name),
  );
}
const { model, threshold } = fit(examples, names, undefined);
const shift = Math.log(THRESHOLD / (1 - THRESHOLD)) - threshold;
print(`START ${(model.start + shift).toFixed(2)}`);
names.forEach((name, index) => print(`${name} ${model.weights[index]?.toFixed(2)}`));
if (options.write) {
  fs.mkdirSync(path.dirname(MODEL_FILE), { recursive: true });
  fs.writeFileSync(MODEL_FILE, serializeModel(models.fitWithout([])));
}

async function readExamples(): Promise<Example[]> {
  const found: Example[] = [];
  const prompts = [...SETS, 'everyday'].flatMap((set) =>
    readPrompts(path.join(PROMPTS, `${set}.json`)).map(({ home, text, inject, kind }) => ({
      set,
      home,
      text,
      inject,
      kind,
    })),
  );
  for (const [home, conversations] of readHomes(DATA)) {
    progress(home);
    const questions = conversations.flatMap((conversation) => conversation.questions.map(({ text }) => text));
    const own = [
      ...prompts.filter((example) => example.home === home),
      ...questions.map((text) => ({ set: 'questions', home, text, inject: true, kind: 'question' })),
    ];
    await withHome(conversations, async (mneme) => {
      for (const example of own) {
        const { receipt } = await mneme.context(example.text, { event: 'prompt' });
        const evidence = receipt.decision?.evidence ?? undefined;
        const wording = { ...readPatterns(example.text), ownThings: 0 };
        found.push({ ...example, features: evidence === undefined ? undefined : featuresOf(evidence, wording) });
      }
    });
  }
  return found;
}

/** The wording is weighed by a model that saw neither the prompt's own set nor the one that is left out. */
function valuesOf(example: Example, used: readonly FeatureName[], leftOut: string | undefined): number[] | undefined {
  const { features, set, text } = example;
  if (features === undefined) return undefined;
  const without = leftOut === undefined ? [set] : [set, leftOut];
  return used.map((name) => (name === 'ownThings' ? models.weigh(text, without) : features[name]));
}

function fit(
  some: readonly Example[],
  used: readonly FeatureName[],
  leftOut: string | undefined,
): { model: Model; threshold: number } {
  const samples = some.flatMap((example) => {
    const values = valuesOf(example, used, leftOut);
    return values === undefined ? [] : [{ values, isPositive: example.inject, weight: SET_WEIGHTS[example.set] ?? 1 }];
  });
  const model = fitLogistic(samples, PENALTY);
  const negatives = some.filter(({ set, inject }) => SETS.includes(set) && !inject);
  const scores = negatives
    .map((example) => scoreExample(model, valuesOf(example, used, leftOut)))
    .sort((left, right) => right - left);
  return { model, threshold: (scores[Math.floor(MAX_FALSE * scores.length)] ?? 0) + 1e-9 };
}

function scoreExample(model: Model, values: readonly number[] | undefined): number {
  return values === undefined ? Number.NEGATIVE_INFINITY : scoreOf(model, values);
}

function rateLeftOut(set: string, used: readonly FeatureName[]): Rates {
  const fitted = fit(
    examples.filter((example) => example.set !== set),
    used,
    set,
  );
  const isTold = (example: Example): boolean =>
    scoreExample(fitted.model, valuesOf(example, used, set)) >= fitted.threshold;
  const negatives = examples.filter((example) => example.set === set && !example.inject);
  const positives = examples.filter((example) => example.set === set && example.inject);
  return {
    negatives: negatives.length,
    falsely: negatives.filter(isTold).length,
    positives: positives.length,
    missed: positives.filter((example) => !isTold(example)).length,
  };
}

function reportSets(title: string, used: readonly FeatureName[]): void {
  const rates = SETS.map((set) => rateLeftOut(set, used));
  const each = SETS.map((set, index) => `${set} ${showRates(rates.slice(index, index + 1))}`);
  print(`${title}, each set left out: ${each.join(', ')}, together ${showRates(rates)}`);
}

/** "false / missed", in percent. */
function showRates(rates: readonly Rates[]): string {
  const sum = (of: (one: Rates) => number): number => rates.reduce((total, one) => total + of(one), 0);
  const falsely = sum((one) => one.falsely) / sum((one) => one.negatives);
  const missed = sum((one) => one.missed) / sum((one) => one.positives);
  return `${(100 * falsely).toFixed(1)} / ${(100 * missed).toFixed(1)}`;
}

function reportWordings(): void {
  const [first = [], second = []] = written;
  print(
    `wording, fitted on the first file, tried on the second: ${showShare(orderedShare(fitSoftmax(first), second))}`,
  );
  print(
    `wording, fitted on the second file, tried on the first: ${showShare(orderedShare(fitSoftmax(second), first))}`,
  );
  const all = written.flat();
  const foldOf = (index: number): number => Math.floor(index / BLOCK_LINES) % FOLDS;
  const shares = Array.from({ length: FOLDS }, (_, fold) => {
    const fitted = fitSoftmax(all.filter((_example, index) => foldOf(index) !== fold));
    return orderedShare(
      fitted,
      all.filter((_example, index) => foldOf(index) === fold),
    );
  });
  print(`wording, blocks left out: ${showShare(shares.reduce((sum, share) => sum + share, 0) / FOLDS)}`);
}

function showShare(share: number): string {
  return `${(100 * share).toFixed(1)} % of pairs in the right order`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
