import { z } from 'zod';
import { type GcScore, gcScore, whyArchived, whyKept } from '../../maintain/forgetting/candidates.ts';
import { fadingOfMemory } from '../../maintain/forgetting/due.ts';
import { ageDays } from '../../maintain/forgetting/memory.ts';
import { archiveAgeDays } from '../../maintain/retention/ages.ts';
import {
  FADING,
  fallsBelowMs,
  relevanceParts,
  whyNotFading,
  type DecayStatus,
  type Fading,
  type RelevanceParts,
} from '../../memory/decay/relevance.ts';
import { MnemeError } from '../../model/errors.ts';
import { isScope } from '../../model/provenance.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { openIndex, surveyMemories } from './survey.ts';

const input = z.object({
  id: z.string().trim().min(1).describe('An item (7k2m9x0q4t1za), a turn (SESSION#t12) or a file.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .default('shared')
    .describe('Besides what is shared, what belongs to this scope.'),
});

export type DecayExplainInput = z.input<typeof input>;

export interface FadingExplained {
  readonly relevance: number;
  readonly status: DecayStatus;
  /** The formula's parts; null for what does not fade. */
  readonly parts: RelevanceParts | null;
  /** Why it does not fade; null when it does. */
  readonly keeps: string | null;
  readonly uses: number;
  readonly lastUse: string | null;
  /** When it becomes so, if nobody uses it; only what lies ahead. */
  readonly becomes: readonly { readonly status: DecayStatus; readonly at: string }[];
}

export interface DecayExplained {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  readonly fading: FadingExplained;
  readonly gc: GcScore;
  readonly ageDays: number;
  /** The age at which it leaves by age alone; null when it never does. */
  readonly archiveAfterDays: number | null;
  /** Why archiving is, or would be, proposed; null when nothing speaks for it. */
  readonly wouldArchive: string | null;
  /** Why it is not, whatever speaks for it. */
  readonly kept: string | null;
}

export const explainDecay = defineVerb({
  name: 'decay explain',
  summary: 'Explain why a memory has faded as far as it has, and what will become of it.',
  input,
  args: ['id'],
  effect: 'read',
  async run(context, { id, scope }): Promise<DecayExplained> {
    const wanted = id.replace(/^\^/u, '');
    const survey = await surveyMemories(context);
    const memory = survey.memories.find(
      (one) => (one.id === wanted || one.path === wanted) && (one.scope === 'shared' || one.scope === scope),
    );
    if (memory === undefined) throw await missing(context, wanted);
    const { decay, retention } = context.config;
    const kept = whyKept(memory);
    return {
      id: memory.id,
      path: memory.path,
      text: memory.text,
      fading: explainFading(context, fadingOfMemory(memory), survey.nowMs),
      gc: gcScore(memory, survey.nowMs),
      ageDays: Math.floor(ageDays(memory, survey.nowMs)),
      archiveAfterDays: archiveAgeDays(memory, retention) ?? null,
      wouldArchive: whyArchived(memory, survey.nowMs, { decay, retention }) ?? null,
      kept: kept ?? null,
    };
  },
  cli: { path: 'memory decay explain', formerly: ['decay explain'], options: { scope: { value: 'scope' } } },
  render: async (view, explained) => (await import('./render.ts')).renderExplained(view, explained),
});

async function missing(context: OperationContext, id: string): Promise<MnemeError> {
  const view = await (await openIndex(context)).view({ scopes: ['shared'], withArchived: true });
  const [found] = await view.read(await view.findItem(id));
  if (found === undefined) {
    return new MnemeError('not-found', `Nothing remembered has the id ${id}.`, {
      hint: 'Ids stand in the hits of `mneme recall --json`.',
    });
  }
  const where = found.document.isArchived ? 'is in the archive' : `is in ${found.document.path}`;
  return new MnemeError('refused', `${id} ${where} and does not fade.`, {
    hint: `\`mneme why ${id}\` tells the rest.`,
  });
}

/** Explains how far a memory has faded and why, for `decay explain` and `why`. */
export function explainFading({ config }: OperationContext, fading: Fading, nowMs: number): FadingExplained {
  const { decay } = config;
  const parts = relevanceParts(fading, nowMs, decay);
  const relevance = parts?.relevance ?? 1;
  const limits: readonly [DecayStatus, number][] = [
    ['fading', FADING.activeMin],
    ['dormant', FADING.fadingMin],
    ['faint', FADING.dormantMin],
  ];
  const becomes = limits.flatMap(([status, limit]) => {
    const atMs = fallsBelowMs(fading, limit, decay);
    return atMs === undefined || atMs <= nowMs ? [] : [{ status, at: new Date(atMs).toISOString() }];
  });
  const status = limits.findLast(([, limit]) => relevance < limit)?.[0] ?? 'active';
  return {
    relevance: Math.round(relevance * 1000) / 1000,
    status,
    parts: parts ?? null,
    keeps: whyNotFading(fading, decay) ?? null,
    uses: fading.accesses,
    lastUse: fading.lastAccessMs === undefined ? null : new Date(fading.lastAccessMs).toISOString(),
    becomes,
  };
}
