import { writeMessage, type WrittenMessage } from './json-message.ts';
import type { ContextMessage } from './message.ts';

/** A message made here, or one as the owner of the window wrote it. */
export type WindowMessage = WrittenMessage | Readonly<Record<string, unknown>>;

/**
 * Messages that stayed as they were go back as they came. A call and its answer do so only together: services refuse the
 * one without the other, so that what is left of a pair is told in words.
 */
export function writeWindow(
  left: readonly ContextMessage[],
  before: readonly ContextMessage[],
): readonly WindowMessage[] {
  const was = new Map(before.map((message) => [message.id, message]));
  const answered = new Set(before.flatMap(({ answers = [] }) => answers));
  let whole = left.filter((message) => isUntouched(message, was.get(message.id)));
  for (;;) {
    const calls = new Set(whole.flatMap((message) => message.calls ?? []));
    const answers = new Set(whole.flatMap((message) => message.answers ?? []));
    const paired = whole.filter(
      (message) =>
        (message.answers ?? []).every((id) => calls.has(id)) &&
        (message.calls ?? []).every((id) => answers.has(id) || !answered.has(id)),
    );
    if (paired.length === whole.length) break;
    whole = paired;
  }
  const isWhole = new Set(whole);
  return left.map((message) => (isWhole.has(message) ? (message.original ?? inWords(message)) : inWords(message)));
}

function isUntouched(message: ContextMessage, was: ContextMessage | undefined): boolean {
  return was?.original !== undefined && was.text === message.text && was.standsFor === message.standsFor;
}

/** An answer that lost its call is something the agent was told, not a tool's turn any more. */
function inWords(message: ContextMessage): WrittenMessage {
  const isAnswer = message.answers !== undefined;
  return writeMessage(isAnswer ? { ...message, role: 'agent', spokenRole: 'assistant' } : message);
}
