import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { isMnemeError, MnemeError } from '../model/errors.ts';
import { encodeBase32, ITEM_ID_LENGTH } from '../model/ids.ts';
import { roleOf } from '../model/mutation.ts';
import { localTime } from '../model/time.ts';
import { planLink } from '../memory/graph/plans/link.ts';
import type { IgnoreRules } from '../memory/ignore-rules.ts';
import { sameWords } from '../model/same-words.ts';
import { Episodes } from '../memory/stores/episodes.ts';
import type { Plan } from '../memory/stores/plan.ts';
import type { EntityRecord } from '../memory/stores/registry/entity-record.ts';
import { messageKey } from '../exchange/import/session-draft.ts';
import {
  type ImportedEntity,
  type ImportedKnowledge,
  type ImportedMemory,
  type ImportedRelation,
  type KnowledgeRequest,
  type KnowledgeSink,
  type KnowledgeTaken,
} from '../exchange/import/knowledge/port.ts';
import type { OperationContext } from './context.ts';
import { ignoreRulesOf } from './may-learn.ts';
import type { OpenGraph } from './graph/open-graph.ts';

/** A mutation carries this many plans: one sync for all, and the lock stays short. */
const BATCH = 40;

/** Puts what other programs knew into graph and diary, each statement once. */
export function createKnowledgeSink(context: OperationContext): KnowledgeSink {
  return async (knowledge, request) => {
    const taking = new Taking(context, request);
    const wanted = withoutIgnored(knowledge, await ignoreRulesOf(context), request);
    const entities = await taking.entities(withEnds(wanted));
    const relations = await taking.relations(wanted.relations);
    const memories = await taking.memories(wanted.memories);
    return { ...entities, relations, memories };
  };
}

/** Leaves out what the user wants nothing learned about, and counts it. */
function withoutIgnored(
  { entities, relations, memories }: ImportedKnowledge,
  rules: IgnoreRules,
  { onSkipped }: KnowledgeRequest,
): ImportedKnowledge {
  const isWanted = (what: string, text: string): boolean => {
    const rule = rules.find(text);
    if (rule !== undefined) onSkipped(what, 'about something that nothing is to be learned about');
    return rule === undefined;
  };
  const wantedFacts = (entity: ImportedEntity): ImportedEntity => {
    return { ...entity, facts: entity.facts.filter(({ text }) => isWanted('fact', text)) };
  };
  return {
    entities: entities.filter(({ name }) => isWanted('entity', name)).map(wantedFacts),
    relations: relations.filter(({ from, relation, to }) => isWanted('relation', `${from} ${relation} ${to}`)),
    memories: memories.filter(({ text }) => isWanted('memory', text)),
  };
}

/** Relations may name what no entity was told of; then it is something, and nothing more is known of it. */
function withEnds({ entities, relations }: ImportedKnowledge): ImportedEntity[] {
  const names = new Set(entities.map(({ name }) => name.toLowerCase()));
  const missing = relations
    .flatMap(({ from, to }) => [from, to])
    .filter((name) => !names.has(name.toLowerCase()) && names.add(name.toLowerCase()));
  return [...entities, ...missing.map((name) => ({ name, type: 'concept', facts: [] }))];
}

/** Something to write, and by what it is known afterwards. */
interface Wanted {
  readonly plans: readonly Plan<unknown>[];
  readonly keys: readonly number[];
  /** The counts it adds to the totals. */
  readonly entities: number;
  readonly facts: number;
}

class Taking {
  readonly #context: OperationContext;
  readonly #request: KnowledgeRequest;
  /** Whom each name means, from the entities that were told. */
  readonly #records = new Map<string, EntityRecord>();

  constructor(context: OperationContext, request: KnowledgeRequest) {
    this.#context = context;
    this.#request = request;
  }

  async entities(entities: readonly ImportedEntity[]): Promise<Pick<KnowledgeTaken, 'entities' | 'facts'>> {
    let taken = { entities: 0, facts: 0 };
    for (let at = 0; at < entities.length && !this.#isAborted; at += BATCH) {
      // Names that the batch before wrote are known now.
      const open = await this.#context.parts.graph();
      const wanted: Wanted[] = [];
      for (const entity of entities.slice(at, at + BATCH)) {
        const one = this.#planEntity(open, entity);
        if (one !== undefined) wanted.push(one);
      }
      const written = await this.#write(wanted, 'entity');
      taken = {
        entities: taken.entities + sum(written, ({ entities }) => entities),
        facts: taken.facts + sum(written, ({ facts }) => facts),
      };
    }
    return taken;
  }

