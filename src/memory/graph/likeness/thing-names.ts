import type { NameRelation } from './name-relation.ts';
import { isSameSpelling, slipsBetween, soundsLike, spellings } from './spelling.ts';

/** Words that say what sort of firm it is, not which. */
const LEGAL_FORM =
  /(?:[\s,]+(?:inc|incorporated|llc|llp|ltd|limited|plc|corp|corporation|company|co|gmbh|ag|kg|ug|ohg|gbr|e\.?v|se|sa|s\.?a\.?s|s\.?l|s\.?r\.?l|s\.?p\.?a|bv|b\.v|nv|ab|as|a\/s|aps|oy|oyj|sarl|s\.?à\.?r\.?l|eg|e\.?g|eirl|lda|ltda|pty|pte|pvt|bhd|kgaa|mbh|stiftung|verein|games|foods|k\.?k|kft|d\.?o\.?o|a\.?ş|sp\.? z ?o\.? ?o|group|holding|holdings|technologies|technology|und sohn|(?:&|und|and) co|& partner)\.?)+$/iu;

/** Words that say what sort of thing or place it is; whoever knows it leaves them out. */
const KIND_WORDS: ReadonlySet<string> = new Set(
  `project projekt app application team platform library lib framework tool club café cafe restaurant bar pub bistro studio studios farm
  hof school schule university college institute press verlag publishers publishing editions wydawnictwo editora editorial edizioni builders
  street st road rd avenue ave lane square platz strasse calle rue via plaza piazza station crossing border bridge tower building hall house haus centre center
  mount mt mountain monte nevado cerro volcano lake lac lago loch see river fluss rio valley island isla isle bay beach cape forest wald national
  village town city hospital clinic klinik museum theatre theater church kirche hotel hostel shop store market bakery brewery winery
  estacion estación gare bahnhof airport harbour port
  cli lang language cluster machine device software program exchange site website
  program programme initiative campaign plan task force group band orchestra choir fc cc sc ltd foundation stiftung stichting association verein society
  number no nr num rv mv ms ss hms sv kube lkw truck van lorry spedition logistik logistics holding the le la el los las der die das`
    .split(/\s+/u)
    .map((word) => spellings(word)[0] ?? word),
);

/** One kind of thing in several words. */
const SAME_KIND: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'mount mt mountain monte nevado cerro volcano',
    'lake lac lago loch see',
    'river fluss rio',
    'street st strasse calle rue via road rd',
    'truck lkw lorry van',
    'press verlag publishers publishing editions wydawnictwo editora editorial edizioni',
    'foundation stiftung stichting',
    'association verein society club',
    'number no nr num',
    'hospital clinic klinik',
    'station estacion gare bahnhof',
  ].flatMap((line) => line.split(' ').map((word) => [word, line.split(' ', 1)[0] ?? word])),
);

const SMALL_WORDS: ReadonlySet<string> = new Set(
  'of the and for de del der die das und la le du des von van & a an in to e y et do da dos das al'.split(' '),
);

const NUMERALS: Readonly<Record<string, string>> = {
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  fifth: '5',
  sixth: '6',
  seventh: '7',
  eighth: '8',
  ninth: '9',
  tenth: '10',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  ten: '10',
  i: '1',
  ii: '2',
  iii: '3',
  iv: '4',
};

export function relateThings(left: string, right: string): NameRelation {
  if (isSameSpelling(left, right)) return 'equal';
  if (areOtherNames(left, right)) return 'other-name';
  const [a, b] = [left.replace(LEGAL_FORM, ''), right.replace(LEGAL_FORM, '')];
  if (isSameSpelling(a, b)) return 'legal-form';
  const [tokensA, tokensB] = [tokensOf(a), tokensOf(b)];
  if (inOrder(tokensA) === inOrder(tokensB)) return 'equal';
  if (isLettersOf(a, b) || isLettersOf(b, a) || hasLettersOf(a, b) || hasLettersOf(b, a)) return 'letters';
  const [tellingA, tellingB] = [telling(tokensA), telling(tokensB)];
  if (isSameButForKind(a, b)) return 'legal-form';
  const numbers = relateNumbers(tokensOf(a.toLowerCase()), tokensOf(b.toLowerCase()));
  if (numbers !== undefined) return numbers;
  if (tokensA.length === tokensB.length && !isWordSwap(tokensA, tokensB)) {
    if (slipsBetween(a, b) !== undefined) return 'slip';
    if (tokensA.every((token, at) => token === tokensB[at] || soundsLike(token, tokensB[at] ?? ''))) return 'slip';
  }
  return relateParts(tellingA.length > 0 ? tellingA : tokensA, tellingB.length > 0 ? tellingB : tokensB);
}

