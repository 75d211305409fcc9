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
