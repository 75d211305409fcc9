import { foldText, isCommonWord, splitWords } from '../../retrieve/understand/words.ts';
import { extractTerms } from '../../search-index/text/terms.ts';

/** Agreement, thanks, greetings, hesitation. */
const COURTESY =
  'yes yeah yep yup yay ok okay k sure fine right alright great good nice cool perfect awesome excellent wonderful lovely ' +
  'brilliant amazing super thanks thank thx ty cheers no nope nah not hm hmm uh oh ah wow well wait stop halt pause hold ' +
  'continue proceed go going ahead on keep carry resume done finished ready please pls sorry welcome hello hi hey yo bye ' +
  'goodbye ciao morning afternoon evening night day weekend got understood exactly correct agreed absolutely definitely ' +
  'indeed lgtm haha lol next more again later now then second minute moment sec makes sense sounds looks seems works worked ' +
  'work job really very much let lets see know think guess maybe later today tomorrow leave forgot meant point option ' +
  'ja nein doch danke bitte gut genau prima passt weiter mach mal klar stimmt moin hallo tschuss guten morgen abend dir ' +
  'si gracias vale bien perfecto claro sigue adelante hola adios buenos dias listo ' +
  'oui non merci beaucoup parfait continue bonjour salut accord bien vas-y dankjewel';

/** Words for everyday work on code or text. Alone, these words tell no memory from another. */
const EVERYDAY_WORK =
  'run rerun re test tests build rebuild compile lint format commit amend push pull rebase fetch stash squash undo redo ' +
  'revert retry try fix rename delete remove drop add insert append show open close print list read write file files folder ' +
  'line lines function method variable argument parameter comment snippet code block docstring typo indent indentation blank ' +
  'step edit change changes update restart start save copy paste move turn make call use step diff log output error check ' +
  'look first last previous one two three explain shorter longer simpler faster slower git make ' +
  'import imports null return throw catch async const loop heading headings title quote quotes tab tabs space spaces branch ' +
  'main message readme unused name names rename sort order select case upper lower bold put back way same other instead ' +
  'still fail fails failing terminal directory repository install bump version verbose again whole end top bottom newline empty';

const LIGHT_TERMS: ReadonlySet<string> = new Set(extractTerms(`${COURTESY} ${EVERYDAY_WORK}`));

/** One or two digits stand in every log and every list. */
const SMALL_NUMBER = /^\d{1,2}$/u;

/** Whether a term of the message could tell one memory from another. */
export function isTelling(term: string): boolean {
  return !LIGHT_TERMS.has(term) && !SMALL_NUMBER.test(term);
}

/** Terms of the message that come from words everybody uses every day. */
export function commonTermsOf(message: string): ReadonlySet<string> {
  const common = splitWords(message).filter(({ folded }) => isCommonWord(folded) || isCommonWord(singularOf(folded)));
  return new Set(common.flatMap(({ raw }) => extractTerms(raw)));
}

function singularOf(word: string): string {
  return word.replace(/(?:s|ed|ing|ly)$/u, '');
}

/** Written with a capital letter, and known to everybody: who names one of these need not mean anything said here. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(
  (
    'amazon angular apache api aws azure bash bigquery css csv debian docker english excel fedora firefox flac french german ' +
    'git github gitlab go google gpl grpc html http https ibm internet iphone java javascript json kafka kubernetes latin ' +
    'linux mac macos memcached microsoft mit monday tuesday wednesday thursday friday saturday sunday january february march ' +
    'april may june july august september october november december christmas easter mongodb mysql nginx node numpy opus ' +
    'oracle pandas parquet pdf php pi postgis postgres postgresql put python pytorch raspberry react redis rest ruby rust s3 ' +
    'slack spanish spark sql sqlite ssh ssl swedish tensorflow terraform tls typescript ubuntu url utc utf uuid vue wav ' +
    'wikipedia windows xml yaml youtube europe america africa asia berlin denmark france germany italy lisbon london ' +
    'netherlands norway paris portugal slovenia spain sweden switzerland canada montreal tokyo'
  ).split(' '),
);

export function isPublicName(folded: string): boolean {
  return PUBLIC_NAMES.has(folded);
}

/** A capital letter inside a sentence. */
const NAME = /(?<=[\p{Ll},;] )\p{Lu}[\p{L}\p{N}]+/gu;
const ORDINARY = /(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}]+/gu;
/** A word is a name when it is written as one so much more often than not. */
const MOSTLY = 2;
const MIN_LENGTH = 3;
/** A log names everything. */
const MAX_WORDS = 60;

/**
 * Words of a message that the texts found write as names, however the message writes them: "femke" is one where
 * somebody wrote "with Femke". Names that all the world knows are left out.
 */
export function findKnownNames(message: string, texts: readonly string[]): string[] {
  const asName = new Map<string, number>();
  const asWord = new Map<string, number>();
  for (const text of texts) {
    count(asName, text.match(NAME) ?? []);
    count(asWord, text.match(ORDINARY) ?? []);
  }
  const words = new Set(
    splitWords(message)
      .slice(0, MAX_WORDS)
      .map(({ folded }) => folded),
  );
  return [...words].filter(
    (word) =>
      word.length >= MIN_LENGTH && !isPublicName(word) && (asName.get(word) ?? 0) > MOSTLY * (asWord.get(word) ?? 0),
  );
}

function count(counts: Map<string, number>, words: readonly string[]): void {
  for (const word of words) {
    const folded = foldText(word);
    counts.set(folded, (counts.get(folded) ?? 0) + 1);
  }
}
