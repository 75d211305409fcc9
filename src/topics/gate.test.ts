import { describe, expect, it } from 'vitest';
import type { Answer, AskOptions, Purpose, Purposes, Reasoner } from '../reasoner/port.ts';
import { Gate } from './gate.ts';
import { sightingOf, topicOf } from './testing/topics.ts';

const topic = topicOf('deploy', 'triggers:\n  - {type: keywords, match: [deploy]}');
const sighting = sightingOf(topic, 'deploy it', 0.9);

/** Answers every question with no, after a while when asked to. */
function reasonerOf(asked: unknown[], isSlow = false): Reasoner {
  return {
    name: 'test',
    async ask<P extends Purpose>(_purpose: P, input: Purposes[P]['input'], options?: AskOptions) {
      asked.push(input);
      if (isSlow) {
        await new Promise((_resolve, reject) => {
          if (options?.signal?.aborted === true) reject(new Error('aborted'));
          options?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      }
      return { output: false, by: 'test', notes: [] } as unknown as Answer<Purposes[P]['output']>;
    },
  };
}

describe('Gate', () => {
  it('asks once about a message and a topic', async () => {
    const asked: unknown[] = [];
    const gate = new Gate(async () => reasonerOf(asked));
    const answers = [await gate.ask('deploy it', sighting), await gate.ask('deploy it', sighting)];
    expect(answers).toMatchObject([{ isYes: false }, { isYes: false }]);
    await gate.ask('deploy that', sighting);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ message: 'deploy it', topic: { name: 'deploy' }, matched: ['deploy'] });
  });

  it('lets the score decide when nobody answers in time, and says so', async () => {
    const gate = new Gate(async () => reasonerOf([], true), 50);
    expect(await gate.ask('deploy it', sighting)).toMatchObject({ isYes: true, by: 'score' });
    const { notes, isYes } = await gate.ask('deploy it', { ...sighting, score: 0.01 });
    expect([isYes, notes]).toEqual([false, ['The gate did not answer within 50 ms; the score decided.']]);
  });

  it('stops when whoever asks does', async () => {
    const gate = new Gate(async () => reasonerOf([], true));
    const stop = new AbortController();
    const asking = gate.ask('deploy it', sighting, stop.signal);
    stop.abort();
    await expect(asking).rejects.toThrow('aborted');
  });
});
