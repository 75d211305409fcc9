import fs from 'node:fs';
import path from 'node:path';

/** One line of a conversation, in the form LoCoMo and our own sets share. */
export interface ConversationTurn {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
}

export interface ConversationSession {
  readonly id: string;
  readonly startedMs: number;
  readonly turns: readonly ConversationTurn[];
}

export interface LabelledQuestion {
  readonly text: string;
  readonly category: number;
  /** The turns that hold the answer. */
  readonly evidence: readonly ConversationTurn[];
  /** The sessions of these turns. */
  readonly sessions: ReadonlySet<string>;
}

export interface Conversation {
  readonly id: string;
  readonly sessions: readonly ConversationSession[];
  readonly questions: readonly LabelledQuestion[];
}

export interface LabelledSource {
  readonly qa: readonly {
    readonly question: string;
    readonly evidence?: readonly string[];
    readonly category: number;
  }[];
}

interface SourceFile extends LabelledSource {
  readonly id: string | number;
  readonly sessions: readonly {
    readonly id: string | number;
    readonly date: string;
    readonly turns: readonly ConversationTurn[];
  }[];
}

/** Category 5 holds questions that cannot be answered: there is nothing to find. */
const ANSWERABLE = new Set([1, 2, 3, 4]);
const TURN_ID = /[A-Z]\d+:\d+/gu;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

export function readConversations(folder: string): Conversation[] {
  const files = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => {
    const file = JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as SourceFile;
    const sessions = file.sessions.map(({ id, date, turns }) => ({
      id: String(id),
      startedMs: parseDate(date),
      turns,
    }));
    return { id: String(file.id), sessions, questions: labelQuestions(file, sessions) };
  });
}

export function labelQuestions({ qa }: LabelledSource, sessions: readonly ConversationSession[]): LabelledQuestion[] {
  const placed = new Map(sessions.flatMap(({ id, turns }) => turns.map((turn) => [turn.id, { turn, session: id }])));
  return qa.flatMap(({ question, evidence = [], category }) => {
    const ids = new Set(evidence.flatMap((cited) => cited.match(TURN_ID) ?? []));
    const found = [...ids].flatMap((id) => placed.get(id) ?? []);
    if (!ANSWERABLE.has(category) || found.length === 0) return [];
    return [
      {
        text: question,
        category,
        evidence: found.map(({ turn }) => turn),
        sessions: new Set(found.map(({ session }) => session)),
      },
    ];
  });
}

/** `1:56 pm on 8 May, 2023`, or ISO. */
export function parseDate(date: string): number {
  const match = /(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) (\w+),? (\d{4})/u.exec(date);
  if (match === null) return Date.parse(date);
  const [, hour, minute, half, day, month, year] = match;
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Date.UTC(Number(year), MONTHS.indexOf(month ?? ''), Number(day), hours, Number(minute));
}