/** `Dorohusk` and the Dorohusk border crossing, but not Loch Tay and the River Tay, nor Word and WordPress. */
function isSameButForKind(a: string, b: string): boolean {
  const [wordsA, wordsB] = [a, b].map((name) => tokensOf(name.toLowerCase()));
  const [tellingA, tellingB] = [telling(wordsA ?? []), telling(wordsB ?? [])];
  if (tellingA.length === 0 || inOrder(tellingA) !== inOrder(tellingB)) return false;
  const [kindsA, kindsB] = [wordsA ?? [], wordsB ?? []].map((words) =>
    words.filter((word) => KIND_WORDS.has(word) && !SMALL_WORDS.has(word)).map((word) => SAME_KIND[word] ?? word),
  );
  return isWithin(kindsA ?? [], kindsB ?? []) || isWithin(kindsB ?? [], kindsA ?? []);
}

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  return some.every((word) => all.includes(word));
}

function relateParts(a: readonly string[], b: readonly string[]): NameRelation {
  if (inOrder(a) === inOrder(b)) return 'sibling';
  const [fewer, more] = a.length <= b.length ? [a, b] : [b, a];
  const shared = fewer.filter((token) => more.includes(token)).length;
  if (shared === fewer.length && fewer.length > 0) {
    // `Stream Deck` may be the Elgato Stream Deck; `React` is not React Native.
    return fewer.every((token, at) => token === more[more.length - fewer.length + at]) ? 'tail' : 'longer';
  }
  if (shared > 0) return 'sibling';
  const [short, long] = [a.join(''), b.join('')].sort((x, y) => x.length - y.length);
  return short !== undefined && short.length >= 2 && long?.startsWith(short) === true ? 'longer' : 'unlike';
}

function telling(tokens: readonly string[]): string[] {
  return tokens.filter((token) => !KIND_WORDS.has(token));
}

/** Words in whatever order, and `and` in any language. */
function inOrder(tokens: readonly string[]): string {
  return tokens
    .filter((token) => !/^(?:and|und|e|y|et|en|og|och)$/u.test(token))
    .toSorted()
    .join(' ');
}

