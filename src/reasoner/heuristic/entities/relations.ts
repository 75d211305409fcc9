import { type Judge, type JudgedPair, packagedJudge } from '../../../judge/judge.ts';
import type { EntityMention, RelationMention } from '../../../model/knowledge.ts';
import type { Trust } from '../../../model/provenance.ts';
import type { HeardConversation, HeardTurn } from '../../port.ts';
import { findFiction } from '../conversation/role-play.ts';
import { setScene } from '../conversation/scene.ts';
import type { Scene } from '../kinds/finding.ts';
import { withoutMarked } from '../../../judge/handed-over/marked.ts';
import { spoken } from '../text/words.ts';
import { entitiesIn } from './entities.ts';
import { chanceNeeded } from './judged-guards.ts';
import { readForms, type FormEnd } from './read-forms.ts';
import { findEndings, type EndedRelation } from './relation-endings.ts';

interface Family {
  /** In the ontology's words. */
  readonly relation: string;
  /** The types of its ends when nothing else says. */
  readonly ends: readonly [subject: string, object: string];
  /** The family that says the same from the other end. */
  readonly inverse?: string | undefined;
  /** The end that has one other end at a time: of two that a message seems to give it, the likelier is meant. */
  readonly single?: 'subject' | 'object';
}

/** The relations that the model recognises, by its names for them. */
export const RELATION_FAMILIES: Readonly<Record<string, Family>> = {
  'works for': { relation: 'works-for', ends: ['person', 'organization'], single: 'subject' },
  manages: { relation: 'manages', ends: ['person', 'person'], inverse: 'reports to', single: 'object' },
  'reports to': { relation: 'managed-by', ends: ['person', 'person'], inverse: 'manages', single: 'subject' },
  'lives in': { relation: 'lives-in', ends: ['person', 'place'], single: 'subject' },
  'married to': { relation: 'married-to', ends: ['person', 'person'], inverse: 'married to', single: 'subject' },
  'parent of': { relation: 'parent-of', ends: ['person', 'person'], single: 'object' },
  'sibling of': { relation: 'sibling-of', ends: ['person', 'person'], inverse: 'sibling of' },
  uses: { relation: 'uses', ends: ['project', 'tool'] },
  'depends on': { relation: 'depends-on', ends: ['service', 'service'] },
  owns: { relation: 'owns', ends: ['person', 'concept'] },
  'part of': { relation: 'part-of', ends: ['concept', 'concept'] },
  'deployed on': { relation: 'deployed-on', ends: ['service', 'service'] },
  founded: { relation: 'founded', ends: ['person', 'organization'] },
  'member of': { relation: 'member-of', ends: ['person', 'organization'] },
  'replaced by': { relation: 'superseded-by', ends: ['tool', 'tool'] },
  'located in': { relation: 'located-in', ends: ['organization', 'place'] },
};

/** The chance from which a relation competes with others; how much it needs to be written, `chanceNeeded` tells. */
const LIKELY = 0.4;
/** Characters that are read at once: the model learned from messages of up to four sentences. */
const WINDOW_CHARS = 320;
/** The type of a mention about which nothing is known. */
const UNKNOWN = 'concept';

/** The relation that says the same from the other end, by a relation. */
export const INVERSES: ReadonlyMap<string, string | undefined> = new Map(
  Object.values(RELATION_FAMILIES).map(({ relation, inverse = '' }) => [
    relation,
    RELATION_FAMILIES[inverse]?.relation,
  ]),
);

type RelationJudge = Pick<Judge, 'findRelations'>;

/** A turn with the relations that it states as true now, and what it says is over. */
export interface TurnRelations {
  readonly turn: HeardTurn;
  readonly relations: readonly RelationMention[];
  readonly endings: readonly EndedRelation[];
}

/**
 * The relations that a user states, between the people and things they name and themselves; `isRead` chooses the turns.
 * Whether a statement of the turn is worth keeping does not matter: "could you call my sister Ada?" says whose sister she is.
 */
export async function findRelations(
  conversation: HeardConversation,
  isRead: (turn: HeardTurn) => boolean,
  openJudge: () => RelationJudge = packagedJudge,
): Promise<TurnRelations[]> {
  const scene = await setScene(conversation);
  const fiction = findFiction(scene.turns);
  return conversation.turns
    .filter((turn, index) => turn.role === 'user' && !fiction.has(index) && isRead(turn))
    .map((turn) => {
      const said = withoutMarked(spoken(turn.text));
      const endings = findEndings(said, turn.timeMs, scene);
      return { turn, relations: relationsIn(said, scene, openJudge), endings };
    })
    .filter(({ relations, endings }) => relations.length + endings.length > 0);
}

