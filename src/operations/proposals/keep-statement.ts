import type { Stores } from '../../extract/place.ts';
import { importanceOf } from '../../memory/episodes/read-episodes.ts';
import { planAdd } from '../../memory/stores/entities/add.ts';
import type { EntityRef } from '../../memory/stores/entities/entity-edit.ts';
import type { Plan } from '../../memory/stores/plan.ts';
import { isScope, isTrustedAtLeast, scopeFolder, type Scope } from '../../model/provenance.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { shorten } from '../../model/text.ts';
import { localTime } from '../../model/time.ts';
import {
  itemOfProposal,
  type PlannedStatement,
  type ProposedStatement,
  type StatementOverride,
  type SuggestedStore,
} from '../../proposals/agents/statement.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { Change } from '../../workspace/door/request.ts';
import { newVaultNote } from '../../workspace/formats/body.ts';
import { slugify } from '../../workspace/safety/paths.ts';
import type { OperationContext } from '../context.ts';

/** A statement with what whoever commits it made of it. */
interface Kept {
  readonly id: string;
  readonly proposal: Proposal;
  readonly statement: ProposedStatement;
  readonly override: StatementOverride;
  readonly scope: Scope;
  readonly stores: Stores;
}

/** Plans the storage of a sub-agent's statement. The item records its source and its evidence. */
export async function planStatement(
  context: OperationContext,
  proposal: Proposal,
  override: StatementOverride,
): Promise<PlannedStatement> {
  const given = proposal.statement;
  if (given === undefined) return { id: proposal.id, changes: [], notes: [] };
  const statement: ProposedStatement = {
    ...given,
    content: override.content ?? given.content,
    store: override.store ?? given.store,
    entities: override.entities ?? given.entities,
    isCoreWorthy: override.isCoreWorthy ?? given.isCoreWorthy,
  };
  const { scope = 'shared' } = proposal;
  const kept: Kept = {
    id: itemOfProposal(proposal.id),
    proposal,
    statement,
    override,
    scope: isScope(scope) ? scope : 'shared',
    stores: await context.parts.stores(),
  };
  await context.entities.sync();
  const main = PLANNERS[statement.store](context, kept);
  const core = statement.isCoreWorthy && statement.store !== 'core' ? alsoInCore(context, kept) : NOTHING;
  const ended = planEnded(context, kept);
  return {
    id: kept.id,
    changes: [...main.changes, ...core.changes, ...ended.changes],
    notes: [...main.notes, ...core.notes, ...ended.notes],
  };
}

/** Text from outside stays in its store, whoever agrees. */
function alsoInCore(context: OperationContext, kept: Kept): Planned {
  const { trust } = kept.proposal;
  if (isTrustedAtLeast(trust, 'agent')) return alsoCore(context, kept);
  return { changes: [], notes: [`Not added to core memory: it is of ${trust} origin.`] };
}

interface Planned {
  readonly changes: readonly Change[];
  readonly notes: readonly string[];
}

const NOTHING: Planned = { changes: [], notes: [] };

const PLANNERS: Readonly<Record<SuggestedStore, (context: OperationContext, kept: Kept) => Planned>> = {
  episodic: planEpisode,
  semantic: planSemantic,
  procedural: planProcedure,
  vault: planVault,
  core: planCore,
};

function metaOf(context: OperationContext, { proposal, override, statement }: Kept): FactMetadata {
  const { trust, session, evidence } = proposal;
  const type = 'fact';
  return {
    source: 'conversation',
    trust,
    confidence: override.confidence ?? proposal.confidence ?? 'medium',
    importance: importanceOf({ type, text: statement.content, source: 'conversation' }),
    learned: localTime(Date.parse(proposal.created), context.config.time_zone).date,
    ...(session === undefined ? {} : { session }),
    ...(evidence.length === 0 ? {} : { evidence: [...evidence] }),
    ...(override.related === undefined || override.related.length === 0 ? {} : { related: [...override.related] }),
  };
}

function changesOf(plans: readonly Plan<unknown>[], notes: readonly string[] = []): Planned {
  return { changes: plans.flatMap((plan) => plan.changes), notes };
}

function planEpisode(context: OperationContext, kept: Kept, note?: string): Planned {
  const { episodes } = kept.stores;
  const { learned: _, ...meta } = metaOf(context, kept);
  const plan = episodes.planEntry({
    id: kept.id,
    text: kept.statement.content,
    type: kept.statement.store === 'procedural' ? 'learning' : 'fact',
    timeMs: Date.parse(kept.proposal.created),
    scope: kept.scope,
    meta,
  });
  return changesOf([plan], note === undefined ? [] : [note]);
}

