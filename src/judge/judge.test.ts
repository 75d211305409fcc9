import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findModelFolder, type Task } from '../encoder/model-files.ts';
import { writeMadeUpModel } from '../encoder/testing/made-up-model.ts';
import { openBuiltinEmbedder } from '../providers/embeddings/builtin.ts';
import type { Span } from './heads.ts';
import { Judge } from './judge.ts';

interface Recorded {
  readonly vectors: readonly { readonly text: string; readonly vector: readonly number[] }[];
  readonly read: readonly {
    readonly task: Task;
    readonly ids: readonly number[];
    readonly spans: readonly Span[];
    readonly chances: readonly (readonly number[])[];
  }[];
}

/** The float32 model's answers when it was exported. */
const recorded = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, 'testing/recorded.json'), 'utf8'),
) as Recorded;
const folder = findModelFolder();

describe('the packaged model', () => {
  it('makes the vectors that were recorded when it was trained', async () => {
    const embedder = openBuiltinEmbedder(folder);
    const vectors = await embedder.embed(
      recorded.vectors.map(({ text }) => text),
      'document',
    );
    for (const [place, { vector }] of recorded.vectors.entries()) {
      const cosine = vector.reduce((sum, value, at) => sum + value * (vectors[place]?.[at] ?? 0), 0);
      expect(cosine).toBeGreaterThan(0.995);
    }
  });

  it('gives the answers that were recorded when it was trained', () => {
    const judge = new Judge(folder);
    const gaps = recorded.read.flatMap(({ task, ids, spans, chances }) =>
      judge
        .answerRecorded(task, { ids, spans })
        .flatMap((answer, place) =>
          Array.from(answer, (chance, label) => Math.abs(chance - (chances[place]?.[label] ?? 0))),
        ),
    );
    expect(gaps.length).toBeGreaterThan(200);
    const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
    expect(mean).toBeLessThan(0.02);
    expect(gaps.filter((gap) => gap > 0.25).length / gaps.length).toBeLessThan(0.02);
  });
});

it('reads every two names of a text, and whoever speaks, from one pass', () => {
  const pairs = new Judge(writeMadeUpModel()).findRelations('Priya joined Halden', ['Halden']);
  const names = new Set(pairs.map(({ subject }) => subject));
  expect(names).toContain(undefined);
  expect(names.size).toBeGreaterThan(1);
  expect(pairs).toHaveLength(names.size * (names.size - 1));
  for (const { chances } of pairs)
    expect(Object.values(chances).reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 4);
});
