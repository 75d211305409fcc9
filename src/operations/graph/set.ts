import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { ENTITY_STATES } from '../../model/schemas/graph.ts';
import { propertyProblems } from '../../workspace/formats/relations.ts';
import { setFrontmatterValue, type FrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import type { MarkdownDocument } from '../../workspace/markdown/document.ts';
import { changeEntity } from '../../memory/stores/entities/entity-edit.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { defineVerb } from '../verb.ts';
import type { WriteResult } from '../commit-or-propose.ts';
import { entityField, isPerson, nameOf, scopeField, type EntityName, showWarnings } from './open-graph.ts';
import { commitPlans, parseProperties, proposeWrite, readProperties, withinScope } from './write-plans.ts';

const input = z.strictObject({
  entity: entityField,
  properties: z.record(z.string(), z.unknown()).default({}).describe('New values; null removes a property.'),
  status: z.enum(ENTITY_STATES).optional(),
  pinned: z.boolean().optional().describe('Pinned: it never fades.'),
  scope: scopeField,
});

export type GraphSetInput = z.input<typeof input>;

export interface GraphSet extends WriteResult {
  readonly entity: EntityName;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Where it would overrule what is there and waits for the user: the proposal. */
  readonly proposal?: string | undefined;
}

export const graphSet = defineVerb({
  name: 'graph set',
  summary: 'Set properties, status or pin of an entity.',
  description: 'Set properties, status or pin of an entity. A property is NAME=VALUE; NAME= removes it.',
  examples: ['mneme graph set Vera role=lead city=Vienna', 'mneme graph set Vera city='],
  input,
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<GraphSet> {
    const { graph, parts } = await context.parts.graph();
    const entity = graph.get(given.entity, { scope: given.scope });
    const ontology = graph.ontologyFor(entity.path);
    const changed = readProperties(ontology, entity.type, given.properties);
    const values = Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null));
    const [problem] = propertyProblems(ontology, entity.type, values);
    if (problem !== undefined) {
      throw new MnemeError('refused', problem, {
        hint: 'The properties of a type stand in memory/graph/relations.md.',
      });
    }
    if (Object.keys(changed).length === 0 && given.status === undefined && given.pinned === undefined) {
      throw new MnemeError('usage', 'There is nothing to set.', { hint: 'Give NAME=VALUE, --status or --pin.' });
    }
    const change = changeEntity(parts, entity, (document) => apply(document, changed, given));
    const plan = { changes: [change], notes: [], outcome: () => undefined };
    const summary = `set ${Object.keys(changed).join(', ') || 'status'} of ${entity.name}`;
    const overruled = isPerson(context.actor) ? [] : findOverruled(entity, changed, given);
    if (overruled.length > 0) {
      const proposed = await proposeWrite(context, {
        title: summary,
        why: `It takes the place of what is there: ${overruled.join(', ')}. Only a person does that.`,
        evidence: [entity.path],
        changes: withinScope(context, plan.changes, given.scope),
        trigger: 'graph set',
      });
      return { entity: nameOf(entity), properties: entity.properties, ...proposed };
    }
    const result = await commitPlans(context, [plan], summary, given.scope);
    const record = graph.network.record(entity.path) ?? entity;
    return { entity: nameOf(record), properties: record.properties, ...result };
  },
  library: { args: [] },
  cli: {
    args: ['entity', 'properties...'],
    options: {
      properties: { parse: parseProperties },
      status: { value: 'status' },
      pinned: false,
      scope: { value: 'scope' },
    },
    extra: {
      pin: { flags: '--pin', help: 'it never fades' },
      unpin: { flags: '--unpin', help: 'it fades like everything' },
    },
    prepare: ({ input: typed, extra: { pin, unpin } }) => ({
      ...typed,
      entity: typed.entity ?? '',
      pinned: pin === true ? true : unpin === true ? false : undefined,
    }),
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderSet(view, output),
});

/** A property does not say whose it is, so whatever is there counts as somebody's word. */
function findOverruled(
  { properties, status: known }: Pick<EntityRecord, 'properties' | 'status'>,
  changed: Readonly<Record<string, unknown>>,
  { status, pinned }: Pick<z.output<typeof input>, 'status' | 'pinned'>,
): string[] {
  const overwritten = Object.entries(changed).filter(
    ([key, value]) => Object.hasOwn(properties, key) && JSON.stringify(properties[key]) !== JSON.stringify(value),
  );
  return [
    ...overwritten.map(([key]) => `${key} ${JSON.stringify(properties[key])}`),
    ...(status === undefined || status === known ? [] : [`status ${known ?? 'active'}`]),
    ...(pinned === undefined ? [] : [pinned ? 'that it may fade' : 'that it is pinned']),
  ];
}

function apply(
  document: MarkdownDocument,
  changed: Readonly<Record<string, unknown>>,
  { status, pinned }: Pick<z.output<typeof input>, 'status' | 'pinned'>,
): MarkdownDocument {
  let next = document;
  if (Object.keys(changed).length > 0) {
    const known = (document.frontmatter?.values?.['properties'] ?? {}) as Readonly<Record<string, FrontmatterValue>>;
    const properties = Object.entries({ ...known, ...changed }).filter(([, value]) => value !== null);
    next = setFrontmatterValue(next, 'properties', Object.fromEntries(properties) as Record<string, FrontmatterValue>);
  }
  if (status !== undefined) next = setFrontmatterValue(next, 'status', status);
  return pinned === undefined ? next : setFrontmatterValue(next, 'pinned', pinned);
}
