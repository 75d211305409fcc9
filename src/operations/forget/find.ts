import { CORE_FILE, coreBullets } from '../../memory/stores/core-bullets.ts';
import { isArchivePath } from '../../memory/archive/record.ts';
import { createMeasure } from '../../compile/relevance/evidence.ts';
import { commonTermsOf, findKnownNames, isTelling } from '../../compile/relevance/vocabulary.ts';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import { STORES, type Scope } from '../../model/provenance.ts';
import { EPISODE_TYPES } from '../../model/schemas/time.ts';
import { coverTerms, rarestOf } from '../../retrieve/logistic.ts';
import { highlight } from '../../retrieve/highlight/highlight.ts';
import type { Answer } from '../../retrieve/retriever.ts';
import { scanFiles } from '../../retrieve/settings.ts';
import type { SearchFilter, SearchIndex, StoredPassage } from '../../search-index/port.ts';
import { extractTerms } from '../../search-index/text/terms.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import { targetOf, type Target } from './target.ts';

export interface ForgetQuestion {
  /** The subject, in plain words. */
  readonly text: string;
  /** Items (7k2m9x0q4t1za), entities (person--alex), turns (SESSION#t12) or files, exactly. */
  readonly ids?: readonly string[] | undefined;
  /** Also what was said in conversations, and what is archived: none of it is to be left. */
  readonly isPermanent?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly scope?: Scope | undefined;
}

export interface Match extends Target {
  /** The reason why it matches. */
  readonly why: string;
}

/** Something that was found and is left alone. */
export interface Kept {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  /** The end of a sentence. */
  readonly reason: string;
}

export interface Forgettable {
  readonly matches: readonly Match[];
  readonly kept: readonly Kept[];
  readonly notes: readonly string[];
  /** Turns of conversations that say it too and stay in their transcripts. */
  readonly turns: readonly string[];
}

/** The share of the question, weighted by rarity, that a memory must contain to match. */
const MIN_COVERAGE = 0.6;
const USUAL_LIMIT = 20;
/** Asked one by one: there are a hundred turns of conversations for every fact, and the best hundred would be turns. */
const PARTS: readonly Pick<SearchFilter, 'stores' | 'types'>[] = [
  { stores: STORES.filter((store) => store !== 'episodic' && store !== 'meta') },
  { stores: ['episodic'], types: [...EPISODE_TYPES, 'superseded', 'note'] },
  { types: ['turn'] },
];
/** Passages looked at in each part, at least: some of them are pieces of one memory. */
const MIN_LOOKED_AT = 100;

/**
 * Finds what is remembered about `text`. Nothing is written, not even the question: a user who wants to forget something does
 * not want it noted down once more.
 */
export async function findForgettable(
  context: OperationContext,
  question: ForgetQuestion | string,
): Promise<Forgettable> {
  const asked = typeof question === 'string' ? { text: question } : question;
  try {
    return await find(context, asked);
  } catch (error) {
    if (!isMnemeError(error, 'integrity')) throw error;
    await context.homeIndex.repair(error.message);
    const found = await find(context, asked);
    return { ...found, notes: [`${error.message} It was made anew.`, ...found.notes] };
  }
}

async function find(context: OperationContext, question: ForgetQuestion): Promise<Forgettable> {
  const { text, ids = [], isPermanent = false, limit = USUAL_LIMIT, scope = 'shared' } = question;
  const scopes: readonly Scope[] = scope === 'shared' ? ['shared'] : ['shared', scope];
  const { index, notes } = await openIndex(context);
  const found = new Found(context, index, isPermanent);
  for (const id of ids) await found.addNamed(await findNamed(index, scopes, id), id);
  const subject = subjectOf(text);
  if (subject !== '') {
    const base = { scopes, withArchived: isPermanent };
    const depth = Math.max(MIN_LOOKED_AT, limit);
    const asked = await Promise.all(PARTS.map((part) => search(context, index, subject, { ...base, ...part }, depth)));
    // Where all that was looked at is meant, what was not looked at may be, too.
    if (asked.some((part) => part.length >= depth)) found.notes.push(THERE_MAY_BE_MORE);
    await found.addFound(asked.flat().toSorted((left, right) => right.coverage - left.coverage));
  }
  await found.addStatements();
  return found.finish(limit, notes);
}

