import * as fc from 'fast-check';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { GateLog, type GateDecision } from './gate-log.ts';
import {
  STAY,
  type SessionState,
  SessionStates,
  isActive,
  isResting,
  newSessionState,
  nextTurn,
  withActive,
  withCorrections,
  withoutActive,
} from './session-state.ts';

const entry = (cause: 'message' | 'manual', sinceMs = 0) => ({
  path: 'topics/a.md',
  cause,
  reason: 'r',
  sinceMs,
  score: 0.5,
  decision: null,
  matches: [],
});
const after = (state: SessionState, turns: number, nowMs = 0): SessionState => {
  let next = state;
  for (let turn = 0; turn < turns; turn += 1) next = nextTurn(next, nowMs);
  return next;
};

// SPEC TOPIC-4
describe('an active topic', () => {
  it('becomes inactive some turns after its last match, or when its time is up', () => {
    const active = withActive(after(newSessionState(), 1), entry('message'));
    expect([1, 2, 3].map((turns) => isActive(after(active, turns), 'topics/a.md'))).toEqual([true, true, false]);
    expect(isActive(after(active, 1, (STAY.minutes + 1) * 60_000), 'topics/a.md')).toBe(false);
  });

  it('stays active when a person switched it on, whatever the messages say', () => {
    const manual = withActive(newSessionState(), entry('manual'));
    expect(withActive(manual, entry('message')).active).toMatchObject([{ cause: 'manual' }]);
    expect(isActive(after(manual, 50, 1e12), 'topics/a.md')).toBe(true);
  });

  it('is not activated by messages for some turns after it was switched off', () => {
    const off = withoutActive(withActive(newSessionState(), entry('manual')), 'topics/a.md');
    expect(
      [0, 1, STAY.restTurns, STAY.restTurns + 1].map((turns) => isResting(after(off, turns), 'topics/a.md')),
    ).toEqual([true, true, true, false]);
    expect(isResting(withActive(off, entry('manual')), 'topics/a.md')).toBe(false);
  });

  it('is listed once, as is each correction, whatever happens', () => {
    const step = fc.oneof(
      fc.constant((state: SessionState) => nextTurn(state, 0)),
      fc
        .constantFrom('a', 'b')
        .map((name) => (state: SessionState) => withActive(state, { ...entry('message'), path: name })),
      fc.constantFrom('a', 'b').map((name) => (state: SessionState) => withoutActive(state, name)),
      fc
        .constantFrom('x', 'y')
        .map((hint) => (state: SessionState) => withCorrections(state, [{ topic: 't', path: 'p', hint, found: '' }])),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = newSessionState();
        for (const take of steps) state = take(state);
        expect(new Set(state.active.map(({ path: file }) => file)).size).toBe(state.active.length);
        expect(new Set(state.corrections.map(({ hint }) => hint)).size).toBe(state.corrections.length);
        expect(state.active.every(({ lastTurn }) => state.turn - lastTurn <= STAY.turns)).toBe(true);
      }),
    );
  });
});

describe('SessionStates', () => {
  it('survives a restart, any name of a session, and damage', async () => {
    const journal = makeTemporaryFolder();
    const state = withActive(newSessionState(), entry('manual'));
    await new SessionStates(nodeFileSystem, journal).write('../../x', state);
    await new SessionStates(nodeFileSystem, journal).write('ses_a', state);
    const again = new SessionStates(nodeFileSystem, journal);
    expect([again.read('../../x'), again.read('ses_a'), again.read('ses_b')]).toEqual([
      state,
      state,
      newSessionState(),
    ]);
    expect(fs.readdirSync(path.dirname(journal))).not.toContain('x.json');
    fs.writeFileSync(path.join(journal, 'topics/sessions/ses_a.json'), '{"turn": "many", ');
    expect(again.read('ses_a')).toEqual(newSessionState());
  });
});

const decision: GateDecision = {
  id: 'd1',
  timestamp: '2026-03-02T08:00:00.000Z',
  message_hash: 'abc',
  topic_name: 'a',
  tier1_matched: true,
  tier2_score: 0.4,
  gate_result: true,
  was_useful: null,
  topic_path: 'topics/a.md',
  session: 'ses_a',
  side: 'input',
  outcome: 'active',
  reason: 'r',
  by: 'heuristic@1',
  triggers: ['keywords:0'],
};

describe('GateLog', () => {
  it('knows later whether something was of use, and takes no notice of torn lines', () => {
    const journal = makeTemporaryFolder();
    const log = new GateLog(nodeFileSystem, journal);
    expect(log.read()).toEqual([]);
    log.record([decision, { ...decision, id: 'd2' }]);
    log.recordUse('2026-04-01T00:00:00.000Z', [{ decision: 'd1', was_useful: true }]);
    fs.appendFileSync(path.join(journal, 'topics/gate-2026-04.jsonl'), '{"decision": "d2", "was_us');
    expect(log.read().map(({ id, was_useful: useful }) => [id, useful])).toEqual([
      ['d1', true],
      ['d2', null],
    ]);
    expect(log.read('2026-03-03')).toEqual([]);
  });
});
