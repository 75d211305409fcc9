import { z } from 'zod';
import { readFeedback, saidIn } from '../../compile/feedback.ts';
import { createDays } from '../../compile/quote.ts';
import { knownLines, type FindTurn } from '../../compile/sources/known.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb, NOT_OFFERED } from '../verb.ts';
import { openWorld } from './world.ts';

/** Something that was learned and holds, with where it comes from. */
export interface KnownThing {
  readonly id: string;
  readonly text: string;
  /** The day it was said; null when that is not known. */
  readonly day: string | null;
  readonly path: string;
  /** The conversation it was learned from; null for what was written by hand. */
  readonly session: string | null;
  readonly turn: string | null;
  /** The project that conversation took place in. */
  readonly project: string | null;
  /** The program whose log the conversation was imported from. */
  readonly from: string | null;
}

/** In the order in which session starts take them in; none that may have changed since. */
export const listKnown = defineVerb({
  name: 'known',
  summary: 'List the most useful things that are known.',
  input: z.strictObject({ limit: z.number().int().min(1).describe('As many as this.') }),
  effect: 'read',
  reach: 'shared',
  ...NOT_OFFERED,
  run: (context, { limit }) => findKnown(context, limit),
});

async function findKnown(context: OperationContext, limit: number): Promise<KnownThing[]> {
  const world = await openWorld(context);
  const { index, config, nowMs } = world;
  const view = await index.view({ scopes: ['shared'] });
  const feedback = await readFeedback(world, ['shared']);
  const findTurn: FindTurn = async (id) => (await view.read((await view.findItem(id)).slice(0, 1)))[0];
  const known = await knownLines({ index, config, scopes: ['shared'], nowMs }, { overview: findTurn, feedback });
  const lines = known.filter(({ passage }) => feedback.whyWrong(saidIn(passage)) === undefined);
  const dayOf = createDays(config.time_zone);
  return (
    lines
      // A diary tells what was talked about, which is more than what is known.
      .filter(({ passage, later }) => passage.document.store !== 'journal' && later === undefined)
      .slice(0, limit)
      .map(({ passage, text }) => {
        const { id, timeMs, session, turn, document } = passage;
        const about = session === undefined ? undefined : context.parts.sessions().findEarlier(session)?.frontmatter;
        return {
          id,
          text,
          day: timeMs === undefined ? null : dayOf(timeMs),
          path: document.path,
          session: session ?? null,
          turn: turn ?? null,
          project: about?.project ?? null,
          from: about?.imported_from?.split(':')[0] ?? null,
        };
      })
  );
}