const THERE_MAY_BE_MORE = 'There may be more than could be looked at; ask again when this is done.';

async function openIndex(
  context: OperationContext,
): Promise<{ readonly index: SearchIndex; readonly notes: readonly string[] }> {
  const { index, notes } = await context.homeIndex.prepare();
  if (index !== undefined) return { index, notes };
  return { index: await scanFiles(context.homeIndex.files, context.chunkContext), notes };
}

interface FoundPassages {
  readonly passages: readonly StoredPassage[];
  readonly coverage: number;
  readonly why: string;
}

async function search(
  context: OperationContext,
  index: SearchIndex,
  subject: string,
  filter: SearchFilter,
  depth: number,
): Promise<readonly FoundPassages[]> {
  const request = { text: subject, filter, limit: depth, tokens: undefined };
  // Asking as of now: an answer about another time is not noted down.
  const { answer } = await context.search.ask({ ...request, at: { index, nowMs: context.clock.now() } });
  const { passages: size } = await index.status();
  const measure = measureOf(subject, answer, size);
  const byMemory = Map.groupBy(
    answer.ranked.slice(0, depth),
    ({ passage }) => `${passage.document.source}\0${passage.document.path}\0${passage.id}`,
  );
  return [...byMemory.values()]
    .map((members): FoundPassages => {
      const passages = members.map(({ passage }) => passage);
      const coverage = measure(passages);
      const words = wordsIn(passages, answer);
      return {
        passages,
        coverage,
        why: `words: ${words.join(', ')} (${Math.round(coverage * 100)} %)`,
      };
    })
    .filter(({ coverage }) => coverage >= MIN_COVERAGE);
}

/**
 * The share of the subject that passages contain. Words nobody ever said cannot tell one memory from another: "my
 * landlord Mr. Brandt" means him, whether or not anybody called him that. But where the telling word is one of those,
 * an everyday word beside it means nothing: "the medication I take" is no vitamin.
 */
function measureOf(subject: string, answer: Answer, size: number): (passages: readonly StoredPassage[]) => number {
  const texts = answer.ranked.slice(0, MIN_LOOKED_AT).map(({ passage }) => passage.text);
  const names = new Set(findKnownNames(subject, texts).flatMap((name) => extractTerms(name)));
  const common = new Set([...commonTermsOf(subject)].filter((term) => !names.has(term)));
  const isHeard = (rarity: number): boolean => rarity < rarestOf(size) - 0.001;
  const terms = [...answer.rarities];
  const lacksTelling = terms.some(([term, rarity]) => !isHeard(rarity) && !common.has(term) && isTelling(term));
  const heard = new Map(terms.filter(([term, rarity]) => isHeard(rarity) && !(lacksTelling && common.has(term))));
  // A subject of everyday words only ("the test") has nothing telling; then every word counts.
  if (![...heard.keys()].some(isTelling)) return (passages) => coverTerms(passages, heard).coverage;
  const measure = createMeasure(subject, { ...answer, rarities: heard }, size);
  return (passages) => measure(passages).coverage;
}

function wordsIn(passages: readonly StoredPassage[], { understanding }: Answer): string[] {
  const words = passages.flatMap(({ lead, text }) => {
    const all = `${lead} ${text}`;
    const { snippet, ranges } = highlight(all, understanding, { maxChars: all.length + 2 });
    return ranges.map(([start, end]) => snippet.slice(start, end).toLowerCase());
  });
  return [...new Set(words)];
}

interface Named {
  readonly passages: readonly StoredPassage[];
  readonly wanted: 'item' | 'file';
}

