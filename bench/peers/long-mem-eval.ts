import type { Conversation, ConversationTurn } from '../retrieval/conversations.ts';

interface Entry {
  readonly question_id: string;
  readonly question: string;
  readonly haystack_dates: readonly string[];
  readonly haystack_session_ids: readonly string[];
  readonly haystack_sessions: readonly (readonly Line[])[];
}

interface Line {
  readonly role: string;
  readonly content: string;
  readonly has_answer?: boolean;
}

/** `longmemeval_s.json`, `_m` and `_oracle` as their authors publish them: each question has a history of its own. */
export function readLongMemEval(content: readonly unknown[]): Conversation[] {
  return (content as readonly Entry[]).flatMap((entry) => {
    const evidence: { readonly turn: ConversationTurn; readonly session: string }[] = [];
    const sessions = entry.haystack_sessions.map((lines, index) => {
      const id = entry.haystack_session_ids[index] ?? String(index);
      const turns = lines.map(({ role, content: text, has_answer: isEvidence }, at) => {
        const turn = { id: `${id}:${at}`, speaker: role === 'assistant' ? 'agent' : role, text };
        if (isEvidence === true) evidence.push({ turn, session: id });
        return turn;
      });
      return { id, startedMs: parseDay(entry.haystack_dates[index] ?? ''), turns };
    });
    // Questions whose answer is that nobody said it have nothing to find.
    if (evidence.length === 0) return [];
    const question = {
      text: entry.question,
      category: 1,
      evidence: evidence.map(({ turn }) => turn),
      sessions: new Set(evidence.map(({ session }) => session)),
    };
    return [{ id: entry.question_id, sessions, questions: [question] }];
  });
}

/** `2023/05/20 (Sat) 02:21` */
function parseDay(date: string): number {
  const [, year, month, day, hour, minute] = /(\d{4})\/(\d\d)\/(\d\d)\D+(\d\d):(\d\d)/u.exec(date) ?? [];
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}
