import { containment, stemsOf } from '../../reasoner/heuristic/text/words.ts';

/** Shorter texts are one thing, whatever they are about. */
const MIN_CHARS = 400;
/** Two paragraphs that share this much of their words are about the same. */
const SAME_TOPIC = 0.12;

/**
 * A text cut where it begins to speak of something else, so that each thing that happened can be found, linked and
 * forgotten alone. Only between paragraphs, and never a list from the words that introduce it.
 */
export function splitByTopic(text: string): string[] {
  const paragraphs = text.split(/\n[ \t]*\n+/u).filter((paragraph) => paragraph.trim() !== '');
  if (text.length < MIN_CHARS || paragraphs.length < 2 || /^(?:```|~~~)/mu.test(text)) return [text];
  const parts: { readonly paragraphs: string[]; readonly stems: Set<string> }[] = [];
  for (const paragraph of paragraphs) {
    const stems = stemsOf(paragraph);
    const last = parts.at(-1);
    if (last === undefined || !(belongs(paragraph, last.paragraphs) || containment(stems, last.stems) >= SAME_TOPIC)) {
      parts.push({ paragraphs: [paragraph], stems });
    } else {
      last.paragraphs.push(paragraph);
      for (const stem of stems) last.stems.add(stem);
    }
  }
  return parts.map((part) => part.paragraphs.join('\n\n'));
}

/** Lists, quotations and sentences that take up what was said go with what stands before them. */
function belongs(paragraph: string, before: readonly string[]): boolean {
  if (/^[ \t]*(?:[-*+>|]|\d+[.)])\s/u.test(paragraph)) return true;
  if (/:[ \t]*$/u.test(before.at(-1) ?? '')) return true;
  return /^(?:it|this|that|they|he|she|these|those|so|because|therefore|then|also|but|however|after that)\b/iu.test(
    paragraph.trim(),
  );
}
