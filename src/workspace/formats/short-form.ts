import { EXTRACTOR_OF_KIND, KNOWLEDGE_KINDS, type KnowledgeKind } from '../../model/knowledge.ts';
import { SOURCES } from '../../model/provenance.ts';
import { CONFIDENCE_WORDS } from '../../model/schemas/fields.ts';
import { tagsOf } from '../../model/content-words.ts';

/**
 * The short form of a learned line's metadata: `<!-- person 0.56 2026-11-01T14:01 devon-moves#t1 residence=Leeds -->`.
 * Words without a key say by their shape what they are. Reading puts back what they imply, so that every other part of the
 * program sees the complete fields:
 *
 * - `SESSION#tN` (required; the form begins to apply with it): session, turn and evidence. More of them are more evidence.
 * - A source such as `user-explicit`; without one the source is `auto` and the trust the user's.
 * - A kind such as `person`: category, its extractor in version 1, confidence `high`, learned on the day of the time, and,
 *   with the source left out, the tags of the text. A decision has no category and no day of learning.
 * - `facts@1`: an extractor. `0.56`: importance. `medium`: confidence. `2026-11-01`: learned. `#apollo`: the tags of the text
 *   within a project that the text does not name. `residence=Leeds`: attribute and value, true from the day of the time.
 *   `-ID`: a statement that it replaced. `+ID`: the one that replaced it. `x2@2026-12-01`: confirmed twice, the last time then.
 *
 * Fields with a key win over what is implied. A form that cannot say something, such as that a learned line has no
 * confidence, is not used for it.
 */

export type MetadataFields = ReadonlyMap<string, string | true | readonly string[]>;

/** A comment in the short form, as its parts were found. */
export interface ShortForm {
  readonly words: readonly string[];
  readonly hasProperty: boolean;
}

const SESSION = /^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u;
const TURN = /^t\d+$/u;
const REFERENCE = /^([\p{L}\p{N}][\p{L}\p{N}._-]*)#(t\d+)$/u;
const EXTRACTOR = /^[a-z][\w-]*@\d+$/u;
const IMPORTANCE = /^(?:1|0(?:\.\d{1,3})?)$/u;
const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const SHORT_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{3})?)?$/u;
const FULL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/u;
const REPLACED = /^-([0-9a-z]{13})$/u;
const REPLACED_BY = /^\+([0-9a-z]{13})$/u;
const CONFIRMED = /^x(\d+)@(\d{4}-\d{2}-\d{2})$/u;
const PROJECT = /^#[\p{L}\p{N}-]+$/u;
const PROPERTY = /^[a-z][a-z0-9_-]*$/u;

/** The complete fields of a short form, or undefined when it is a person's comment. */
export function expandFields(stated: MetadataFields, form: ShortForm, text: string): MetadataFields | undefined {
  const read = readWords(form.words);
  const [first] = read?.references ?? [];
  const reference = REFERENCE.exec(first ?? '');
  if (read === undefined || reference === null) return undefined;
  const { named, replaced, references, kind, project } = read;
  const all = new Map<string, string | true | readonly string[]>([
    ['session', reference[1] ?? ''],
    ['turn', reference[2] ?? ''],
    ['evidence', references],
    ...named,
    ...stated,
  ]);
  const isUsual = !all.has('source');
  const imply = (key: string, value: string | readonly string[] | undefined): void => {
    if (value !== undefined && value.length > 0 && !all.has(key)) all.set(key, value);
  };
  imply('source', 'auto');
  if (isUsual) imply('trust', 'user');
  const day = named.get('time')?.slice(0, 10);
  if (kind !== undefined) {
    imply('extractor', extractorOf(kind));
    imply('confidence', 'high');
    if (kind !== 'decision') {
      imply('category', kind);
      imply('learned', day);
    }
  }
  if (project !== undefined || (kind !== undefined && isUsual)) imply('tags', tagsOf(text, project ?? projectIn(text)));
  imply('supersedes', replaced);
  if (form.hasProperty) imply('from', day);
  return all;
}

