import { indent, quoteLine, quoteText } from '../fence.ts';
import { cutText } from '../../model/text.ts';
import type { TokenCounter } from '../tokens/estimate.ts';
import type { TaskState, WorkingMemory } from './agent-context.ts';

/** The share the conversation gets at most; the rest is for what no transcript tells. */
const CONVERSATION_SHARE = 0.5;
const MAX_FACTS = 10;
const MAX_RELATED = 5;
const MAX_NOTE_CHARS = 400;
const MAX_MESSAGE_CHARS = 600;

/** Working memory as a prompt takes it: task, focus, facts and notes first, then as much of the last messages as fits. */
export function renderWorkingMemory(working: WorkingMemory, maxTokens: number, counter: TokenCounter): string {
  const parts = [taskLines(working.task), focusLines(working), factLines(working), noteLines(working)];
  let text = '';
  for (const line of parts.flat()) {
    const longer = text === '' ? line : `${text}\n${line}`;
    if (counter.count(longer) <= maxTokens) text = longer;
  }
  const left = Math.min(maxTokens - counter.count(text), Math.floor(maxTokens * CONVERSATION_SHARE));
  const said = conversationLines(working, left, counter);
  return [text, said].filter((part) => part !== '').join('\n');
}

function taskLines(task: TaskState | null): string[] {
  if (task === null) return [];
  return [
    `Task (${task.state}): ${quoteLine(task.name)}`,
    ...(task.note === undefined ? [] : [`  note: ${quoteLine(task.note)}`]),
    ...task.next.map((step) => `  next: ${quoteLine(step)}`),
    ...task.done.map((step) => `  done: ${quoteLine(step)}`),
  ];
}

function focusLines({ focus }: WorkingMemory): string[] {
  if (focus === null) return [];
  const related = focus.related.slice(0, MAX_RELATED).map((topic) => quoteLine(topic));
  return [`Focus: ${quoteLine(focus.topic)}${related.length === 0 ? '' : ` (also: ${related.join(', ')})`}`];
}

function factLines({ facts }: WorkingMemory): string[] {
  if (facts.length === 0) return [];
  return ['In mind:', ...facts.slice(-MAX_FACTS).map(({ statement }) => `- ${quoteLine(statement)}`)];
}

function noteLines({ scratchpad }: WorkingMemory): string[] {
  const notes = Object.entries(scratchpad);
  if (notes.length === 0) return [];
  return [
    'Notes:',
    ...notes.map(([key, value]) => `- ${quoteLine(key)}: ${cutText(quoteLine(value), MAX_NOTE_CHARS)}`),
  ];
}

/** From the end backwards, so that what was said last is there. */
function conversationLines({ conversation }: WorkingMemory, maxTokens: number, counter: TokenCounter): string {
  const head = 'Last messages:';
  const lines: string[] = [];
  for (const { role, name, content } of conversation.toReversed()) {
    const who = quoteLine(name === undefined ? role : `${name} (${role})`);
    lines.push(`- ${who}: ${indent(cutText(quoteText(content), MAX_MESSAGE_CHARS), '  ').trimStart()}`);
    if (counter.count([head, ...lines].join('\n')) <= maxTokens) continue;
    lines.pop();
    break;
  }
  return lines.length === 0 ? '' : [head, ...lines.reverse()].join('\n');
}
