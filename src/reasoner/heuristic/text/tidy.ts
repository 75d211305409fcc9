import { capitalise } from '../../../model/text.ts';
/** Contractions as people type them in a hurry; only those whose bare form is no word of its own. */
const BARE_CONTRACTIONS: Readonly<Record<string, string>> = {
  dont: "don't",
  doesnt: "doesn't",
  didnt: "didn't",
  isnt: "isn't",
  arent: "aren't",
  wasnt: "wasn't",
  werent: "weren't",
  havent: "haven't",
  hasnt: "hasn't",
  hadnt: "hadn't",
  wouldnt: "wouldn't",
  shouldnt: "shouldn't",
  couldnt: "couldn't",
  cant: "can't",
  wont: "won't",
  im: "I'm",
  ive: "I've",
  youre: "you're",
  youve: "you've",
  theyre: "they're",
  theyve: "they've",
  weve: "we've",
  thats: "that's",
  theres: "there's",
  whats: "what's",
  lets: "let's",
  hes: "he's",
  shes: "she's",
  itll: "it'll",
  youll: "you'll",
  theyll: "they'll",
};

const BARE = new RegExp(`(?<![\\w'./-])(?:${Object.keys(BARE_CONTRACTIONS).join('|')})(?![\\w'-]|\\.\\w)`, 'giu');

/** One kind of apostrophe, quote and space; hurried contractions written out. Meaning and words stay. */
export function tidy(text: string): string {
  return text
    .replaceAll(/[\u2018\u2019\u00b4]/gu, "'")
    .replaceAll(/[\u201c\u201d\u201e\u00ab\u00bb]/gu, '"')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(BARE, (word) => matchCase(BARE_CONTRACTIONS[word.toLowerCase()] ?? word, word));
}

function matchCase(written: string, model: string): string {
  const first = model.charAt(0);
  return first === first.toUpperCase() && first !== first.toLowerCase() ? capitalise(written) : written;
}
