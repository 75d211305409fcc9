import { describe, expect, it } from 'vitest';
import type { GateDecision } from './state/gate-log.ts';
import { topicOf } from './testing/topics.ts';
import { adviseSettings, suggestChanges } from './tune.ts';

const topic = topicOf(
  'mail',
  'triggers:\n  - {type: keywords, match: [mail]}\n  - {type: pattern, match: inbox}\npriority: high',
);

function decisions(count: number, given: Partial<GateDecision>): GateDecision[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${JSON.stringify(given)}${index}`,
    timestamp: '2026-03-02T08:00:00.000Z',
    message_hash: 'abc',
    topic_name: 'mail',
    tier1_matched: true,
    tier2_score: 0.2,
    gate_result: null,
    was_useful: null,
    topic_path: topic.path,
    session: null,
    side: 'input',
    outcome: 'active',
    reason: 'r',
    by: null,
    triggers: ['keywords:0', 'pattern:1'],
    ...given,
  }));
}

describe('tuning', () => {
  it('raises a threshold where the useless ones score lower than the useful ones', () => {
    const log = [
      ...decisions(8, { tier2_score: 0.22, was_useful: false }),
      ...decisions(10, { tier2_score: 0.7, was_useful: true }),
    ];
    expect(suggestChanges([topic], log, 0.15)).toEqual([
      {
        kind: 'threshold',
        path: topic.path,
        from: 0.15,
        to: 0.25,
        evidence:
          'Of 18 times it was active, 8 were of no use to the reply; from 0.25 on, 8 of these fall away and 10 of 10 useful ones stay.',
      },
    ]);
  });

  it('leaves it alone where useful ones would go, or where there are few cases', () => {
    const mixed = [...decisions(8, { was_useful: false }), ...decisions(8, { was_useful: true })];
    expect(suggestChanges([topic], mixed, 0.15)).toEqual([]);
    expect(suggestChanges([topic], decisions(5, { was_useful: false }), 0.15)).toEqual([]);
  });

  it('takes out a trigger that only ever misleads', () => {
    const log = decisions(6, { outcome: 'left-out', gate_result: false, triggers: ['pattern:1'] });
    expect(suggestChanges([topic], log, 0.15)).toMatchObject([{ kind: 'trigger', trigger: 1 }]);
    const helped = decisions(1, { was_useful: true, triggers: ['pattern:1'] });
    expect(suggestChanges([topic], [...log, ...helped], 0.15)).toEqual([]);
  });

  it('advises to ask the relevance gate less often when the gate has accepted every topic', () => {
    const log = decisions(6, { tier2_score: 0.26, gate_result: true });
    expect(adviseSettings([topic], log, 0.3)).toMatchObject([{ setting: 'gate.bypass.high_min_score', to: 0.15 }]);
    expect(adviseSettings([topic], [...log, ...decisions(1, { gate_result: false })], 0.3)).toMatchObject([
      { to: 0.25 },
    ]);
  });
});
