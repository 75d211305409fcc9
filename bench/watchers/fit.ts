import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FEATURES } from '../../src/topics/tier2/features.ts';
import { WEIGHTS } from '../../src/topics/tier2/weights.ts';
import { WordVectors } from '../../src/topics/tier2/word-vectors.ts';
import { Watchers } from '../../src/topics/watchers.ts';
import { fitLogistic, scoreOf, type Model, type Sample } from '../injection/logistic.ts';
import { readWatcherData, senses } from './data.ts';

/*
 * Fits the weights of tier 2: every pair of a message and a topic that was compared is a sample. Prints how weights
 * fitted on one half judge the other, how weights that never saw a topic judge it, and the weights fitted on all.
 *   node bench/watchers/fit.ts [--write] [folder …]
 */

interface Pair extends Sample {
  readonly message: string;
  readonly topic: string;
  readonly isMatched: boolean;
  /** A touched file decides without weights. */
  readonly isCertain: boolean;
}

const PENALTY = 12;
const FOLDS = 11;
/** Precision counts more: a playbook that is not wanted costs tokens and misleads, a missed one can still be asked for. */
const RECALL_SHARE = 0.7;

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
});
if (folders.length === 0) {
  folders.push(...['watchers', 'watchers-more'].map((name) => path.join(import.meta.dirname, '../data', name)));
}
const vectors = new WordVectors();
const { pairs, missed } = collect(folders);
const positives = pairs.filter(({ isPositive }) => isPositive).length + missed;
print(`${pairs.length} pairs, ${positives} wanted, ${missed} of them never compared`);

const isFirst = ({ message }: Pair): boolean => numberOf(message) % 2 === 1;
report('fitted on the first half, judged on the second', [[isFirst, (pair) => !isFirst(pair)]]);
report('fitted on the second half, judged on the first', [[(pair) => !isFirst(pair), isFirst]]);
const foldOf = foldsBy(({ topic }) => topic);
report(
  'by topic: weights never saw the topic they judge',
  Array.from({ length: FOLDS }, (_, fold) => [(pair) => foldOf(pair) !== fold, (pair) => foldOf(pair) === fold]),
  missed,
);
const final = fitShifted(pairs);
report('all, judged by weights that saw them', [[() => true, () => true]], missed);
if (options.write) writeWeights(final);

function collect(from: readonly string[]): { readonly pairs: Pair[]; readonly missed: number } {
  const collected: Pair[] = [];
  let never = 0;
  for (const folder of from) {
    const { topics, messages } = readWatcherData(folder);
    const watchers = new Watchers(topics, senses, vectors);
    for (const { id, expect, ...message } of messages) {
      const { sightings } = watchers.watch(message);
      const seen = new Set(sightings.map(({ topic }) => topic.name));
      never += expect.filter((name) => !seen.has(name)).length;
      for (const { topic, features, score, hits } of sightings) {
        if (topic.activation === 'manual') continue;
        const isCertain = score === 1 && hits.some(({ trigger, isLoose }) => trigger.type === 'glob' && !isLoose);
        collected.push({
          message: `${folder}:${id}`,
          topic: `${folder}:${topic.name}`,
          values: FEATURES.map((feature) => features[feature]),
          isPositive: expect.includes(topic.name),
          weight: 1,
          isMatched: hits.length > 0,
          isCertain,
        });
      }
    }
  }
  return { pairs: collected, missed: never };
}

/** One model for topics whose trigger was set off and one for the others. */
interface Pairwise {
  readonly matched: Model;
  readonly unmatched: Model;
}

/** So that an even chance is where precision and recall together are best. */
function fitShifted(samples: readonly Pair[]): Pairwise {
  const open = samples.filter(({ isCertain }) => !isCertain);
  const fit = (isMatched: boolean): Model =>
    fitLogistic(
      open.filter((pair) => pair.isMatched === isMatched),
      PENALTY,
      false,
    );
  const models = { matched: fit(true), unmatched: fit(false) };
  const threshold = bestThreshold(samples, models);
  const shifted = (model: Model): Model => ({ ...model, start: model.start - threshold });
  return { matched: shifted(models.matched), unmatched: shifted(models.unmatched) };
}

function bestThreshold(samples: readonly Pair[], models: Pairwise): number {
  const judged = samples
    .map((pair) => ({ pair, value: valueOf(pair, models) }))
    .sort((left, right) => right.value - left.value);
  const wanted = samples.filter(({ isPositive }) => isPositive).length;
  const squared = RECALL_SHARE ** 2;
  let right = 0;
  let best = { threshold: 0, measure: 0 };
  judged.forEach(({ pair, value }, index) => {
    if (pair.isPositive) right += 1;
    const measure = ((1 + squared) * right) / (index + 1 + squared * wanted);
    if (measure > best.measure && Number.isFinite(value)) best = { threshold: value, measure };
  });
  return best.threshold;
}

function valueOf(pair: Pair, { matched, unmatched }: Pairwise): number {
  return pair.isCertain ? Infinity : scoreOf(pair.isMatched ? matched : unmatched, pair.values);
}

type Split = readonly [fitted: (pair: Pair) => boolean, judged: (pair: Pair) => boolean];

/** `unseen`: wanted pairs that were never compared, where all pairs are judged. */
function report(title: string, splits: readonly Split[], unseen = 0): void {
  let right = 0;
  let fired = 0;
  let wanted = unseen;
  for (const [isFitted, isJudged] of splits) {
    const model = fitShifted(pairs.filter(isFitted));
    for (const pair of pairs.filter(isJudged)) {
      const isFired = valueOf(pair, model) >= 0;
      fired += isFired ? 1 : 0;
      wanted += pair.isPositive ? 1 : 0;
      right += isFired && pair.isPositive ? 1 : 0;
    }
  }
  const precision = right / fired;
  const recall = right / wanted;
  const f1 = (2 * precision * recall) / (precision + recall);
  print(`${title}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}, F1 ${f1.toFixed(3)}`);
}

function writeWeights({ matched, unmatched }: Pairwise): void {
  const file = path.join(import.meta.dirname, '../../src/topics/tier2/weights.ts');
  const lines = FEATURES.map((feature, index) => {
    const weightOf = ({ weights }: Model): string => String(Number((weights[index] ?? 0).toFixed(2)));
    return `  ${feature}: { name: '${WEIGHTS[feature].name}', matched: ${weightOf(matched)}, unmatched: ${weightOf(unmatched)} },`;
  });
  const start = `{ matched: ${matched.start.toFixed(2)}, unmatched: ${unmatched.start.toFixed(2)} }`;
  const text = fs
    .readFileSync(file, 'utf8')
    .replace(/(?<=const START = ).*(?=;)/u, start)
    .replace(/(?<=FeatureName, Weight>> = \{\n)[\s\S]*(?=\};)/u, `${lines.join('\n')}\n`);
  fs.writeFileSync(file, text);
  print(`wrote ${file}`);
}

function numberOf(id: string): number {
  return Number(/\d+$/u.exec(id)?.[0] ?? 0);
}

function foldsBy(keyOf: (pair: Pair) => string): (pair: Pair) => number {
  const keys = [...new Set(pairs.map(keyOf))].sort();
  const places = new Map(keys.map((key, index) => [key, (index * 7) % FOLDS]));
  return (pair) => places.get(keyOf(pair)) ?? 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
