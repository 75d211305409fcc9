import { asBlocks, asRecord, asText, type JsonRecord } from '../lines.ts';
import type { Tally } from '../port.ts';
import type { ImportedEntity, ImportedKnowledge, ImportedRelation } from './port.ts';

/** Gathers what the lines, or the one object, of a server-memory file say: entities with observations, and relations. */
export class ServerMemoryReader {
  readonly #entities = new Map<string, { readonly type: string; readonly facts: Set<string> }>();
  readonly #relations: ImportedRelation[] = [];
  readonly #tally: Tally;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  read(value: JsonRecord): boolean {
    if (Array.isArray(value['entities']) || Array.isArray(value['relations'])) {
      for (const entity of asBlocks(value['entities'])) this.#readEntity(entity);
      for (const relation of asBlocks(value['relations'])) this.#readRelation(relation);
      return true;
    }
    if (value['type'] === 'relation' || asText(value['relationType']) !== undefined) this.#readRelation(value);
    else if (value['type'] === 'entity' || asText(value['entityType']) !== undefined) this.#readEntity(value);
    else return false;
    return true;
  }

  knowledge(): ImportedKnowledge {
    const entities: ImportedEntity[] = [...this.#entities].map(([name, { type, facts }]) => ({
      name,
      type,
      facts: [...facts].map((text) => ({ text })),
    }));
    return { entities, relations: this.#relations, memories: [] };
  }

  #readEntity(value: JsonRecord): void {
    const name = asText(value['name'])?.trim() ?? '';
    if (name === '') {
      this.#tally.add('entity', 'it has no name');
      return;
    }
    const known = this.#entities.get(name) ?? { type: typeName(asText(value['entityType'])), facts: new Set<string>() };
    this.#entities.set(name, known);
    for (const observation of asTexts(value['observations'])) known.facts.add(observation);
  }

  #readRelation(value: JsonRecord): void {
    const [from, to, relation] = [asText(value['from']), asText(value['to']), asText(value['relationType'])];
    if (!from || !to || !relation) this.#tally.add('relation', 'it lacks an end or its name');
    else this.#relations.push({ from: from.trim(), relation, to: to.trim() });
  }
}

/** Other names for the types of the ontology. */
const TYPES: Readonly<Record<string, string>> = {
  note: 'concept',
  entity: 'concept',
  user: 'person',
  human: 'person',
  people: 'person',
  contact: 'person',
  company: 'organization',
  organisation: 'organization',
  team: 'organization',
  city: 'place',
  country: 'place',
  location: 'place',
  library: 'tool',
  framework: 'tool',
  software: 'tool',
  technology: 'tool',
  application: 'tool',
  'software-project': 'project',
  repository: 'project',
};

/** Words for a type as one name: `Software Project` and `software_project` are the same. */
export function typeName(given: string | undefined): string {
  const name = (given ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/gu, '-')
    .slice(0, 40);
  if (name === '') return 'concept';
  return Object.hasOwn(TYPES, name) ? (TYPES[name] ?? name) : name;
}

/** Observations are texts; some programs keep them as objects with a text. */
function asTexts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[])
    .map((one) => asText(one) ?? asText(asRecord(one)?.['content']) ?? asText(asRecord(one)?.['text']) ?? '')
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
