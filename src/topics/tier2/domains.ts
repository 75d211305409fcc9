import { readWords } from '../text/words.ts';
import { LIFE_FIELDS } from './fields/life.ts';
import { WORK_FIELDS } from './fields/work.ts';
import { WORLD_FIELDS } from './fields/world.ts';

/**
 * Fields of life and work with words that belong to them: what word vectors know too little of. A message about cabbage
 * and leeks and a playbook about dinners share no word and hardly a direction, but they share a field; a flaky croissant
 * and a flaky test share the word and no field.
 */
const FIELDS: Readonly<Record<string, string>> = { ...WORK_FIELDS, ...LIFE_FIELDS, ...WORLD_FIELDS };

const fieldsByStem = new Map<string, number[]>();
const NAMES = Object.keys(FIELDS);
for (const [at, words] of Object.values(FIELDS).entries()) {
  for (const { stem } of readWords(words)) {
    const fields = fieldsByStem.get(stem) ?? [];
    if (!fields.includes(at)) fieldsByStem.set(stem, [...fields, at]);
  }
}

/** What a field with no other word in the text counts beside one that has: a lone sense is possible, not likely. */
const LONE = 0.4;

/**
 * How much of a text belongs to each field. A word of several fields counts for those that the other words speak of:
 * "scale" with "bow" is music, with "connections" it is not.
 */
function fieldsOf(stems: Iterable<readonly [stem: string, count: number]>): Float32Array {
  const known = [...stems].flatMap(([stem, count]) => {
    const fields = fieldsByStem.get(stem);
    return fields === undefined ? [] : [{ fields, count }];
  });
  const first = new Float32Array(NAMES.length);
  for (const { fields, count } of known) {
    for (const field of fields) first[field] = (first[field] ?? 0) + count / fields.length;
  }
  const mass = new Float32Array(NAMES.length);
  for (const { fields, count } of known) {
    const others = fields.map((field) => LONE + Math.max(0, (first[field] ?? 0) - count / fields.length));
    const total = others.reduce((sum, value) => sum + value, 0);
    fields.forEach((field, at) => (mass[field] = (mass[field] ?? 0) + (count * (others[at] ?? 0)) / total));
  }
  return mass;
}

/** A word of a message with the fields it may belong to. */
export interface FieldWord {
  readonly stem: string;
  readonly worth: number;
  readonly fields: readonly number[];
}

export function findFields(stem: string): readonly number[] {
  return fieldsByStem.get(stem) ?? [];
}

export interface FieldAgreement {
  /** Words of the message that belong to the topic's fields. */
  readonly shared: number;
  /** Words that belong to other fields only. */
  readonly foreign: number;
}

/** A field is the topic's when it makes up at least this share of its strongest one. */
const OWN_SHARE = 0.2;

/** A word counts for the topic when any of its senses does: which one is meant is what the topic would decide. */
export function compareFields(words: readonly FieldWord[], topic: Float32Array): FieldAgreement {
  let shared = 0;
  let foreign = 0;
  for (const { worth, fields } of words) {
    let best = 0;
    for (const field of fields) best = Math.max(best, topic[field] ?? 0);
    const own = best >= OWN_SHARE ? Math.sqrt(best) : 0;
    shared += worth * own;
    foreign += worth * (1 - own);
  }
  return { shared: Math.log1p(shared), foreign: Math.log1p(foreign) };
}

/** The fields of a topic, the strongest as 1. */
export function topicFields(stems: Iterable<readonly [stem: string, count: number]>): Float32Array {
  const mass = fieldsOf(stems);
  const strongest = mass.reduce((most, value) => Math.max(most, value), 0);
  return strongest === 0 ? mass : mass.map((value) => value / strongest);
}
