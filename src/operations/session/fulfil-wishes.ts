import { z } from 'zod';
import { turnNumber, type LiveTurn } from '../../capture/live-turn.ts';
import { SessionWishes, type WishOutcome } from '../../capture/session-wishes.ts';
import { wishesIn } from '../../capture/triggers/detect.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Turn } from '../../workspace/formats/transcript.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb, NOT_OFFERED } from '../verb.ts';
import { actOnTriggers, type TriggerOutcome } from './act-on-triggers.ts';
import { findSpeakers } from './speaker.ts';

/** Where a session's wishes are noted. */
export function wishesOf({ workspace: { paths }, clock, random }: OperationContext): SessionWishes {
  return new SessionWishes({ fs: nodeFileSystem, paths, clock, random });
}

/** For hooks: of a conversation that goes on. */
export const fulfilCapturedWishes = defineVerb({
  name: 'session wishes',
  summary: 'Do what the user asked of the memory in a conversation.',
  input: z.strictObject({ session: z.string().min(1).describe('The conversation.') }),
  effect: 'write',
  // The lease is checked for each request, because some requests concern this machine alone.
  withoutLease: 'asks',
  ...NOT_OFFERED,
  run: (context, { session }) => fulfilWishes(context, session, context.parts.sessions().peek(session).turns),
});

/**
 * Fulfils what the user asked of the memory in turns that were captured and not looked at yet, each once: how far it
 * came is noted after what was done, and doing it again after a crash finds it done. What failed for a reason that may
 * pass is tried again.
 */
export async function fulfilWishes(
  context: OperationContext,
  session: string,
  turns: readonly (Turn | LiveTurn)[],
): Promise<readonly FulfilledWish[]> {
  const wishes = wishesOf(context);
  const { upTo = 0, waiting = [] } = wishes.find(session) ?? {};
  const speakers = await findSpeakers(context, session);
  const fulfilled: FulfilledWish[] = [];
  for (const turn of turns) {
    const number = turnNumber(turn);
    const again = waiting.filter((wish) => wish.turn === turn.id);
    if (number <= upTo && again.length === 0) continue;
    const triggers = wishesIn(turn, speakers.sessionUser)
      .filter(({ kind }) => kind !== 'recall')
      .map((trigger, wish) => ({ trigger, wish }))
      .filter(({ wish }) => number > upTo || again.some((each) => each.wish === wish));
    const wanted = triggers.map(({ trigger }) => trigger);
    const outcomes = await actOnTriggers(context, { session, turn, speakers, said: turns }, wanted);
    const done = outcomes.map((outcome) => ({ noted: toWishOutcome(turn.id, outcome), reason: outcome.note }));
    const failed = triggers.filter((_, index) => outcomes[index]?.mayPass === true).map(({ wish }) => wish);
    fulfilled.push(...done);
    // A repeated failure is not reported again.
    const news = done.map(({ noted }) => noted).filter(({ hasFailed }) => hasFailed !== true || number > upTo);
    await wishes.fulfil(session, { turn: turn.id, number, failed, outcomes: news });
  }
  return fulfilled;
}

/** The outcome of a request, with the message for a person. */
export interface FulfilledWish {
  readonly noted: WishOutcome;
  readonly reason: string | undefined;
}

function toWishOutcome(turn: string, { kind, remembered, forget, note }: TriggerOutcome): WishOutcome {
  return {
    kind,
    turn,
    ...(remembered === undefined ? {} : { id: remembered.id, path: remembered.path }),
    ...(forget === undefined ? {} : { count: forget.matches.length }),
    ...(forget === undefined || forget.code === null ? {} : { code: forget.code }),
    ...(note === undefined ? {} : { hasFailed: true }),
  };
}
