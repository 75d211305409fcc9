import { z } from 'zod';
import { fadingOfMemory } from '../../maintain/forgetting/due.ts';
import { fallsBelowMs, type DecayStatus, FADING } from '../../memory/decay/relevance.ts';
import { surveyMemories } from './survey.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import { isoTime } from '../../model/time.ts';

const input = z.strictObject({ limit: z.number().int().min(1).max(200).default(20).describe('Most memories.') });

export type FadingNextInput = z.input<typeof input>;

export interface FadingMemory {
  readonly id: string;
  readonly path: string;
  readonly store: string;
  readonly text: string;
  readonly relevance: number;
  readonly status: DecayStatus;
  /** When it becomes dormant. */
  readonly dormantFrom: string;
}

export interface FadingList {
  /** The memories, those that fade next first. */
  readonly memories: readonly FadingMemory[];
}

export const fadingNext = defineVerb({
  name: 'decay next',
  summary: 'List memories that will become dormant, soonest first.',
  input,
  effect: 'read',
  reach: 'filtered',
  async run(context, { limit }): Promise<FadingList> {
    const { decay } = context.config;
    const visible = visibleTo(context);
    const { memories, nowMs } = await surveyMemories(context);
    const fading = memories.flatMap((memory) => {
      const { id, path, store, text, relevance, status } = memory;
      if (!visible.sees(memory.scope)) return [];
      const dormantMs = fallsBelowMs(fadingOfMemory(memory), FADING.fadingMin, decay);
      if (dormantMs === undefined || dormantMs < nowMs) return [];
      return [{ id, path, store, text, relevance, status, dormantMs }];
    });
    return {
      memories: fading
        .toSorted((one, other) => one.dormantMs - other.dormantMs || (one.path < other.path ? -1 : 1))
        .slice(0, limit)
        .map(({ dormantMs, ...memory }) => Object.assign(memory, { dormantFrom: isoTime(dormantMs) })),
    };
  },
  library: { answer: 'memories' },
  cli: { path: 'memory decay next', formerly: ['decay next'] },
  render: async (view, list) => (await import('./render.ts')).renderFadingNext(view, list),
});