  #planEntity(open: OpenGraph, entity: ImportedEntity): Wanted | undefined {
    try {
      const isKnownAs = (type: string): boolean =>
        open.entities.registry
          .sharingName(entity.name)
          .some((record) => record.type === type && record.scope === 'shared');
      // An entity without a type in the other program may have a better one here.
      const known = open.entities.registry.sharingName(entity.name).find(({ scope }) => scope === 'shared');
      const type = entity.type === 'concept' && known !== undefined && !isKnownAs('concept') ? known.type : entity.type;
      const plan = open.entities.planAdd({ name: entity.name, type, tags: entity.tags });
      this.#records.set(entity.name.toLowerCase(), plan.entity);
      const isNew = open.entities.registry.findByPath(plan.entity.path) === undefined;
      const stated = isNew ? [] : open.graph.facts(plan.entity.path);
      const facts = entity.facts.flatMap((fact) => {
        const key = this.#key('fact', entity.name, fact.text);
        if (this.#isKnown('fact', key) || stated.some(({ text }) => sameWords(text, fact.text))) return [];
        const meta = {
          ...this.#origin,
          ...(fact.category === undefined ? {} : { category: fact.category }),
          ...(fact.tags === undefined || fact.tags.length === 0 ? {} : { tags: [...fact.tags] }),
          ...(fact.learned === undefined ? {} : { learned: fact.learned }),
        };
        return [{ key, plan: open.entities.planFact(plan.entity, { text: fact.text, meta }) }];
      });
      const plans = [...(isNew ? [plan] : []), ...facts.map((fact) => fact.plan)];
      if (plans.length === 0) return undefined;
      return { plans, keys: facts.map(({ key }) => key), entities: isNew ? 1 : 0, facts: facts.length };
    } catch (error) {
      return this.#skip('entity', error);
    }
  }

