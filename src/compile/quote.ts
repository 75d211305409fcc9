import { localTime } from '../model/time.ts';
import { isTrustedAtLeast, lowestTrust, type Trust } from '../model/provenance.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { indent, quoteLine, quoteText } from './fence.ts';
import type { Origin } from './piece.ts';

const BODY = ' ';
/** The second and later lines of what somebody said: none of them can pass for somebody else's. */
const CONTINUED = '   ';

/** Neighbouring passages as a quotation: when, where from, how far to be trusted; then who said what. */
export function quotePassages(members: readonly StoredPassage[], timeZone: string): string {
  return [headingOf(members, timeZone), ...members.map((member, at) => quoteMember(member, members[at - 1]))].join(
    '\n',
  );
}

/** The same with only a part of the words. */
export function quoteSnippet(members: readonly StoredPassage[], snippet: string, timeZone: string): string {
  return [headingOf(members, timeZone), indent(quoteText(snippet), BODY)].join('\n');
}

/** One turn of a conversation whose session and day are known. */
export function quoteTurn(member: StoredPassage): string {
  return quoteMember(member, undefined).slice(BODY.length);
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

/** What people and their agent said themselves; anything else may have been written by anybody. */
function isTrusted(trust: Trust): boolean {
  return isTrustedAtLeast(trust, 'agent');
}

function headingOf(members: readonly StoredPassage[], timeZone: string): string {
  const [first] = members;
  const last = members.at(-1);
  if (first === undefined || last === undefined) return '[]';
  const day = first.timeMs === undefined ? 'undated' : localTime(first.timeMs, timeZone).date;
  const span = first.turn === undefined || first.turn === last.turn ? '' : `-${last.turn ?? ''}`;
  const where = first.turn === undefined ? first.document.path : `${first.id}${span}`;
  const trust = lowestTrust(members.map((member) => member.trust));
  const marks = [
    isTrusted(trust) ? trust : `${trust}, untrusted`,
    ...(members.every(({ type }) => type === 'superseded') ? ['superseded'] : []),
  ];
  return `[${[day, quoteLine(where), ...marks].join(' · ')}]`;
}

function quoteMember(member: StoredPassage, before: StoredPassage | undefined): string {
  const isContinued = before?.id === member.id;
  const who = member.speaker ?? (before?.lead === member.lead ? '' : member.lead);
  const label = isContinued || who === '' ? '' : `${quoteLine(who)}: `;
  const [first = '', ...rest] = quoteText(member.text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [`${BODY}${label}${first.trimEnd()}`, ...(rest.length === 0 ? [] : [indent(rest.join('\n'), CONTINUED)])].join(
    '\n',
  );
}
