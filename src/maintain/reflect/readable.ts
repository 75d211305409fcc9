const MAX_CHARS = 180;
const MIN_WORDS = 3;
/** Points at something said before it, which a line that stands alone lacks. */
const POINTS_BACK = /^(?:it|its|this|that|these|those|he|she|they|him|her|them|there|then|so|and|but|or|which)\b/iu;
const POINTS_ASIDE = /\b(?:that (?:day|one|way|time|thing)|the other one|the latter|as above|see below)\b/iu;
/** The start of a statement that answers a text, and of a list that was cut in two. */
const FRAGMENT = /^(?:About|Correcting) “|(?:^|\s)\d\)\s|^\p{P}/u;

/** Whether a statement can be read alone, by somebody who does not remember the conversation. */
export function isReadable(text: string): boolean {
  return (
    text.length <= MAX_CHARS &&
    text.split(/\s+/u).length >= MIN_WORDS &&
    !text.includes('?') &&
    !POINTS_BACK.test(text) &&
    !POINTS_ASIDE.test(text) &&
    !FRAGMENT.test(text)
  );
}
