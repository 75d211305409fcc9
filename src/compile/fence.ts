import { createTwinTest } from '../workspace/safety/confusables.ts';
import { TAGS, type Tag } from './slots.ts';

/** Characters that readers cannot see: they could hide part of a text. Emoji and some scripts need the joiners. */
const INVISIBLE = /(?!\u200C|\u200D|\uFE0F)\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/gu;
const CONTROL = /[^\P{Cc}\t\n]/gu;

/**
 * Angle brackets and what looks like one. A sign too many harms nobody: it is replaced only where the name of a tag follows.
 */
const BRACKETS = /[<＜﹤‹«〈⟨⟪❬❮❰⧼⦑⦓⦕〈《︿︽˂ᐸᚲ𝈶≺≪≮≤≦≨⋖⋘⋜⩹⩽⪡⪣⪻⫷◁◀◂◃⊲⊰⪦⪨⧀⮜⮘⭅⯇🞀]/gu;
/** Whether letters read as the name of a tag, in whatever script they are. */
const READS_AS = TAGS.map((tag) => ({ length: tag.length, isTwin: createTwinTest(tag) }));
/** Visible letters behind a bracket: a tag's name, slashes before it, and as many blanks as could still be read past. */
const LOOKED_AT = 40;
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{M}]/u;
/** Characters that can pass for the slash of a closing tag. */
const SLASHES = /^[/\\⁄∕⧸╱⟋⟍⧵⧹⫽⫻〳ノ丿ㇼ〵︳|ǀ]+/u;

/** The replacement for a bracket that would have opened one of our tags. */
const HARMLESS = '&lt;';

/** A text as it may be quoted: visible characters only, LF, and no tag of ours. */
export function quoteText(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replaceAll(CONTROL, ' ')
    .replaceAll(INVISIBLE, '')
    .toWellFormed()
    .replaceAll(BRACKETS, escapeBracket);
}

function escapeBracket(bracket: string, at: number, text: string): string {
  const behind = visibleFrom(text, at + bracket.length)
    .normalize('NFKD')
    .replaceAll(/[\s\p{M}]+/gu, '')
    .replace(SLASHES, '');
  const letters = [...behind];
  const isOwn = READS_AS.some(({ length, isTwin }) => isTwin(letters.slice(0, length).join('')));
  return isOwn ? HARMLESS : bracket;
}

/** Joiners and marks do not count, however many stand there: whoever reads the tag does not see them. */
function visibleFrom(text: string, from: number): string {
  let seen = '';
  for (let at = from; at < text.length && seen.length < LOOKED_AT;) {
    const letter = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (!UNSEEN.test(letter)) seen += letter;
    at += letter.length;
  }
  return seen;
}

/** On one line, for what stands in a heading. */
export function quoteLine(text: string): string {
  return quoteText(text).replaceAll(/\s+/gu, ' ').replaceAll('[', '(').replaceAll(']', ')').trim();
}

/** Indented, so that no line of a quote can be taken for the heading of another. */
export function indent(text: string, spaces: string): string {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => `${spaces}${line.trimEnd()}`)
    .join('\n');
}

export function openTag(tag: Tag): string {
  return `<${tag}>`;
}

export function closeTag(tag: Tag): string {
  return `</${tag}>`;
}