/** Relations stated by an agent, a tool or a text that the user handed over. */
export interface OthersRelations {
  readonly turn: HeardTurn;
  readonly trust: Trust;
  /** The words it stands in. */
  readonly text: string;
  readonly relations: readonly RelationMention[];
}

/**
 * The relations that others state in forms which leave no doubt. Whoever speaks is unknown or an agent, so that no relation
 * to the speaker counts, and the model, which is wrong now and then, is not asked.
 */
export async function findOthersRelations(
  conversation: HeardConversation,
  isRead: (turn: HeardTurn) => boolean,
): Promise<OthersRelations[]> {
  const said: Omit<OthersRelations, 'relations'>[] = [];
  for (const turn of conversation.turns.filter(isRead)) {
    if (turn.role !== 'user') said.push({ turn, trust: turn.trust, text: turn.text });
    if (turn.handedOver !== undefined) said.push({ turn, trust: 'external', text: turn.handedOver });
  }
  if (said.length === 0) return [];
  const scene = await setScene(conversation);
  return said.flatMap((each) => {
    const found = formRelations(spoken(each.text), scene);
    const relations = found.filter(({ subject, object }) => subject.isUser !== true && object.isUser !== true);
    return relations.length === 0 ? [] : [Object.assign(each, { relations })];
  });
}

function formRelations(said: string, scene: Scene): RelationMention[] {
  return readForms(said, scene.lexicon).flatMap(({ subject, family, object, said: word }): RelationMention[] => {
    const { relation, ends } = RELATION_FAMILIES[family] ?? { relation: family, ends: [UNKNOWN, UNKNOWN] };
    const [from, to] = [formMention(subject, ends[0], scene), formMention(object, ends[1], scene)];
    return from.name === to.name ? [] : [{ subject: from, relation, object: to, ...(word && { said: word }) }];
  });
}

function relationsIn(said: string, scene: Scene, openJudge: () => RelationJudge): RelationMention[] {
  const found = formRelations(said, scene);
  const known = new Set(scene.conversation.known?.map(({ name }) => name.toLowerCase()));
  const isKnown = (name: string): boolean => known.has(name.toLowerCase());
  const judged = windowsOf(said).flatMap((text) => {
    const mentions = entitiesIn(text, scene);
    const names = mentions.map(({ name }) => name);
    return stated(openJudge().findRelations(text, names)).flatMap(({ subject, name, family, object, chance }) => {
      const from = mentionOf(subject, family.ends[0], mentions, scene);
      const to = mentionOf(object, family.ends[1], mentions, scene);
      // "I, Ines": one person under two names.
      if (from.name === to.name || isOfAnother(text, subject, object)) return [];
      if (chance < chanceNeeded(text, { family: name, subject, object }, { lexicon: scene.lexicon, isKnown }))
        return [];
      return [{ subject: from, relation: family.relation, object: to }];
    });
  });
  // A form and the model may read the same, or two parts of a message say it twice. Where they contradict, the form is right.
  const all = [...found, ...judged.filter((one) => !found.some((form) => contradicts(form, one)))];
  return all.filter((each, place) => !all.slice(0, place).some((other) => isSameRelation(each, other)));
}

/** "Jonas manages Vera's neighbour" says nothing of Jonas and Vera; "Jonas became Vera's boss" does. */
function isOfAnother(text: string, subject: string | undefined, object: string | undefined): boolean {
  if (object === undefined) return false;
  const plain = text.replaceAll('’', "'");
  const owner = plain.indexOf(`${object}'s `);
  if (owner === -1 || plain.indexOf(object) !== owner) return false;
  const owned = plain.slice(owner + object.length + "'s ".length);
  const name = `${subject ?? 'I'} `;
  const start = plain.lastIndexOf(name, owner);
  const verb = start === -1 ? '' : plain.slice(start + name.length, owner);
  if (!/^\p{Ll}/u.test(owned) || !/^(?:\p{Ll}+ ){1,3}$/u.test(verb)) return false;
  return !/\b(?:is|was|am|became|becomes|remains|and|or|as|called)\b/u.test(verb);
}

/** Another relation between the same two, or another end where there is one at a time. */
function contradicts(form: RelationMention, judged: RelationMention): boolean {
  const isOf = (mention: EntityMention): boolean =>
    isSameName(form.subject, mention) || isSameName(form.object, mention);
  if (isOf(judged.subject) && isOf(judged.object)) return true;
  if (form.relation !== judged.relation) return false;
  const single = Object.values(RELATION_FAMILIES).find(({ relation }) => relation === form.relation)?.single;
  return single !== undefined && isSameName(form[single], judged[single]);
}

