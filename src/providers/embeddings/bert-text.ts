/** The text preparation of BERT's tokeniser, as `normalizer` in a tokenizer.json says. */
export interface BertTextRules {
  readonly cleanText: boolean;
  readonly spaceChinese: boolean;
  readonly stripAccents: boolean;
  readonly lowercase: boolean;
}

export const UNCASED: BertTextRules = { cleanText: true, spaceChinese: true, stripAccents: true, lowercase: true };

const WORD = 0;
const SPACE = 1;
const PUNCTUATION = 2;
const CONTROL = 3;

/** The class of each ASCII character in BERT, where symbols such as `$` and `^` count as punctuation. */
const ASCII_CLASSES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (/[\t\n\r ]/u.test(character)) return SPACE;
  if (/\p{Cc}/u.test(character)) return CONTROL;
  return /[a-zA-Z0-9]/u.test(character) ? WORD : PUNCTUATION;
});

// Unassigned code points are kept: which ones those are depends on the Unicode version, and they end as [UNK] anyway.
const DROPPED = /[\u{fffd}\p{Cf}\p{Co}\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;
// The gap after 2B81F is the reference's own, not a mistake made here.
const CHINESE =
  /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{f900}-\u{faff}\u{2f800}-\u{2fa1f}]/gu;
const PIECE = /[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~]+/gu;

/** Words and single punctuation marks, normalised. */
export function splitWords(text: string, rules: BertTextRules = UNCASED): string[] {
  return splitAscii(text, rules.lowercase) ?? splitUnicode(text, rules);
}

/** The fast path; undefined when the text holds anything but printable ASCII and ordinary white space. */
function splitAscii(text: string, lowercase: boolean): string[] | undefined {
  const words: string[] = [];
  const source = lowercase ? text.toLowerCase() : text;
  let start = -1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const kind = code < 128 ? ASCII_CLASSES[code] : CONTROL;
    if (kind === CONTROL) return undefined;
    if (kind === WORD) {
      if (start < 0) start = index;
      continue;
    }
    if (start >= 0) words.push(source.slice(start, index));
    start = -1;
    if (kind === PUNCTUATION) words.push(source.charAt(index));
  }
  if (start >= 0) words.push(source.slice(start));
  return words;
}

function splitUnicode(text: string, rules: BertTextRules): string[] {
  let prepared = text;
  if (rules.cleanText) prepared = prepared.replaceAll(DROPPED, '');
  if (rules.spaceChinese) prepared = prepared.replaceAll(CHINESE, ' $& ');
  if (rules.stripAccents) prepared = prepared.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
  // The reference lowers character by character and so never writes the sigma that ends a Greek word.
  if (rules.lowercase) prepared = prepared.replaceAll('Σ', 'σ').toLowerCase();
  return prepared.match(PIECE) ?? [];
}
