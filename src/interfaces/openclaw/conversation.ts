import { openclawWords } from '../../exchange/import/openclaw.ts';
import type { HostMessage } from './host.ts';

/** Around what we put before a prompt: it may come back to us in the history, and is nobody's words. */
const OPEN = '<mneme-context>';
const CLOSE = '</mneme-context>';

export function wrapContext(text: string): string {
  return `${OPEN}\n${text.replaceAll(CLOSE, '')}\n${CLOSE}`;
}

export type SaidTurn =
  | {
      readonly kind: 'words';
      readonly role: 'user' | 'agent';
      readonly text: string;
      readonly name?: string | undefined;
    }
  | { readonly kind: 'tool'; readonly name: string; readonly result: string };

/** The words of a message, without the parts that OpenClaw or we put around it; undefined when there are none. */
export function turnOf({ role, content, toolName }: HostMessage): SaidTurn | undefined {
  const text = textOf(content);
  if (role === 'toolResult' || role === 'tool') {
    return text === '' ? undefined : { kind: 'tool', name: toolName ?? 'tool', result: text };
  }
  if (role === 'assistant') return text === '' ? undefined : { kind: 'words', role: 'agent', text };
  if (role !== 'user') return undefined;
  const { text: words, name } = openclawWords(withoutContext(text));
  return words === '' ? undefined : { kind: 'words', role: 'user', text: words, name };
}

/** The last run: what the user asked, and everything that followed. */
export function lastRun(messages: readonly HostMessage[]): readonly HostMessage[] {
  const start = messages.findLastIndex(({ role }) => role === 'user');
  return start === -1 ? [] : messages.slice(start);
}

/** The user's last text; '' when there is none. */
export function questionIn(messages: readonly HostMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'user');
  const turn = last === undefined ? undefined : turnOf(last);
  return turn?.kind === 'words' ? turn.text : '';
}

function withoutContext(text: string): string {
  let rest = text;
  for (let start = rest.indexOf(OPEN); start !== -1; start = rest.indexOf(OPEN)) {
    const end = rest.indexOf(CLOSE, start);
    rest = rest.slice(0, start) + (end === -1 ? '' : rest.slice(end + CLOSE.length));
  }
  return rest.trim();
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return '';
  const parts: readonly unknown[] = content;
  return parts
    .flatMap((part) => {
      if (typeof part !== 'object' || part === null || !('type' in part) || part.type !== 'text') return [];
      return 'text' in part && typeof part.text === 'string' ? [part.text] : [];
    })
    .join('\n')
    .trim();
}
