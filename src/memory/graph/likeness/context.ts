import { splitWords, termsOfWord } from '../../../search-index/text/terms.ts';
import { isEnglish, likenessOf, lookUpWords, nearestTo, weightOf } from './meaning.ts';
import { isDescription } from './name-relation.ts';
import { rolesIn } from './roles.ts';
import { spellings } from './spelling.ts';

/** What two descriptions say of whether their bearers are one. Each between 0 and 1. */
export interface ContextSigns {
  /** Share of the telling words of the shorter that the other has too. */
  readonly overlap: number;
  /** The same, with words of near meaning counting in part. */
  readonly near: number;
  /** How much they have in common altogether; a single rare word in two long texts is something. */
  readonly shared: number;
  /** How many names and numbers both have, up to three. */
  readonly details: number;
  /** Both have names or numbers, and none in common. */
  readonly detailsApart: number;
  /** How far the words of one's name are found in what is said of the other. */
  readonly nameSaid: number;
  /** One says outright that it is the other: renamed, also called, in parentheses. */
  readonly saysSame: number;
  /** One speaks of the other as somebody else. */
  readonly saysOther: number;
  /** Kinship or rank between two of one name. */
  readonly kin: number;
  /** Both are something for a living or to somebody: the same, or quite another. */
  readonly rolesShared: number;
  readonly rolesApart: number;
  readonly otherSex: number;
  readonly otherAge: number;
  /** In two languages: that no word is common says nothing. */
  readonly otherLanguage: number;
  /** Likeness of the whole meanings. */
  readonly likeness: number;
}

export interface Described {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly context: string;
}

