import { alignKeys } from './align.ts';
import { timeOf, type Unit } from './units.ts';

/**
 * Orders what both sides inserted at the same place. Whole groups are ordered, never single lines: a heading moves
 * with its section, an entry with the text under it, an item with the items nested in it.
 */

/** A unit of the merged body and where it stands in the documents it came from. */
export interface Placed {
  readonly unit: Unit;
  readonly base?: number;
  readonly ours?: number;
  readonly theirs?: number;
}

interface Group {
  readonly members: readonly Placed[];
  /** The heading's level; text without a heading belongs to the section above and goes before any heading. */
  readonly level: number;
  readonly time: string | undefined;
  /** The first anchor in the group: it breaks ties between equal times the same way on every machine. */
  readonly id: string;
}

const NO_HEADING = 7;

export function mergeInsertions(ours: readonly Placed[], theirs: readonly Placed[]): Placed[] {
  if (ours.length === 0) return [...theirs];
  if (theirs.length === 0) return [...ours];
  const ourGroups = groupMembers(ours);
  const theirGroups = groupMembers(theirs);
  const partners = alignKeys(ourGroups.map(groupKey), theirGroups.map(groupKey));
  const merged: Placed[][] = [];
  let ourStart = 0;
  let theirStart = 0;
  for (const [at, group] of ourGroups.entries()) {
    const partner = theirGroups[partners[at] ?? -1];
    if (partner === undefined) continue;
    const theirEnd = partners[at] ?? theirStart;
    merged.push(interleave(ourGroups.slice(ourStart, at), theirGroups.slice(theirStart, theirEnd)));
    merged.push(mergeSameGroup(group, partner));
    ourStart = at + 1;
    theirStart = theirEnd + 1;
  }
  merged.push(interleave(ourGroups.slice(ourStart), theirGroups.slice(theirStart)));
  return merged.flat();
}

function groupMembers(placed: readonly Placed[]): Group[] {
  const groups: Placed[][] = [];
  for (const member of placed) {
    const current = groups.at(-1);
    const head = current?.[0];
    if (current !== undefined && head !== undefined && belongsTo(member.unit, head.unit)) current.push(member);
    else groups.push([member]);
  }
  return groups.map((members) => {
    const head = members[0]?.unit;
    return {
      members,
      level: head?.block.kind === 'heading' ? head.block.level : NO_HEADING,
      time: head === undefined ? undefined : timeOf(head),
      id: members.find((member) => member.unit.block.id !== undefined)?.unit.block.id ?? '',
    };
  });
}

function belongsTo(unit: Unit, head: Unit): boolean {
  if (head.block.kind === 'heading') return unit.block.kind !== 'heading' || unit.block.level > head.block.level;
  if (unit.block.kind === 'heading') return false;
  const isNested = unit.block.kind === 'item' && head.block.kind === 'item' && unit.block.level > head.block.level;
  return isNested || (timeOf(head) !== undefined && timeOf(unit) === undefined);
}

/** Untimed sections are the same by their heading (both sides made "## Facts"); entries only by all they say. */
function groupKey(group: Group): string {
  const head = group.members[0]?.unit.content ?? '';
  if (group.level < NO_HEADING && group.time === undefined) return head;
  return group.members.map((member) => member.unit.content).join('\n\n');
}

function mergeSameGroup(ours: Group, theirs: Group): Placed[] {
  const isSection = ours.level < NO_HEADING && ours.time === undefined;
  if (!isSection) return ours.members.map((member, index) => bothPlaced(member, theirs.members[index]));
  const head = ours.members[0];
  const headings = head === undefined ? [] : [bothPlaced(head, theirs.members[0])];
  return [...headings, ...mergeInsertions(ours.members.slice(1), theirs.members.slice(1))];
}

function bothPlaced(ours: Placed, theirs: Placed | undefined): Placed {
  return theirs === undefined ? ours : { ...ours, ...theirs };
}

function interleave(ours: readonly Group[], theirs: readonly Group[]): Placed[] {
  const ordered: Group[] = [];
  let ourAt = 0;
  for (const group of theirs) {
    for (let our = ours[ourAt]; our !== undefined && goesFirst(our, group); our = ours[ourAt]) {
      ordered.push(our);
      ourAt += 1;
    }
    ordered.push(group);
  }
  return [...ordered, ...ours.slice(ourAt)].flatMap((group) => group.members);
}

/** Deeper groups first, since a heading would swallow them; then by (time, id); without times ours come first. */
function goesFirst(ours: Group, theirs: Group): boolean {
  if (ours.level !== theirs.level) return ours.level > theirs.level;
  if (ours.time === undefined || theirs.time === undefined) return true;
  if (ours.time !== theirs.time) return ours.time < theirs.time;
  return ours.id <= theirs.id;
}
