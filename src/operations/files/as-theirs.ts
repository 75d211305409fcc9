import { markAgentWords } from '../agent-words.ts';
import type { OperationContext } from '../context.ts';
import { assertNoForgedWords } from './user-words.ts';

/** A file's new text as whoever writes it may have it stand: an agent's words marked as such, and never as the user's. */
export function asTheirs(
  context: Pick<OperationContext, 'actor' | 'layout' | 'chunkContext'>,
  path: string,
  before: string | undefined,
  after: string,
): string {
  const text = markAgentWords({ actor: context.actor, layout: context.layout, path }, before, after);
  assertNoForgedWords(context, path, before, text);
  return text;
}
