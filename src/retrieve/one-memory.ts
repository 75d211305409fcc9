import type { StoredPassage } from '../search-index/port.ts';
import { extractTerms } from '../search-index/text/terms.ts';
import type { Group } from './fit.ts';
import { isTurn } from '../search-index/port.ts';

/** One memory, wherever it is written: an episode, a journal line, a turn and a fact of the same thing. */
export interface Memory {
  /** The place of the group that is shown. */
  readonly at: number;
  /** The places of the other groups that say the same, the best first. */
  readonly also: readonly number[];
  /** It has since been replaced. */
  readonly isSuperseded: boolean;
}

/** A journal line retells so much of what was said in its own words. */
const RETOLD = 0.7;
/** Journal lines that may stand before everything else: the journal retells what is remembered elsewhere. */
const MAX_JOURNAL = 1;

/**
 * Joins groups that say the same. The order stays, but what has been replaced stands behind what holds on the same page or
 * about the same entity, and the journal does not take more than one of the first places.
 */
export function joinMemories(groups: readonly Group[]): Memory[] {
  const joined: { at: number; also: number[] }[] = [];
  for (const [at, group] of groups.entries()) {
    const same = joined.find((memory) => isSame(groups[memory.at], group));
    if (same === undefined) joined.push({ at, also: [] });
    else if (isJournal(groups[same.at]) && !isJournal(group)) {
      same.also.unshift(same.at);
      same.at = at;
    } else same.also.push(at);
  }
  const memories = joined.map(({ at, also }): Memory => ({ at, also, isSuperseded: isReplaced({ at, also }, groups) }));
  const [first, later] = split(memories, isSpare(groups));
  return [...currentFirst(first, groups), ...currentFirst(later, groups)];
}

function isSpare(groups: readonly Group[]): (memory: Memory) => boolean {
  let seen = 0;
  return ({ at }) => isJournal(groups[at]) && (seen += 1) > MAX_JOURNAL;
}

function split<T>(items: readonly T[], isLater: (item: T) => boolean): readonly [T[], T[]] {
  const first: T[] = [];
  const later: T[] = [];
  for (const item of items) (isLater(item) ? later : first).push(item);
  return [first, later];
}

/** Each memory that was replaced moves behind the last current one on the same thing. */
function currentFirst(memories: readonly Memory[], groups: readonly Group[]): Memory[] {
  const order = memories.filter(({ isSuperseded }) => !isSuperseded);
  for (const [place, memory] of memories.entries()) {
    if (!memory.isSuperseded) continue;
    const before = memories.slice(0, place).map((one) => order.indexOf(one));
    const related = order.flatMap((one, at) =>
      isOnSameThing(groups[one.at]?.best.passage, groups[memory.at]?.best.passage) ? [at] : [],
    );
    order.splice(Math.max(-1, ...before, ...related) + 1, 0, memory);
  }
  return order;
}

function isOnSameThing(left: StoredPassage | undefined, right: StoredPassage | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  return (
    (left.document.source === right.document.source && left.document.path === right.document.path) ||
    left.entities.some((entity) => right.entities.includes(entity))
  );
}

function isReplaced({ at, also }: Omit<Memory, 'isSuperseded'>, groups: readonly Group[]): boolean {
  const statements = [at, ...also].flatMap((place) => {
    const passage = groups[place]?.best.passage;
    return passage === undefined || isTurn(passage) || isJournal(groups[place]) ? [] : [passage];
  });
  return statements.length > 0 && statements.every(({ type }) => type === 'superseded');
}

function isSame(one: Group | undefined, other: Group): boolean {
  if (one === undefined) return false;
  const [left, right] = [one.best.passage, other.best.passage];
  if (left.document.scope !== right.document.scope) return false;
  if (plainText(left) === plainText(right) && left.trust === right.trust) return true;
  if (isTurn(left) !== isTurn(right) && placesOf(one).some((place) => placesOf(other).includes(place))) return true;
  if (isJournal(one)) return isRetold(left, other);
  return isJournal(other) && isRetold(right, one);
}

/** Whether a journal line says what the group says, of the same day. */
function isRetold(line: StoredPassage, { members }: Group): boolean {
  if (!members.some(({ day }) => day === line.day)) return false;
  const terms = extractTerms(plainText(line));
  const told = new Set(members.flatMap(({ text }) => extractTerms(text)));
  return terms.length > 0 && terms.filter((term) => told.has(term)).length >= RETOLD * terms.length;
}

/** The turns that a group quotes, or that its statement was learned from. */
function placesOf({ best, members }: Group): string[] {
  const said = isTurn(best.passage) ? members : [best.passage];
  return said.flatMap(({ session, turn, trust }) =>
    session === undefined || turn === undefined || trust === 'tool' ? [] : [`${session}#${turn}`],
  );
}

function isJournal(group: Group | undefined): boolean {
  return group?.best.passage.document.store === 'journal';
}

/** The words without the project that a line of the journal ends with. */
function plainText({ text }: StoredPassage): string {
  return text
    .replace(/\s*\[[^\]]*\]\s*(?=\.?$)/u, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}
