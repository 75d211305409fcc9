import { expect, it } from 'vitest';
import { SessionDraft } from '../session-draft.ts';
import { Tally } from '../port.ts';
import { ZoneClock } from '../lines.ts';
import { claudeExport } from './claude.ts';

const NOTES = 'The reeds of the Weltmeister are riveted, not waxed.';

it('the text of an attachment is what the agent was given to read, not a word of the user', () => {
  const created = '2026-02-16T10:00:00Z';
  const attachments = [{ file_name: 'reeds.txt', extracted_content: NOTES }, { file_name: 'photo.png' }];
  const question = { uuid: 'm1', sender: 'human', created_at: created, text: 'Which reeds fit?', attachments };
  const answer = { uuid: 'm2', sender: 'assistant', created_at: created, text: 'Riveted ones.' };
  const draft = new SessionDraft({ clock: new ZoneClock('UTC'), isKnown: () => false, fallbackMs: 1 });
  claudeExport.parse({ uuid: 'c1', name: 'Reeds', chat_messages: [question, answer] })?.read(draft, new Tally());
  const { turns } = draft.take();
  expect(turns.map(({ role }) => role)).toEqual(['user', 'agent']);
  expect(JSON.stringify(turns[0])).toContain('reeds.txt');
  expect(JSON.stringify(turns[0])).not.toContain('riveted, not waxed');
  expect(turns[1]?.parts).toEqual([
    { kind: 'tool', name: 'attachment', args: 'reeds.txt', result: NOTES },
    { kind: 'text', text: 'Riveted ones.' },
  ]);
});
