import { expect, it } from 'vitest';
import { type ImportedTurn, Tally } from '../port.ts';
import { messageKey, SessionDraft } from '../session-draft.ts';
import { ZoneClock } from '../lines.ts';
import { chatgpt } from './chatgpt.ts';

const ABOUT = 'I repair accordions in Porto.';
const ANSWERS = 'Answer in two sentences.';

function conversation(content: object, metadata: object): Record<string, unknown> {
  const node = (id: string, parent: string | null, message: object) => ({ id, parent, children: [], message });
  return {
    conversation_id: 'c1',
    current_node: 'n2',
    mapping: {
      n1: node('n1', null, { id: 'n1', author: { role: 'user' }, content, metadata }),
      n2: node('n2', 'n1', {
        id: 'n2',
        author: { role: 'user' },
        create_time: 1_770_000_000,
        content: { content_type: 'text', parts: ['Which reeds fit?'] },
      }),
    },
  };
}

function read(value: Record<string, unknown>, known: ReadonlySet<number> = new Set()): readonly ImportedTurn[] {
  const draft = new SessionDraft({ clock: new ZoneClock('UTC'), isKnown: (key) => known.has(key), fallbackMs: 1 });
  chatgpt.parse(value)?.read(draft, new Tally());
  return draft.take().turns;
}

const HIDDEN = { is_visually_hidden_from_conversation: true };
const told = (turns: readonly ImportedTurn[]): string => JSON.stringify(turns);

it.each([
  [{ content_type: 'user_editable_context', user_profile: ABOUT, user_instructions: ANSWERS }, HIDDEN],
  [
    { content_type: 'text', parts: [''] },
    { ...HIDDEN, user_context_message_data: { about_user_message: ABOUT, about_model_message: ANSWERS } },
  ],
])('custom instructions of ChatGPT are the words of the user, once', (content, metadata) => {
  const value = conversation(content, metadata);
  const turns = read(value);
  expect(turns[0]?.role).toBe('user');
  expect(told(turns)).toContain(ABOUT);
  expect(told(turns)).toContain(ANSWERS);
  const again = read(value, new Set([messageKey(`chatgpt:instructions:${ABOUT}\n\n${ANSWERS}`)]));
  expect(told(again)).not.toContain(ABOUT);
  expect(told(again)).toContain('Which reeds fit?');
});

it('what else ChatGPT hides stays out', () => {
  const content = { content_type: 'text', parts: ['Model instructions nobody wrote'] };
  expect(told(read(conversation(content, HIDDEN)))).not.toContain('nobody wrote');
});