function planSemantic(context: OperationContext, kept: Kept): Planned {
  const { stores } = kept;
  const found = findSubject(kept);
  if (typeof found === 'string') return planEpisode(context, kept, found);
  const { content, attribute, value } = kept.statement;
  const meta = metaOf(context, kept);
  const fact = stores.entities.planFact(found.entity, { id: kept.id, text: content, meta, attribute, value });
  return changesOf([...found.plans, fact]);
}

/** The file that takes it, or why none does. Does not guess between two entities of the same name. */
function findSubject({
  stores,
  statement,
  scope,
}: Kept): string | { readonly entity: EntityRef; readonly plans: readonly Plan<unknown>[] } {
  const { registry } = stores.entities;
  const [named] = [...statement.entities, ...(statement.subject === undefined ? [] : [statement.subject])];
  if (named === undefined) return 'It names nobody and nothing it is about, so it is kept as an entry of its day.';
  const resolution = registry.resolve(named, { scope, context: statement.content });
  if (resolution.kind === 'entity') {
    const { entity } = resolution;
    if (entity.scope === scope) return { entity, plans: [] };
    return `${entity.id} belongs to ${entity.scope}; what is private to ${scope} is kept as an entry there.`;
  }
  if (resolution.kind === 'candidates') return `"${named}" ${resolution.reason}; it is kept as an entry of its day.`;
  const [, type, name] = /^([a-z][a-z-]*?)--(.+)$/u.exec(named) ?? [];
  if (type === undefined || name === undefined)
    return `Nobody is called "${named}"; it is kept as an entry of its day.`;
  const plan = planAdd(stores.parts, registry, { name: name.replaceAll('-', ' '), type, scope });
  return { entity: plan.entity, plans: [plan] };
}

function planProcedure(context: OperationContext, kept: Kept): Planned {
  if (kept.scope !== 'shared') return planEpisode(context, kept, 'Procedures are shared; it is kept as an entry.');
  const { procedures } = kept.stores;
  const { content, entities } = kept.statement;
  const name = entities[0]?.replace(/^procedure--/u, '').replaceAll('-', ' ') ?? shorten(content);
  const cited = [`proposal ${kept.proposal.id}`, ...kept.proposal.evidence];
  const known = procedures.findCalled(name);
  // A procedure is followed as the user's; what an agent would add to one is for a person to write there.
  if (known !== undefined) return planEpisode(context, kept, `${known.path} is called the same and stays as it is.`);
  return changesOf([
    procedures.planAdd({ name, trigger: '', steps: [content], learnedFrom: cited, trust: kept.proposal.trust }),
  ]);
}

function planVault(context: OperationContext, { id, statement, scope, proposal }: Kept): Planned {
  const { date } = localTime(context.clock.now(), context.config.time_zone);
  const path = `${scopeFolder(scope)}memory/vault/${slugify(statement.content, 40)}-${id.slice(0, 6)}.md`;
  const text = newVaultNote({ id, date, text: statement.content, tags: [], trust: proposal.trust });
  return { changes: [{ path, edit: (current) => current ?? text }], notes: [] };
}

function planCore(context: OperationContext, kept: Kept): Planned {
  if (kept.scope !== 'shared') return planEpisode(context, kept, 'Core memory is shared; it is kept as an entry.');
  return alsoCore(context, kept);
}

function alsoCore(context: OperationContext, kept: Kept): Planned {
  if (kept.scope !== 'shared')
    return { changes: [], notes: ['It belongs to a private scope and stays out of core memory.'] };
  const { core } = kept.stores;
  const isItself = kept.statement.store === 'core';
  const { learned, trust, importance } = metaOf(context, kept);
  const bullet = {
    block: 'Critical Facts',
    text: kept.statement.content,
    meta: { learned, trust, importance },
    ...(isItself ? { id: kept.id } : { states: kept.id }),
  } as const;
  return changesOf([core.planBullet(bullet, { whenFull: 'move' })]);
}

/** Facts that no longer hold because somebody took the statement instead. */
function planEnded(context: OperationContext, { id: by, stores, override }: Kept): Planned {
  const ids = override.replaces ?? [];
  const plans: Plan<unknown>[] = [];
  const notes: string[] = [];
  for (const id of ids) {
    const entity = stores.entities.registry.all().find(({ path }) => holdsItem(context, path, id));
    if (entity === undefined) notes.push(`${id} is an entry of a day and stays; the newer one speaks for itself.`);
    else plans.push(stores.entities.planSupersede(entity, id, { supersededBy: by }));
  }
  return changesOf(plans, notes);
}

function holdsItem({ homeIndex }: OperationContext, path: string, id: string): boolean {
  return homeIndex.files.read({ source: 'workspace', path })?.text.includes(`^${id}`) === true;
}
