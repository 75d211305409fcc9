import { describe, expect, it } from 'vitest';
import { episodeScore, importanceOf, splitByTopic } from './read-episodes.ts';

const DEPLOY =
  'The deployment of the tile service failed twice this morning because the image tag was wrong. Priya found it in the pipeline log and pinned the tag, and the third deployment of the service went through.';
const MORE =
  'We agreed to pin every image tag of the service in the pipeline from now on, and to alert when a deployment fails twice.';
const DENTIST =
  'Lina had her check-up at the dentist in the afternoon. No holes, but she needs braces next year; the dentist sends an offer to the insurance.';

describe('what happened, cut by what it is about', () => {
  it('keeps paragraphs about one thing together and others apart', () => {
    expect(splitByTopic(`${DEPLOY}\n\n${MORE}\n\n${DENTIST}`)).toEqual([`${DEPLOY}\n\n${MORE}`, DENTIST]);
  });

  it('never cuts a list from its words, code, or a short text', () => {
    const list = `${DEPLOY} What is left:\n\n- ask the dentist\n- buy a bicycle\n- water the plants on the balcony`;
    expect(splitByTopic(list)).toEqual([list]);
    const code = `${DEPLOY}\n\n\`\`\`\nx\n\`\`\`\n\n${DENTIST}`;
    expect(splitByTopic(code)).toEqual([code]);
    expect(splitByTopic('One.\n\nTwo.')).toEqual(['One.\n\nTwo.']);
  });
});

describe('how much it matters', () => {
  it('follows from its kind, from what is said of it and from who asked', () => {
    const said = (type: Parameters<typeof importanceOf>[0]['type'], text = 'x'): number => importanceOf({ type, text });
    expect(said('decision')).toBeGreaterThan(said('fact'));
    expect(said('fact')).toBeGreaterThan(said('event'));
    expect(said('fact', 'this is important')).toBeGreaterThan(said('fact'));
    expect(importanceOf({ type: 'fact', text: 'x', source: 'user-explicit' })).toBeGreaterThan(said('fact'));
    const error = { type: 'error', text: 'x' } as const;
    expect(importanceOf({ ...error, outcome: 'recovered' })).toBeLessThan(
      importanceOf({ ...error, outcome: 'failed' }),
    );
  });

  it('stays between nothing and everything', () => {
    expect(importanceOf({ type: 'decision', text: 'critical', source: 'user-explicit' })).toBe(1);
  });
});

describe('which episode answers best', () => {
  it('is above all the one that is most alike, then the one that matters, then the newest', () => {
    const now = Date.UTC(2026, 5, 1);
    const score = (similarity: number, importance: number, days: number): number =>
      episodeScore({ similarity, importance, timeMs: now - days * 86_400_000 }, now);
    expect(score(0.9, 0.2, 300)).toBeGreaterThan(score(0.5, 1, 0));
    expect(score(0.5, 1, 300)).toBeGreaterThan(score(0.5, 0.4, 1));
    expect(score(0.5, 0.5, 1)).toBeGreaterThan(score(0.5, 0.5, 30));
    expect(score(0.5, 0.5, -5)).toBe(score(0.5, 0.5, 0));
  });
});
