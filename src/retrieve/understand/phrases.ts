const MAX_PHRASES = 16;
const MAX_PHRASE_LENGTH = 200;

/** A straight apostrophe is no quotation mark here: "don't" and "Anna's" would open one. */
const QUOTED = [
  /"([^"\n]+)"/gu,
  /“([^”“\n]+)[”“]/gu,
  /„([^“”"\n]+)[“”"]/gu,
  /«([^»\n]+)»/gu,
  /`+([^`\n]+)`+/gu,
  /「([^」\n]+)」/gu,
];

/** The texts in quotation marks or backticks, in order, each once. */
export function findPhrases(text: string): string[] {
  const found: { readonly start: number; readonly phrase: string }[] = [];
  for (const pattern of QUOTED) {
    for (const match of text.matchAll(pattern)) {
      const phrase = (match[1] ?? '').trim().slice(0, MAX_PHRASE_LENGTH);
      if (/[\p{L}\p{N}]/u.test(phrase)) found.push({ start: match.index, phrase });
    }
  }
  found.sort((one, other) => one.start - other.start);
  return [...new Set(found.map(({ phrase }) => phrase))].slice(0, MAX_PHRASES);
}

/** The text with everything quoted made illegible, letter for letter: a quoted date is not when something happened. */
export function maskQuoted(text: string): string {
  let masked = text;
  for (const pattern of QUOTED) masked = masked.replaceAll(pattern, (quoted) => 'x'.repeat(quoted.length));
  return masked;
}
