import { labelQuestions, parseDate, type Conversation, type LabelledSource } from '../retrieval/conversations.ts';

interface Entry {
  readonly sample_id?: string;
  /** `session_1`, `session_1_date_time`, `session_2` … beside the speakers' names. */
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: LabelledSource['qa'];
}

interface Line {
  readonly dia_id: string;
  readonly speaker: string;
  readonly text: string;
}

/** `locomo10.json` as its authors publish it. */
export function readLocomo(content: readonly unknown[]): Conversation[] {
  return (content as readonly Entry[]).map(({ sample_id: sample, conversation, qa }, index) => {
    const numbers = Object.keys(conversation)
      .map((key) => /^session_(\d+)$/u.exec(key)?.[1])
      .filter((number) => number !== undefined)
      .toSorted((left, right) => Number(left) - Number(right));
    const sessions = numbers.map((number) => ({
      id: number,
      startedMs: parseDate(String(conversation[`session_${number}_date_time`])),
      turns: (conversation[`session_${number}`] as readonly Line[]).map(({ dia_id: id, speaker, text }) => ({
        id,
        speaker,
        text,
      })),
    }));
    return { id: sample ?? String(index), sessions, questions: labelQuestions({ qa }, sessions) };
  });
}
