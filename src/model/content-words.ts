/** Words that say nothing about what a text is about. */
const FUNCTION_WORDS = new Set(
  (
    'a an the and or but so if then than that this these those it its he she they them him her his hers their theirs i ' +
    'me my mine we us our ours you your yours is are was were be been being am do does did done doing have has had ' +
    'having will would can could shall should may might must to of in on at by for with from into onto about as not no ' +
    'nor only just also too very really quite again now here there when where who whom which what why how all any both ' +
    'each few more most other some such own same up down out off over under once because while until before after ' +
    "between through during above below don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't " +
    "shouldn't haven't hasn't hadn't i'm i've i'll i'd we're we've we'll we'd you're it's that's there's let's he's she's " +
    "they're get gets got go goes going gonna want ok okay yes yeah yep nope please thanks thank actually well still even " +
    'much many lot bit like one thing things something anything everything make makes made let'
  ).split(' '),
);

export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+(?:[-'./_:@][\p{L}\p{N}]+)*/gu) ?? [];
}

function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** The words that carry content, in order, once each. */
export function contentWords(text: string): string[] {
  return [...new Set(wordsOf(text).filter((word) => !isFunctionWord(word) && (word.length > 1 || /\d/u.test(word))))];
}

/** A crude stem: enough to see that "caches", "cached" and "caching" are one thing. */
export function stemOf(word: string): string {
  if (word.length < 5 || /[\d./_:@]/u.test(word)) return word.replace(/'s$/u, '');
  return word
    .replace(/'s$/u, '')
    .replace(/(?:ies|ied)$/u, 'y')
    .replace(/(?:ing|edly|ed|es|s|ly)$/u, '')
    .replace(/([bdfglmnprt])\1$/u, '$1')
    .replace(/e$/u, '');
}

/** Words for dangers to a person's health if ignored. */
export const SAFETY =
  /\b(?:(?:un)?allerg\p{L}*|alérgic\p{L}*|anaphyla\p{L}*|epi-?pens?|intoleran\p{L}*|c(?:o?e)liac|diabet\p{L}*|diabèt\p{L}*|insulin\p{L}*|hypoglyc\p{L}*|epilep\p{L}*|seizures?|asthma\p{L}*|inhalers?|pacemakers?|defibrillator|ha?emophili\p{L}*|blood (?:type|group|thinners?|pressure|clots?|sugar)|blutgruppe|grupo sanguíneo|groupe sanguin|anticoagulants?|warfarin|beta blockers?|immun\p{L}*[- ]?(?:suppress\p{L}*|compromised)|transplant\p{L}*|stroke|heart (?:condition|attack|disease|failure|murmur|defect)|medical(?:ly)? (?:condition|alert|id|emergency|history|exempt\p{L}*)|chronic|contraindicat\p{L}*|overdose|emergenc(?:y|ies)|emergencia|urgence|notfall\p{L}*|next of kin|life[- ]threatening|deadly|fatal(?:ly)?|lethal(?:ly)?|toxic|poison\p{L}*|venom\p{L}*|suffocat\p{L}*|chok(?:e|ing)|faints?|fainting|do not resuscitate|dnr|organ donor|(?:911|112|999)|evacuat\p{L}*|fire (?:exit|extinguisher|alarm|assembly)|(?:gas|water|power|mains) (?:shut-?off|valve|cut-?off|leak)|shut-?off valve|carbon monoxide|restraining order|suicid\p{L}*|self[- ]harm|safe ?word|penicillin|ibuprofen|aspirin|paracetamol|codeine|latex|sulfa|anesthe\p{L}*|anaesthe\p{L}*|g6pd|mri|dementia|alzheimer\p{L}*|apno?ea|ventilator|oxygen|ulcers?|cancer|chemo\p{L}*|medical alert|electric fence|live wire|beware|hazard\p{L}*|danger\p{L}*|bleach|explosive|flammable|water main|stopcock|(?:could|can|might) (?:fall|die|drown|burn|explode|choke)|pregnan\p{L}*|adrenaline|auto-?injectors?|collapses?|(?:could|can|will|would|might) (?:kill|harm|hurt) (?:me|him|her|us|them|you|people|somebody)|first[- ]aid|\p{L}+ (?:tablets|pills|medication|medicine|meds)|medikamente?|médicaments?|medicamentos?|(?:heart|kidney|liver|lung) (?:disease|failure|condition))\b|\b(?:can['’]t|cannot|can not|must not|mustn['’]t|may not|shouldn['’]t|not allowed to|must never|can never) (?:have|eat|take|drink|be given|go near|touch|be near|swallow|be exposed)\b/iu;

const COMMON = new Set(
  'new old good bad first last next time day week month year today tomorrow yesterday morning evening people way need needs keep keeps use uses take takes wants decided agreed said before after always never every about asked user team agent monday tuesday wednesday thursday friday saturday sunday'.split(
    ' ',
  ),
);
const MAX_TAGS = 5;

/**
 * Two to five words a person would file it under: names and the longer content words, in the order they stand. Depends on
 * nothing but its arguments, so that files need not repeat the tags of a statement.
 */
export function tagsOf(text: string, project: string | undefined): string[] {
  const tags: string[] = project === undefined || project === '' ? [] : [toTag(project)];
  const plain = text.replaceAll(/\([^)]*\)|\[[^\]]*\]/gu, ' ');
  const words = contentWords(plain).filter((word) => /^\p{L}[\p{L}-]{3,}$/u.test(word) && !COMMON.has(word));
  const names = namesIn(plain);
  const byWeight = [...words].sort((one, other) => weightOf(other, names) - weightOf(one, names));
  const ranked = new Set(byWeight.slice(0, MAX_TAGS));
  const seen = new Set(tags.map(stemOf));
  for (const word of words) {
    if (tags.length >= MAX_TAGS) break;
    if (!ranked.has(word) || seen.has(stemOf(word))) continue;
    seen.add(stemOf(word));
    tags.push(toTag(word));
  }
  return tags;
}

/** Words with a capital that do not begin a sentence. */
function namesIn(text: string): ReadonlySet<string> {
  const found = text.matchAll(/(?<=[\p{L}\p{N},;)"”’] ["“‘(]?)\p{Lu}[\p{L}-]+/gu);
  return new Set([...found].map(([name]) => name.toLowerCase()));
}

function weightOf(word: string, names: ReadonlySet<string>): number {
  return Math.min(word.length, 10) + (names.has(word) ? 5 : 0) - (/(?:ing|ed|ly)$/u.test(word) ? 3 : 0);
}

function toTag(word: string): string {
  return word
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '');
}
