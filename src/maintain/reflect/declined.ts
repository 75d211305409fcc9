import { isMnemeError } from '../../model/errors.ts';
import { parseDiff } from '../../proposals/diff-text.ts';
import type { Proposal, ProposedChange } from '../../proposals/proposal.ts';
import { splitTrailingMetadata, visibleText } from '../../workspace/formats/metadata.ts';
import { cutAnchor } from '../../workspace/markdown/anchor.ts';

/** Tells whether a person has declined a line before: to add it (`+`) or to take it out (`-`). */
export interface Declined {
  has(path: string, sign: '+' | '-', text: string): boolean;
}

/** Tells whether a statement says one of the known ones in other words. */
export type Restates = (known: readonly string[], text: string) => boolean;

/**
 * Rejected text is not proposed again, neither line by line nor in other words: a new reflection never asks the same. Words that a
 * person left out of an approval count for every line that holds them.
 */
export function declinedBy(proposals: readonly Proposal[], restates: Restates = () => false): Declined {
  const lines = new Set<string>();
  const words: string[] = [];
  for (const { state, changes, reason } of proposals) {
    for (const change of changes) {
      const isDeclined = change.state === 'rejected' || (state === 'rejected' && change.state === 'waiting');
      if (isDeclined) for (const line of normalLines(change)) lines.add(`${change.path}\n${line}`);
    }
    words.push(...leftOutWords(reason ?? ''));
  }
  return {
    has: (path, sign, text) => {
      const said = normal(text);
      const start = `${path}\n${sign}`;
      return (
        lines.has(`${start}${said}`) ||
        words.some((phrase) => said.includes(phrase)) ||
        restates(
          [...lines].flatMap((line) => (line.startsWith(start) ? line.slice(start.length) : [])),
          said,
        )
      );
    },
  };
}

/** The lines of declined changes, which never change and are read once. */
const known = new WeakMap<ProposedChange, readonly string[]>();

function normalLines(change: ProposedChange): readonly string[] {
  const lines = known.get(change) ?? touchedLines(change).map((line) => `${line[0]}${normal(line.slice(1))}`);
  known.set(change, lines);
  return lines;
}

function touchedLines({ diff }: ProposedChange): string[] {
  try {
    return parseDiff(diff).flatMap(({ lines }) => lines.filter((line) => /^[+-]/u.test(line)));
  } catch (error) {
    if (isMnemeError(error, 'usage')) return [];
    throw error;
  }
}

/** A line without marker, metadata, anchor and strike-through: only what it says. */
function normal(line: string): string {
  const bare = splitTrailingMetadata(cutAnchor(line.trim()).trimEnd()).text;
  return visibleText(bare)
    .replace(/^[-*+] (?:\[.\] )?/u, '')
    .replaceAll('~~', '')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}

const LEFT_OUT = /without "([^"]+)"/gu;

/** The note in an approval for words that were left out. */
export function withoutWords(words: readonly string[]): string {
  return words.map((phrase) => `without "${phrase.replaceAll('"', "'")}"`).join(', ');
}

function leftOutWords(reason: string): string[] {
  return [...reason.matchAll(LEFT_OUT)].flatMap(([, phrase]) => (phrase === undefined ? [] : [phrase.toLowerCase()]));
}