interface ReadWords {
  readonly named: ReadonlyMap<string, string>;
  readonly replaced: readonly string[];
  readonly references: readonly string[];
  readonly kind: KnowledgeKind | undefined;
  readonly project: string | undefined;
}

function readWords(words: readonly string[]): ReadWords | undefined {
  const named = new Map<string, string>();
  const replaced: string[] = [];
  const references: string[] = [];
  let kind: KnowledgeKind | undefined;
  let project: string | undefined;
  for (const word of words) {
    const asKind = KNOWLEDGE_KINDS.find((known) => known === word);
    const key = keyOf(word);
    const confirmed = CONFIRMED.exec(word);
    if (asKind !== undefined) kind = asKind;
    else if (key !== undefined) named.set(key, key === 'time' ? fullTime(word) : word);
    else if (confirmed !== null) named.set('verified', confirmed[1] ?? '').set('last_verified', confirmed[2] ?? '');
    else if (PROJECT.test(word)) project = word.slice(1);
    else if (REPLACED.test(word)) replaced.push(word.slice(1));
    else if (REPLACED_BY.test(word)) named.set('superseded_by', word.slice(1));
    else if (REFERENCE.test(word)) references.push(word);
    else return undefined;
  }
  return { named, replaced, references, kind, project };
}

/** The key a word stands for by its shape. */
function keyOf(word: string): string | undefined {
  if (isOneOf(SOURCES, word)) return 'source';
  if (isOneOf(CONFIDENCE_WORDS, word)) return 'confidence';
  if (EXTRACTOR.test(word)) return 'extractor';
  if (IMPORTANCE.test(word)) return 'importance';
  if (DAY.test(word)) return 'learned';
  return SHORT_TIME.test(word) ? 'time' : undefined;
}

function isOneOf(words: readonly string[], word: unknown): boolean {
  return words.some((known) => known === word);
}

/** Version 1 for ever: a later one is written out, or it would be claimed for lines that it did not find. */
function extractorOf(kind: KnowledgeKind): string {
  return `${EXTRACTOR_OF_KIND[kind]}@1`;
}

function fullTime(word: string): string {
  return `${word}${':00.000'.slice(word.length === 16 ? 0 : word.length === 19 ? 3 : 7)}Z`;
}

function shortTime(time: string): string {
  return time
    .slice(0, -1)
    .replace(/\.000$/u, '')
    .replace(/(T\d{2}:\d{2}):00$/u, '$1');
}

/** Fields in their written form: words without keys, a property, and the fields that keep their keys. */
export interface Shortened {
  readonly words: readonly string[];
  readonly property: readonly [string, unknown] | undefined;
  readonly left: ReadonlyMap<string, unknown>;
}

/** The short form of fields, or undefined where they are not those of a learned line. */
export function shortenFields(fields: ReadonlyMap<string, unknown>, text: string): Shortened | undefined {
  const references = referencesOf(fields);
  const source = fields.get('source');
  if (references === undefined || !isOneOf(SOURCES, source)) return undefined;
  const left = new Map(fields);
  const words: string[] = [];
  const take: Take = (key, word) => {
    left.delete(key);
    if (word !== undefined) words.push(word);
  };
  const time = String(fields.get('time'));
  const day = FULL_TIME.test(time) ? time.slice(0, 10) : undefined;
  const isUsual = source === 'auto' && fields.has('trust');
  const kind = kindOf(fields, { day, isUsual, text });
  if (kind !== undefined) {
    words.push(kind);
    for (const key of ['extractor', ...(kind === 'decision' ? [] : ['category'])]) take(key);
    if (fields.get('confidence') === 'high') take('confidence');
    if (kind !== 'decision' && fields.get('learned') === day) take('learned');
  }
  take('source', isUsual ? undefined : String(source));
  if (isUsual && fields.get('trust') === 'user') take('trust');
  for (const key of ['importance', 'confidence', 'time', 'learned', 'extractor']) {
    const value = left.get(key);
    const word = key === 'time' ? (day === undefined ? '' : shortTime(time)) : String(value);
    if (value !== undefined && keyOf(word) === key) take(key, word);
  }
  for (const key of ['session', 'turn', 'evidence']) take(key);
  words.push(...references);
  shortenTags(fields.get('tags'), { text, take, isImplied: kind !== undefined && isUsual });
  shortenConfirmed(fields, take);
  shortenReplaced(fields, take);
  const property = propertyOf(fields, day);
  if (property !== undefined) for (const key of ['attribute', 'value']) take(key);
  if (property !== undefined && fields.get('from') === day) take('from');
  return { words, property, left };
}

