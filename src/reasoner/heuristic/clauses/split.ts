/** Subjects that can stand at the head of a statement of its own. */
const SUBJECT =
  "(?:i|i'm|i've|i'll|i'd|we|we're|we've|we'll|we'd|my|our|the|let's|please|don't|never|always|remind|there's|there|if|when|whenever|every|he|she|he's|she's|he'll|she'll|\\p{Lu}[\\p{L}]+(?:'s)?|[a-z]+'s\\s+[a-z]+\\s+is)";

/** Words between two statements of one sentence; "so", "because" and "since" give reasons and stay. */
const JOINT = new RegExp(
  `(?:,\\s*(?:and|but|plus|also|and also|oh and|btw|by the way|though|while|whereas)\\s+(?:also\\s+|then\\s+|btw\\s+)?|\\s+(?:and also|oh and|and btw|btw|plus|but)\\s+|\\s+and\\s+(?=(?:i|we|i'm|we're|i've|we've|i'll|we'll|my|our|let's|please|remind|never|always|he|she|she's|he's)\\s)|\\s+[–—]\\s+|\\s+--?\\s+|,\\s+(?=(?:let's|we'll|i'll|please|remind me|we're going|i'm going)\\s))`,
  'giu',
);
const HEAD = new RegExp(`^${SUBJECT}\\s+\\S+`, 'u');
const VERBISH =
  /\b(?:is|are|was|were|am|be|has|have|had|will|won't|would|can|can't|must|should|do|does|did|don't|doesn't|didn't|need|needs|want|wants|let's|goes|go|use|uses|get|gets|got|like|likes|love|hate|prefer|keep|take|takes|make|makes|run|runs|live|lives|work|works|start|starts|moved|remind|never|always|please)\b|'(?:m|re|ve|ll|s|d)\b|\p{L}{3,}(?:ed|es)\b/iu;
const MIN_WORDS = 3;
/** Steps in order, or what belongs to a heading: cut apart, none of them says what it is for. */
const STEPS =
  /^(?:(?:to|if|when|whenever|for|first|after|before)\b.*,? then\b|(?:for|to|when|if) [^:,]{3,40}: [^,]+,[^,]+,|[^:,]{3,40}: first\b)/iu;

/** A sentence cut into the statements it joins; a part that cannot stand alone stays with its neighbour. */
export function splitStatements(sentence: string): string[] {
  if (STEPS.test(sentence)) return [sentence];
  const parts: string[] = [];
  let start = 0;
  for (const match of sentence.matchAll(JOINT)) {
    const left = sentence.slice(start, match.index);
    const right = sentence.slice(match.index + match[0].length);
    if (!canStand(left, false) || !canStand(right, true) || isInside(sentence, match.index)) continue;
    parts.push(left);
    start = match.index + match[0].length;
  }
  parts.push(sentence.slice(start));
  return parts.map((part) => part.replace(/^[\s,;:–—-]+/u, '').trim()).filter((part) => part !== '');
}

function canStand(part: string, needsSubject: boolean): boolean {
  const words = part.trim().split(/\s+/u);
  if (words.length < MIN_WORDS || !VERBISH.test(part)) return false;
  return !needsSubject || HEAD.test(part.trim()) || HEAD.test(part.trim().toLowerCase());
}

/** Inside brackets, quotes or code nothing is cut. */
function isInside(text: string, index: number): boolean {
  const before = text.slice(0, index);
  const count = (sign: string): number => before.split(sign).length - 1;
  return count('(') > count(')') || count('"') % 2 === 1 || count('`') % 2 === 1;
}