/** Equal, read from the other end where that is the same, or with a name given in part ("Jonas", "Jonas Weidel"). */
function isSameRelation(one: RelationMention, other: RelationMention): boolean {
  const isOf = (left: EntityMention, right: EntityMention): boolean =>
    isSameName(one.subject, left) && isSameName(one.object, right);
  if (one.relation === other.relation && isOf(other.subject, other.object)) return true;
  return INVERSES.get(one.relation) === other.relation && isOf(other.object, other.subject);
}

function isSameName(one: EntityMention, other: EntityMention): boolean {
  if (one.isUser === true || other.isUser === true) return one.isUser === other.isUser;
  const [short = '', long = ''] = [one.name, other.name]
    .map((name) => name.toLowerCase())
    .sort((left, right) => left.length - right.length);
  return short === long || long.startsWith(`${short} `) || long.endsWith(` ${short}`);
}

/** Whom or what a form names: who bears the name already, else what the form takes it for. */
function formMention(end: FormEnd | undefined, usual: string, scene: Scene): EntityMention {
  const key = end?.name.toLowerCase();
  if (end === undefined || key === scene.user.toLowerCase()) return { name: scene.user, type: 'person', isUser: true };
  const known = scene.conversation.known?.find(({ name }) => name.toLowerCase() === key);
  return known !== undefined && known.type !== UNKNOWN ? known : { name: end.name, type: end.type ?? usual };
}

/** Sentences in a row, as many as fit. */
function windowsOf(text: string): string[] {
  const windows: string[] = [];
  for (const sentence of text.split(/(?<=[.!?])\s+|\n+/u)) {
    const last = windows.at(-1);
    if (last !== undefined && last.length + sentence.length < WINDOW_CHARS)
      windows[windows.length - 1] = `${last} ${sentence}`;
    else if (sentence.trim() !== '') windows.push(sentence);
  }
  return windows;
}

interface Stated extends Pick<JudgedPair, 'subject' | 'object'> {
  /** Of the family. */
  readonly name: string;
  readonly family: Family;
  readonly chance: number;
}

/** Relations with enough of a chance, likeliest first, without those that cannot hold beside a likelier one. */
function stated(pairs: readonly JudgedPair[]): Stated[] {
  const chanceOf = (family: string, subject: string | undefined, object: string | undefined): number =>
    pairs.find((pair) => pair.subject === subject && pair.object === object)?.chances[family] ?? 0;
  const likely = pairs.flatMap(({ subject, object, chances }) =>
    Object.entries(RELATION_FAMILIES).flatMap(([name, family]): Stated[] => {
      const { inverse } = family;
      const own = chances[name] ?? 0;
      // Relations readable from either end have the mean of both.
      const chance = inverse === undefined ? own : (own + chanceOf(inverse, object, subject)) / 2;
      return chance < LIKELY ? [] : [{ subject, name, family, object, chance }];
    }),
  );
  const taken: Stated[] = [];
  for (const one of likely.toSorted((left, right) => right.chance - left.chance))
    if (!taken.some((other) => excludes(other, one))) taken.push(one);
  return taken;
}

function excludes(taken: Stated, other: Stated): boolean {
  const ends = new Set([taken.subject, taken.object]);
  if (ends.has(other.subject) && ends.has(other.object)) return true;
  if (taken.family.relation !== other.family.relation) return false;
  const { single, relation, inverse } = taken.family;
  if (single === undefined) return false;
  // A symmetric relation such as marriage may name the person at either end.
  if (RELATION_FAMILIES[inverse ?? '']?.relation === relation) return ends.has(other.subject) || ends.has(other.object);
  return taken[single] === other[single];
}

/** Whom or what a name means; undefined is the speaker. */
function mentionOf(
  name: string | undefined,
  usual: string,
  mentions: readonly EntityMention[],
  scene: Scene,
): EntityMention {
  const key = name?.toLowerCase();
  if (name === undefined || key === scene.user.toLowerCase()) return { name: scene.user, type: 'person', isUser: true };
  const known = mentions.find((mention) => mention.name.toLowerCase() === key);
  if (known !== undefined && known.type !== UNKNOWN) return known;
  const written = known?.name ?? name;
  return { name: usual === 'person' || usual === 'place' ? capitals(written) : written, type: usual };
}

/** People type names in lower case. */
function capitals(name: string): string {
  if (name !== name.toLowerCase()) return name;
  return name.replaceAll(/(?<![\p{L}\p{N}'])\p{Ll}/gu, (letter) => letter.toUpperCase());
}
