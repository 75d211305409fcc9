import { describe, expect, it } from 'vitest';
import { setScene } from '../conversation/scene.ts';
import { notice } from '../kinds/notice.ts';
import { grammarFeatures } from './grammar.ts';

async function buildOf(text: string): Promise<string[]> {
  const scene = await setScene({
    session: 's1',
    user: 'Alex',
    timeZone: 'Europe/Berlin',
    turns: [{ id: 't1', role: 'user', text, timeMs: Date.UTC(2026, 2, 4, 9), trust: 'user' }],
  });
  const [said] = scene.turns.flat();
  if (said === undefined) throw new Error('nothing was said');
  return [...grammarFeatures(notice(said, scene))];
}

describe('how a sentence is built', () => {
  it('is the same for other words in the same order', async () => {
    expect(await buildOf('She loves the mountains.')).toEqual(await buildOf('He hates the oysters.'));
  });

  it('tells a wish from what happened', async () => {
    expect(await buildOf('We will move the server.')).toContain('yb:Pronoun_Modal');
    expect(await buildOf('We moved the server.')).toContain('yb:Pronoun_PastTense');
  });

  it('knows where a sentence begins and ends', async () => {
    const build = await buildOf('Dogs bark.');
    expect(build).toContain('y:^_Plural');
    expect(build.some((feature) => /^y:\w+_\$$/u.test(feature))).toBe(true);
  });

  it('reads no more of an endless sentence than of a long one', async () => {
    const long = 'very '.repeat(400).trim();
    expect(await buildOf(`${long} old`)).toEqual(await buildOf(`${long} old and very tired`));
  });
});
