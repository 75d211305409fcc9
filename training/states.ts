/**
 * Reads rows with the packaged judge and writes what a head sees of each: the input of `mneme_model.frozen`.
 *
 *   node training/states.ts ROWS.jsonl FOLDER
 *
 * FOLDER gets `TASK.f32` (an input a row, 32-bit floats) and `TASK.jsonl` (its group and shares).
 */
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { openEncoder } from '../src/encoder/encoder.ts';
import { findModelFolder } from '../src/encoder/model-files.ts';
import { inputOf, type Span } from '../src/judge/heads.ts';
import { must } from '../src/model/errors.ts';

interface Row {
  readonly task: string;
  readonly group: string;
  readonly ids: readonly number[];
  readonly spans: readonly Span[];
  readonly shares: readonly (readonly number[])[];
}

const [rows, folder] = process.argv.slice(2);
const out = must(folder, 'a folder');
const encoder = openEncoder(findModelFolder());
for await (const line of readline.createInterface({ input: fs.createReadStream(must(rows, 'a file of rows')) })) {
  const { task, group, ids, spans, shares } = JSON.parse(line) as Row;
  const input = inputOf(encoder.read(ids), spans);
  fs.appendFileSync(path.join(out, `${task}.f32`), Buffer.from(input.buffer));
  fs.appendFileSync(path.join(out, `${task}.jsonl`), `${JSON.stringify({ group, share: shares[0] })}\n`);
}
