/** A word of a text with its place, and the form in which names and vocabulary are compared. */
export interface Word {
  readonly raw: string;
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

export function splitWords(text: string): Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    raw: match[0],
    folded: foldText(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Lower case without accents: "José" and "jose" are the same name. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return /^[\x20-\x7E]*$/u.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replaceAll(/\p{M}+/gu, '')
        .replaceAll('ß', 'ss');
}

/** Folded character by character, so that places in the result are places in the text. */
export function foldInPlace(text: string): string {
  let folded = '';
  for (const character of text) {
    const plain = foldText(character);
    folded += plain.length === character.length ? plain : character;
  }
  return folded;
}

/** Whether a word begins a sentence: its capital letter then says nothing. */
export function startsSentence(text: string, start: number): boolean {
  return /(?:^|[.!?\n:])[\s"'“”„«»(¿¡]*$/u.test(text.slice(Math.max(0, start - 8), start));
}

const MAX_PHRASES = 16;
const MAX_PHRASE_LENGTH = 200;

/** A straight apostrophe is no quotation mark here: "don't" and "Anna's" would open one. */
const QUOTED = [
  /"([^"\n]+)"/gu,
  /“([^”“\n]+)[”“]/gu,
  /„([^“”"\n]+)[“”"]/gu,
  /«([^»\n]+)»/gu,
  /`+([^`\n]+)`+/gu,
  /「([^」\n]+)」/gu,
];

/** The texts in quotation marks or backticks, in order, each once. */
export function findPhrases(text: string): string[] {
  const found: { readonly start: number; readonly phrase: string }[] = [];
  for (const pattern of QUOTED) {
    for (const match of text.matchAll(pattern)) {
      const phrase = (match[1] ?? '').trim().slice(0, MAX_PHRASE_LENGTH);
      if (/[\p{L}\p{N}]/u.test(phrase)) found.push({ start: match.index, phrase });
    }
  }
  found.sort((one, other) => one.start - other.start);
  return [...new Set(found.map(({ phrase }) => phrase))].slice(0, MAX_PHRASES);
}

/** The text with everything quoted made illegible, letter for letter: a quoted date is not when something happened. */
export function maskQuoted(text: string): string {
  let masked = text;
  for (const pattern of QUOTED) masked = masked.replaceAll(pattern, (quoted) => 'x'.repeat(quoted.length));
  return masked;
}

/**
 * Everyday words that also serve as names of people, products and notes. As a name they need their capital letters,
 * and a mistyped name is not looked for behind them. Not a dictionary: the words that questions are made of.
 */
const COMMON =
  'able account action actually add address again age agree air answer app apple april area arm art ask august away baby ' +
  'back bad bank base beach bear beat become begin believe best better big bill bird birthday bit black block blue board ' +
  'body book box boy branch break bright bring brother brown bug build bus business buy call camp car card care case cat ' +
  'cause chance change charity chase check chip church city class clay clean clear client close cloud code coffee cold ' +
  'color come command common compose computer config core cost could count country course cover craft create crew current ' +
  'cursor customer daily dash data database date dawn day deal dean decide deep default deploy desk detail device different ' +
  'dinner discuss dog door draft dream drew drive drop early earth east easy edge edit else email end engine enter error ' +
  'even event ever every exactly express eye face fact faith fall family far fast father favorite favourite feature feel ' +
  'field file find fine fire first fish fix flash flask flow fly focus follow food football forest forge form frank free ' +
  'friend front full fun future game garden general gene get girl give glass go goal gold good grace grant graph great ' +
  'green grip ground group grow guess guide guy hand happen happy hard harmony hat head health hear heart heat heather help ' +
  'hidden high hit hold holly home honest hope host hour house human hunter idea image important index inside instead issue ' +
  'item ivy jack jade jasmine jest job join joy july june just keep kernel key kid kind kitchen know lake lamp lance land ' +
  'language last late later latest leaf lean learn least leave left less let level library life light like lily line link ' +
  'list little live local log long look lot love low luck luna lunch machine made main major make manager many march mark ' +
  'market mason matter max may maybe mean meet meeting melody memory mercy message might mike mind mine mint minute miss ' +
  'mode model money month moon morning most mother mouse move movie much music must name near need network never new news ' +
  'next nick night node north note notes notion nova now number object office oil old olive once one only open orange order ' +
  'other page paint paper parent park part party past pat path patience pay peace pearl penny people perhaps person pet ' +
  'phone photo pick picture piece place plan plant play please point policy pool poppy port post pound power practice ' +
  'prefer present press price problem process product production program project promise public pull pulse purpose push put ' +
  'python question quick ray react read ready real really reason recent red redis release remember report request rest ' +
  'result return rich ride right ring river road rob rock role room rose ruby rule run rust safe sale same sandy save say ' +
  'school score screen script sea search season second secret section see seem send server service session set setting shop ' +
  'short show side sign simple since sister site size sky slack sleep small snow social some song soon sort sound source ' +
  'south space spark special spend sport spring square stage star start state station status stay step still stone stop ' +
  'store storm story stream street string strong study style such sue summer sun sunny support sure swift system table take ' +
  'talk task team tell term terry test text thing think thought time tip today together token tom tool top topic total town ' +
  'trace track trade train travel tree trip true trust try turn type uncle understand unity update use user value van vera ' +
  'version very victor video view violet visit vision voice wait walk wall want war warm watch water wave way wear weather ' +
  'web week west white wife will willow win wind window winter wish woman wonder wood word work world worry write wrong ' +
  'yard year yellow yes young zoom';

const COMMON_WORDS: ReadonlySet<string> = new Set(COMMON.split(' '));

export function isCommonWord(folded: string): boolean {
  return COMMON_WORDS.has(folded);
}
