import { describe, expect, it } from 'vitest';
import type { HeardConversation, HeardTurn } from '../../port.ts';
import { setScene } from './scene.ts';

function sessionOf(users: number, tools: number, said = 'go on'): HeardConversation {
  const turn = (role: HeardTurn['role'], text: string, index: number): HeardTurn => ({
    id: `${role}${index}`,
    role,
    text,
    timeMs: Date.UTC(2026, 2, 4, 9),
    trust: role === 'tool' ? 'tool' : 'user',
  });
  const turns = [
    ...Array.from({ length: users }, (_none, index) => turn('user', index === 0 ? said : 'go on', index)),
    ...Array.from({ length: tools }, (_none, index) => turn('tool', 'ok', index)),
  ];
  return { session: 'ses_scene', user: 'Ines', timeZone: 'UTC', turns };
}

describe('how strictly a conversation is judged', () => {
  it.each([
    ['a talk', 12, 0, 0],
    ['a talk with a few look-ups', 12, 3, 0],
    ['a long talk without tools', 40, 0, 0],
    ['work of tools', 12, 9, 1],
    ['a long session in which tools were used', 24, 4, 1],
  ])('%s: %i turns of the user, %i of tools', async (_name, users, tools, strictness) => {
    expect((await setScene(sessionOf(users, tools))).strictness).toBe(strictness);
  });

  it('rises with the share of tools in between', async () => {
    const { strictness } = await setScene(sessionOf(10, 4));
    expect(strictness).toBeGreaterThan(0.2);
    expect(strictness).toBeLessThan(0.8);
  });
});
