import { FEEDBACK_FILE, listItems, withItem, withoutItems } from '../workspace/formats/control-files.ts';
import type { Change } from '../workspace/door/request.ts';

/** The verdicts a user may give on a memory. */
export const VERDICTS = ['wrong', 'not-helpful', 'always'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Feedback {
  readonly id: string;
  readonly verdict: Verdict;
  /** For `not-helpful`: words of the prompt it did not help with; '' means every prompt. */
  readonly words: string;
}

const HEADING = `# Feedback

What the user said of memories, one in a line. Delete a line to take it back.

- \`wrong ID\`: never injected
- \`not-helpful ID: words\`: not injected for prompts with these words; for no prompt without them
- \`always ID\`: injected at every session start
`;

const LINE = /^(?<verdict>wrong|not-helpful|always)\s+(?<id>[^\s:`]+)(?::\s*(?<words>.*))?$/u;

/** Lines that are no feedback are a person's notes. */
export function parseFeedback(text: string): readonly Feedback[] {
  return listItems(text).flatMap((item) => parseItem(item) ?? []);
}

function parseItem(item: string): Feedback | undefined {
  const { verdict, id, words = '' } = LINE.exec(item)?.groups ?? {};
  const known = VERDICTS.find((one) => one === verdict);
  return known === undefined || id === undefined ? undefined : { verdict: known, id, words };
}

/** One verdict for a memory: the last one counts. Undefined takes back what was said of it. */
export function planFeedback(id: string, given: Omit<Feedback, 'id'> | undefined): Change {
  const edit = (current: string | undefined): string | undefined => {
    const rest = current === undefined ? undefined : withoutItems(current, (item) => parseItem(item)?.id === id);
    if (given === undefined) return rest;
    const { verdict, words } = given;
    return withItem(rest, HEADING, words === '' ? `${verdict} ${id}` : `${verdict} ${id}: ${words}`);
  };
  return { path: FEEDBACK_FILE, edit };
}