function tokensOf(name: string): string[] {
  return name
    .replaceAll(/\b[rms]\/v\b/giu, 'RV')
    .replaceAll(/(\d+)(?:st|nd|rd|th)\b/giu, '$1')
    .split(/[\s._/,&:–-]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => spellings(word.replace(/^#(?=\d)/u, ''))[0] ?? '')
    .filter((word) => word !== '')
    .map((word) => NUMERALS[word] ?? word);
}

/** A whole short word exchanged (tile-server, tide-server) is another thing, not a slip. */
function isWordSwap(a: readonly string[], b: readonly string[]): boolean {
  const differing = a.flatMap((word, at) => (word === b[at] ? [] : [[word, b[at] ?? ''] as const]));
  return a.length > 1 && differing.some(([one, other]) => Math.min(one.length, other.length) <= 4);
}

const VERSION = /^v?\d+(?:[.,]\d+)*[a-z]?$/u;

/** Two versions, or one with its version and one without. */
function relateNumbers(a: readonly string[], b: readonly string[]): NameRelation | undefined {
  const [bareA, bareB] = [a, b].map((tokens) => telling(tokens.filter((token) => !VERSION.test(token))));
  const [numbersA, numbersB] = [a, b].map((tokens) => tokens.filter((token) => VERSION.test(token)).join(' '));
  const isSameName = inOrder(bareA ?? []) === inOrder(bareB ?? []);
  if (!isSameName || numbersA === numbersB) return undefined;
  if ((bareA ?? []).length === 0 && (numbersA === '' || numbersB === '')) return undefined;
  return numbersA === '' || numbersB === '' ? 'versioned' : 'other-number';
}

/** `HPI` for Hasso Plattner Institute, `k8s` for Kubernetes. */
function isLettersOf(short: string, long: string): boolean {
  const bare = short.trim().replace(/^the\s+/iu, '');
  const letters = (spellings(bare)[0] ?? '').replaceAll(/[^\p{L}\p{N}]/gu, '');
  if (letters.length < 2 || /[\s-]/u.test(bare)) return false;
  const numeronym = /^(\p{L})(\d{1,2})(\p{L})$/u.exec(letters);
  const whole = spellings(long)[0] ?? '';
  if (numeronym !== null) {
    return (
      whole.startsWith(numeronym[1] ?? '') &&
      whole.endsWith(numeronym[3] ?? '') &&
      whole.length === Number(numeronym[2]) + 2
    );
  }
  if (letters.length > 7) return false;
  const words = long
    .split(/[\s/,–-]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .map((word) => spellings(word)[0] ?? '')
    .filter((word) => word !== '');
  const isShouted = /\p{Lu}.*\p{Lu}/u.test(bare) || /^[a-z]{2,4}$/u.test(bare);
  if (words.length < 2) return isShouted && isCompound(letters, words[0] ?? '');
  const initials = (list: readonly string[]): string => list.map((word) => word.charAt(0)).join('');
  const spaced = initials(long.split(/\s+/u).map((word) => spellings(word)[0] ?? ''));
  const tellingWords = words.filter((word) => !SMALL_WORDS.has(word));
  return (
    [initials(words), spaced, initials(tellingWords)].includes(letters) ||
    (isShouted && (isScattered(letters, words) || isScattered(letters, tellingWords)))
  );
}

/** `Wembley CC` for Wembley Cricket Club: the rest is said in full. */
function hasLettersOf(short: string, long: string): boolean {
  const [wordsShort, wordsLong] = [short, long].map((name) => name.split(/\s+/u).filter((word) => word !== ''));
  if (wordsShort === undefined || wordsLong === undefined || wordsShort.length < 2) return false;
  return wordsShort.some((word, at) => {
    if (!/^\p{Lu}{2,4}$/u.test(word)) return false;
    const run = wordsLong.slice(at, at + word.length);
    const rest = [...wordsLong.slice(0, at), ...wordsLong.slice(at + word.length)].join(' ');
    const others = wordsShort.filter((_, where) => where !== at).join(' ');
    return isSameSpelling(rest, others) && run.map((each) => each.charAt(0).toUpperCase()).join('') === word;
  });
}

/** `WG` for Wohngemeinschaft: the first letter, and the others in order, in a long word. */
function isCompound(letters: string, word: string): boolean {
  return (
    letters.length >= 2 &&
    letters.length <= 3 &&
    word.length >= 10 &&
    isSubsequence(letters, word) &&
    letters.charAt(0) === word.charAt(0)
  );
}

/** `BVG` for Berliner Verkehrsbetriebe: every word begins a stretch of the letters. */
function isScattered(letters: string, words: readonly string[]): boolean {
  let at = 0;
  for (const [index, word] of words.entries()) {
    if (letters.charAt(at) !== word.charAt(0)) return false;
    at += 1;
    let where = 1;
    const next = words[index + 1]?.charAt(0);
    while (at < letters.length && letters.charAt(at) !== next) {
      where = word.indexOf(letters.charAt(at), where);
      if (where === -1) return false;
      where += 1;
      at += 1;
    }
  }
  return at === letters.length;
}

function isSubsequence(letters: string, word: string): boolean {
  let at = 0;
  for (const letter of word) if (letter === letters.charAt(at)) at += 1;
  return at === letters.length;
}

/** Things with two common names; places in two languages, and short names of programs. */
const OTHER_NAMES = `
  kubernetes, k8s, kube | postgresql, postgres, pg | javascript, js, ecmascript | typescript, ts
  visual studio code, vs code, vscode | terraform, tf | ripgrep, rg | github actions, gha | openstreetmap, osm
  accessibility, a11y | internationalization, i18n, internationalisation | localization, l10n, localisation
  elasticsearch, elastic search | amazon web services, aws | google cloud platform, gcp, google cloud
  microsoft azure, azure | mongodb, mongo | golang, go lang, go language | continuous integration, ci
  artificial intelligence, ai | machine learning, ml | natural language processing, nlp
  large language model, llm | user experience, ux | user interface, ui | quality assurance, qa
  world wide web, www | new york, new york city, nyc, ny | san francisco, sf | los angeles, la
  united kingdom, uk, great britain | united states, usa, us, united states of america | munich, münchen
  vienna, wien | cologne, köln | nuremberg, nürnberg | prague, praha, prag | warsaw, warszawa, warschau
  cracow, kraków, krakau, krakow | rome, roma, rom | milan, milano, mailand | florence, firenze, florenz
  venice, venezia, venedig | naples, napoli, neapel | turin, torino | genoa, genova, genua
  lisbon, lisboa, lissabon | seville, sevilla | geneva, genève, genf | zurich, zürich | basel, basle, bâle
  bern, berne | brussels, bruxelles, brussel, brüssel | antwerp, antwerpen, anvers | ghent, gent, gand
  bruges, brugge | the hague, den haag | copenhagen, københavn, kopenhagen | gothenburg, göteborg
  moscow, moskva, москва, moskau | saint petersburg, st petersburg, petersburg, sankt petersburg
  kyiv, kiev, kijiw | lviv, lwów, lemberg, lvov | athens, athina, athen, αθήνα | thessaloniki, saloniki
  bucharest, bucurești, bukarest | belgrade, beograd, belgrad | bratislava, pressburg | gdansk, gdańsk, danzig
  wroclaw, wrocław, breslau | hanover, hannover | brunswick, braunschweig | beijing, peking, 北京
  tokyo, 東京, tokio | mumbai, bombay | chennai, madras | kolkata, calcutta | istanbul, constantinople
  cairo, kairo | germany, deutschland | austria, österreich | switzerland, schweiz, suisse
  spain, españa, spanien | italy, italia, italien | france, frankreich | poland, polska, polen
  greece, griechenland, hellas | sweden, sverige, schweden | norway, norge, norwegen
  denmark, danmark, dänemark | finland, suomi, finnland | netherlands, nederland, niederlande, holland
  belgium, belgique, belgien | hungary, magyarország, ungarn | twitter, x | facebook, meta
  black forest, schwarzwald | lake constance, bodensee | vienna woods, wienerwald | danube, donau
  rhine, rhein | tuscany, toscana, toskana | bavaria, bayern | saxony, sachsen
  lower austria, niederösterreich | styria, steiermark | tyrol, tirol
  catalonia, catalunya, cataluña, katalonien | basque country, euskadi, baskenland, país vasco
  bbc, british broadcasting corporation | operating system, os | operating room, or, operating theatre, op
  intensive care unit, icu, intensive care | emergency room, er, a&e | physical education, pe
  special educational needs, sen | common agricultural policy, cap | dungeons & dragons, dnd, d&d
  role-playing game, rpg | digital audio workstation, daw | non-player character, npc
`;

const GROUPS = OTHER_NAMES.split(/[|\n]/u)
  .map((group) => group.trim())
  .filter((group) => group !== '')
  .map((group) => new Set(group.split(',').flatMap(spellings)));

function areOtherNames(left: string, right: string): boolean {
  const [ours, theirs] = [spellings(left), spellings(right)];
  return GROUPS.some((group) => ours.some((form) => group.has(form)) && theirs.some((form) => group.has(form)));
}
