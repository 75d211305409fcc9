import { scopeCanSee, type Scope } from '../../model/provenance.ts';
import { formsOf, type EntityRecord, type FormKind } from '../stores/registry/entity-record.ts';
import { foldName } from '../stores/registry/names.ts';
import type { Follower, TableChanges } from '../stores/registry/record-table.ts';
import { jaroWinkler } from '../../model/edit-distance.ts';

export interface NameMatch {
  readonly path: string;
  /** 0 to 1; 1 for the name, an alias or the id as a whole. */
  readonly score: number;
  /** The name it was found by, folded. */
  readonly by: string;
  readonly kind: FormKind;
}

interface Slot {
  readonly path: string;
  readonly form: string;
  readonly kind: FormKind;
  readonly scope: Scope;
  readonly type: string;
  readonly grams: number;
  isLive: boolean;
}

export interface NameQuery {
  readonly limit: number;
  readonly scope: Scope;
  readonly type?: string | undefined;
}

/** As many as one look can compare letter by letter in a fraction of a millisecond. */
const MAX_COMPARED = 48;
/** Below this two names share little more than common letter pairs. */
const MIN_SHARED = 0.25;
const MIN_SCORE = 0.72;
/** The first or last name alone is a weaker sign than the whole. */
const PART_WEIGHT = 0.94;
/** Dead slots are cleared away when they are this many and more than the living. */
const MIN_DEAD = 1000;

/** Names by their groups of three letters: a slip of the hand leaves most of them as they were. */
export class NameIndex implements Follower {
  #slots: Slot[] = [];
  #dead = 0;
  readonly #byPath = new Map<string, number[]>();
  readonly #byGram = new Map<string, number[]>();
  readonly #byForm = new Map<string, number[]>();
  #counts = new Uint16Array(0);

  reset(): void {
    this.#slots = [];
    this.#dead = 0;
    for (const map of [this.#byPath, this.#byGram, this.#byForm]) map.clear();
  }

  apply({ records, gone }: TableChanges): void {
    for (const path of gone) this.#remove(path);
    for (const record of records) this.#put(record);
    if (this.#dead > MIN_DEAD && this.#dead * 2 > this.#slots.length) this.#compact();
  }

  /** The likeliest first; ties in the order of the files. */
  find(name: string, { limit, scope, type }: NameQuery): NameMatch[] {
    const form = foldName(name);
    if (form === '') return [];
    const best = new Map<string, NameMatch>();
    const take = (slot: Slot, score: number): void => {
      if (!slot.isLive || !scopeCanSee(scope, slot.scope) || (type !== undefined && slot.type !== type)) return;
      const known = best.get(slot.path);
      if (known === undefined || known.score < score) {
        best.set(slot.path, { path: slot.path, score, by: slot.form, kind: slot.kind });
      }
    };
    for (const at of this.#byForm.get(form) ?? []) {
      const slot = this.#slots[at];
      if (slot !== undefined) take(slot, slot.kind === 'part' ? PART_WEIGHT : 1);
    }
    for (const slot of this.#likely(form)) {
      const weight = slot.kind === 'part' ? PART_WEIGHT : 1;
      const score = slot.form === form ? weight : weight * likeness(form, slot.form);
      if (score >= MIN_SCORE) take(slot, score);
    }
    return [...best.values()]
      .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
      .slice(0, limit);
  }

  /** Slots that share most groups with the form. */
  #likely(form: string): Slot[] {
    const grams = gramsOf(form);
    if (this.#counts.length < this.#slots.length) this.#counts = new Uint16Array(this.#slots.length * 2);
    const counts = this.#counts;
    const touched: number[] = [];
    for (const gram of grams) {
      for (const at of this.#byGram.get(gram) ?? []) {
        if (counts[at] === 0) touched.push(at);
        counts[at] = (counts[at] ?? 0) + 1;
      }
    }
    // Selected by bands of likeness instead of sorted: a common group touches every name there is.
    const bands: Slot[][] = Array.from({ length: BANDS + 1 }, () => []);
    for (const at of touched) {
      const slot = this.#slots[at];
      const shared = slot === undefined ? 0 : (2 * (counts[at] ?? 0)) / (grams.length + slot.grams);
      counts[at] = 0;
      if (slot?.isLive === true && shared >= MIN_SHARED) bands[Math.min(BANDS, Math.floor(shared * BANDS))]?.push(slot);
    }
    const likely: Slot[] = [];
    for (let band = BANDS; band >= 0 && likely.length < MAX_COMPARED; band -= 1) {
      for (const slot of bands[band] ?? []) if (likely.length < MAX_COMPARED) likely.push(slot);
    }
    return likely;
  }

  #put(record: EntityRecord): void {
    this.#remove(record.path);
    if (record.mergedInto !== undefined) return;
    const own: number[] = [];
    for (const { form, kind } of formsOf(record)) {
      const at = this.#slots.length;
      const grams = gramsOf(form);
      const { path, scope, type } = record;
      this.#slots.push({ path, form, kind, scope, type, grams: grams.length, isLive: true });
      own.push(at);
      append(this.#byForm, form, at);
      for (const gram of grams) append(this.#byGram, gram, at);
    }
    this.#byPath.set(record.path, own);
  }

  #remove(path: string): void {
    for (const at of this.#byPath.get(path) ?? []) {
      const slot = this.#slots[at];
      if (slot !== undefined) slot.isLive = false;
      this.#dead += 1;
    }
    this.#byPath.delete(path);
  }

  #compact(): void {
    const living = this.#slots.filter(({ isLive }) => isLive);
    this.reset();
    for (const slot of living) {
      const at = this.#slots.push(slot) - 1;
      append(this.#byPath, slot.path, at);
      append(this.#byForm, slot.form, at);
      for (const gram of gramsOf(slot.form)) append(this.#byGram, gram, at);
    }
  }
}

const BANDS = 40;

/** Of the whole, or of the words in whatever order: `Lovelace, Ada` is `Ada Lovelace`. */
function likeness(left: string, right: string): number {
  const whole = jaroWinkler(left, right);
  const [a, b] = [left.split(' '), right.split(' ')];
  if (a.length === 1 && b.length === 1) return whole;
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  const best = fewer.map((word) => Math.max(...more.map((other) => jaroWinkler(word, other))));
  const sum = best.reduce((total, score) => total + score, 0);
  // Words that have no counterpart count against it, but less than wrong ones: people leave names out.
  return Math.max(whole, sum / (fewer.length + 0.25 * (more.length - fewer.length)));
}

function gramsOf(form: string): string[] {
  const padded = `  ${form} `;
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) grams.add(padded.slice(at, at + 3));
  return [...grams];
}

function append(map: Map<string, number[]>, key: string, at: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [at]);
  else list.push(at);
}
