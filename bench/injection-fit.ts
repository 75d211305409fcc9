/**
 * Fits the weights of src/compile/relevance/weights.ts and says how far to believe them: how prompts of one writer are
 * judged with weights fitted on the others', each home with weights fitted on the other homes', and without each part.
 *
 *   node bench/injection-fit.ts
 */
import path from 'node:path';
import { readWording } from '../src/compile/relevance/wording.ts';
import { featuresOf, type FeatureName } from '../src/compile/relevance/features.ts';
import { fitLogistic, scoreOf, type Model } from './injection/logistic.ts';
import { readHomes, readPrompts, withHome } from './injection/homes.ts';
import { progress } from './support.ts';

interface Example {
  readonly set: string;
  readonly home: string;
  readonly text: string;
  readonly inject: boolean;
  /** Undefined when the message is not even searched for. */
  features: Readonly<Record<FeatureName, number>> | undefined;
}

const DATA = path.join(import.meta.dirname, 'data');
/** Each by another writer, or in other styles. */
const SETS = ['prompts', 'held-out', 'more'];
/** The questions of the retrieval benchmark are many and alike; the everyday prompts are all of one side. */
const SET_WEIGHTS: Readonly<Record<string, number>> = { questions: 0.2, everyday: 0.5 };
const PENALTY = 5;
/** Of the negatives fitted on; unseen ones do worse, and the bar is 5 %. */
const MAX_FALSE = 0.035;
/** What `context.min_relevance` is by default, so that the fitted threshold lies there. */
const THRESHOLD = 0.3;

const examples = await readExamples();
const names = Object.keys(examples.find(({ features }) => features !== undefined)?.features ?? {}) as FeatureName[];
for (const set of SETS) {
  report(
    `fitted without ${set}, tried on it`,
    names,
    ({ set: own }) => own !== set,
    ({ set: own }) => own === set,
  );
}
for (const set of SETS) {
  report(
    `fitted on ${set} alone, tried on the others`,
    names,
    (one) => one.set === set,
    (one) => one.set !== set,
  );
}
for (const home of new Set(examples.map((example) => example.home))) {
  report(
    `fitted without ${home}, tried on it`,
    names,
    (one) => one.home !== home,
    (one) => one.home === home,
  );
}
for (const name of names) {
  const others = names.filter((other) => other !== name);
  const rates = SETS.map((set) =>
    rateAcross(
      others,
      ({ set: own }) => own !== set,
      ({ set: own }) => own === set,
    ),
  );
  print(`without ${name}, mean across the sets`, meanOf(rates));
}
report(
  'fitted on all, tried on the same',
  names,
  () => true,
  () => true,
);
const { model, threshold } = fit(examples, names);
const shift = Math.log(THRESHOLD / (1 - THRESHOLD)) - threshold;
process.stdout.write(`START ${(model.start + shift).toFixed(2)}\n`);
names.forEach((name, index) => process.stdout.write(`${name} ${model.weights[index]?.toFixed(2)}\n`));

async function readExamples(): Promise<Example[]> {
  const found: Example[] = [];
  const labelled = [...SETS, 'everyday'].flatMap((set) =>
    readPrompts(path.join(DATA, 'injection', `${set}.json`)).map(({ home, text, inject }) => ({
      set,
      home,
      text,
      inject,
    })),
  );
  for (const [home, conversations] of readHomes(DATA)) {
    progress(home);
    const questions = conversations.flatMap((conversation) => conversation.questions.map(({ text }) => text));
    const own = [
      ...labelled.filter((example) => example.home === home),
      ...questions.map((text) => ({ set: 'questions', home, text, inject: true })),
    ];
    await withHome(conversations, async (mneme) => {
      for (const example of own) {
        const { receipt } = await mneme.context(example.text, { event: 'prompt' });
        const evidence = receipt.decision?.evidence ?? undefined;
        const features = evidence === undefined ? undefined : featuresOf(evidence, readWording(example.text));
        found.push({ ...example, features });
      }
    });
  }
  return found;
}

function fit(some: readonly Example[], used: readonly FeatureName[]): { model: Model; threshold: number } {
  const samples = some.flatMap(({ set, inject, features }) =>
    features === undefined
      ? []
      : [{ values: used.map((name) => features[name]), isPositive: inject, weight: SET_WEIGHTS[set] ?? 1 }],
  );
  const model = fitLogistic(samples, PENALTY);
  const negatives = some.filter(({ set, inject }) => SETS.includes(set) && !inject);
  const scores = negatives.map((example) => scoreExample(model, example, used)).sort((left, right) => right - left);
  return { model, threshold: (scores[Math.floor(MAX_FALSE * scores.length)] ?? 0) + 1e-9 };
}

function scoreExample(model: Model, { features }: Example, used: readonly FeatureName[]): number {
  return features === undefined
    ? Number.NEGATIVE_INFINITY
    : scoreOf(
        model,
        used.map((name) => features[name]),
      );
}

interface Rates {
  readonly count: number;
  readonly falseInjection: number;
  readonly missed: number;
}

function rateAcross(
  used: readonly FeatureName[],
  isFitted: (example: Example) => boolean,
  isTried: (example: Example) => boolean,
): Rates {
  const fitted = fit(examples.filter(isFitted), used);
  const tried = examples.filter((example) => SETS.includes(example.set) && isTried(example));
  const shareWrong = (inject: boolean): number => {
    const side = tried.filter((example) => example.inject === inject);
    const wrong = side.filter((one) => scoreExample(fitted.model, one, used) >= fitted.threshold !== inject);
    return (100 * wrong.length) / Math.max(1, side.length);
  };
  return { count: tried.length, falseInjection: shareWrong(false), missed: shareWrong(true) };
}

function report(
  title: string,
  used: readonly FeatureName[],
  isFitted: (example: Example) => boolean,
  isTried: (example: Example) => boolean,
): void {
  print(title, rateAcross(used, isFitted, isTried));
}

function print(title: string, { count, falseInjection, missed }: Rates): void {
  const rates = `false ${falseInjection.toFixed(1)} %, missed ${missed.toFixed(1)} %`;
  process.stdout.write(`${title} (${count}): ${rates}\n`);
}

function meanOf(rates: readonly Rates[]): Rates {
  const mean = (of: (one: Rates) => number): number => rates.reduce((sum, one) => sum + of(one), 0) / rates.length;
  return {
    count: rates.reduce((sum, { count }) => sum + count, 0),
    falseInjection: mean((one) => one.falseInjection),
    missed: mean((one) => one.missed),
  };
}
