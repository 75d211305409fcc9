import { MnemeError } from '../../model/errors.ts';
import { closeTag, openTag } from '../fence.ts';
import type { Limits } from '../limits.ts';
import type { Form, Piece, ReceiptItem, SpokenTurn } from '../piece.ts';
import { NAME_OF, SLOT_OF, type Tag } from '../slots.ts';
import { Said, type ToldPiece, type Words, wordsOf } from '../told-store.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import { joinSections, layOut, PREAMBLE, type Section, type Taken } from './layout.ts';

export interface Assembled {
  readonly prompt: string;
  /** The prompt in parts, joined by line breaks. */
  readonly sections: readonly Section[];
  readonly tokens: number;
  /** Every piece, in the order it was looked at. */
  readonly items: readonly ReceiptItem[];
  /** Notes about this prompt for a person. */
  readonly notes: readonly string[];
  /** The pieces that the prompt includes. */
  readonly told: readonly ToldPiece[];
  /** The conversation, the earliest turn first. */
  readonly turns: readonly SpokenTurn[];
}

/** A prompt while it is filled: what is in it, what that costs, what it says. */
export class Filling {
  readonly limits: Limits;
  readonly notes: string[] = [];
  readonly #counter: TokenCounter;
  readonly #taken: Taken[] = [];
  readonly #items = new Map<Piece, ReceiptItem>();
  readonly #used = new Map<Tag, number>();
  readonly #headings = new Set<string>();
  readonly #said = new Said();
  /** Files that are in the prompt from the first line to the last. */
  readonly #wholeFiles = new Map<string, string>();
  #total = 0;
  #isPreambleIn = false;

  constructor(limits: Limits, counter: TokenCounter) {
    this.limits = limits;
    this.#counter = counter;
  }

  get left(): number {
    return this.limits.room - this.#total;
  }

  used(tag: Tag): number {
    return this.#used.get(tag) ?? 0;
  }

  /** The room left for a part, within its own cap and the total. */
  roomFor(tag: Tag, kept: number): number {
    return Math.min(this.limits.caps[tag] - this.used(tag), this.left - kept);
  }

  /** Why a piece must stay out whatever room there is; undefined for a candidate. */
  findObstacle(piece: Piece): string | undefined {
    if (piece.refused !== undefined) return piece.refused;
    const repeated =
      this.#wholeFiles.get(piece.origin.path) ??
      this.#said.findRepeated(wordsOfPiece(piece)) ??
      (piece.same === undefined ? undefined : this.#said.findRepeated(wordsOf(piece.same)));
    return repeated === undefined ? undefined : `repeats ${repeated}`;
  }

  /**
   * The tokens a form adds: a line break for every line of the prompt that begins with it, for the first below a heading the
   * heading, for the first of a tag what encloses it, for the very first the preamble.
   */
  costOf({ tag, below }: Piece, form: Form): number {
    let cost = this.count(form.text) + 1;
    if (below !== undefined && !this.#headings.has(headingKey(tag, below.heading))) {
      cost += this.count(below.heading) + 1;
    }
    if (tag === 'system') return cost;
    if (!this.#used.has(tag)) cost += this.count(openTag(tag)) + this.count(closeTag(tag)) + 2;
    return this.#isPreambleIn ? cost : cost + this.count(PREAMBLE) + 1;
  }

  count(text: string): number {
    return this.#counter.count(text);
  }

  take(piece: Piece, form: Form, reason: string): void {
    const cost = this.costOf(piece, form);
    this.#total += cost;
    this.#used.set(piece.tag, this.used(piece.tag) + cost);
    this.#isPreambleIn ||= piece.tag !== 'system';
    if (piece.below !== undefined) this.#headings.add(headingKey(piece.tag, piece.below.heading));
    this.#taken.push({ piece, form });
    const isFull = form.level === 'full';
    const isPassage = piece.tag === 'memory' || piece.tag === 'history';
    this.#said.add(NAME_OF[piece.tag], isFull ? wordsOfPiece(piece) : wordsOf(form.text), isPassage);
    if (isFull && piece.isWholeFile === true) this.markWhole(piece.origin.path, NAME_OF[piece.tag]);
    const told = { tokens: this.count(form.text), included: true, form: form.level };
    this.#items.set(piece, toItem(piece, { ...told, reason }));
  }

  leave(piece: Piece, reason: string): void {
    const tokens = this.count(piece.forms[0].text);
    this.#items.set(piece, toItem(piece, { tokens, included: false, form: null, reason }));
  }

  markWhole(path: string, where: string): void {
    if (!this.#wholeFiles.has(path)) this.#wholeFiles.set(path, where);
  }

  /** Counts what was taken as it will stand: each line alone is counted with a rounding. */
  recount(): void {
    const sections = layOut(this.#taken);
    this.#total = this.count(joinSections(sections));
    for (const { tag, text } of sections) if (tag !== 'preamble') this.#used.set(tag, this.count(text));
  }

  isTakenWhole(offered: Piece): boolean {
    return this.#taken.some(({ piece, form }) => piece === offered && form.level === 'full');
  }

  finish(): Assembled {
    let sections = layOut(this.#taken);
    let prompt = joinSections(sections);
    let tokens = this.#counter.count(prompt);
    // A tokenizer may join what was counted apart; the whole decides, and the least important goes first.
    while (tokens > this.limits.room) {
      const last = this.#taken.findLast(({ piece }) => SLOT_OF[piece.tag] !== 'P0');
      if (last === undefined)
        throw new MnemeError('refused', `${tokens} tokens do not fit a budget of ${this.limits.room}.`);
      this.#taken.splice(this.#taken.indexOf(last), 1);
      this.leave(last.piece, 'over budget');
      sections = layOut(this.#taken);
      prompt = joinSections(sections);
      tokens = this.#counter.count(prompt);
    }
    const told = this.#taken.map(({ piece, form }) => ({
      id: piece.origin.id,
      said: form.level === 'full' ? piece.said : form.text,
    }));
    const turns = this.#taken
      .toSorted((left, right) => left.piece.position - right.piece.position)
      .flatMap(({ piece }) => piece.spoken ?? []);
    return { prompt, sections, tokens, items: [...this.#items.values()], notes: this.notes, told, turns };
  }
}

/** Looked at several times while a prompt is put together. */
const known = new WeakMap<Piece, Words>();

function wordsOfPiece(piece: Piece): Words {
  const words = known.get(piece) ?? wordsOf(piece.said);
  known.set(piece, words);
  return words;
}

function headingKey(tag: Tag, heading: string): string {
  return `${tag}\n${heading}`;
}

function toItem(
  { tag, origin, score, scores, evidence, chance }: Piece,
  outcome: Pick<ReceiptItem, 'tokens' | 'included' | 'form' | 'reason'>,
): ReceiptItem {
  return {
    slot: SLOT_OF[tag],
    tag,
    ...origin,
    ...outcome,
    score,
    scores,
    evidence,
    ...(chance === undefined ? {} : { chance }),
  };
}
