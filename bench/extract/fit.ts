/**
 * Fits the weights by which statements are judged, to every labelled conversation there is. Each writer is judged by a
 * model fitted to the others, with everything else of the extractor as it is: that is the honest estimate. What
 * bench:extract prints for the same conversations is not, once the weights were fitted to them.
 *
 *   node bench/extract/fit.ts [--penalties 4,0.1] [--phrases 0.5] [--groups 6] [--write]
 */
import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../../src/model/knowledge.ts';
import { OUTCOMES } from '../../src/reasoner/heuristic/kinds/outcomes.ts';
import {
  fingerprintOf,
  WEIGHTS_FILE,
  WEIGHTS_MANIFEST,
  type WeightsManifest,
} from '../../src/reasoner/heuristic/kinds/weights-file.ts';
import { crossValidate, type Written } from './cross.ts';
import { phraseExamples, writtenExamples } from './examples.ts';
import { fit, type FitOptions, type Model } from './regression.ts';
import { ratesOf, type Judgement } from './judge.ts';
import { findWriters, readWriter } from './training.ts';

const { values: options } = parseArgs({
  options: {
    penalties: { type: 'string', default: '4,0.1' },
    rounds: { type: 'string', default: '12' },
    /** How much a phrase written for the purpose counts beside a statement of a conversation. */
    phrases: { type: 'string', default: '0.5' },
    /** Writers are judged by those of the other groups; 0: each by all others, which takes longest. */
    groups: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
});
const DATA = path.join(import.meta.dirname, '../data');
/** People who leave much to be inferred, and people who say what they mean. */
const STYLES = { terse: ['knowledge-training', 'knowledge'], plain: ['knowledge-plain'] };
const TARGET = path.join(import.meta.dirname, '../../assets/extraction');
const MAX_UNIT = 127;
/** Only there to absorb how phrases differ from conversations. */
const OF_ORIGIN = /^d:/u;

const fitting: FitOptions = {
  classes: OUTCOMES.length,
  penalties: options.penalties.split(',').map(Number),
  minGroups: 3,
  rounds: Number(options.rounds),
};
const written: Written[] = [];
const style = new Map<string, string>();
for (const [name, folders] of Object.entries(STYLES)) {
  for (const writer of findWriters(folders.map((folder) => path.join(DATA, folder)))) {
    const sessions = await readWriter(writer);
    written.push({ writer: writer.name, sessions, examples: sessions.flatMap(writtenExamples) });
    style.set(writer.name, name);
  }
}
const phrases = await phraseExamples(Number(options.phrases));
if (options.write) writeWeights(fit([...written.flatMap(({ examples }) => examples), ...phrases], fitting));
print(`${written.length} writers, ${phrases.length} phrases; each writer by others:`);
const groups = Number(options.groups) || written.length;
const judged = crossValidate(written, phrases, fitting, groups);
for (const [writer, judgements] of judged) print(`  ${writer.padEnd(10)} ${rateLine(judgements)}`);
for (const name of Object.keys(STYLES)) {
  const own = [...judged].filter(([writer]) => style.get(writer) === name).flatMap(([, judgements]) => judgements);
  print(`${name}: ${rateLine(own)}`);
  for (const kind of KNOWLEDGE_KINDS) print(`  ${kind.padEnd(10)} ${rateLine(own, kind)}`);
}
print(`all: ${rateLine([...judged.values()].flat())}`);

function rateLine(judgements: readonly Judgement[], kind?: KnowledgeKind): string {
  const { precision, recall, right, wrong } = ratesOf(judgements, kind);
  const misfiled = judgements
    .flatMap((judgement) => judgement.misfiled)
    .filter((each) => kind === undefined || each.kind === kind).length;
  return `precision ${precision.toFixed(3)} recall ${recall.toFixed(3)} (${right} right, ${misfiled} under a wrong kind, ${wrong - misfiled} junk)`;
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

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