const RENAMED =
  /\b(?:renamed|formerly|former|previously|used to be|was called|now called|called|calls? itself|known as|alias|aka|a\.k\.a|real name|short for|stands for|signs|goes by|nicknamed|nickname|rebrand\w*|working title|until its|née|maiden name|marries|married name|as we call|named|dead as a name|original(?:ly)?|new name|old name|abbreviated|full name|moved imports from|turned into|became|only got a new name|any ?more|as of now|now|before it was|at the time|reopened|under me as|divorced|took back|isn't the name|früher|ehemals|genannt|heißt)\b/iu;

const OTHERS =
  /\b(?:no relation|not (?:the|to be confused|related)|the other|another|third part(?:y|y's)|stranger'?s?|unrelated|different|confus\w+|both exist|replaced it|namesake|mixed up|as opposed to|unlike)\b/iu;

const KIN =
  /\b(?:twins?|sister|brother|siblings?|father|mother|dad|mum|mom|son|daughter|grandfather|grandmother|grandson|nephew|niece|uncle|aunt|cousin|wife|husband|widow|elder|younger|senior|junior|named after|manager|boss|reports to|assistant|trainee|successor|predecessor|deputy|godson|goddaughter)\b/giu;

/** Words whose meaning is near enough to be the same for a name. */
const SAID = 0.5;

export async function readContext(left: Described, right: Described): Promise<ContextSigns> {
  const names = new Set(namesOf([left, right]).flatMap(wordForms));
  const [a, b] = [tellingWords(left.context, names), tellingWords(right.context, names)];
  const words = [left, right].flatMap((bearer) => nameWords(bearer).concat(Array.from(rolesIn(bearer.context))));
  await lookUpWords([...a.keys(), ...b.keys(), ...words]);
  const common = compareWords(a, b);
  const [ours, theirs] = [detailsOf(left.context, names), detailsOf(right.context, names)];
  const sharedDetails = [...ours].filter((detail) => theirs.has(detail)).length;
  const mentions = new Set([mentionOf(left, right), mentionOf(right, left)]);
  const isOther = mentions.has('other') || OTHERS.test(left.context) || OTHERS.test(right.context);
  const texts = [left, right].map((bearer) => withoutNames(bearer.context, names));
  return {
    ...common,
    ...compareRoles(left.context, right.context),
    details: Math.min(3, sharedDetails) / 3,
    detailsApart: ours.size > 0 && theirs.size > 0 && sharedDetails === 0 ? 1 : 0,
    nameSaid: Math.max(nameSaidIn(left, right), nameSaidIn(right, left)),
    saysSame: mentions.has('same') ? 1 : 0,
    saysOther: isOther ? 1 : 0,
    kin: hasKinApart(left.context, right.context) ? 1 : 0,
    otherSex: areTold(sexIn(left.context), sexIn(right.context)) ? 1 : 0,
    otherAge: areAgesApart(ageIn(left.context), ageIn(right.context)) ? 1 : 0,
    otherLanguage: isEnglish(left.context) === isEnglish(right.context) ? 0 : 1,
    likeness: Math.max(0, await likenessOf(texts[0] ?? '', texts[1] ?? '')),
  };
}

/** Words by their term, with how much each tells. */
type Telling = ReadonlyMap<string, { readonly term: string; readonly weight: number }>;

function tellingWords(context: string, names: ReadonlySet<string>): Telling {
  const found = new Map<string, { readonly term: string; readonly weight: number }>();
  for (const word of splitWords(context)) {
    if (names.has(wordForms(word)[0] ?? '')) continue;
    const [term] = termsOfWord(word);
    const key = word.toLowerCase();
    if (term !== undefined && !found.has(key)) found.set(key, { term, weight: weightOf(key) });
  }
  return found;
}

function compareWords(a: Telling, b: Telling): Pick<ContextSigns, 'overlap' | 'near' | 'shared'> {
  const weigh = (telling: Telling): number => [...telling.values()].reduce((sum, { weight }) => sum + weight, 0);
  const [fewer, more] = weigh(a) <= weigh(b) ? [a, b] : [b, a];
  const terms = new Set(Array.from(more.values(), ({ term }) => term));
  let [same, near] = [0, 0];
  for (const [word, { term, weight }] of fewer) {
    if (terms.has(term)) same += weight;
    near += weight * (terms.has(term) ? 1 : nearestTo(word, more.keys()));
  }
  const least = weigh(fewer);
  if (least === 0) return { overlap: 0, near: 0, shared: 0 };
  return { overlap: same / least, near: near / least, shared: Math.min(1, same / SHARED_IS_MUCH) };
}

const SHARED_IS_MUCH = 3;

/** Roles this near in meaning may be one: solicitor and lawyer. */
const SAME_ROLE = 0.45;

function compareRoles(left: string, right: string): Pick<ContextSigns, 'rolesShared' | 'rolesApart'> {
  const [a, b] = [rolesIn(left), rolesIn(right)];
  if (a.size === 0 || b.size === 0) return { rolesShared: 0, rolesApart: 0 };
  const isShared = [...a].some(
    (role) => b.has(role) || [...b].some((other) => role.endsWith(other) || other.endsWith(role)),
  );
  const isNear = isShared || [...a].some((role) => nearestTo(role, b) >= SAME_ROLE);
  return { rolesShared: isShared ? 1 : 0, rolesApart: isNear ? 0 : 1 };
}

/** Names and numbers in the middle of a sentence: what is seldom the same by chance. */
function detailsOf(context: string, names: ReadonlySet<string>): Set<string> {
  const found = context.matchAll(/(?<=[\p{L}\p{N},;:"“(–-]\s?["“(]?)\p{Lu}[\p{L}\p{N}-]+|\b\d{2,}[\d.:,]*\b/gu);
  return new Set([...found].flatMap(([word]) => termsOfWord(word)).filter((term) => !names.has(term)));
}

function nameWords({ name, aliases }: Described): string[] {
  return [name, ...aliases].flatMap((each) => splitWords(each)).map((word) => word.toLowerCase());
}

/** `the fence case`, when the other is said to be about a fence. */
function nameSaidIn(named: Described, other: Described): number {
  const taken = new Set(nameWords(other));
  const words = splitWords(named.name)
    .map((word) => word.toLowerCase())
    .filter((word) => !taken.has(word) && termsOfWord(word).length > 0 && !/^(?:project|thing|new|old)$/u.test(word));
  if (words.length === 0) return 0;
  const said = splitWords(other.context).map((word) => word.toLowerCase());
  const terms = new Set(said.flatMap(termsOfWord));
  const found = words.filter(
    (word) =>
      termsOfWord(word).some((term) => terms.has(term)) || (weightOf(word) < 1 && nearestTo(word, said) >= SAID),
  );
  return found.length / words.length;
}

/** Kin or rank that only one of them has; what both are to the same person tells nobody apart. */
function hasKinApart(left: string, right: string): boolean {
  const kinIn = (context: string): Set<string> =>
    new Set(Array.from(context.matchAll(KIN), ([word]) => word.toLowerCase()));
  const [a, b] = [kinIn(left), kinIn(right)];
  return [...a].some((word) => !b.has(word)) || [...b].some((word) => !a.has(word));
}

function areTold(one: unknown, other: unknown): boolean {
  return one !== undefined && other !== undefined && one !== other;
}

function sexIn(context: string): 'he' | 'she' | undefined {
  const he = /\b(?:he|his|him)\b/iu.test(context);
  const she = /\b(?:she|hers?)\b/iu.test(context);
  if (he === she) return undefined;
  return he ? 'he' : 'she';
}

const AGE =
  /\b(?:aged|is|,) ?(?<age>\d{1,2})(?=[.,;]|$| and| years)|\b(?<old>\d{1,2})[- ]years?[- ]old\b|\b(?:born|b\.) (?:in )?(?:\p{L}+ )?(?<born>\d{4})/iu;
/** Only to compare two ages with a year of birth; which year it is now hardly matters. */
const ABOUT_NOW = 2026;
const MANY_YEARS = 6;

function ageIn(context: string): number | undefined {
  const { age, old, born } = AGE.exec(context)?.groups ?? {};
  if (born !== undefined) return ABOUT_NOW - Number(born);
  const years = age ?? old;
  return years === undefined ? undefined : Number(years);
}

function areAgesApart(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && Math.abs(one - other) > MANY_YEARS;
}

/** Whether a description names the other bearer: as the same, as somebody else, or not at all. */
function mentionOf({ name, context }: Described, other: Described): 'same' | 'other' | 'none' {
  const own = new Set(wordForms(name));
  const said = new Set(wordForms(context));
  for (const alias of [other.name, ...other.aliases]) {
    const words = wordForms(alias);
    const telling = words.filter((word) => !own.has(word) && word.length > 1);
    if (telling.length === 0 || !telling.every((word) => said.has(word))) continue;
    const isWhole = words.every((word) => said.has(word));
    const named = escape(alias);
    const isAside = new RegExp(
      String.raw`\(\s*[^()]*${named}[^()]*\)|(?:\b(?:is|are)|=) (?:how |what |our |the )?${named}|, (?:our |the )?${named}(?=[,;.)]|$)`,
      'iu',
    ).test(context);
    if ((isWhole || telling.some((word) => word.length > 3)) && (RENAMED.test(context) || isAside)) return 'same';
    return isDescription(alias) || isDescription(name) ? 'none' : 'other';
  }
  return 'none';
}

function wordForms(text: string): string[] {
  return (text.replaceAll(/['’]s\b/gu, '').match(/[\p{L}\p{N}+#]+/gu) ?? []).map(
    (word) => spellings(word)[0] ?? word.toLowerCase(),
  );
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}

/** What is known of somebody without their names: those are compared by themselves, and would drown the rest. */
function withoutNames(context: string, names: ReadonlySet<string>): string {
  return context.replaceAll(/[\p{L}\p{N}+#]+/gu, (word) => (names.has(wordForms(word)[0] ?? '') ? '' : word));
}

function namesOf(both: readonly Described[]): string[] {
  return both.flatMap(({ name, aliases }) => aliases.concat(name));
}
