import { splitSentences } from '../text/sentences.ts';
import { isFirstName, type Lexicon } from './lexicon.ts';

/** One end of a relation as a form found it; undefined is the speaker. */
export interface FormEnd {
  readonly name: string;
  /** undefined where the form does not tell. */
  readonly type: 'person' | 'organization' | 'place' | undefined;
}

export interface FormRelation {
  /** As in `RELATION_FAMILIES`. */
  readonly family: string;
  readonly subject: FormEnd | undefined;
  readonly object: FormEnd | undefined;
  /** The word for the subject's role, where it says more than the relation: `sister-of`. */
  readonly said?: string | undefined;
}

/** Words that say whether it is a woman or a man, so that "my brother's wife" is not looked for at a sister. */
const KINSHIP: Readonly<Record<string, string>> = {
  sister: 'sister-of',
  brother: 'brother-of',
  wife: 'wife-of',
  husband: 'husband-of',
  mother: 'mother-of',
  mum: 'mother-of',
  mom: 'mother-of',
  father: 'father-of',
  dad: 'father-of',
};

interface CompiledForm {
  readonly pattern: RegExp;
  readonly subject: string;
  readonly family: string;
  readonly object: string;
  readonly isStated: boolean;
  /** The person called the sister, wife or mother: the last name, or the first in "Ada is my sister". */
  readonly described: string;
}

const TITLE = String.raw`(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Mme|Mlle|Madame|Monsieur|Frau|Herr|Sir|Señora?)\.? )?`;
const WORD = String.raw`\p{Lu}(?:[\p{L}\p{N}]|['.-](?!s\b)(?=\p{L})|[&](?=\p{L}))+`;
const PERSON = `${TITLE}${WORD}(?: (?:van |von |de |da |del |ten |bin )?${WORD}){0,2}`;
const SLOTS: Readonly<Record<string, string>> = {
  P: PERSON,
  Q: PERSON,
  O: `(?:${WORD}|\\d\\p{L}*)(?: (?:(?:&|of|of the|for|de|du|des|la) )?(?:${WORD}|\\d+)){0,4}`,
  L: `${WORD}(?: (?:(?:de|of|an der|am|upon|la) )?${WORD}){0,2}`,
  T: String.raw`\x60?(?:[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)+|${WORD}(?: ${WORD}){0,2})\x60?`,
};
const LIST = `${PERSON}(?:, ${PERSON})*,? (?:and|&) ${PERSON}`;
/** The entity type of a slot; T and U depend on the family. */
const TYPES: Readonly<Record<string, FormEnd['type']>> = { P: 'person', Q: 'person', O: 'organization', L: 'place' };

/** Before a statement in its sentence: somebody denies, supposes, wishes, reports, or tells of another time. */
const UNDONE_BEFORE =
  /\b(?:if|whether|unless|until|till|wish\w*|hop(?:e|es|ed|ing|efully)|imagin\w+|suppos\w+|pretend\w*|dream\w*|maybe|perhaps|possibly|probably|might|may|could|would|should|will|shall|rumou?rs?|hear[ds]?|hearing|apparently|allegedly|sa(?:id|ys?|ying)|claim\w*|think\w*|thought|believe\w*|guess\w*|told|tells?|mention\w*|wrote|writes|quote|not|no|never|nobody|none|neither|used|formerly|before|when|once|was|were|had|ask\w*|wants?|wanted|like|as if|as though|what|why|how|joke|example|e\.g)\b|n't\b|["“«]/iu;
/** Behind a statement in its sentence: the same. */
const UNDONE_BEHIND =
  /^[^;]*?\b(?:any ?more|any longer|no longer|if|unless|until|hopefully|apparently|allegedly|supposedly|right\?|back then|at the time|in theory|or|would|used to|next (?:week|month|year|spring|summer|autumn|winter)|from (?:monday|next)|starting|in those days|when (?:he|she|we|i|they) (?:was|were)|(?:he|she|they|people) (?:says?|said|claims?|claimed))\b/iu;
/** "I asked my sister, Ada was away": behind a comma a name belongs to what stands before it only if a pause follows. */
const BEHIND_COMMA = /, \p{Lu}\S*(?: \p{Lu}\S*)*$/u;
const APPOSITION_END = /^(?:[,.;:!?)]| who\b|$)/u;
/** Capitalised words that are nobody's and nothing's name. */
const NO_NAME = new Set(
  `i he she it we you they this that these those there here who whoever what which whose nobody everybody everyone someone somebody anybody anyone
  mum mom mother dad father daddy mummy mama papa grandma grandpa granny nana gran auntie aunt uncle cousin sister brother
  monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december
  christmas easter night home work school the a an my our your his her their no not yes and but so or if then now today yesterday tomorrow`
    .trim()
    .split(/\s+/u),
);

