import { extractTerms } from '../../search-index/text/terms.ts';
import { isCommonWord } from '../../retrieve/understand/common-words.ts';
import { foldInPlace, splitWords } from '../../retrieve/understand/words.ts';

/** What the wording of a message says about whether anything said earlier could matter, whatever is remembered. */
export interface Wording {
  /** Nothing is left of it without politeness, agreement and the words of everyday work. */
  readonly isEmpty: boolean;
  /** It points at a past or a world shared with the user: "we decided", "our", "again", "still". */
  readonly isShared: boolean;
  /** It speaks of particular things: "the queue", "Anna's", "I". A question about the world speaks of kinds of things. */
  readonly isParticular: boolean;
  /** It points at what lies open in front of the agent: "this function", "that last edit". */
  readonly isAtHand: boolean;
  /** It begins with what is done to a text: rename, replace, wrap. Such an order carries all it needs. */
  readonly isEdit: boolean;
  /** It asks what anybody could be asked: what a thing is, how it works in general, who invented it. */
  readonly isGeneral: boolean;
  /** It asks to make something that needs nothing known: a haiku, a quicksort, a translation. */
  readonly isSelfContained: boolean;
  /** It is addressed to the agent as a conversation partner: "how are you?", "do you like …". */
  readonly isSmallTalk: boolean;
  /** It is mostly the output of a machine: a log, a stack trace. Such texts share words with any other. */
  readonly isMachineText: boolean;
}

/** Agreement, thanks, greetings, hesitation. */
const COURTESY =
  'yes yeah yep yup yay ok okay k sure fine right alright great good nice cool perfect awesome excellent wonderful lovely ' +
  'brilliant amazing super thanks thank thx ty cheers no nope nah not hm hmm uh oh ah wow well wait stop halt pause hold ' +
  'continue proceed go going ahead on keep carry resume done finished ready please pls sorry welcome hello hi hey yo bye ' +
  'goodbye ciao morning afternoon evening night day weekend got understood exactly correct agreed absolutely definitely ' +
  'indeed lgtm haha lol next more again later now then second minute moment sec makes sense sounds looks seems works worked ' +
  'work job really very much let lets see know think guess maybe later today tomorrow ' +
  'ja nein doch danke bitte gut genau prima passt weiter mach mal klar stimmt moin hallo tschuss guten morgen abend ' +
  'si gracias vale bien perfecto claro sigue adelante hola adios buenos dias listo ' +
  'oui non merci parfait continue bonjour salut accord bien vas-y';

/** What is done to any code or text on any day. Alone, these words tell no memory from another. */
const EVERYDAY_WORK =
  'run rerun re test tests build rebuild compile lint format commit amend push pull rebase fetch stash squash undo redo ' +
  'revert retry try fix rename delete remove drop add insert append show open close print list read write file files folder ' +
  'line lines function method variable argument parameter comment snippet code block docstring typo indent indentation blank ' +
  'step edit change changes update restart start save copy paste move turn make call use step diff log output error check ' +
  'look first last previous one two three explain shorter longer simpler faster slower git npm pnpm yarn cargo make pytest ' +
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

