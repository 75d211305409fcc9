import { scopeFolder, type Scope } from '../../../model/provenance.ts';
import type { FactMetadata } from '../../../model/schemas/item.ts';
import { must } from '../../../model/errors.ts';
import { addRelation } from '../../../workspace/formats/entity.ts';
import { changeFact } from '../../../workspace/formats/entity-changes.ts';
import { relationName, type Fact, type Relation } from '../../../workspace/formats/entity-items.ts';
import { scopeOfPath } from '../../../workspace/formats/layout.ts';
import { parseOntology, type Ontology } from '../../../workspace/formats/relations.ts';
import { RELATIONS_TEMPLATE } from '../../../workspace/formats/relations-template.ts';
import { type MarkdownDocument, parseDocument } from '../../../workspace/markdown/document.ts';
import { parseRules, type Rule } from '../../graph/rules.ts';
import { newId, today, Told, type Plan, type StoreParts } from '../plan.ts';
import { isSameStamp, readText, stampOf, type Stamp } from '../registry/entity-files.ts';
import { type EntityRef, changeEntity, parseEntityWithIds } from './entity-edit.ts';
import { fitRelation } from './relation-words.ts';
import type { ItemStated } from './tasks.ts';

const ONTOLOGY_FILE = 'memory/graph/relations.md';

/** The allowed relations of edges, and the rules for conclusions. */
export interface Vocabulary {
  readonly ontology: Ontology;
  readonly rules: readonly Rule[];
}

/** The vocabularies of edges: a scope's own, else the home's, else the usual one. Read again when a person changes one. */
export class Ontologies {
  readonly #root: string;
  readonly #read = new Map<string, { readonly stamp: Stamp; readonly vocabulary: Vocabulary }>();
  #usual: Vocabulary | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** The ontology that applies to an entity. */
  for({ path }: Pick<EntityRef, 'path'>): Ontology {
    return this.forScope(scopeOfPath(path)).ontology;
  }

  forScope(scope: Scope): Vocabulary {
    return this.#find(`${scopeFolder(scope)}${ONTOLOGY_FILE}`) ?? this.#find(ONTOLOGY_FILE) ?? this.#usualVocabulary();
  }

  #find(file: string): Vocabulary | undefined {
    const stamp = stampOf(this.#root, file);
    const known = this.#read.get(file);
    if (isSameStamp(known?.stamp, stamp)) return known?.vocabulary;
    const text = stamp === undefined ? undefined : readText(this.#root, file);
    if (stamp === undefined || text === undefined) return undefined;
    const vocabulary = parseVocabulary(text);
    this.#read.set(file, { stamp, vocabulary });
    return vocabulary;
  }

  #usualVocabulary(): Vocabulary {
    this.#usual ??= parseVocabulary(RELATIONS_TEMPLATE);
    return this.#usual;
  }
}

function parseVocabulary(text: string): Vocabulary {
  const document = parseDocument(text);
  return { ontology: parseOntology(document), rules: parseRules(document) };
}

export interface NewRelation {
  readonly id?: string | undefined;
  /** In any words; written in the ontology's. */
  readonly relation: string;
  readonly to: Pick<EntityRef, 'id'> & { readonly type?: string | undefined };
  readonly meta?: FactMetadata | undefined;
  /** Keep the given word to the letter, also beside others for the same relation. */
  readonly isExact?: boolean | undefined;
}

export interface RelationPlan extends Plan<ItemStated> {
  /** As it is written. */
  readonly relation: string;
}

/**
 * Adds an edge at the entity it starts from. What the ontology has no word for or does not allow between these two is
 * kept under the general word, with what was said beside it, and told.
 */
export function planRelation(parts: StoreParts, ontology: Ontology, from: EntityRef, given: NewRelation): RelationPlan {
  const id = given.id ?? newId(parts);
  const { relation, note } = fitRelation(ontology, given.relation, from.type, given.to.type);
  const said = given.isExact === true ? given.relation : relationName(given.relation);
  const target = given.to.id;
  const told = new Told<ItemStated>();
  const change = changeEntity(parts, from, (document) => {
    const { relations } = parseEntityWithIds(document, from.path);
    const known = relations.find(
      (edge) => edge.id === id || (!edge.isSuperseded && edge.relation === relation && edge.target === target),
    );
    told.set({ id: known?.id ?? id, outcome: known === undefined ? 'added' : 'present' });
    if (known !== undefined) return given.isExact === true ? addWord(document, from, known, said) : document;
    const meta = { learned: today(parts), ...(said === relation ? {} : { said: [said] }), ...given.meta };
    return addRelation(document, { id, relation, target, isSuperseded: false, meta });
  });
  const notes = note === undefined ? [] : [`${from.name} ${given.relation} ${target}: ${note}`];
  return { changes: [change], notes, outcome: () => told.get(), relation };
}

/** The words that an edge was stated in; the one it is written in where no other was kept. */
export function wordsOf({
  relation,
  said,
}: {
  readonly relation: string;
  readonly said: readonly string[];
}): readonly string[] {
  return said.length === 0 ? [relation] : said;
}

function addWord(document: MarkdownDocument, from: EntityRef, edge: Relation, word: string): MarkdownDocument {
  const words = wordsOf({ relation: edge.relation, said: edge.meta.said ?? [] });
  return words.includes(word)
    ? document
    : changeWords(document, from, must(edge.id, 'an edge has an id'), [...words, word]);
}

/** Notes other words for an edge than it is written in. */
export function changeWords(
  document: MarkdownDocument,
  from: EntityRef,
  id: string,
  said: readonly string[],
): MarkdownDocument {
  const note = (edge: Fact): Fact => ({ ...edge, meta: { ...edge.meta, said: [...said] } });
  return must(changeFact(document, from.path, id, note), `^${id}`);
}
