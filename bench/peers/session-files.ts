import fs from 'node:fs';
import path from 'node:path';
import type { Conversation, ConversationSession } from '../retrieval/conversations.ts';

export function sessionText({ turns }: ConversationSession): string {
  return turns.map(({ speaker, text }) => `${speaker}: ${text.replaceAll('\n', ' ')}`).join('\n');
}

/** A Markdown file for each session, named by its day. */
export function writeSessions({ sessions }: Conversation, folder: string): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const [index, session] of sessions.entries()) {
    const day = new Date(session.startedMs).toISOString().slice(0, 10);
    const name = `${day}-${String(index).padStart(3, '0')}.md`;
    fs.writeFileSync(path.join(folder, name), `# ${day}\n\n${sessionText(session)}\n`);
  }
}

const STOP_WORDS = new Set(
  'a about after all also am an and any are as at be been before being both but by can could did do does doing for from had has have having he her here hers him his how i if in into is it its just me my no nor not of off on once only or other our out over own she should so some such than that the their them then there these they this those through to too under until up very was we were what when where which while who whom why will with would you your'.split(
    ' ',
  ),
);

/** The words of a question that a search by words can use. */
export function keywords(question: string): string[] {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => !STOP_WORDS.has(word));
}

/** The best of several rankings: a place counts the more, the nearer it is to the front. */
export function joinRanks(rankings: readonly (readonly string[])[]): string[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [place, id] of ranking.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (60 + place));
  }
  return [...scores].toSorted(([, left], [, right]) => right - left).map(([id]) => id);
}