/** Whether a word is a pronoun, a day, a role or the like, also with a capital. */
export function isNoName(word: string): boolean {
  return NO_NAME.has(word.toLowerCase());
}

let forms: readonly CompiledForm[] | undefined;

/** Built for the first sentence that has a name: that takes longer than everything else a short statement needs. */
function compiledForms(): readonly CompiledForm[] {
  return (forms ??= [
    ...RELATION_FORMS.named.map((form) => compile(form, false)),
    ...RELATION_FORMS.stated.map((form) => compile(form, true)),
  ]);
}

/** Anything that a slot of a form may be: a word with a capital, one with a mark or figure inside. */
const MAY_BE_NAME = /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}'.&-]+|[\p{L}\p{N}]+[-_.][\p{L}\p{N}]+|\d\p{L}+)/gu;

function hasName(sentence: string): boolean {
  return (sentence.match(MAY_BE_NAME) ?? []).some((word) => !isNoName(word));
}

function compile(line: string, isStated: boolean): CompiledForm {
  const [subject = '', family = '', object = '', ...rest] = line.split(' | ');
  const form = rest
    .join(' | ')
    .replaceAll('’', "'")
    .replaceAll(/\{(\w+)\}/gu, (_whole, word: string) => FORM_WORDS[word] ?? '');
  const source = form
    .split(/(?<![\p{L}\\])([PQOLTU]\+?)(?!\p{L})/u)
    .map((part, place) => {
      if (place % 2 === 0) return inAnyCase(part);
      if (part.endsWith('+')) return `(?<${part.charAt(0)}>${LIST})`;
      return `(?<${part}>${SLOTS[part] ?? SLOTS['T'] ?? ''})`;
    })
    .join('');
  const end = isStated ? String.raw`(?![\p{L}\p{N}]|['-]\p{L}| \p{Lu}\p{Ll})` : String.raw`(?![\p{L}\p{N}]|-\p{L})`;
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}'-])${source}${end}`, 'gu');
  const described = rest.join(' | ').startsWith('P{is}') ? 'P' : (/([PQ])\+?$/u.exec(form)?.[1] ?? '');
  return { pattern, subject, family, object, isStated, described };
}

