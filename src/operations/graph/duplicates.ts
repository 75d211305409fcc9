import { z } from 'zod';
import { findDuplicates, type LikelyPair } from '../../memory/graph/duplicates.ts';
import type { OperationContext } from '../context.ts';
import { assertMayWrite } from '../operation.ts';
import { defineVerb } from '../verb.ts';
import { proposeMerge } from './merge.ts';
import { momentOf, nameOf, scopeField, type EntityName, type OpenGraph } from './open-graph.ts';

const input = z.strictObject({
  type: z.string().trim().min(1).max(40).optional().describe('Only persons, projects …'),
  propose: z.boolean().default(false).describe('File a merge proposal for each.'),
  limit: z.number().int().min(1).max(1000).default(50).describe('How many; 50 where it is not given.'),
  scope: scopeField,
});

export type GraphDuplicatesInput = z.input<typeof input>;

export interface DuplicateReport {
  readonly pairs: readonly {
    readonly a: EntityName;
    readonly b: EntityName;
    readonly score: number;
    readonly verdict: 'same' | 'unsure' | 'different';
    readonly reasons: readonly string[];
    /** The proposal that would merge them. */
    readonly proposal: string | null;
  }[];
  readonly compared: number;
  readonly isCut: boolean;
  readonly warnings: readonly string[];
}

interface DuplicateControls {
  readonly onProgress?: (done: number, total: number) => void;
}

export const graphDuplicates = defineVerb({
  name: 'graph duplicates',
  summary: 'List entities that may be there twice; propose to merge them.',
  input,
  // Only --propose writes, and says so itself.
  effect: 'read',
  async run(context, given, { onProgress }: DuplicateControls = {}): Promise<DuplicateReport> {
    if (given.propose) assertMayWrite(context.actor, 'graph duplicates --propose');
    const open = await context.parts.graph({ isThorough: true });
    const { pairs, compared } = await findDuplicates(open.graph, {
      scope: given.scope,
      type: given.type,
      moment: momentOf(context, {}),
      onProgress,
    });
    const shown = pairs.slice(0, given.limit);
    const warnings: string[] = [];
    const reported: DuplicateReport['pairs'][number][] = [];
    for (const pair of shown) {
      const proposal = given.propose ? await proposeToMerge(context, open, pair, warnings) : null;
      const { a, b, score, verdict, reasons } = pair;
      reported.push({ a: nameOf(a), b: nameOf(b), score: Math.round(score * 1000) / 1000, verdict, reasons, proposal });
    }
    return { pairs: reported, compared, isCut: pairs.length > shown.length, warnings };
  },
  http: [
    { omit: ['propose'], isLong: true },
    { name: 'graph duplicates propose', method: 'POST', needs: 'write', isLong: true, fixed: { propose: true } },
  ],
  cli: {
    options: { type: { value: 'type' }, scope: { value: 'scope' } },
    controls: ({ report }) => ({ onProgress: (done, total) => report(`comparing ${done} of ${total}`) }),
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderDuplicates(view, output),
});

/** Into whoever more is known of; one that cannot be merged must not cost the others. */
export async function proposeToMerge(
  context: OperationContext,
  open: OpenGraph,
  { a, b, verdict, reasons }: LikelyPair,
  warnings: string[],
): Promise<string | null> {
  const weight = ({ path, isUser }: LikelyPair['a']): number =>
    (isUser ? 1e6 : 0) + open.graph.facts(path).length + open.graph.network.links(path).length;
  const [into, from] = weight(a) >= weight(b) ? [a, b] : [b, a];
  if (from.damage !== undefined || into.damage !== undefined) {
    warnings.push(`${from.name} and ${into.name} cannot be merged: ${from.damage ?? into.damage ?? ''}.`);
    return null;
  }
  const filed = await proposeMerge(context, open, {
    from,
    into,
    why: `They seem to be one: ${reasons.join('; ')}.`,
    evidence: [],
    confidence: verdict === 'same' ? 'high' : 'low',
  });
  warnings.push(...filed.warnings);
  return filed.outcome === 'rejected-before' ? null : filed.proposal;
}
