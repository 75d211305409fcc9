import { splitSentences } from '../reasoner/heuristic/text/sentences.ts';
import { contentWords, stemOf } from '../reasoner/heuristic/text/words.ts';
import { cutText } from '../model/text.ts';
import { quoteText } from './fence.ts';
import { formOf, type Form } from './piece.ts';

const SUMMARY_SHARES = [0.6, 0.3];
const LINE_CHARACTERS = 140;

/** Decisions, prohibitions and numbers are what a reader would miss. */
const SETTLED = /\b(?:decid|agree|must|never|always|only|not|prefer|because|until|instead|due|deadline)/iu;
const FIGURE = /\d/u;
const MARKED = /\[(?:agent|tool|import|external)\b/u;

/**
 * A quoted text in four lengths: all of it, its most telling lines, its first in short, and where it stands. Quoted once
 * more when shortened: what was left out may have kept the parts of a tag apart.
 */
export function formsOf(heading: string, text: string, link: string): readonly [Form, ...Form[]] {
  const head = heading === '' ? '' : `${heading}\n`;
  const full = formOf('full', () => head + text);
  const summaries = SUMMARY_SHARES.map((share) =>
    formOf('summary', () => quoteText(head + summariseText(text, share))),
  );
  const line = formOf('line', () => quoteText(`${heading === '' ? '' : `${heading} `}${firstLine(text)}`));
  return [full, ...summaries, line, formOf('link', () => link)];
}

/** The most telling lines of a list, or sentences of prose, in their order, within a share of the length. */
export function summariseText(text: string, share: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  // A line that says whose it is must not be told without that.
  const isByLine = lines.length > 2 || MARKED.test(text);
  const parts = isByLine ? lines : splitSentences(text).map((sentence) => sentence.text);
  const kept = chooseTelling(parts, Math.floor(text.length * share));
  const told = parts.filter((_, at) => kept.has(at)).join(isByLine ? '\n' : ' ');
  return kept.size === parts.length
    ? told
    : `${told === '' ? cutText(text, Math.floor(text.length * share)) : told}\n…`;
}

function chooseTelling(parts: readonly string[], maxChars: number): ReadonlySet<number> {
  const stems = parts.map((part) => [...new Set(contentWords(part).map(stemOf))]);
  const spread = new Map<string, number>();
  for (const stem of stems.flat()) spread.set(stem, (spread.get(stem) ?? 0) + 1);
  const worths = parts.map((part, at) => {
    const own = stems[at] ?? [];
    const central = own.reduce((sum, stem) => sum + Math.min(3, (spread.get(stem) ?? 1) - 1), 0) / (own.length + 1);
    return (
      Math.min(own.length, 8) / 8 +
      central +
      (SETTLED.test(part) ? 1 : 0) +
      (FIGURE.test(part) ? 0.5 : 0) +
      (at === 0 ? 0.3 : 0) -
      (MARKED.test(part) ? 0.5 : 0)
    );
  });
  const kept = new Set<number>();
  let left = maxChars;
  for (const at of worths.map((_, index) => index).sort((a, b) => (worths[b] ?? 0) - (worths[a] ?? 0) || a - b)) {
    const cost = (parts[at]?.length ?? 0) + 1;
    if (cost > left) continue;
    kept.add(at);
    left -= cost;
  }
  return kept;
}

function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return cutText(line.trim(), LINE_CHARACTERS);
}
