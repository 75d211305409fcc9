import { localTime } from '../model/time.ts';
import { isTrustedAtLeast, lowestTrust, type Trust } from '../model/provenance.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { indent, quoteLine, quoteText } from './fence.ts';
import type { Origin } from './piece.ts';
import { repeats } from '../model/repeated.ts';

const BODY = ' ';
/** The second and later lines of what somebody said: none of them can pass for somebody else's. */
const CONTINUED = '   ';

/** The day of a moment where the home is. */
export type DayOf = (timeMs: number) => string;

/** Zones differ by quarters of an hour, so that a day need not be worked out for every moment. */
const QUARTER_HOUR_MS = 900_000;

export function createDays(timeZone: string): DayOf {
  const known = new Map<number, string>();
  return (timeMs) => {
    const quarter = Math.floor(timeMs / QUARTER_HOUR_MS);
    const day = known.get(quarter) ?? localTime(timeMs, timeZone).date;
    known.set(quarter, day);
    return day;
  };
}

/** Neighbouring passages: who said what, below a heading that says when, where and how far it is to be trusted. */
export function quotePassages(members: readonly StoredPassage[]): string {
  return members.map((member, at) => quoteMember(member, members[at - 1])).join('\n');
}

/** The same with only a part of the words. */
export function quoteSnippet(members: readonly StoredPassage[], snippet: string): string {
  const [first] = members;
  const turn = first?.turn === undefined ? '' : `${first.turn} `;
  return indent(turn + quoteText(snippet).trimStart(), BODY);
}

/** Only where it can be read. */
export function quoteLink(members: readonly StoredPassage[]): string {
  const [first] = members;
  const last = members.at(-1);
  if (first === undefined || last === undefined) return '';
  return `${BODY}→ ${quoteLine(first.id)}${first.id === last.id ? '' : ` to ${quoteLine(last.id)}`}`;
}

/** One turn of a conversation whose session and day are known. */
export function quoteTurn(member: StoredPassage): string {
  return quoteMember({ ...member, turn: undefined }, undefined).slice(BODY.length);
}

export function originOf(members: readonly StoredPassage[], best: StoredPassage): Origin {
  return {
    id: best.id,
    path: best.document.path,
    source: best.source,
    session: best.session ?? null,
    turn: best.turn ?? null,
    trust: lowestTrust(members.map(({ trust }) => trust)),
    scope: best.document.scope,
    time: best.timeMs === undefined ? null : new Date(best.timeMs).toISOString(),
  };
}

/** True for words of the people and their agent; anything else may come from any source. */
function isTrusted(trust: Trust): boolean {
  return isTrustedAtLeast(trust, 'agent');
}

/**
 * Day, place and trust of what stands below it, until the next heading. Turns say themselves which they are and who
 * speaks, so that a conversation needs one heading a day. Lines of a page that come from several conversations stand below
 * the page, with their first and last day.
 */
export function headingOf(members: readonly StoredPassage[], dayOf: DayOf): string {
  const [first] = members;
  if (first === undefined) return '[]';
  const isOneSession = new Set(members.map(({ session }) => session)).size === 1;
  const where = first.turn === undefined || !isOneSession ? placeOf(first) : (first.session ?? first.document.path);
  const days = members.flatMap(({ timeMs }) => (timeMs === undefined ? [] : [dayOf(timeMs)])).sort();
  const [earliest = 'undated', latest = earliest] = [days[0], days.at(-1)];
  const day = earliest === latest ? earliest : `${earliest} to ${latest}`;
  const marks = [trustMark(members), ...(members.every(({ type }) => type === 'superseded') ? ['superseded'] : [])];
  return `[${[day, quoteLine(where), ...marks].join(' · ')}]`;
}

/** A procedure's file is called by its words, which stand below and may be marked there as replaced. */
function placeOf({ document: { store, path } }: StoredPassage): string {
  return store === 'procedural' ? path.slice(0, path.lastIndexOf('/')) : path;
}

function trustMark(members: readonly StoredPassage[]): string {
  const trust = lowestTrust(members.map((member) => member.trust));
  if (!isTrusted(trust)) return `${trust}, untrusted`;
  // The speaker's name is already in front of the words.
  return members[0]?.turn === undefined ? trust : 'user and agent';
}

function quoteMember(member: StoredPassage, before: StoredPassage | undefined): string {
  const isContinued = before?.id === member.id;
  const who = member.speaker ?? (before?.lead === member.lead ? '' : member.lead);
  // The page of a procedure is often called what its only step says.
  const isSaid = member.document.store === 'procedural' && repeats([member.text])(member.document.title);
  const label = isContinued || isSaid || who === '' ? '' : `${quoteLine(who)}: `;
  const turn = isContinued || member.turn === undefined ? '' : `${member.turn} `;
  const [first = '', ...rest] = quoteText(member.text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [
    `${BODY}${turn}${label}${first.trimEnd()}`,
    ...(rest.length === 0 ? [] : [indent(rest.join('\n'), CONTINUED)]),
  ].join('\n');
}
