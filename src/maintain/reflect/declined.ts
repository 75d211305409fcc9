import { isMnemeError } from '../../model/errors.ts';
import { type Hunk, parseDiff } from '../../proposals/diff-text.ts';
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

interface LeftOut {
  readonly change: ProposedChange;
  /** The number of lines left out. */
  readonly lines: number;
  /** Whether it would still change something. */
  readonly isEmpty: boolean;
}

/** The change without the lines that say one of these words: an addition is dropped, a removal does not happen. */
export function leaveOut(change: ProposedChange, words: readonly string[]): LeftOut {
  const hunks = parseDiff(change.diff);
  const wanted = words.map((phrase) => phrase.toLowerCase());
  let count = 0;
  const kept = hunks.map((hunk): Hunk => {
    const dropped = linesToDrop(hunk.lines, wanted);
    count += dropped.size;
    const lines = hunk.lines.flatMap((line, index) => {
      if (!dropped.has(index)) return [line];
      return line.startsWith('-') ? [` ${line.slice(1)}`] : [];
    });
    return { oldStart: hunk.oldStart, lines };
  });
  if (count === 0) return { change, lines: 0, isEmpty: false };
  const left = kept.filter(({ lines }) => lines.some((line) => /^[+-]/u.test(line)));
  return { change: { ...change, diff: renderHunks(left) }, lines: count, isEmpty: left.length === 0 };
}

/** A line and what it replaces, or is replaced by, go together. */
function linesToDrop(lines: readonly string[], words: readonly string[]): Set<number> {
  const dropped = new Set<number>();
  for (const group of groupsOf(lines)) {
    for (const [removed, added] of pairsOf(lines, group)) {
      const said = [removed, added].flatMap((index) => (index === undefined ? [] : [lines[index] ?? '']));
      const isMeant = said.some((line) => words.some((phrase) => line.toLowerCase().includes(phrase)));
      if (!isMeant) continue;
      for (const index of [removed, added]) if (index !== undefined) dropped.add(index);
    }
  }
  return dropped;
}

/** Runs of changed lines without an unchanged one in between, by their indexes. */
function groupsOf(lines: readonly string[]): number[][] {
  const groups: number[][] = [[]];
  for (const [index, line] of lines.entries()) {
    if (/^[+-]/u.test(line)) groups.at(-1)?.push(index);
    else if (groups.at(-1)?.length !== 0) groups.push([]);
  }
  return groups;
}

function pairsOf(lines: readonly string[], group: readonly number[]): [number | undefined, number | undefined][] {
  const removed = group.filter((index) => lines[index]?.startsWith('-'));
  const added = new Set(group.filter((index) => lines[index]?.startsWith('+')));
  const isOneToOne = removed.length === added.size;
  const inOrder = [...added];
  const pairs = removed.map((index, at): [number, number | undefined] => {
    const anchor = anchorOf(lines[index] ?? '');
    const same = [...added].find((other) => anchor !== undefined && anchorOf(lines[other] ?? '') === anchor);
    const partner = same ?? (isOneToOne ? inOrder[at] : undefined);
    if (partner !== undefined) added.delete(partner);
    return [index, partner];
  });
  return [...pairs, ...[...added].map((index): [undefined, number] => [undefined, index])];
}

function anchorOf(line: string): string | undefined {
  return /\^([0-9a-z-]+)\s*$/u.exec(line)?.[1];
}

function renderHunks(hunks: readonly Hunk[]): string {
  return hunks.map(({ oldStart, lines }) => `@@ -${oldStart} +${oldStart} @@\n${lines.join('\n')}\n`).join('');
}
