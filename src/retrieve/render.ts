import type { StoredPassage } from '../search-index/port.ts';

/**
 * Neighbouring passages as a reader should see them: once the day and what stands above them, then each in order. A
 * piece of a long item overlaps the piece before it; what was already shown is not shown twice.
 */
export function renderPassages(members: readonly StoredPassage[]): string {
  const lines: string[] = [];
  let heading = '';
  let previous: StoredPassage | undefined;
  for (const passage of members) {
    const own = headingOf(passage);
    if (own !== heading && own !== '') lines.push(own);
    heading = own;
    const text = previous?.id === passage.id ? withoutOverlap(previous.text, passage.text) : passage.text;
    const isContinued = previous?.id === passage.id;
    lines.push(passage.speaker === undefined || isContinued ? text : `${passage.speaker}: ${text}`);
    previous = passage;
  }
  return lines.join('\n');
}

/** Speakers stand before their own words, so a turn's heading is only its day. */
function headingOf({ speaker, lead, day }: StoredPassage): string {
  const date = shortDay(day);
  if (speaker !== undefined) return date;
  if (lead === '') return date;
  return date === '' || lead.includes(date) ? lead : `${lead} (${date})`;
}

/** Everybody can tell the weekday from the date, and it costs tokens. */
function shortDay(day: string): string {
  return day.replace(/^\p{L}+ (?=\d)/u, '');
}

function withoutOverlap(before: string, text: string): string {
  for (let length = Math.min(before.length, text.length); length > 0; length -= 1) {
    if (before.endsWith(text.slice(0, length))) return text.slice(length).trimStart();
  }
  return text;
}
