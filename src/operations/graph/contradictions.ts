import { z } from 'zod';
import { findContradictions, type Contradiction } from '../../memory/graph/contradictions.ts';
import { packagedJudge } from '../../judge/judge.ts';
import { findDisagreements } from '../../maintain/reflect/disagreements.ts';
import { parseEntityWithIds } from '../../memory/stores/entities/entity-edit.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { defineVerb } from '../verb.ts';
import { entityField, momentOf, momentShape, scopeField } from './open-graph.ts';
import { scopeCanSee } from '../../model/provenance.ts';
import { scopeOfPath } from '../../workspace/formats/layout.ts';

const input = z.strictObject({
  entity: entityField.optional().describe('Only about this entity.'),
  ...momentShape,
  scope: scopeField,
});

export type GraphContradictionsInput = z.input<typeof input>;

export interface ContradictionReport {
  readonly contradictions: readonly Contradiction[];
  readonly entities: number;
}

export const graphContradictions = defineVerb({
  name: 'graph contradictions',
  summary: 'List what in the graph cannot all be true, or leads nowhere.',
  description: 'List what in the graph cannot all be true, or leads nowhere. Exit code 7 when there is something.',
  input,
  effect: 'read',
  async run(context, given): Promise<ContradictionReport> {
    const { graph } = await context.parts.graph({ isThorough: true });
    const about = given.entity === undefined ? undefined : graph.get(given.entity, { scope: given.scope });
    const found = findContradictions(graph, momentOf(context, given), about);
    if (about !== undefined) found.push(...(await findByMeaning(context, about)));
    return {
      contradictions: found.filter(({ path }) => scopeCanSee(given.scope, scopeOfPath(path))),
      entities:
        about === undefined ? graph.network.records().filter((one) => scopeCanSee(given.scope, one.scope)).length : 1,
    };
  },
  cli: {
    args: ['entity'],
    options: { at: { value: 'date' }, knownAt: { value: 'date' }, scope: { value: 'scope' } },
    exitCode: ({ contradictions: found }) => (found.length > 0 ? 'integrity' : 'ok'),
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderContradictions(view, output),
});

/** Of one page, every two statements are read together, as `graph verify` and a reflection do; of all pages that would take too long. */
async function findByMeaning(context: OperationContext, record: EntityRecord): Promise<Contradiction[]> {
  const text = await readWorkspaceText(context, record.path);
  const entity = parseEntityWithIds(parseDocument(text), record.path);
  const found = await findDisagreements([{ record, entity, isChanged: true }], { since: '', openJudge: packagedJudge });
  return found.map(({ earlier, later }) => ({
    kind: 'meaning',
    message: `“${earlier.text}” (^${earlier.id}) and, later, “${later.text}” (^${later.id}) do not go together.`,
    hint: 'End the one that no longer holds: `mneme graph fact NAME "…" --replaces ID`.',
    path: record.path,
    line: earlier.startLine,
    items: [earlier.id, later.id],
  }));
}
