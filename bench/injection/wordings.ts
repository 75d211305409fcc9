/** What the wording model is fitted on: short prompts written for it, and the labelled prompts of the homes. */
import fs from 'node:fs';
import path from 'node:path';
import { readPatterns, readTraits } from '../../src/compile/relevance/wording.ts';
import { SUBJECT_MATTERS, weighOwnThings, type WordingModel } from '../../src/compile/relevance/wording-model.ts';
import type { Traits } from '../../src/compile/relevance/traits.ts';
import { fitSoftmax, type WordingExample } from './softmax.ts';

export interface SetPrompt {
  readonly set: string;
  readonly text: string;
  readonly inject: boolean;
  readonly kind: string;
}

/** What negatives of a kind are about; of the others it is only known that no memory is needed. */
const COLUMN_OF_KIND: Readonly<Record<string, number>> = {
  general: 1,
  'general-question': 1,
  knowledge: 1,
  command: 2,
  coding: 2,
  ack: 3,
  acknowledgement: 3,
  smalltalk: 3,
  chat: 3,
};

/** Worded like questions about own things that happen to be unknown. */
const UNKNOWN = /^unknown/u;

export const WORDING_FILES = ['wording-a.tsv', 'wording-b.tsv'];

export function readWordings(folder: string, file: string): WordingExample[] {
  const lines = fs.readFileSync(path.join(folder, file), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [label = '', text = ''] = line.split('\t');
    const column = SUBJECT_MATTERS.findIndex((name) => name === label);
    if (column < 0) throw new Error(`${file}: no such label: ${label}`);
    return { traits: readAll(text.replaceAll(String.raw`\n`, '\n')), column };
  });
}

function readAll(text: string): Traits {
  return readTraits(text, readPatterns(text));
}

/** Models fitted without some sets of prompts, each once. */
export class WordingModels {
  readonly #written: readonly WordingExample[];
  readonly #prompts: readonly { readonly set: string; readonly example: WordingExample }[];
  readonly #models = new Map<string, WordingModel>();
  readonly #traits = new Map<string, Traits>();

  constructor(written: readonly WordingExample[], prompts: readonly SetPrompt[]) {
    this.#written = written;
    this.#prompts = prompts
      .filter(({ kind }) => !UNKNOWN.test(kind))
      .map(({ set, text, inject, kind }) => ({
        set,
        example: { traits: this.#traitsOf(text), column: inject ? 0 : COLUMN_OF_KIND[kind] },
      }));
  }

  fitWithout(sets: readonly string[]): WordingModel {
    const key = [...new Set(sets)].sort().join(' ');
    const known = this.#models.get(key);
    if (known !== undefined) return known;
    const others = this.#prompts.filter(({ set }) => !sets.includes(set)).map(({ example }) => example);
    const model = fitSoftmax([...this.#written, ...others]);
    this.#models.set(key, model);
    return model;
  }

  weigh(text: string, without: readonly string[]): number {
    return weighOwnThings(this.#traitsOf(text), this.fitWithout(without));
  }

  #traitsOf(text: string): Traits {
    const traits = this.#traits.get(text) ?? readAll(text);
    this.#traits.set(text, traits);
    return traits;
  }
}

/** The share of pairs, one about own things and one not, that the model puts in the right order. */
export function orderedShare(model: WordingModel, examples: readonly WordingExample[]): number {
  const ranked = examples
    .map(({ traits, column }) => ({ weight: weighOwnThings(traits, model), isOwn: column === 0 }))
    .sort((left, right) => left.weight - right.weight);
  let below = 0;
  let ordered = 0;
  for (const { isOwn } of ranked) {
    if (isOwn) ordered += below;
    else below += 1;
  }
  return ordered / Math.max(1, below * (ranked.length - below));
}
