import { conceptsOf } from './lexicon.ts';

const WORD = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;
const IS_WORD = /[\p{L}\p{N}]/u;
const SENTENCE_END = /[.!?…\n]/u;
const CLAUSE_START = new Set([',', ':', ';', '-', '–', '—', '(', ')', '"', '¿', '¡']);
const COMBINING = /\p{M}/gu;

export function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(COMBINING, '')
    .replaceAll('ß', 'ss')
    .replace(/['’ʼ`´]/gu, ' ');
}

/** Folded words and marks. */
export function tokensOf(message: string): readonly string[] {
  return fold(message).match(WORD) ?? [];
}

export function featuresOf(message: string): Set<string> {
  const features = new Set<string>();
  const tokens = tokensOf(message);
  const marked = ['<', ...tokens, '>'];
  for (let at = 0; at < marked.length; at += 1) {
    const [one, two, three] = marked.slice(at, at + 3);
    features.add(`w${one}`);
    if (two !== undefined) features.add(`w${one} ${two}`);
    if (three !== undefined) {
      features.add(`w${one} ${two} ${three}`);
      features.add(`s${one} ${three}`);
    }
  }
  for (const token of tokens) {
    if (!IS_WORD.test(token)) continue;
    const word = `<${token}>`;
    for (let length = 3; length <= 5; length += 1)
      for (let at = 0; at + length <= word.length; at += 1) features.add(`c${word.slice(at, at + length)}`);
  }
  addConcepts(tokens, features);
  return features;
}

function addConcepts(tokens: readonly string[], features: Set<string>): void {
  const found = conceptsOf(tokens).map((concepts, at) => {
    const token = tokens[at] ?? '';
    return concepts.size > 0 || IS_WORD.test(token) ? Array.from(concepts) : [token];
  });
  let start = 0;
  for (let at = 0; at <= tokens.length; at += 1) {
    const token = tokens[at];
    if (token !== undefined && !SENTENCE_END.test(token)) continue;
    readSentence(found.slice(start, at), token === '?', features);
    start = at + 1;
  }
}

function readSentence(found: readonly (readonly string[])[], isQuestion: boolean, features: Set<string>): void {
  const ending = isQuestion ? '?' : '.';
  const seen = new Set<string>();
  for (const [at, concepts] of found.entries()) {
    for (const concept of concepts) {
      seen.add(concept);
      features.add(`k${concept}`);
      features.add(`k${concept}${ending}`);
      if (at === 0 || CLAUSE_START.has(found[at - 1]?.[0] ?? '')) {
        features.add(`j${concept}`);
        features.add(`j${concept}${ending}`);
        for (const other of found[at + 1] ?? []) features.add(`j${concept} ${other}`);
      }
      if (at < 3) features.add(`k<${at} ${concept}`);
      if (at > found.length - 4) features.add(`k>${concept}`);
      for (let gap = 1; gap <= 4; gap += 1)
        for (const other of found[at + gap] ?? []) {
          features.add(`n${concept} ${other}`);
          if (gap === 1) {
            features.add(`b${concept} ${other}`);
            for (const third of found[at + 2] ?? []) features.add(`b${concept} ${other} ${third}`);
          }
        }
    }
  }
  const all = [...seen].sort();
  for (const [place, one] of all.entries()) for (const other of all.slice(place + 1)) features.add(`p${one} ${other}`);
}
