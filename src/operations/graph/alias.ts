import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { setFrontmatterValue } from '../../workspace/markdown/frontmatter.ts';
import { changeEntity } from '../../memory/stores/entities/entity-edit.ts';
import { foldName } from '../../memory/stores/registry/names.ts';
import { defineVerb } from '../verb.ts';
import type { WriteResult } from '../commit-or-propose.ts';
import { entityField, nameOf, scopeField, type EntityName, showWarnings } from './open-graph.ts';
import { commitPlans } from './write-plans.ts';

const input = z.strictObject({
  entity: entityField,
  alias: z.string().trim().min(1).max(300).describe('The other name.'),
  remove: z.boolean().default(false).describe('Take the name away.'),
  scope: scopeField,
});

export type GraphAliasInput = z.input<typeof input>;

export interface AliasResult extends WriteResult {
  readonly entity: EntityName;
  readonly aliases: readonly string[];
}

export const graphAlias = defineVerb({
  name: 'graph alias',
  summary: 'Give an entity another name, or take one away.',
  input,
  args: ['entity', 'alias'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, { entity: named, alias, remove, scope }): Promise<AliasResult> {
    const { graph, entities, parts } = await context.parts.graph();
    const entity = graph.get(named, { scope });
    if (remove && !entity.aliases.some((known) => foldName(known) === foldName(alias))) {
      throw new MnemeError('not-found', `${entity.name} has no alias "${alias}".`, {
        hint: entity.aliases.length === 0 ? undefined : `It has: ${entity.aliases.join(', ')}.`,
      });
    }
    const plan = remove
      ? {
          changes: [
            changeEntity(parts, entity, (document) =>
              setFrontmatterValue(
                document,
                'aliases',
                entity.aliases.filter((known) => foldName(known) !== foldName(alias)),
              ),
            ),
          ],
          notes: [],
          outcome: () => undefined,
        }
      : entities.planAlias(entity, alias);
    const verb = remove ? 'is not called' : 'is called';
    const result = await commitPlans(context, [plan], `${entity.name} ${verb} ${alias}`, scope);
    const record = graph.network.record(entity.path) ?? entity;
    return { entity: nameOf(record), aliases: record.aliases, ...result };
  },
  cli: { options: { scope: { value: 'scope' } }, notes: showWarnings },
  render: async (view, output) => (await import('./render-changes.ts')).renderAliases(view, output),
});