  async relations(relations: readonly ImportedRelation[]): Promise<number> {
    let taken = 0;
    // In a dry run the ends may not be there yet.
    if (this.#request.isDryRun) {
      return relations.filter((one) => !this.#isKnown('relation', this.#relationKey(one))).length;
    }
    for (let at = 0; at < relations.length && !this.#isAborted; at += BATCH) {
      const open = await this.#context.parts.graph();
      const wanted = relations.slice(at, at + BATCH).flatMap((relation) => this.#planRelation(open, relation) ?? []);
      taken += (await this.#write(wanted, 'relation')).length;
    }
    return taken;
  }

  #planRelation(open: OpenGraph, relation: ImportedRelation): Wanted | undefined {
    const key = this.#relationKey(relation);
    if (this.#isKnown('relation', key)) return undefined;
    try {
      const [from, to] = [this.#record(open, relation.from), this.#record(open, relation.to)];
      const { graph, parts, entities } = open;
      const words = relation.relation.replaceAll('_', ' ').trim();
      const plan = planLink(parts, graph.network, graph.ontologyFor(from.path), {
        from,
        relation: relation.relation.trim(),
        to,
        meta: this.#origin,
        isLoose: true,
        isExact: true,
      });
      const isSaid = words.toLowerCase().replaceAll(/\s+/gu, '-') === plan.relation;
      // A relation that the ontology has no word for is kept in the other program's words as well.
      const text = `${from.name} ${words} ${to.name}`;
      const facts = isSaid || graph.facts(from.path).some((fact) => sameWords(fact.text, text)) ? [] : [text];
      const stated = facts.map((one) =>
        entities.planFact(from, { text: one, meta: { ...this.#origin, category: 'relation' } }),
      );
      return { plans: [plan, ...stated], keys: [key], entities: 0, facts: 0 };
    } catch (error) {
      return this.#skip('relation', error);
    }
  }

  /** An entity by its name, as the graph knows it now. */
  #record({ graph, entities }: OpenGraph, name: string): EntityRecord {
    const told = this.#records.get(name.toLowerCase());
    const record = told === undefined ? entities.registry.sharingName(name)[0] : graph.network.record(told.path);
    if (record === undefined) throw new MnemeError('not-found', 'one of its ends could not be taken over');
    return record;
  }

  async memories(memories: readonly ImportedMemory[]): Promise<number> {
    const { workspace, clock, random, config } = this.#context;
    const episodes = new Episodes({ root: workspace.root, clock, random, timeZone: config.time_zone });
    let taken = 0;
    for (let at = 0; at < memories.length && !this.#isAborted; at += BATCH) {
      const wanted = memories.slice(at, at + BATCH).flatMap((memory) => {
        const key = this.#key('memory', memory.id, memory.text);
        const id = encodeBase32(createHash('sha256').update(`${memory.id}\0${memory.text}`).digest(), ITEM_ID_LENGTH);
        if (this.#isKnown('memory', key) || this.#isInDiary(memory, id)) return [];
        const meta = { ...this.#origin, ...(memory.tags.length === 0 ? {} : { tags: [...memory.tags] }) };
        const plan = episodes.planEntry({ id, text: memory.text, type: 'fact', timeMs: memory.timeMs, meta });
        return [{ plans: [plan], keys: [key], entities: 0, facts: 0 }];
      });
      taken += (await this.#write(wanted, 'memory')).length;
    }
    return taken;
  }

  /** Written just before a crash, when it could no longer be noted. */
  #isInDiary({ timeMs }: ImportedMemory, id: string): boolean {
    const { workspace, clock, config } = this.#context;
    const { date } = localTime(timeMs ?? clock.now(), config.time_zone);
    const folder = path.join(workspace.root, 'memory/episodes');
    if (!fs.existsSync(folder)) return false;
    const files = fs.readdirSync(folder).filter((name) => name.startsWith(date));
    return files.some((name) => fs.readFileSync(path.join(folder, name), 'utf8').includes(`^${id}`));
  }

  get #isAborted(): boolean {
    return this.#request.signal?.aborted === true;
  }

  get #origin(): { readonly source: 'import'; readonly trust: KnowledgeRequest['trust'] } {
    return { source: 'import', trust: this.#request.trust };
  }

  #key(...parts: readonly string[]): number {
    return messageKey(['knowledge', this.#request.origin.split(':', 1)[0] ?? '', ...parts].join('\0'));
  }

  #relationKey({ from, relation, to }: ImportedRelation): number {
    return this.#key('relation', from, relation, to);
  }

  #isKnown(what: string, key: number): boolean {
    if (!this.#request.isKnown(key)) return false;
    this.#request.onSkipped(what, 'already imported');
    return true;
  }

  #skip(what: string, error: unknown): undefined {
    if (!isMnemeError(error)) throw error;
    this.#request.onSkipped(what, error.message);
    return undefined;
  }

  /** All in one mutation; what the write path refuses is left out, and the others are written one by one. */
  async #write(wanted: readonly Wanted[], what: string): Promise<readonly Wanted[]> {
    if (wanted.length === 0 || this.#request.isDryRun) return wanted;
    let written = wanted;
    try {
      await this.#commit(wanted, what);
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      const alone: Wanted[] = [];
      for (const one of wanted) {
        try {
          await this.#commit([one], what);
          alone.push(one);
        } catch (failure) {
          this.#skip(what, failure);
        }
      }
      written = alone;
    }
    await this.#request.onTaken(written.flatMap(({ keys }) => keys));
    return written;
  }

  async #commit(wanted: readonly Wanted[], what: string): Promise<void> {
    const { workspace, actor } = this.#context;
    const { origin } = this.#request;
    await workspace.commit({
      actor,
      approval: roleOf(actor) === 'human' ? '—' : 'auto',
      trigger: `import ${origin.split(':', 1)[0] ?? ''}`,
      summary: `${wanted.length} ${wanted.length === 1 ? what : plural(what)} from ${origin}`,
      changes: wanted.flatMap(({ plans }) => plans.flatMap(({ changes }) => changes)),
    });
  }
}

function plural(what: string): string {
  return what.endsWith('y') ? `${what.slice(0, -1)}ies` : `${what}s`;
}

function sum(wanted: readonly Wanted[], of: (one: Wanted) => number): number {
  return wanted.reduce((total, one) => total + of(one), 0);
}
