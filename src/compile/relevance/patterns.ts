/**
 * How things are put, in four languages, lower case and without accents. They are about grammar (whose, which one,
 * any) and about the ways of asking and ordering, never about a subject: a memory has its own.
 */

export const OURS = [
  /\b(?:we|us|our|ours|we're|we've|we'd|we'll|let's|my|mine)\b/u,
  /\b(?:wir|uns|unser\w*|mein\w*)\b/u,
  /\b(?:nosotros|nuestr[oa]s?|mis?|\w{2,}[ae]mos)\b/u,
  /\b(?:nous|notre|nos|mon|ma|mes)\b/u,
];

export const PAST = [
  /\b(?:did|was|were|had|been|happened|ended up|turned out|became|used to|decided|agreed|said|told|promised|chose|chosen)\b/u,
  /\b(?:picked|settled|meant|supposed|war|waren|hatten?|hat|habe|haben|fue|era|avons|etait)\b/u,
];

/** What encyclopaedias and manuals say about anything. */
const LOOKED_UP =
  'capital|currency|population|height|weather|climate|temperature|time zone|history|meaning|origin|etymology|definition|' +
  'inventor|plural|opposite|synonym|syntax|formula|default|differences?|purpose|concept|principles?|pros|cons|advantages?|' +
  'disadvantages?|best practices?|time complexity|speed|square root|examples?|best|most|fastest|first|world|word|sun|moon|' +
  'maths?|main|gist|story|usual|flying time|side effects|signs|median|average|sum';

const POLITE = String.raw`^\W*(?:please |pls |can you |could you |would you |now |ok,? |and |then |just |so,? )*`;

export const QUESTION = [
  new RegExp(
    String.raw`${POLITE}(?:what|how|why|when|where|which|who|whom|whose|is|are|do|does|did|can|could|should|may|was|were|will|until|from)\b`,
    'u',
  ),
  /^\W*(?:wann|wie|wer|wo\w*|was|warum|welche\w*|que|cuando|quien|cual|cuanto|por que|con que|quand|quel\w*|qui|pourquoi|comment|qu')\b/u,
];

/** What follows the verb of a question in the present: "does *Postgres*", "are *the* tests". */
export const SUBJECT =
  /(?:^\W*|\b(?:what|how|why|when|where|which|who)(?: [\w-]+){0,2}? )(?:do|does|is|are|can|could|should|would|may|will|come) (?!\w+ing\b)([\p{L}\p{N}_-]+)/u;
export const PARTICULAR_SUBJECTS: ReadonlySet<string> = new Set(
  'the our my we i this that these those he she it they his her their its us there'.split(' '),
);

/** "What is a …", "what are …", "what does … mean". */
export const DEFINITION = [
  /\b(?:what(?:'?s| is| are)|was ist|was sind|que es|qu'est-ce qu\w*|c'est quoi) (?!the\b|our\b|my\b|left\b|still\b|with\b|in\b|on\b|up\b|going\b|this\b|that\b|next\b|new\b|happening)/u,
  /\bwhat (?:does|do) (?:[\w.'+#-]+ ){1,4}(?:mean|stand for|earn|eat|measure)\b/u,
  new RegExp(
    String.raw`^\W*(?:please |can you |could you )*(?:explain|define|describe)\b(?! (?:this|that|it|the|to)\b)`,
    'u',
  ),
  new RegExp(String.raw`\b(?:${LOOKED_UP}) (?:\w+ )?(?:of|for|between|in|behind|to|from)\b`, 'u'),
];

export const GENERAL_WORDS =
  /\b(?:in general|generally|usually|usual|typical(?:ly)?|normally|textbook|overview|rule of thumb|best practices?|pros and cons|differences?|differ|vs|versus|compared to|alternatives?|recommend|(?:good|best|fair|cheap|common|average|cheapest|famous|popular) (?!the\b|our\b|my\b|it\b)\w+|how to|how common|(?<!'s )people|you|(?:would|does|should|can|do) one|everybody|everyone|other companies|explain|define|meaning|means?|mean|theorem|formula|unterschied|bedeutet|funktionier\w+|signific\w+|typisch|exist|gibt es|tell me (?:about|something)|at all|curious)\b/u;

export const GENERAL_QUESTIONS = [
  /\b(?:what|which) (?:kind|sort|time|year|century|country|countries|languages?|planets?|animals?|birds?|cities|vegetables?|organs?|licen[cs]es|file systems)\b(?! (?:did|do|should|were|was|does) (?:we|i|the|my|our)\b)/u,
  /^\W*how (?:does|do|is|are|can) (?!i\b|we\b|our\b|the\b|my\b)[\w.+#-]+(?: [\w.+#-]+){0,2} (?:work|made|live|grow|fly|compare|differ|sleep|called|pronounced|spelled|built|calculated|find|know|clean)\b/u,
  /^\W*how (?:tall|old|far|big|deep|heavy|high|loud|hot|expensive) (?:is|are|can)\b/u,
  /^\W*(?:roughly )?how (?:many|much) [\w. -]+ (?:are there|is \d|are \d|are in|live in|fit|stand in)\b/u,
  /^\W*how long (?:does it take|(?:do|does|can|should) (?!i\b|we\b|the\b))/u,
  // "How do I take the depot off it?" is about ours; "how do I silence a warning" is in every manual.
  /(?:^\W*|[:,] )(?:how to\b|where can (?:i|you|one)\b|how (?:do|can|would|should) (?:i|you|one)\b(?!.*\b(?:the|our|my|that|again|him|her)\b))/u,
  /^\W*who (?:invented|discovered|wrote|founded|created|painted|composed|won|owns|made|maintains|built)\b/u,
  /^\W*(?:is|are|does|do|can) (?!it\b|this\b|that\b|there\b|we\b|my\b|our\b|i\b)(?:an? |the )?[\w-]+(?: [\w-]+)? (?:an? |better|faster|bigger|free|open source|supports?|supported|available|legal|safer|allowed|bad|good|dangerous|in)\b/u,
  /^\W*(?:in )?(?:which|what) (?:year|country|city|continent|language)\b/u,
  /\bwhy (?:is|are|do|does) (?!we\b|our\b|my\b|it\b|i\b)/u,
  /^\W*(?:is|are) there (?:an?|any)\b|\bis it (?:bad|dangerous|safe|normal|possible|common|worth|true|legal) /u,
  /\bhow (?:common|many days|many hours|come)\b|\bdo they (?:have|use|speak|eat|call)\b|^\W*do i need\b/u,
  /^\W*(?:was ist|was sind|was bedeutet|wie hoch|wie weit|wie alt|wie funktionier\w+|erklare?|seit wann gibt|que es|que significa|cual es la|explica|qu'?est[- ]ce|c'est quoi|explique|quelle est la capitale|pourquoi les)\b/u,
];

/** What is written from imagination or from common knowledge. */
const IMAGINED =
  'haiku|poem|limerick|joke|riddles?|story|song|tweet|slogan|essay|rhyme|tongue twister|toast|one-liner|recipe|synonyms?|pun|regex|' +
  'gedicht|witz|poema|poeme';
const MAKING =
  '(?:write|implement|generate|compose|draft|invent|draw|make up|come up with|suggest|recommend|give|show|tell|name|list|create|' +
  'build|design|sketch)';

export const MADE_UP = [
  new RegExp(
    String.raw`${POLITE}${MAKING} (?:me |us )?(?:an? |some |one |any |\d+ |two |three |four |five |ten |how )`,
    'u',
  ),
  new RegExp(String.raw`\b(?:${IMAGINED})\b`, 'u'),
  new RegExp(String.raw`${POLITE}(?:write|implement) [\w-]+(?: [\w-]+)? (?:in|using|with) [a-z+#]+\b`, 'u'),
  new RegExp(
    String.raw`${POLITE}(?:translate|calculate|compute|solve|spell|rephrase|proofread|summari[sz]e) (?!the\b)`,
    'u',
  ),
  /^\W*(?:convert|what is|what's)? ?[\d.,]+ ?(?:[*/+^-]|percent|%|minus|plus|times|divided|split|out of)/u,
  /\b(?:how many|what is|convert) [\w ,.]*\b(?:\d[\w.,]* ){1,2}(?:hours|days|minutes|inches|seconds|percent|in percent)\b/u,
  /^\W*\d[^?]{0,60}\bhow (?:many|much)\b|^\W*convert [\d.,]+/u,
  /^\W*(?:ubersetze?|dichte|traduce|traduis)\b/u,
  /\bhow do (?:you|i) (?:say|spell|pronounce)\b/u,
  // Code that is asked for by what it does, in a language rather than in a file.
  /\b(?:sql|bash|python|pandas|typescript|javascript|rust|css|html|makefile|dbt|github) (?:[\w-]+ )?(?:snippet|script|query|function|one-liner|macro|example|type|action|target|loop|that)\b/u,
];

/** What is done to a text that comes along. */
export const TRANSFORMED = [
  /\b(?:translate|summari[sz]e|rewrite|rephrase|convert|shorten|correct|proofread|fix|turn|make|give|sort|format|put|split|round|ubersetz\w*|traduce|traduis|rename|explain|schreib)\b/u,
  /\b(?:in(?:to)? words|alphabetical\w*|in one sentence|markdown|more (?:kindly|politely|formal\w*))\b/u,
  /\b(?:following|this) (?:text|code|sentence|paragraph|list|snippet|words?|acronym)\b/u,
];

export const SMALL_TALK = [
  /\bhow(?:'s| is| are| do)(?: it going| you| things| life)\b/u,
  /\b(?:are|were) you\b(?! (?:sure|aware|able))/u,
  /\b(?:do|can|could|would|did) you (?:like|love|feel|sleep|dream|enjoy|want|ever|hear|see|believe|speak|prefer)\b/u,
  /\b(?:your name|who made you|who are you|you'?re (?:the|so|a|great|right|welcome|funny)|you saved|talk to you later|says hi|by the way)\b/u,
  /^\W*(?:i'?m|i am|i feel|i'?ll be|i need|i slept|brb|can't wait|need more coffee)\b(?=.{0,30}$)/u,
  /^\W*(?:what an? |happy |see you|good (?:morning|evening|night)|it'?s (?:late|early|raining|snowing|hot|cold|sunny))/u,
  /\b(?:so|such) (?:tired|loud|windy|peaceful|beautiful|lovely|long|much)\b|\b(?:phew|haha|lol)\b|\bat last\b/u,
];
