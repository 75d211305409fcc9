import fs from 'node:fs';
import path from 'node:path';
import type { Conversation, ConversationSession, ConversationTurn, LabelledQuestion } from './conversations.ts';

const SESSION = /^== (\d+) \| (\d{4}-\d\d-\d\d) (\d\d:\d\d) \| [^|]+ \| .+$/u;
const TURN = /^(\d+\.\d+) ([^\s:]+): (.*)$/u;
/** Types of questions in the order of their numbers; LoCoMo's first category needs several turns, too. */
const CATEGORIES = ['several', 'time', 'category', 'direct', 'reworded', 'current', 'count'];

/** The kinds in a folder such as `training/data/conversations`: a folder each. */
export function listKinds(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/**
 * All conversations of a kind in one memory, in the form that `training/data/DATA-CARD.md` describes. One by one they are
 * so short that 4,000 tokens hold nearly everything.
 */
export function readKind(folder: string, kind: string): Conversation {
  const names = fs.readdirSync(path.join(folder, kind)).filter((name) => name.endsWith('.txt'));
  const parts = names.sort().map((name) => {
    const file = path.join(folder, kind, name);
    const sessions = parseSessions(fs.readFileSync(file, 'utf8'), path.parse(name).name);
    const rows = fs.readFileSync(file.replace(/\.txt$/u, '.questions.tsv'), 'utf8');
    return { sessions, questions: parseQuestions(rows, sessions) };
  });
  return {
    id: kind,
    sessions: parts.flatMap(({ sessions }) => sessions),
    questions: parts.flatMap(({ questions }) => questions),
  };
}

function parseSessions(text: string, name: string): ConversationSession[] {
  const sessions: (ConversationSession & { readonly turns: ConversationTurn[] })[] = [];
  for (const line of text.split('\n')) {
    const [, session, day, minute] = SESSION.exec(line) ?? [];
    const [, id, speaker, first] = TURN.exec(line) ?? [];
    const turns = sessions.at(-1)?.turns;
    const last = turns?.at(-1);
    if (session !== undefined) {
      sessions.push({ id: `${name}-${session}`, startedMs: Date.parse(`${day}T${minute}:00Z`), turns: [] });
    } else if (id !== undefined && speaker !== undefined) {
      turns?.push({ id, speaker, text: first ?? '' });
    } else if (turns !== undefined && last !== undefined) {
      turns[turns.length - 1] = { ...last, text: `${last.text}\n${line}`.trimEnd() };
    }
  }
  return sessions;
}

function parseQuestions(rows: string, sessions: readonly ConversationSession[]): LabelledQuestion[] {
  const placed = new Map(sessions.flatMap(({ id, turns }) => turns.map((turn) => [turn.id, { turn, session: id }])));
  return rows.split('\n').flatMap((row) => {
    const [type = '', ids = '', text = ''] = row.split('\t');
    const found = ids.split(/, ?/u).flatMap((id) => placed.get(id.trim()) ?? []);
    if (found.length === 0) return [];
    return [
      {
        text,
        category: CATEGORIES.indexOf(type) + 1,
        evidence: found.map(({ turn }) => turn),
        sessions: new Set(found.map(({ session }) => session)),
      },
    ];
  });
}
