import type { WorkingMemory } from '../../compile/working/agent-context.ts';
import type { FlushResult } from './flush.ts';
import type { AgentContext } from './load-context.ts';
import type { SavedAgentContext } from './save-context.ts';
import { countOf, showCount } from '../command-line/plain.ts';
import type { View } from '../command-line/style.ts';

export function renderContext({ style }: View, { agent, session, revision, prompt, working }: AgentContext): string {
  const head = style.dim(`${agent} · ${session} · revision ${revision}`);
  if (prompt === '') return `${head}\nNothing is held in mind.\n`;
  const said = working.conversation.length;
  const messages = said === 0 ? '' : style.dim(`${countOf(said, 'message')} of the conversation saved\n`);
  return `${head}\n${prompt}\n${messages}`;
}

export function renderContexts(
  _view: View,
  { contexts }: { readonly contexts: readonly { readonly agent: string; readonly session: string }[] },
): string {
  if (contexts.length === 0) return 'No context is saved.\n';
  return contexts.map(({ agent, session }) => `${agent}  ${session}\n`).join('');
}

export function renderChanged({ style }: View, { task, focus, facts, scratchpad }: WorkingMemory): string {
  const parts = [
    task === null ? undefined : `task “${task.name}” (${task.state})`,
    focus === null ? undefined : `focus “${focus.topic}”`,
    facts.length === 0 ? undefined : countOf(facts.length, 'fact'),
    Object.keys(scratchpad).length === 0 ? undefined : countOf(Object.keys(scratchpad).length, 'note'),
  ].filter((part) => part !== undefined);
  return `${style.green('Saved.')} In mind: ${parts.length === 0 ? 'nothing' : parts.join(', ')}.\n`;
}

export function renderSaved({ style }: View, { agent, session, revision }: SavedAgentContext): string {
  return `${style.green('Saved')} the context of ${agent} in ${session}, revision ${revision}.\n`;
}

export function renderCleared(
  _view: View,
  { agent, session, wasThere }: { agent: string; session: string; wasThere: boolean },
): string {
  return wasThere
    ? `Cleared the context of ${agent} in ${session}.\n`
    : `Nothing was saved for ${agent} in ${session}.\n`;
}

export function renderFlushed({ style }: View, { isFlushed, reason, tokens, threshold, saved }: FlushResult): string {
  const fill = `${countOf(tokens, 'token')}, full at ${showCount(threshold)}`;
  if (!isFlushed) return `Not flushed: ${reason} (${fill}).\n`;
  const items = (saved?.items ?? []).filter(({ action }) => action !== 'skipped');
  const lines = items.map(
    ({ kind, statement, path }) => `  ${style.cyan(kind)}  ${statement} ${style.dim(path ?? '')}\n`,
  );
  const what = items.length === 0 ? 'nothing new' : countOf(items.length, 'statement');
  return `${style.green('Flushed')} (${fill}): ${what}.\n${lines.join('')}`;
}
