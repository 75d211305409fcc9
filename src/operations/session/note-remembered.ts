import type { OperationContext } from '../context.ts';

interface RememberedHere {
  readonly session?: string | undefined;
  readonly text: string;
  readonly scope: string;
}

/**
 * Lists above the transcript of a conversation that is going on what a request in it changed; an ended one is a record. What
 * belongs to another scope than the conversation is not named in it.
 */
export async function noteRememberedHere(
  { parts }: OperationContext,
  { session, text, scope }: RememberedHere,
  { path, mutation }: { readonly path: string; readonly mutation: string },
): Promise<void> {
  const sessions = parts.sessions();
  if (session === undefined || !sessions.isOpen(session)) return;
  if ((sessions.find(session)?.scope ?? 'shared') !== scope) return;
  const change = { path, action: 'added', summary: text, ...(mutation === '' ? {} : { mutation }) };
  await sessions.exclusively(session, {}, (open) => open.noteChange(change));
}
