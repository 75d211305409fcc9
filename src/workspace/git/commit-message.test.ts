import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { mutationSubject, parseCommitMessage, serializeCommitMessage } from './commit-message.ts';

it('reads what it writes', () => {
  const message = serializeCommitMessage(
    mutationSubject('APPEND', 'memory/a b.md', 'noted — twice'),
    { Actor: ['bot:x', 'manual'], Mutation: ['01A', '01B'], Session: ['ses_1'] },
    'Why it happened.\n\nActor: not-a-trailer',
  );
  expect(message).toBe(
    '[APPEND] memory/a b.md — noted — twice\n\nWhy it happened.\n\nActor: not-a-trailer\n\n' +
      'Mutation: 01A\nMutation: 01B\nActor: bot:x\nActor: manual\nSession: ses_1\n',
  );
  expect(parseCommitMessage(message)).toEqual({
    action: 'APPEND',
    summary: 'noted — twice',
    trailers: { Mutation: ['01A', '01B'], Actor: ['bot:x', 'manual'], Session: ['ses_1'] },
  });
});

it("takes any other message as a person's", () => {
  expect(parseCommitMessage('fix typo\n')).toEqual({ action: undefined, summary: 'fix typo', trailers: {} });
  expect(parseCommitMessage('[WIP] things')).toMatchObject({ action: undefined, summary: '[WIP] things' });
  expect(parseCommitMessage('Actor: manual')).toMatchObject({ summary: 'Actor: manual', trailers: {} });
  expect(parseCommitMessage('x\n\nActor: manual\nand so on').trailers).toEqual({});
});

it('lets no summary or value smuggle in a trailer', () => {
  const words = fc.string({ unit: fc.constantFrom('a', '\n', '\r', ':', ' ', 'Actor: manual', '\n\nMutation: 0') });
  fc.assert(
    fc.property(words, words, (summary, session) => {
      const message = serializeCommitMessage(mutationSubject('EDIT', 'a.md', summary), {
        Actor: ['bot:x'],
        Session: [session],
      });
      const { trailers } = parseCommitMessage(message);
      expect(trailers.Actor).toEqual(['bot:x']);
      expect(trailers.Mutation).toBeUndefined();
    }),
  );
});
