import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMnemeError } from '../model/errors.ts';
import { PROPOSAL_STATES, type ProposalState } from '../model/schemas/proposal.ts';
import { isOpen } from './state.ts';
import { nextState } from './state.ts';
import { type ProposalEvent } from './state.ts';
import { PROPOSAL_EVENTS } from './state.ts';
import { findNextState } from './state.ts';

const FINAL: readonly ProposalState[] = ['applied', 'rejected', 'withdrawn'];

/** The rules of DESIGN as a model, kept apart from the table under test. */
interface Model {
  state: ProposalState;
  decisions: number;
  isBaseCurrent: boolean;
}

interface Real {
  state: ProposalState;
}

function isAllowed({ state }: Model, event: ProposalEvent): boolean {
  if (FINAL.includes(state)) return false;
  if (event === 'apply' || event === 'apply-part') return state === 'approved';
  return state !== 'stale' || ['reject', 'withdraw', 'rebase'].includes(event);
}

describe('the states of a proposal', () => {
  it('are decided at most once, and never applied on a base that is overtaken', () => {
    class EventCommand implements fc.Command<Model, Real> {
      readonly event: ProposalEvent;

      constructor(event: ProposalEvent) {
        this.event = event;
      }

      check(): boolean {
        return true;
      }

      run(model: Model, real: Real): void {
        const next = findNextState(real.state, this.event);
        expect(next !== undefined).toBe(isAllowed(model, this.event));
        if (next === undefined) return;
        real.state = next;
        model.state = next;
        if (FINAL.includes(next)) model.decisions += 1;
        if (this.event === 'go-stale') model.isBaseCurrent = false;
        if (this.event === 'rebase') model.isBaseCurrent = true;
        expect(model.decisions).toBeLessThanOrEqual(1);
        expect(next === 'applied' && !model.isBaseCurrent).toBe(false);
        expect(isOpen(next)).toBe(!FINAL.includes(next));
      }

      toString(): string {
        return this.event;
      }
    }

    const commands = PROPOSAL_EVENTS.map((event) => fc.constant(new EventCommand(event)));
    const everySequence = fc.property(fc.commands(commands, { maxCommands: 40 }), (sequence) => {
      const model: Model = { state: 'pending', decisions: 0, isBaseCurrent: true };
      fc.modelRun(() => ({ model: { ...model }, real: { state: model.state } }), sequence);
    });
    expect(() => fc.assert(everySequence, { numRuns: 500 })).not.toThrow();
  });

  it('can all be reached from pending', () => {
    const reached = new Set<ProposalState>(['pending']);
    for (const state of reached) {
      for (const event of PROPOSAL_EVENTS) {
        const next = findNextState(state, event);
        if (next !== undefined) reached.add(next);
      }
    }
    expect([...reached].sort()).toEqual([...PROPOSAL_STATES].sort());
  });

  it('lead from stale back to pending only by a rebase', () => {
    expect(nextState('stale', 'rebase', 'X')).toBe('pending');
    expect(() => nextState('stale', 'approve', 'X')).toThrow(/is stale; it cannot be approved/);
  });

  it.each(FINAL)('never leave %s', (state) => {
    for (const event of PROPOSAL_EVENTS) {
      expect(() => nextState(state, event, 'X')).toThrow(expect.toSatisfy((error) => isMnemeError(error, 'conflict')));
    }
  });
});
