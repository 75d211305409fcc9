import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { isScope, type Scope } from '../../model/provenance.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { localTime } from '../../model/time.ts';
import { dateProblem, isRealDate } from '../../memory/graph/contradictions.ts';
import { Graph } from '../../memory/graph/graph.ts';
import { Entities } from '../../memory/stores/entities/entities.ts';
import type { Moment } from '../../memory/stores/entities/current-facts.ts';
import type { StoreParts } from '../../memory/stores/plan.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { type OperationContext, storePartsOf } from '../context.ts';
import { lastDay } from '../../memory/stores/entities/current-facts.ts';

/** The graph of an open home, with what plans changes to it. */
export interface OpenGraph {
  readonly graph: Graph;
  readonly entities: Entities;
  readonly parts: StoreParts;
}

export function openGraph(context: OperationContext): OpenGraph {
  const { workspace, entities: registry } = context;
  const parts = storePartsOf(context);
  return { graph: new Graph(workspace.root, registry), entities: new Entities(parts, registry), parts };
}

/** Whom a person names, as every verb takes it. */
export const entityField = z.string().trim().min(1).max(500);

/** Notes of a write for standard error. */
export function showWarnings({ warnings = [] }: { readonly warnings?: readonly string[] }): readonly string[] {
  return warnings;
}

export const scopeField = z
  .string()
  .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
  .default('shared')
  .describe('Where it belongs; what is private to other scopes is not seen.');

const DATE = /^\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?$/u;

/** A day, month or year, as facts are dated. */
export const dateField = z
  .string()
  .trim()
  .regex(DATE, 'is a day (2026-02-16), a month (2026-02) or a year (2026)')
  .refine(isRealDate, 'is no day of the calendar');

export function refuseBackwards(from: string | undefined, until: string | undefined): void {
  const wrong = dateProblem({ meta: { from, until } });
  if (wrong === undefined) return;
  throw new MnemeError('usage', `It would have ${wrong}.`, { hint: 'Check both dates.' });
}

/** Both times of a fact: when it held, and when it was known. */
export const momentShape = {
  at: dateField.optional().describe('What held on this day, month or year; today when not given.'),
  knownAt: dateField.optional().describe('As it was known then: nothing learned later counts.'),
};

export function momentOf(
  { clock, config }: Pick<OperationContext, 'clock' | 'config'>,
  { at, knownAt }: { readonly at?: string | undefined; readonly knownAt?: string | undefined },
): Moment {
  const today = localTime(clock.now(), config.time_zone).date;
  return {
    at: at === undefined ? today : lastDay(at),
    ...(knownAt === undefined ? {} : { knownAt: lastDay(knownAt) }),
  };
}

/** An entity as answers name it. */
export interface EntityName {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly path: string;
}

export function nameOf({ id, type, name, path }: EntityRecord): EntityName {
  return { id, type, name, path };
}

/** The actor and approval recorded for a change. */
export function attributionOf({ actor }: OperationContext): {
  readonly actor: string;
  readonly approval: '—' | 'auto';
} {
  return { actor, approval: isPerson(actor) ? '—' : 'auto' };
}

export function isPerson(actor: string): boolean {
  return roleOf(actor) === 'human';
}

/** The source of a statement: a person at the keyboard speaks for themselves, any other actor is an agent. */
export function originOf({ actor }: OperationContext): Pick<FactMetadata, 'source' | 'trust'> {
  return isPerson(actor) ? { source: 'user-explicit', trust: 'user' } : { source: 'auto', trust: 'agent' };
}

/** The one fact or relation of an id; throws when there is none. */
export function getStatement(
  graph: Graph,
  given: string,
  sees: (owner: Scope) => boolean,
): { readonly id: string; readonly entity: EntityRecord; readonly kind: 'fact' | 'relation' } {
  const id = given.replace(/^\^/u, '');
  const { facts, edges } = graph.statement(id);
  const [found] = [...facts, ...edges];
  const entity = found === undefined ? undefined : graph.network.record(found.path);
  if (entity === undefined || !sees(entity.scope)) {
    throw new MnemeError('not-found', `No fact or relation has the id ${id}.`, {
      hint: '`mneme graph show NAME` lists the facts and relations of somebody with their ids.',
    });
  }
  return { id, entity, kind: facts.length > 0 ? 'fact' : 'relation' };
}
