import type { Correction } from '../port.ts';
import type { Tone } from '../tier1/tone.ts';
import type { ActiveEntry, SessionState } from './session-state.ts';
import { MINUTE_MS } from '../../model/time.ts';

/** The end of an activation; pure functions, so that time and turns are the caller's. */

/**
 * Messages a topic stays active after the one that called for it, the longest time without being called for again, and the
 * messages in which a topic that was switched off by hand does not come back. A thread rarely leaves its subject for longer.
 */
export const STAY = { turns: 2, minutes: 120, restTurns: 5 } as const;

/** A new message of the user: what was called for too long ago is over. What a person switched on stays. */
export function nextTurn(state: SessionState, nowMs: number, tone?: Tone): SessionState {
  const turn = state.turn + 1;
  const isOver = ({ cause, lastTurn, sinceMs }: ActiveEntry): boolean =>
    cause !== 'manual' && (turn - lastTurn > STAY.turns || nowMs - sinceMs > STAY.minutes * MINUTE_MS);
  return {
    ...state,
    turn,
    active: state.active.filter((entry) => !isOver(entry)),
    resting: Object.fromEntries(Object.entries(state.resting).filter(([, until]) => until >= turn)),
    ...(tone === undefined ? {} : { tone }),
  };
}

/** Activates, or keeps active; what a person switched on is not made less by a message. */
export function withActive(state: SessionState, entry: Omit<ActiveEntry, 'lastTurn'>): SessionState {
  const before = state.active.find(({ path }) => path === entry.path);
  const kept = before?.cause === 'manual' ? { ...before, lastTurn: state.turn } : { ...entry, lastTurn: state.turn };
  const resting = { ...state.resting };
  if (entry.cause === 'manual') delete resting[entry.path];
  return { ...state, resting, active: [...state.active.filter(({ path }) => path !== entry.path), kept] };
}

/** Switched off by hand: it rests, so that the next message does not bring it straight back. */
export function withoutActive(state: SessionState, path: string): SessionState {
  return {
    ...state,
    active: state.active.filter((entry) => entry.path !== path),
    resting: { ...state.resting, [path]: state.turn + STAY.restTurns },
  };
}

export function isResting({ resting, turn }: SessionState, path: string): boolean {
  return (resting[path] ?? -1) >= turn;
}

const MAX_CORRECTIONS = 10;

/** Told on the next turn, each once. */
export function withCorrections(state: SessionState, corrections: readonly Correction[]): SessionState {
  const known = new Set(state.corrections.map(({ topic, hint }) => `${topic}\n${hint}`));
  const fresh = corrections.filter(
    ({ topic, hint }) => !known.has(`${topic}\n${hint}`) && known.add(`${topic}\n${hint}`),
  );
  return { ...state, corrections: [...state.corrections, ...fresh].slice(-MAX_CORRECTIONS) };
}

export function isActive({ active }: SessionState, path: string): boolean {
  return active.some((entry) => entry.path === path);
}
