import type { Certainty, CoreBlock, EntityMention, KnowledgeKind } from '../../../model/knowledge.ts';
import type { Route } from '../../port.ts';
import { RELATION_NOUN } from '../entities/people.ts';
import type { PropertyMention } from '../entities/bearer.ts';
import type { Lexicon } from '../entities/lexicon.ts';
import { likeliestKind, type Chances } from '../kinds/finding.ts';

/** The user's identity, in their own words. */
const IDENTITY =
  /\b(?:my (?:(?:full|first|last|middle|legal|real|maiden|home|postal|current|new|date of|job|native|official) ){0,2}(?:name|nickname|surname|birthday|birth|age|pronouns?|job|role|title|position|profession|occupation|employer|company|home|home ?town|address|nationality|language|mother tongue|citizenship|time ?zone|gender|religion|team)(?: is|['’]s| are| was|:| changed| on)|i(?:['’]m| am) (?:called|named|known as|based|from|originally|married|divorced|single|retired|a |an |the |\d+|in charge|responsible)|i (?:live|grew up|was born|work (?:as|at|for|in)|speak|study|teach|run (?:a|an|my|the)|own (?:a|an)|come from|(?:have |['’]ve )?(?:moved|relocated)|have (?:worked|lived|been)|use (?:she|he|they)|report to|manage|lead|head)|(?:full name|date of birth)|we(?:['’]ve)? (?:live|moved|relocated|are|have)|our (?:home|address|house) is)\b/iu;
/** Names are given in these words whatever else a sentence may be taken for. */
const NAMES =
  /\b(?:my (?:(?:real|full|first|last) )?name(?: is|['’]s)|the name(?: is|['’]s)|i go by|(?:people|everybody|everyone|friends) calls? me)\b/iu;
const CALL_ME = /\b[Cc]all me \p{Lu}/u;

/** Being told of safety in these kinds is no safety rule: something is to be done, was chosen, or happened. */
const NEVER_SAFETY: ReadonlySet<KnowledgeKind> = new Set(['task', 'decision']);

/** Instructions on the behaviour of the agent: they address it, or mention its answers. */
const TO_AGENT = /\b(?:you|your|yours|yourself|assistant|agent|claude|chatgpt)\b/iu;
const ITS_WORDS =
  /\b(?:answers?|answering|repl(?:y|ies|ying)|responses?|respond(?:ing)?|explanations?|summar(?:y|ies)|emojis?|bullet ?points?|small ?talk|tone|jargon|wording|formatting|markdown|greet(?:ings?)?|apolog\p{L}*|flattery|pleasantries|disclaimers?|antworte\p{L}*|duze?n?|sieze?n?)\b/iu;
const LIKES =
  /\b(?:my (?:favou?rites?|go-to)|favou?rite|given the choice|(?:not )?a fan of|fond of|i swear by|night owl|early bird|(?:i|we|family)(?:['’]d| would| really| also| always)? (?:prefer|like|loves?|hate|enjoy|dislike|can['’]t stand|rather|adore|don['’]t (?:like|care for|enjoy)))\b/iu;

const DAY_PAST =
  /\b(?:today|yesterday|tonight|this (?:morning|afternoon|evening|weekend|week|noon)|last (?:night|week|weekend|month|mon|tues?|wed(?:nes)?|thurs?|fri|satur|sun)\w*|the other day|for the first time|(?:all|the whole) (?:day|morning|afternoon|evening|night|week(?:end)?)|(?:at \p{L}+ )?in the (?:morning|middle of the night)|earlier(?: today)?|just now|(?:\d+|an?|two|three|four|five|six|few|couple of) (?:minutes?|hours?|days?|weeks?) ago|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|heute|gestern|letzte (?:woche|nacht)|hoy|ayer|anoche|aujourd'hui|hier)\b/iu;
const HAPPENED =
  /\b(?:was|were|had|did|went|met|got|came|ran|saw|took|made|gave|found|lost|won|broke|fell|left|bought|sold|ate|drove|flew|began|spent|slept|wrote|sent|spoke|told|heard|felt|caught|hit|paid|read|sang|swam|woke|built|put|let|cut|beat|set|shut|habe|hatte|war|waren|haben|fue|fui|hemos|ai|avons|était)\b/iu;
/** From here on the model sees nothing lasting in a statement. */
const PASSING = 0.6;

/** Properties that say who somebody is. */
const IDENTIFYING = new Set(['residence', 'employer', 'role', 'birthday', 'address']);

/** "Dad", "my boss": what is said of them is not about the user. */
const OF_RELATIVE = new RegExp(`^(?:(?:my|our) )?(?:\\p{L}+ )?${RELATION_NOUN}(?:['’]s)?\\b`, 'iu');

export interface Sorting {
  readonly text: string;
  readonly kind: KnowledgeKind | undefined;
  /** The probability that nothing of it is worth keeping. */
  readonly none?: number | undefined;
  readonly property?: PropertyMention | undefined;
  /** Whether it speaks of the user, not of somebody or something else. */
  readonly isUsers: boolean;
  /** Whether somebody could be hurt if it were not known. */
  readonly isSafety: boolean;
  readonly stepCount?: number | undefined;
  readonly lexicon: Lexicon;
}

/** The place of a statement: what happened is told by its day, what must never be wrong before anything else. */
export function placeOf(sorting: Sorting): { readonly store: Route['store']; readonly block?: CoreBlock | undefined } {
  const block = coreBlockOf(sorting);
  if (isEvent(sorting)) return { store: 'episodic' };
  if (block !== undefined) return { store: 'core', block };
  return { store: sorting.kind === 'procedure' ? 'procedural' : 'semantic' };
}

/** The block of core memory a statement belongs to; undefined for what is known of others, of things, or to be done. */
export function coreBlockOf(sorting: Sorting): CoreBlock | undefined {
  const { text, kind, property, isUsers, isSafety, stepCount = 0 } = sorting;
  if (kind === undefined || isEvent(sorting)) return undefined;
  const isSequence = kind === 'procedure' && stepCount > 2;
  if (isSafety && !NEVER_SAFETY.has(kind) && !isSequence) return 'Critical Facts';
  if (NAMES.test(text) || CALL_ME.test(text)) return 'Identity';
  if (kind === 'task' || kind === 'decision' || isSequence) return undefined;
  if (isRule(sorting)) return 'Persona';
  if (!isUsers || kind === 'procedure' || kind === 'lesson' || LIKES.test(text)) return undefined;
  const isIdentifying = property !== undefined && IDENTIFYING.has(property.attribute);
  if (isIdentifying || IDENTITY.test(text)) return 'Identity';
  const isTold = kind === 'person' || (kind !== 'preference' && OF_USER.test(text));
  return isTold && !OF_RELATIVE.test(text) ? 'Identity' : undefined;
}

/** The user is who does, has or is something. */
const OF_USER =
  /^(?:(?:actually|also|and|currently|these days|by the way|btw),? )?(?:i|we|my \p{L}+ and i)(?:['’](?:m|ve|re|d|ll))?\b/iu;

/** A rule for the agent; "to get a refund you fill in …" is told to anybody. */
const AS_TOLD = /^(?:when(?:ever)?|if|before|after|once) (?:you|i)\b/iu;

/** A rule for the agent: addressed to it, said of what it writes, or told as an order; not what the user likes. */
function isRule({ text, kind, isUsers, stepCount = 0, lexicon }: Sorting): boolean {
  if (kind === 'preference')
    return (
      (DEMANDS.test(text) && !isOwnTaste(text)) || TO_AGENT.test(text) || ITS_WORDS.test(text) || isOrder(text, lexicon)
    );
  if (kind === 'procedure')
    return (
      stepCount < 3 && TO_AGENT.test(text) && (AS_TOLD.test(text) || (!/^to\b/iu.test(text) && isOrder(text, lexicon)))
    );
  if (kind === 'correction') return TO_AGENT.test(text) || ITS_WORDS.test(text) || isOrder(text, lexicon);
  return kind === 'person' && isUsers && isOrder(text, lexicon) && !OF_USER.test(text);
}

/** "I take …", "when I travel I want …", "… tastes like soap to me": said of the user, not to the agent. */
function isOwnTaste(text: string): boolean {
  return OWN_TASTE.test(text) || LIKES.test(text);
}

const DEMANDS =
  /\b(?:should|must|always|never|only|please|at most|no more|no longer than|be|don['’]?t|do not|when(?:ever)?|if|before|unless)\b/iu;
const OWN_TASTE =
  /^(?:(?:when|if|for|on|in|at|given|as)\b[^,]{0,40}?,? )?(?:i|we|my|our|mornings?|evenings?)\b|\b(?:to|for|with) (?:me|us)[.!]*$/iu;

const BEFORE_ORDER =
  /^(?:(?:please|pls|always|never|don['’]?t|do not|only|from now on|going forward|by default|in future|bitte|when(?:ever)?[^,]{3,60},|if[^,]{3,60},|for [^,]{3,40},|in [^,]{3,40},|to|remember to|make sure to|be sure to|try to)[,:]?\s+)+/iu;

/** "Use metric units", "never push to main", "no emojis". */
function isOrder(text: string, lexicon: Lexicon): boolean {
  if (/^(?:please |pls )*no \p{L}+/iu.test(text)) return true;
  const rest = text.replace(BEFORE_ORDER, '');
  const [first] = lexicon.wordsIn(rest);
  return first !== undefined && (first.tags.has('Imperative') || first.tags.has('Infinitive'));
}

function isEvent({ text, kind, none = 0, property, stepCount = 0 }: Sorting): boolean {
  if (kind === 'decision' || kind === 'task' || kind === 'preference' || property !== undefined || stepCount > 2)
    return false;
  const isPast =
    HAPPENED.test(text) || /\b(?!need|speed|feed|seed|indeed|hundred|red\b|bed\b|shed\b)\p{L}{2,}ed\b/iu.test(text);
  return isPast && (DAY_PAST.test(text) || none >= PASSING);
}

const HABIT =
  /\b(?:usually|tend to|rather than|better than|mostly|more of an?|any day|only (?:buy|eat|drink|use|wear|fly|travel|watch|read))\b/iu;
const SEQUENCE =
  /^(?:(?:these are|this is|here(?: i|['’])s|here are) )?(?:the |my |our )?(?:steps?|process|procedure|recipe|instructions?|routine|checklist|workflow|how (?:to|we|i)|way (?:to|we|i))\b/iu;
const DECIDED =
  /\b(?:decided|agreed|chose|chosen|settled on|opted|picked|approved|going with|final call|switch(?:ed|ing) (?:from|to))\b/iu;

const FROM_NOW =
  /\b(?:from (?:now|today|tomorrow|next \p{L}+)(?: on(?:wards?)?)?|going forward|as of (?:now|today|next \p{L}+))\b/iu;
/** Words without which nothing was decided and nothing is to be done: "Meridian ships its beta in July" is a fact. */
const AHEAD =
  /\b(?:will|won['’]t|going to|gonna|moves? to|stays?|sticking|instead|final(?:ly)?|cancel\p{L}*|no longer|drop\p{L}*|sunset|voted|plan is|let['’]s|opt\p{L}*|decision|not|needs? to|ha(?:s|ve) to|should|to-?do|due|deadline|reply|by|before)\b/iu;

/** The kind of a statement whose words say it more plainly than the model hears it. */
export function kindByWords(text: string, chances: Chances, stepCount: number): KnowledgeKind {
  const kind = likeliestKind(chances);
  if (stepCount > 1 && SEQUENCE.test(text)) return 'procedure';
  if (stepCount > 2 && /\bthen\b/iu.test(text) && (kind === 'fact' || kind === 'lesson')) return 'procedure';
  if (FROM_NOW.test(text) && (kind === 'fact' || kind === 'task')) return 'decision';
  if (kind === 'task' || kind === 'procedure' || kind === 'decision') return kind;
  if (DECIDED.test(text) && chances.decision >= MAY_BE) return 'decision';
  return LIKES.test(text) || (HABIT.test(text) && chances.preference >= MAY_BE / 2) ? 'preference' : kind;
}

/** A statement about a named thing is a fact, unless its words look ahead. */
export function kindOfThing(text: string, kind: KnowledgeKind, subject: EntityMention | undefined): KnowledgeKind {
  const isOfThing = subject !== undefined && (subject.type === 'project' || subject.type === 'organization');
  const isAhead = AHEAD.test(text) || DECIDED.test(text) || FROM_NOW.test(text);
  return isOfThing && !isAhead && (kind === 'decision' || kind === 'task') ? 'fact' : kind;
}

const MAY_BE = 0.2;

export function confidenceOf(chance: number): Certainty {
  if (chance >= 0.7) return 'high';
  return chance >= 0.4 ? 'medium' : 'low';
}
