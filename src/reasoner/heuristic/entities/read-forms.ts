import { splitSentences } from '../text/sentences.ts';
import { isFirstName, type Lexicon } from './lexicon.ts';
import { FORM_WORDS, RELATION_FORMS } from './relation-forms.ts';

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
      if (place % 2 === 0) return part === '' ? '' : `(?i:${part})`;
      if (part.endsWith('+')) return `(?<${part.charAt(0)}>${LIST})`;
      return `(?<${part}>${SLOTS[part] ?? SLOTS['T'] ?? ''})`;
    })
    .join('');
  const end = isStated ? String.raw`(?![\p{L}\p{N}]|['-]\p{L}| \p{Lu}\p{Ll})` : String.raw`(?![\p{L}\p{N}]|-\p{L})`;
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}'-])${source}${end}`, 'gu');
  const described = rest.join(' | ').startsWith('P{is}') ? 'P' : (/([PQ])\+?$/u.exec(form)?.[1] ?? '');
  return { pattern, subject, family, object, isStated, described };
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
