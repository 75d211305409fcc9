/**
 * Fits the weights by which statements are judged, to phrases written for the purpose and to the sample's odd sessions;
 * even sessions stay unseen.
 *
 *   node bench/extract/fit.ts [--penalty 6] [--phrases 0.6] [--half odd] [--write]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { OUTCOME_LETTERS, OUTCOMES, WEIGHT_UNIT } from '../../src/reasoner/heuristic/kinds/score.ts';
import { phraseExamples, sessionExamples } from './examples.ts';
import { withWordsOf } from './vocabulary.ts';
import { fit, type Example } from './regression.ts';
import { isInHalf, readSample, type Half } from './sample.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(import.meta.dirname, '../data/knowledge') },
    penalty: { type: 'string', default: '6' },
    phrases: { type: 'string', default: '0.6' },
    /** Which sessions are fitted to: with `all`, no session of the sample can judge the result any more. */
    half: { type: 'string', default: 'odd' },
    write: { type: 'boolean', default: false },
  },
});
const TARGET = path.join(import.meta.dirname, '../../src/reasoner/heuristic/kinds/weights.ts');
/** A feature of fewer sessions or phrases is chance. */
const MIN_GROUPS = 3;
const LINE_WIDTH = 400;

const sample = readSample(options.data).filter((session) => isInHalf(session, options.half as Half));
const examples: readonly Example[] = (
  await Promise.all(sample.map((session) => sessionExamples(session, 'Ines', 'Europe/Berlin')))
).flat();
const phrases = await phraseExamples(Number(options.phrases));
const used = [
  ...phrases,
  ...withWordsOf(
    phrases,
    examples.filter(({ weight }) => weight > 0),
  ),
];
const { index, weights } = fit(used, OUTCOMES.length, Number(options.penalty), MIN_GROUPS);

const entries: string[] = [];
for (const [feature, place] of index) {
  if (feature.startsWith('d:')) continue;
  const parts = [...OUTCOME_LETTERS].flatMap((letter, outcome) => {
    const units = Math.round((weights[outcome]?.[place] ?? 0) / WEIGHT_UNIT);
    return units === 0 ? [] : [`${letter}${units}`];
  });
  if (parts.length > 0) entries.push(`${feature}=${parts.join('')}`);
}
entries.sort();
const lines: string[] = [];
for (const entry of entries) {
  const last = lines.at(-1);
  if (last !== undefined && last.length + entry.length < LINE_WIDTH) lines[lines.length - 1] = `${last} ${entry}`;
  else lines.push(entry);
}
const text = `/**
 * What each feature of a statement says for or against each outcome, fitted by bench/extract/fit.ts: the letters are
 * those of OUTCOME_LETTERS, the figures whole numbers of WEIGHT_UNIT.
 */
export const WEIGHTS = \`
${lines.join('\n')}
\`;
`;
process.stdout.write(`${used.length} examples, ${entries.length} features, ${text.length} bytes\n`);
if (options.write) fs.writeFileSync(TARGET, text);
