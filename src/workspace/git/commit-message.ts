import { ACTIONS, type Action } from '../../model/mutation.ts';

/** The trailers Mneme writes, in the order it writes them (DESIGN §4, step 4). */
export const TRAILER_KEYS = ['Mutation', 'Actor', 'Approval', 'Trigger', 'Session'] as const;
export type TrailerKey = (typeof TRAILER_KEYS)[number];

/** A batched commit holds many mutations, so every trailer may occur more than once. */
export type Trailers = Readonly<Partial<Record<TrailerKey, readonly string[]>>>;

export interface CommitMessage {
  /** undefined for a message that is not in Mneme's form. */
  readonly action: Action | undefined;
  /** The subject without `[ACTION] path — `; the whole subject for any other message. */
  readonly summary: string;
  readonly trailers: Trailers;
}

const SUBJECT_PATTERN = /^\[([A-Z]+)\] (?:.*? — )?(.*)$/;
const TRAILER_PATTERN = /^([A-Za-z][A-Za-z0-9-]*): *(.*)$/;

export function mutationSubject(action: Action, path: string, summary: string): string {
  return `[${action}] ${oneLine(path)} — ${oneLine(summary)}`;
}

export function serializeCommitMessage(subject: string, trailers: Trailers, body = ''): string {
  const lines = TRAILER_KEYS.flatMap((key) => (trailers[key] ?? []).map((value) => `${key}: ${oneLine(value)}`));
  const paragraphs = [oneLine(subject), body.trim(), lines.join('\n')];
  return `${paragraphs.filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

export function parseCommitMessage(message: string): CommitMessage {
  const paragraphs = message
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/);
  const subject = (paragraphs[0] ?? '').replaceAll('\n', ' ');
  const match = SUBJECT_PATTERN.exec(subject);
  const action = ACTIONS.find((known) => known === match?.[1]);
  return {
    action,
    summary: action === undefined ? subject : (match?.[2] ?? ''),
    trailers: paragraphs.length > 1 ? parseTrailers(paragraphs.at(-1) ?? '') : {},
  };
}

/** Only a paragraph made of nothing but trailers counts, as git itself has it: prose may mention `Actor: x`. */
function parseTrailers(paragraph: string): Trailers {
  const found: Partial<Record<TrailerKey, string[]>> = {};
  for (const line of paragraph.split('\n')) {
    const match = TRAILER_PATTERN.exec(line);
    if (match === null) return {};
    const key = TRAILER_KEYS.find((known) => known === match[1]);
    if (key !== undefined) (found[key] ??= []).push((match[2] ?? '').trim());
  }
  return found;
}

/** A line end inside a value would start a trailer of its own. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim();
}