/** The turns as `session#turn`, where evidence begins with the turn itself and nothing needs quotes. */
function referencesOf(fields: ReadonlyMap<string, unknown>): readonly string[] | undefined {
  const [session, turn, evidence] = ['session', 'turn', 'evidence'].map((key) => fields.get(key));
  if (typeof session !== 'string' || typeof turn !== 'string' || !Array.isArray(evidence)) return undefined;
  const references = evidence.map(String);
  const isPlain = SESSION.test(session) && TURN.test(turn) && references.every((one) => REFERENCE.test(one));
  return isPlain && references[0] === `${session}#${turn}` ? references : undefined;
}

interface Situation {
  readonly day: string | undefined;
  readonly isUsual: boolean;
  readonly text: string;
}

/** The kind whose implications all hold or are overridden by a field that is there. */
function kindOf(fields: ReadonlyMap<string, unknown>, { day, isUsual, text }: Situation): KnowledgeKind | undefined {
  const kind = KNOWLEDGE_KINDS.find((known) => extractorOf(known) === fields.get('extractor'));
  if (kind === undefined || fields.get('confidence') === undefined) return undefined;
  if (isUsual && fields.get('tags') === undefined && tagsOf(text, projectIn(text)).length > 0) return undefined;
  if (kind === 'decision') return fields.has('category') ? undefined : kind;
  const isDated = fields.has('learned') || day === undefined;
  return fields.get('category') === kind && isDated ? kind : undefined;
}

type Take = (key: string, word?: string) => void;

function shortenConfirmed(fields: ReadonlyMap<string, unknown>, take: Take): void {
  const word = `x${String(fields.get('verified'))}@${String(fields.get('last_verified'))}`;
  if (!CONFIRMED.test(word)) return;
  take('verified', word);
  take('last_verified');
}

function shortenReplaced(fields: ReadonlyMap<string, unknown>, take: Take): void {
  const by = `+${String(fields.get('superseded_by'))}`;
  if (REPLACED_BY.test(by)) take('superseded_by', by);
  const replaced = fields.get('supersedes');
  const words = Array.isArray(replaced) ? replaced.map((id) => `-${id}`) : [];
  if (words.length > 0 && words.every((word) => REPLACED.test(word))) take('supersedes', words.join(' '));
}

interface TagPlace {
  readonly text: string;
  readonly take: Take;
  readonly isImplied: boolean;
}

function shortenTags(tags: unknown, { text, take, isImplied }: TagPlace): void {
  if (!Array.isArray(tags)) return;
  const project = `#${tags[0]}`;
  if (isImplied && isSame(tagsOf(text, projectIn(text)), tags)) take('tags');
  else if (PROJECT.test(project) && isSame(tagsOf(text, String(tags[0])), tags)) take('tags', project);
}

/** The project that a statement names at its end: `The API listens on port 8443 [harbor].` A task's box is none. */
function projectIn(text: string): string | undefined {
  return /[^\s-] \[([\p{L}\p{N}][\p{L}\p{N}-]+)\](?=\W*(?:\(until [\d-]+\))?$)/u.exec(text)?.[1];
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((element, at) => element === other[at]);
}

/** Attribute and value, where it is known since when they hold or nothing would be implied of it. */
function propertyOf(
  fields: ReadonlyMap<string, unknown>,
  day: string | undefined,
): readonly [string, unknown] | undefined {
  const [attribute, value] = [fields.get('attribute'), fields.get('value')];
  const isPlain = typeof attribute === 'string' && PROPERTY.test(attribute) && typeof value === 'string';
  return isPlain && value !== '' && (fields.has('from') || day === undefined) ? [attribute, value] : undefined;
}
