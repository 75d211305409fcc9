import { z } from 'zod';
import type { Scope } from '../../model/provenance.ts';
import { indexPath, isHandEdited, renderIndex, type IndexContent } from '../../memory/graph/index-file.ts';
import { relevanceOf } from '../../memory/decay/relevance.ts';
import { firstDay } from '../../memory/stores/entities/current-facts.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import type { Edge } from '../../memory/graph/statements.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { momentOf, scopeField, showWarnings } from './open-graph.ts';
import { nodeFileSystem } from '../../platform/fs.ts';

const input = z.strictObject({
  scope: scopeField,
  check: z.boolean().default(false).describe('Only say whether it is up to date; write nothing.'),
});

export type GraphIndexInput = z.input<typeof input>;

export interface GraphIndexed {
  readonly path: string;
  readonly entities: number;
  readonly edges: number;
  /** null when nothing had to change, or with `check`. */
  readonly mutation: string | null;
  readonly isCurrent: boolean;
  /** The file was edited by hand; the history has that version. */
  readonly wasHandEdited: boolean;
  readonly warnings: readonly string[];
}

export const graphIndex = defineVerb({
  name: 'graph index',
  summary: 'Write memory/graph/index.md again from the entity files.',
  input,
  effect: 'write',
  async run(context, { scope, check }): Promise<GraphIndexed> {
    const { graph } = await context.parts.graph({ isThorough: true });
    const path = indexPath(scope);
    const content = contentOf(context, graph, scope);
    const text = renderIndex(content);
    const before = nodeFileSystem.read(`${context.workspace.root}/${path}`)?.toString('utf8');
    const wasHandEdited = before !== undefined && isHandEdited(before);
    const counts = { path, entities: content.entities.length, edges: content.edges.length, wasHandEdited };
    const isCurrent = before === text;
    const warnings = wasHandEdited
      ? [
          `${path} was changed by hand. It is made from the entity files, so change those; \`mneme history log ${path}\` has the old text.`,
        ]
      : [];
    if (isCurrent || check) return { ...counts, mutation: null, isCurrent, warnings };
    const { mutation } = await context.workspace.commit({
      actor: 'system:graph',
      approval: 'auto',
      trigger: 'graph index',
      summary: wasHandEdited ? 'graph index, over a hand edit' : 'graph index',
      changes: [{ path, edit: () => text }],
    });
    return { ...counts, mutation: mutation ?? null, isCurrent: false, warnings };
  },
  cli: { options: { scope: { value: 'scope' } }, notes: showWarnings },
  render: async (view, output) => (await import('./render-changes.ts')).renderIndexed(view, output),
});

function contentOf(context: OperationContext, graph: Graph, scope: Scope): IndexContent {
  const { access, clock, config } = context;
  const uses = access.readUses();
  const records = graph.network.records().filter((record) => record.scope === scope && record.mergedInto === undefined);
  const entities = records.map((record) => {
    const used = uses.get(record.id) ?? uses.get(record.path);
    const relevance = relevanceOf(
      {
        store: 'semantic',
        source: 'user-explicit',
        createdMs: millis(record.updated ?? record.created),
        accesses: used?.count ?? 0,
        lastAccessMs: used?.lastMs,
        isPinned: record.isPinned,
      },
      clock.now(),
      config.decay,
    );
    const { id, type, name, path, isPinned } = record;
    return { id, type, name, path, relevance, isPinned };
  });
  const own = new Map(records.map(({ path, id }) => [path, id]));
  const edges = [...graph.triples(momentOf(context, {}))].flatMap(({ from, relation, to, edge }) => {
    const [first, second] = [own.get(from), own.get(to)];
    if (first === undefined || second === undefined) return [];
    return [{ from: first, relation, to: second, confidence: confidenceOf(edge), ...seen(edge) }];
  });
  return { entities, edges };
}

function millis(time: string | undefined): number | undefined {
  const parsed = time === undefined ? Number.NaN : Date.parse(time);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** The confidence in an edge by its origin, in the words of S4 §6.1. */
function confidenceOf({ trust, source }: Edge): string {
  if (source === 'inferred') return 'low';
  return trust === 'user' ? 'high' : 'medium';
}

function seen({ meta }: Edge): { readonly firstSeen: string; readonly lastSeen: string } {
  const first = meta.from ?? meta.learned;
  const last = meta.learned ?? meta.from;
  return { firstSeen: first === undefined ? '' : firstDay(first), lastSeen: last === undefined ? '' : firstDay(last) };
}