const PIECES = /\\.|\(\?(?:[:=!]|<[=!]|<\w+>)|\p{L}|[^]/gu;

/** A pattern that takes capitals for small letters, where the one around it must not: Node 22 has no `(?i:…)`. */
function inAnyCase(pattern: string): string {
  return pattern.replaceAll(PIECES, (piece) => {
    const [small, capital] = [piece.toLowerCase(), piece.toUpperCase()];
    return piece.length > 1 || small === capital ? piece : `[${small}${capital}]`;
  });
}

/** The relations that a text states in forms that leave no doubt. */
export function readForms(text: string, lexicon: Lexicon): FormRelation[] {
  return splitSentences(text).flatMap(({ text: sentence, isAsked }) => {
    const read = sentence.replaceAll('’', "'");
    if (!hasName(read)) return [];
    return compiledForms()
      .filter(({ isStated }) => !isStated || !isAsked)
      .flatMap((form) => readForm(form, read, lexicon));
  });
}

function readForm(form: CompiledForm, sentence: string, lexicon: Lexicon): FormRelation[] {
  return Array.from(sentence.matchAll(form.pattern)).flatMap((match) => {
    const [whole] = match;
    const [before, behind] = [sentence.slice(0, match.index), sentence.slice(match.index + whole.length)];
    // "If Jonas works …": the first word has a capital like the name behind it.
    const opening = /^\p{Lu}\S*(?= \p{Lu})/u.exec(whole)?.[0] ?? '';
    const isUndone = UNDONE_BEFORE.test(`${before}${opening}`) || UNDONE_BEHIND.test(behind);
    if (form.isStated && isUndone) return [];
    // A quotation of another person: "when she says "my husband Nilton", she means the dog".
    if ((before.match(/["“”]/gu)?.length ?? 0) % 2 === 1) return [];
    if (!form.isStated && BEHIND_COMMA.test(whole) && !APPOSITION_END.test(behind)) return [];
    const groups = match.groups ?? {};
    const endsOf = (slot: string): readonly (FormEnd | undefined)[] => {
      if (slot === 'I') return [undefined];
      const names = (groups[slot] ?? '').split(/,? (?:and|&) |, /u);
      const isList = slot === form.object && names.length > 1 && TYPES[slot] === 'person';
      return (isList ? names : [groups[slot] ?? '']).flatMap((each) => {
        const isFirst = match.index === 0 && whole.startsWith(each);
        const name = nameIn(each, { slot, isFirst, lexicon });
        return name === undefined ? [] : [{ name, type: TYPES[slot] }];
      });
    };
    const said = KINSHIP[groups['kin']?.toLowerCase() ?? ''];
    const isKin = said !== undefined && form.described === form.object;
    return endsOf(form.subject).flatMap((subject) =>
      endsOf(form.object).map((object): FormRelation => {
        // The sister or husband comes first; it is one relation from either end.
        if (isKin) return { family: form.family, subject: object, object: subject, said };
        return { family: form.family, subject, object, said };
      }),
    );
  });
}

interface Slot {
  readonly slot: string;
  /** At the beginning of a sentence every word has a capital. */
  readonly isFirst: boolean;
  readonly lexicon: Lexicon;
}

/** The name without title; undefined for a word that is none. */
function nameIn(said: string, { slot, isFirst, lexicon }: Slot): string | undefined {
  const words = said
    .replaceAll('`', '')
    .replace(new RegExp(`^${TITLE}`, 'u'), '')
    .split(' ');
  if (isFirst && words.length > 1 && isCommon(words[0] ?? '', lexicon)) words.shift();
  const [first = ''] = words;
  if (words.some(isNoName)) return undefined;
  const hasCapitalOnly = first === first.toUpperCase() || isFirst;
  if (words.length === 1 && lexicon.classesOf(first).includes('Demonym')) return undefined;
  if (hasCapitalOnly && words.length === 1 && isCommon(first, lexicon)) return undefined;
  // "works for Jonas", "Jonas runs on coffee": a person is no organisation, place or program.
  if (TYPES[slot] !== 'person' && words.length === 1 && isFirstName(lexicon, first)) return undefined;
  return words.join(' ');
}

function isCommon(word: string, lexicon: Lexicon): boolean {
  return !/[-_.\d]/u.test(word) && lexicon.classesOf(word).length > 0 && !isFirstName(lexicon, word);
}

/**
 * Forms of words that state a relation whatever stands around them, so that no model is needed: `subject | family | object | form`.
 * `I` is the speaker. P and Q stand for people, O for an organisation, L for a place, T and U for things that are named or
 * written like code (`checkout-api`). `P+` is a list of people. Words in braces are in `FORM_WORDS`.
 *
 * Kept only while each is right in at least 97 of 100 messages of training/data/relations (`npm run bench:relations`).
 */
interface RelationForms {
  /** Beside a name: "could you call my sister Ada?" says whose sister she is, also in a question or a condition. */
  readonly named: readonly string[];
  /** As a statement: not when it is asked, denied, wished, imagined, reported or over. */
  readonly stated: readonly string[];
}

const FORM_WORDS: Readonly<Record<string, string>> = {
  age: '(?:big |little |older |younger |elder |eldest |oldest |youngest |baby |twin |half-|half |step-|step)?',
  sibling: '(?<kin>brother|sister|sibling|twin)',
  siblings: '(?:brothers|sisters|siblings|twins)',
  spouse: '(?<kin>wife|husband|spouse)',
  child: '(?:son|daughter)',
  children: '(?:sons|daughters|kids|children|boys|girls)',
  parent: '(?<kin>mother|mum|mom|father|dad)',
  boss: '(?:boss|manager|line manager|supervisor|team lead|team leader)',
  report: '(?:direct report|direct reports)',
  called: "(?:'s name is|’s name is| is called| is named|, called|, named)",
  is: "(?: is|'s|’s)",
  am: "(?: am|'m|’m)",
  leads: '(?:manages|leads|heads|heads up|is in charge of|supervises)',
  straight: '(?:straight |directly |now )?',
  now: '(?:now |currently |still )?',
};

const RELATION_FORMS: RelationForms = {
  named: [
    'I | sibling of | P | my {age}{sibling},? P',
    'I | sibling of | P | my {age}{siblings},? P+',
    'I | married to | P | my {spouse},? P',
    'I | parent of | P | (?:my|our) {age}{child},? P',
    'I | parent of | P | (?:my|our) {age}{children},? P+',
    'P | parent of | I | my {parent},? P',
    'P | manages | I | my {boss},? P',
    'P | sibling of | Q | P’s {age}{sibling},? Q',
    'P | married to | Q | P’s {spouse},? Q',
    'P | married to | Q | P and (?:his|her) {spouse},? Q',
    'P | parent of | Q | P’s {age}{child},? Q',
    'P | parent of | Q | P’s {age}{children},? Q+',
    'Q | parent of | P | P’s {parent},? Q',
    'Q | manages | P | P’s {boss},? Q',
    'P | sibling of | Q | P and (?:his|her) {age}{sibling},? Q',
    'P | works for | O | P,? who {now}works (?:for|at) O',
    'P | lives in | L | P,? who {now}lives in L',
    'P | manages | O | P,? who {now}(?:runs|leads|manages|heads) O',
    'P | founded | O | P,? who (?:co-)?founded O',
    'P | reports to | Q | P,? who {now}reports to Q',
    'P | reports to | Q | P+,? who both report to Q',
    'I | parent of | P | P+, (?:my|our) {age}{children}',
    'I | parent of | P | P, (?:my|our) (?:youngest|eldest|oldest|{age}{child})',
  ],
  stated: [
    'I | sibling of | P | my {age}{sibling}(?:{called}| is) P',
    'I | sibling of | P | P{is} my {age}{sibling}',
    'I | married to | P | my {spouse}(?:{called}| is) P',
    'I | married to | P | P{is} my {spouse}',
    'I | married to | P | I{am} married to P',
    'I | parent of | P | (?:my|our) {age}{child}(?:{called}| is) P',
    'I | parent of | P | P{is} (?:my|our) {age}{child}',
    'P | parent of | I | my {parent}(?:{called}| is) P',
    'P | manages | I | my (?:new )?{boss}(?:{called}| is) (?:now )?P',
    'P | manages | I | P{is} my (?:new )?{boss}',
    'P | sibling of | Q | P{is} Q’s {age}{sibling}',
    'P | married to | Q | P{is} Q’s {spouse}',
    'P | parent of | Q | Q{is} P’s {age}{child}',
    'P | manages | Q | P{is} Q’s {boss}',
    'P | married to | Q | P (?:is married to|married) Q',
    'P | married to | Q | P and Q (?:are|got|have been) married',
    'I | married to | P | P and I (?:are|got|have been) married',
    'P | sibling of | Q | P and Q are (?:brothers|sisters|siblings|twins|brother and sister)',
    'P | parent of | Q | P has a {age}{child},? (?:called |named )?Q',
    'P | works for | O | P {now}works (?:for|at) O',
    'P | works for | O | P (?:has )?(?:joined|got a job (?:at|with)|started at) O',
    'I | works for | O | I(?:’ve| have)? (?:got a job (?:at|with)) O',
    'I | works for | O | I {now}work (?:for|at) O',
    'P | reports to | Q | P {now}reports {straight}to Q',
    'P | reports to | Q | P+ (?:both |all )?report {straight}to Q',
    'I | reports to | P | I {now}report {straight}to P',
    'P | manages | Q | P {now}{leads} Q',
    'I | manages | P | I {now}manage P',
    'P | lives in | L | P {now}lives in L',
    'P | lives in | L | P (?:has |just |has just )?moved to L',
    'I | lives in | L | I(?:’ve| have)? (?:just )?moved to L',
    'I | lives in | L | I {now}live in L',
    'P | founded | O | P (?:co-)?founded O',
    'I | founded | O | I (?:co-)?founded O',
    'P | founded | O | O was (?:co-)?founded by P',
    'P | member of | O | P is (?:a |an )?member of O',
    'I | member of | O | I{am} (?:a |an )?member of O',
    'T | depends on | U | T {now}(?:depends on|relies on|requires) U',
    'T | deployed on | U | T {now}(?:runs|is running|is deployed|is hosted) (?:on|at) U',
    'T | part of | U | T is (?:a )?part of U',
    'T | replaced by | U | (?:we|I)(?:’ve| have)? (?:just )?replaced T (?:with|by) U',
    'T | replaced by | U | T (?:was|has been|got) replaced (?:with|by) U',
    'T | replaced by | U | (?:we|I)(?:’ve| have)? (?:just )?(?:switched|migrated) from T to U',
    'I | uses | T | we {now}use T',
    'I | uses | T | I {now}use T',
    'P | uses | T | P {now}uses T',
    'P | owns | T | P owns T',
    'O | located in | L | O is (?:based|located) in L',
  ],
};
