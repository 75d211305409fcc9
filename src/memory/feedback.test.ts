import { expect, it } from 'vitest';
import { parseFeedback, planFeedback } from './feedback.ts';

function edited(current: string | undefined, ...args: Parameters<typeof planFeedback>): string {
  const change = planFeedback(...args);
  return ('edit' in change ? change.edit(current) : undefined) ?? '';
}

it('keeps one verdict for a memory, the last one, and what a person wrote', () => {
  const first = edited(undefined, '7k2m9x0q4t1za', { verdict: 'wrong', words: '' });
  const second = edited(`${first}- my own note\n`, 'ses_a#t3', { verdict: 'not-helpful', words: 'deploy friday' });
  const third = edited(second, '7k2m9x0q4t1za', { verdict: 'always', words: '' });
  expect(parseFeedback(third)).toEqual([
    { id: 'ses_a#t3', verdict: 'not-helpful', words: 'deploy friday' },
    { id: '7k2m9x0q4t1za', verdict: 'always', words: '' },
  ]);
  expect(third).toContain('- my own note\n');
  expect(parseFeedback(edited(third, '7k2m9x0q4t1za', undefined))).toHaveLength(1);
});
