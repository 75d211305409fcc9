/**
 * Fits the weights by which statements are judged, to conversations that several writers wrote and labelled. Each
 * writer is judged by a model fitted to the others: that is the honest estimate. The sample that bench:extract reads is
 * not looked at.
 *
 *   node bench/extract/fit.ts [--likely 0.5] [--penalty 8] [--phrases 0.5] [--curve] [--write]
 */
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KNOWLEDGE_KINDS } from '../../src/model/knowledge.ts';
import { OUTCOMES } from '../../src/reasoner/heuristic/kinds/outcomes.ts';
import {
  fingerprintOf,
  WEIGHTS_FILE,
  WEIGHTS_MANIFEST,
  type WeightsManifest,
} from '../../src/reasoner/heuristic/kinds/weights-file.ts';
import { countKept, crossValidate, type Crossed, type Written } from './cross.ts';
import { phraseExamples, writtenExamples } from './examples.ts';
import { fit, type FitOptions, type Model } from './regression.ts';
import { findWriters, readWriter } from './training.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: path.join(import.meta.dirname, '../data/knowledge-training') },
    /** How likely the likeliest kind must be for a statement to be kept. */
    likely: { type: 'string', default: '0.5' },
    penalty: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '12' },
    /** How much a phrase written for the purpose counts beside a statement of a conversation. */
    phrases: { type: 'string', default: '0.5' },
    curve: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const TARGET = path.join(import.meta.dirname, '../../assets/extraction');
const MAX_UNIT = 127;
/** Only there to absorb how phrases differ from conversations. */
const OF_ORIGIN = /^d:/u;

const fitting: FitOptions = {
  classes: OUTCOMES.length,
  penalty: Number(options.penalty),
  minGroups: 3,
  rounds: Number(options.rounds),
};
const likely = Number(options.likely);
const written: Written[] = [];
for (const writer of findWriters(options.data)) {
  const sessions = await readWriter(options.data, writer);
  written.push({ writer, sessions: sessions.map((each) => ({ items: each.items, examples: writtenExamples(each) })) });
}
const phrases = await phraseExamples(Number(options.phrases));
print(`writers: ${written.map(({ writer }) => writer).join(', ')}; ${phrases.length} phrases`);

if (options.curve) printCurve();
const crossed = crossValidate(written, phrases, fitting);
printCrossed(crossed);
if (options.write) {
  const examples = written.flatMap(({ sessions }) => sessions.flatMap((session) => session.examples));
  writeWeights(fit([...examples, ...phrases], fitting));
}

/** What more writers bring: from n others each, twice with different ones. */
function printCurve(): void {
  for (let count = 1; count < written.length; count = Math.min(count * 2, written.length - 1)) {
    const isAll = count === written.length - 1;
    const runs = (isAll ? [0] : [0, 3]).map((shift) =>
      crossValidate(written, [], fitting, (own, all) => {
        const others = all.filter((each) => each !== own);
        const start = all.indexOf(own) + shift;
        return Array.from({ length: count }, (_none, place) => others[(start + place) % others.length] ?? own);
      }),
    );
    for (const run of runs) print(`  ${count} writers: ${rateLine(run)}`);
    if (isAll) break;
  }
}

function rateLine(run: Crossed): string {
  const { right, kept } = countKept(run.guesses, likely);
  return `keep ${run.keepRate.toFixed(3)} kind ${run.kindRate.toFixed(3)} precision ${share(right, kept)} recall ${share(right, wantedIn(run))}`;
}

function wantedIn({ wanted }: Crossed, kind?: string): number {
  return [...wanted.values()]
    .flatMap((counts) => Object.entries(counts))
    .filter(([each]) => kind === undefined || each === kind)
    .reduce((sum, [, count]) => sum + count, 0);
}

function printCrossed(run: Crossed): void {
  print(`each writer by the others: ${rateLine(run)}`);
  const { right, misfiled, kept } = countKept(run.guesses, likely);
  print(`  ${right} right, ${misfiled} under a wrong kind, ${kept - right - misfiled} junk`);
  for (const kind of KNOWLEDGE_KINDS) {
    const own = countKept(run.guesses, likely, kind);
    print(
      `  ${kind.padEnd(10)} precision ${share(own.right, own.kept)} recall ${share(own.right, wantedIn(run, kind))} (${own.right} of ${own.kept} kept)`,
    );
  }
}

function writeWeights({ index, weights, classes }: Model): void {
  const features = [...index].filter(([feature]) => !OF_ORIGIN.test(feature));
  const scales = OUTCOMES.map((_outcome, kind) => {
    const highest = Math.max(...features.map(([, place]) => Math.abs(weights[place * classes + kind] ?? 0)));
    return highest / MAX_UNIT;
  });
  const rows = features
    .map(([feature, place]) => ({
      fingerprint: fingerprintOf(feature),
      units: scales.map((scale, kind) => Math.round((weights[place * classes + kind] ?? 0) / scale)),
    }))
    .filter(({ units }) => units.some((unit) => unit !== 0))
    .sort((one, other) => one.fingerprint - other.fingerprint);
  const bytes = Buffer.alloc(rows.length * (4 + classes));
  for (const [row, { fingerprint, units }] of rows.entries()) {
    bytes.writeUInt32LE(fingerprint, row * 4);
    for (const [kind, unit] of units.entries()) bytes.writeInt8(unit, rows.length * 4 + row * classes + kind);
  }
  const manifest: WeightsManifest = {
    version: 1,
    features: rows.length,
    scales: scales.map((scale) => Number(scale.toPrecision(6))),
    sha256: hash('sha256', bytes),
  };
  fs.mkdirSync(TARGET, { recursive: true });
  fs.writeFileSync(path.join(TARGET, WEIGHTS_FILE), bytes);
  fs.writeFileSync(path.join(TARGET, WEIGHTS_MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`);
  print(`${rows.length} features, ${bytes.length} bytes`);
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : (part / whole).toFixed(3);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