async function findNamed(index: SearchIndex, scopes: readonly Scope[], given: string): Promise<Named> {
  const id = given
    .trim()
    .replace(/^\^/u, '')
    .replace(/^workspace\//u, '');
  const view = await index.view({ scopes, withArchived: true });
  const entity = `memory/graph/entities/${id}.md`;
  const names = id.includes('--') && !id.includes('/') ? [entity, id] : [id];
  for (const name of names) {
    const passages = await view.read(await view.findItem(name));
    const isFile = passages.some(({ document }) => document.path === name);
    // Of two with one id the archived one is the copy.
    const ordered = passages.toSorted(
      ({ document: a }, { document: b }) => Number(a.isArchived) - Number(b.isArchived),
    );
    if (passages.length > 0) return { passages: ordered, wanted: isFile ? 'file' : 'item' };
  }
  throw new MnemeError('not-found', `Nothing remembered has the id ${given}.`, {
    hint: 'Ids stand in the hits of `mneme recall --json`; a file is named by its path.',
  });
}

/** Gathers what is meant, each memory once. */
class Found {
  readonly #context: OperationContext;
  readonly #index: SearchIndex;
  readonly #isPermanent: boolean;
  readonly #matches: Match[] = [];
  readonly #kept: Kept[] = [];
  readonly notes: string[] = [];
  readonly #turns = new Set<string>();

  constructor(context: OperationContext, index: SearchIndex, isPermanent: boolean) {
    this.#context = context;
    this.#index = index;
    this.#isPermanent = isPermanent;
  }

  async addNamed({ passages, wanted }: Named, id: string): Promise<void> {
    const target = await targetOf(this.#context, passages, wanted);
    if ('obstacle' in target) throw new MnemeError('refused', `${id} ${target.obstacle}.`);
    if (target.kind === 'turn' && !this.#isPermanent) {
      throw new MnemeError('refused', `${id} is a turn of a conversation, and conversations are kept as they were.`, {
        hint: 'Add --permanently to take the words out of it for good.',
      });
    }
    if (isArchivePath(target.path) && !this.#isPermanent) {
      throw new MnemeError('refused', `${id} is in the archive already.`, {
        hint: 'Add --permanently to erase it for good.',
      });
    }
    this.#add({ ...target, why: 'named' });
  }

  async addFound(found: readonly FoundPassages[]): Promise<void> {
    for (const { passages, why } of found) {
      const [first] = passages;
      if (first === undefined) continue;
      if (first.document.source !== 'workspace' && !this.#isPermanent) {
        this.#turns.add(first.id);
        continue;
      }
      const target = await targetOf(this.#context, passages);
      if ('obstacle' in target) this.#keep(first, target.obstacle);
      else if (target.protection === undefined) this.#add({ ...target, why });
      else if (!this.#has(target)) this.#keep(first, `is left: ${target.protection}; name it with --id`);
    }
  }

  /** A bullet of core memory that states a memory in short goes with it. */
  async addStatements(): Promise<void> {
    const ids = new Set(this.#matches.map(({ id }) => id));
    const file = this.#context.homeIndex.files.read({ source: 'workspace', path: CORE_FILE });
    if (file === undefined || ids.size === 0) return;
    for (const { id, states, isPinned } of coreBullets(parseDocument(file.text))) {
      if (states === undefined || !ids.has(states) || isPinned || ids.has(id)) continue;
      const view = await this.#index.view({ scopes: ['shared'] });
      const target = await targetOf(this.#context, await view.read(await view.findItem(id)));
      if (!('obstacle' in target)) this.#add({ ...target, why: `states ${states} in core memory` });
    }
  }

  finish(limit: number, notes: readonly string[]): Forgettable {
    const outer = this.#matches.filter((match) => !this.#matches.some((other) => contains(other, match)));
    const more = outer.length - limit;
    return {
      matches: outer.slice(0, limit),
      kept: this.#kept,
      notes: [
        ...notes,
        ...this.notes,
        ...(more > 0 ? [`${more} more match; say more exactly what is meant, or raise --limit.`] : []),
        ...(this.#turns.size > 0 ? [turnsNote(this.#turns.size)] : []),
      ],
      turns: [...this.#turns],
    };
  }

  #add(match: Match): void {
    if (!this.#has(match)) this.#matches.push(match);
  }

  #has(target: Target): boolean {
    return this.#matches.some(
      (other) =>
        other.source === target.source &&
        other.path === target.path &&
        (other.id === target.id || other.kind === 'file'),
    );
  }

  #keep({ id, document: { path }, text }: StoredPassage, reason: string): void {
    if (!this.#kept.some((kept) => kept.id === id && kept.path === path)) this.#kept.push({ id, path, text, reason });
  }
}

function turnsNote(turns: number): string {
  const what = turns === 1 ? 'One turn of a conversation says' : `${turns} turns of conversations say`;
  return `${what} it too; they are hidden until it is restored. With --permanently the words go from there as well.`;
}

/** A bullet below another one goes with it. */
function contains(outer: Match, inner: Match): boolean {
  if (outer === inner || outer.path !== inner.path || outer.source !== inner.source || outer.kind === 'turn')
    return false;
  const [start, end] = outer.lines;
  return start <= inner.lines[0] && inner.lines[1] <= end && (start < inner.lines[0] || inner.lines[1] < end);
}

/**
 * Words before the subject in a request to forget: "everything I told you about …". These
 * words would be looked for otherwise, and "told" stands in many memories.
 */
const LEAD_INS = [
  /^(?:please )?(?:forget )?about /iu,
  /^(?:please )?(?:forget |erase |delete |remove )?(?:about )?(?:everything|anything|all|whatever|what|that|the fact that)?(?: (?:that|which))?(?: (?:i|we|you|he|she|they))?(?: (?:have|has|had|ever|just|once))*(?: (?:told|said|tell|say|know|knew|remember|mentioned|wrote|learned|stored|saved)(?: (?:to )?(?:you|me|us))?)?(?: (?:about|of|on|regarding|concerning))? /iu,
  /^(?:bitte )?(?:vergiss |lösche )?(?:alles|das|was)?,?(?: was)?(?: (?:ich|wir|du))?(?: (?:dir|mir|uns))?(?: (?:über|von|zu|dass))? /iu,
  /^(?:por favor )?(?:olvida |borra )?(?:todo|lo)?(?: (?:lo )?que)?(?: (?:te|os|me))?(?: (?:dije|dijimos|conté|sabes))?(?: (?:sobre|de|acerca de))? /iu,
  /^(?:s'il te plaît )?(?:oublie |efface )?(?:tout|ce)?(?: (?:ce )?que)?(?: (?:je|tu|on|nous))?(?: (?:t'ai|vous ai|t'avais))?(?: (?:dit|raconté|sais))?(?: (?:sur|de|à propos de|au sujet de))? /iu,
];

/** The thing itself. Quotation marks around all of it go: they only say where it ends. */
export function subjectOf(text: string): string {
  const plain = text.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const unquoted = /^["“„«»‘']([^"“”„«»]+)["”“«»’']$/u.exec(plain)?.[1]?.trim() ?? plain;
  const leadIns = LEAD_INS.map((pattern) => pattern.exec(unquoted)?.[0] ?? '').filter(isLeadIn);
  const longest = Math.max(0, ...leadIns.map((leadIn) => leadIn.length));
  const rest = unquoted.slice(longest).trim();
  return rest === '' ? unquoted : rest;
}

/** One word alone is none, unless it can be nothing else: "todo list" is about a list of that name. */
function isLeadIn(text: string): boolean {
  return (
    text.trim().includes(' ') ||
    /^(?:about|that|everything|anything|forget|über|dass|vergiss|olvida|oublie) $/iu.test(text)
  );
}