const SHARED = [
  /\b(?:we|us|our|ours|we're|we've|we'd|let's|my|mine)\b/u,
  /\b(?:again|still|once more|any ?more|no longer|already|these days|last time|the other day|back then|so far|by now|as (?:usual|always|before|agreed|discussed|decided)|another)\b/u,
  /\bwhy (?:not|no|did|didn't|was|were|wasn't|weren't)\b|\b(?:rather than|and not)\b|\bwhat happened\b/u,
  /\b(?:was|were|been|got) (?:\w+ )?(?:chosen|picked|decided|agreed|planned|promised|moved|dropped|rejected|refused|accepted|changed|settled|meant|supposed)\b/u,
  /\b(?:remember|recall|remind|did i|have i|was i|i (?:said|told|asked|wanted|decided|thought|mentioned|used to))\b/u,
  /\b(?:wir|uns|unser\w*|mein\w*|wieder|noch|immer noch|schon|damals|zuletzt|eigentlich|nochmal)\b/u,
  /\b(?:nos|nosotros|nuestr[oa]s?|mis?|otra vez|de nuevo|todavia|aun|ya)\b/u,
  /\b(?:nous|notre|nos|mon|ma|mes|encore|toujours|deja)\b/u,
];

const PARTICULAR = [
  /\b(?:the|i|i'm|i'd|i've|me|his|her|hers|their|he|she|they)\b/u,
  /\w's\b(?<!\b(?:what|who|how|where|when|that|it|there|here|let|he|she)'s)/u,
  /\b(?:der|die|das|den|dem|ich|mir|mich|el|la|los|las|le|les|je)\b/u,
];

/** Things that lie open while one works on them. */
const OPEN_THINGS =
  'function|method|class|file|snippet|block|line|lines|variable|argument|parameter|comment|step|edit|change|diff|output|code|' +
  'column|loop|query|sentence|paragraph|text|answer|reply|section|table|import|expression|error|message';

const AT_HAND = [
  /\b(?:this|these)\b(?! (?:repo|repository|project|codebase|home|team|time|morning|afternoon|evening|week|month|year|weekend|spring|summer|autumn|winter)\b)/u,
  new RegExp(String.raw`\b(?:this|that|these|those)(?: \w+)? (?:${OPEN_THINGS})s?\b`, 'u'),
  new RegExp(
    String.raw`\b(?:the|your) (?:last|previous|second|third|above)(?: two| three| few)? (?:${OPEN_THINGS})s?\b`,
    'u',
  ),
  /\b(?:above|below|here)\b\W*$/u,
  /\b(?:before|after) the (?:return|import|loop|brace|bracket)\b/u,
];

/** What encyclopaedias and manuals say about anything. */
const LOOKED_UP =
  'capital|currency|population|height|weather|climate|temperature|time zone|history|meaning|origin|etymology|definition|' +
  'inventor|plural|opposite|synonym|syntax|formula|default|difference|purpose|concept|principles?|pros|cons|advantages?|' +
  'disadvantages?|best practices?|time complexity|speed|square root|examples?|best time|best way';

const GENERAL = [
  /^\W*(?:please |can you |could you )*(?:explain|define|describe)\b(?! (?:this|that|it|the)\b)/u,
  new RegExp(String.raw`\b(?:${LOOKED_UP}) (?:\w+ )?(?:of|for|between|in|behind|to)\b`, 'u'),
  /\bwhat(?:'?s| is| are| was) (?:an? |[\w.+#-]+(?: [\w.+#-]+)?(?: (?:used|good|meant|like|made|called)\b|,| in \w+\s*\?*$|\s*\?*$))/u,
  /\b(?:what|which) (?:kind|sort|time|year|century|country|countries|languages?|planets?|animals?|birds?)\b(?! (?:did|do|should|were|was) (?:we|i|the)\b)/u,
  /\bwhat (?:does|do) (?:[\w.'+#-]+ ){1,3}(?:mean|stand for|earn|eat)\b/u,
  /^\W*how (?:does|do|is|are|can) (?!i\b|we\b|our\b|the\b|my\b)[\w.+#-]+(?: [\w.+#-]+){0,2} (?:work|made|live|grow|fly|compare|differ|sleep|called|pronounced|spelled)\b/u,
  /^\W*how (?:tall|old|far|big|deep|heavy|high|loud|hot) (?:is|are|can)\b/u,
  /^\W*how (?:many|much) [\w. -]+ (?:are there|is \d|are \d|are in|live in|fit)\b/u,
  /^\W*how long (?:does it take|is the|are the)\b/u,
  /^\W*how (?:to|do (?:i|you|we)) (?:exit|reverse|center|sort|pronounce|say|read|spell|convert|install|iterate|concatenate)\b/u,
  /^\W*who (?:invented|discovered|wrote|founded|created|painted|composed|won|owns|made|maintains)\b/u,
  /^\W*(?:is|are|does|do|can) (?!it\b|this\b|that\b|there\b)(?:an? |the )?[\w-]+(?: [\w-]+)? (?:an? |better|faster|free|open source|support|available|legal)/u,
  /^\W*(?:in )?(?:which|what) (?:year|country|city|continent|language)\b/u,
  /\bwhy (?:is|are|do|does) (?!we\b|our\b|my\b|it\b)(?:the )?[\w-]+(?: [\w-]+)? (?:an?\b|made|called|spelled|spelt|blue|green|have so)\b/u,
  /^\W*(?:was ist|was sind|was bedeutet|wie hoch|wie weit|erklare?|que es|que significa|cual es la|explica|qu'?est[- ]ce|c'est quoi|explique)\b/u,
];

/** What is written from imagination or from common knowledge. */
const MADE_UP =
  'haiku|poem|limerick|joke|story|song|tweet|slogan|essay|riddle|one-liner|recipe|synonyms?|pun|gedicht|witz|poema|poeme';
const MAKING =
  '(?:write|implement|generate|compose|draft|invent|draw|make up|come up with|suggest|recommend|give|show|tell|name|list|create|' +
  'build|design|sketch)';
const POLITE = String.raw`^\W*(?:please |can you |could you |would you |now |ok,? )*`;
const EDITING = [
  new RegExp(
    String.raw`${POLITE}(?:add|append|call|cast|change|clear|close|comment|convert|copy|cut|delete|drop|extract|fix|format|give|indent|` +
      'inline|insert|kill|list|make|move|open|pass|put|remove|rename|reorder|replace|return|reverse|set(?! up)|shorten|sort|split|squash|' +
      String.raw`swap|turn|uncomment|undo|unwrap|use|wrap)\b`,
    'u',
  ),
];

const SELF_CONTAINED = [
  new RegExp(
    String.raw`${POLITE}${MAKING} (?:me |us )?(?:an? |some |one |any |\d+ |two |three |four |five |ten )`,
    'u',
  ),
  new RegExp(String.raw`\b(?:${MADE_UP})\b`, 'u'),
  new RegExp(String.raw`${POLITE}(?:write|implement) [\w-]+(?: [\w-]+)? (?:in|using|with) [a-z+#]+\b`, 'u'),
  new RegExp(
    String.raw`${POLITE}(?:translate|convert|calculate|compute|solve|spell|rephrase|rewrite|proofread|correct|summari[sz]e) (?!the\b)`,
    'u',
  ),
  /\b(?:following|this) (?:text|code|sentence|paragraph|list|snippet|words?)\s*:/u,
  /^\W*(?:schreib|ubersetze?|dichte|escribe|traduce|ecris|traduis|redige)\b/u,
];

const SMALL_TALK = [
  /\bhow(?:'s| is| are| do)(?: it going| you| things| life)\b/u,
  /\b(?:are|were) you\b(?! (?:sure|aware|able))/u,
  /\b(?:do|can|could|would|did) you (?:like|love|feel|sleep|dream|enjoy|want|ever|hear|see me|believe|speak)\b/u,
  /\b(?:your name|who made you|who are you|you'?re (?:the|so|a|great|right|welcome|funny))\b/u,
  /^\W*(?:i'?m|i am|i feel|i'?ll be|i need|brb)\b(?=.{0,30}$)/u,
  /^\W*(?:what an? |happy |see you|it'?s (?:late|early|raining|snowing|hot|cold|sunny))/u,
];

/** A pasted log says at its beginning and at its end what is wanted of it; its middle has no wording. */
const MAX_EDGE = 600;

export function readWording(message: string): Wording {
  // The country is not "us".
  const text = edgesOf(message)
    .normalize('NFKC')
    .replaceAll(/\bUS\b/gu, 'U.S.');
  const folded = foldInPlace(text).replaceAll(/[’ʼ]/gu, "'");
  const has = (patterns: readonly RegExp[]): boolean => patterns.some((pattern) => pattern.test(folded));
  const isShared = has(SHARED);
  return {
    isEmpty: !extractTerms(message).some(isTelling),
    isShared,
    isParticular: isShared || has(PARTICULAR),
    isAtHand: has(AT_HAND),
    isEdit: !isShared && has(EDITING),
    // "What is the difference between our two queues?" is asked of nobody else.
    isGeneral: !isShared && has(GENERAL),
    isSelfContained: !isShared && has(SELF_CONTAINED),
    isSmallTalk: has(SMALL_TALK),
    isMachineText: looksLikeMachineText(message),
  };
}

/** People write a sign or a digit now and then; programs write little else between their words. */
const MACHINE_SIGNS = /[\d[\]{}()<>|:;#/\\=@_*&^%$~+"`-]|(?<=\w)\.(?=\w)/gu;
const MACHINE_SHARE = 0.13;
/** Below this a version number or a path is share enough. */
const MIN_MACHINE_CHARACTERS = 60;

/** What programs begin their complaints with. */
const MACHINE_LINES = [
  /^\W*(?:fatal|error|warning|panic|traceback|npm err!|segmentation fault|exception|e\d{4})\b[:! [(]/imu,
  /\b\w+(?:Error|Exception|Warning)\b(?::| \[)/u,
  /^\s+at \S+.*[:(]/mu,
  /\bFile "[^"]+", line \d+/u,
  /^\S+:\d+(?::\d+)?: (?:error|warning)/mu,
];

function looksLikeMachineText(message: string): boolean {
  const start = message.slice(0, 4096);
  if (MACHINE_LINES.some((pattern) => pattern.test(start))) return true;
  const text = start.replaceAll(/\s+/gu, '');
  if (text.length < MIN_MACHINE_CHARACTERS) return false;
  return (text.match(MACHINE_SIGNS)?.length ?? 0) / text.length >= MACHINE_SHARE;
}

function edgesOf(message: string): string {
  const text = message.trim();
  return text.length <= 2 * MAX_EDGE ? text : `${text.slice(0, MAX_EDGE)}\n${text.slice(-MAX_EDGE)}`;
}
