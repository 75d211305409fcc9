import { asBlocks, asText, asTimeMs, type JsonRecord } from '../json.ts';
import type { Tally } from '../tally.ts';
import type { ImportedEntity, ImportedKnowledge, ImportedMemory, ImportedRelation } from './port.ts';

const LISTS = ['results', 'memories', 'data', 'items'] as const;

/** Gathers the memories of a mem0 export: a list, an object with one, or a line each; with relations where there is a graph. */
export class Mem0Reader {
  readonly #memories = new Map<string, ImportedMemory>();
  readonly #relations: ImportedRelation[] = [];
  readonly #tally: Tally;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  read(value: JsonRecord): boolean {
    const list = LISTS.find((name) => Array.isArray(value[name]));
    if (list === undefined && !Array.isArray(value['relations'])) return this.#readOne(value);
    if (list !== undefined) for (const memory of asBlocks(value[list])) this.#readOne(memory);
    for (const relation of asBlocks(value['relations'])) this.#readRelation(relation);
    return true;
  }

  knowledge(): ImportedKnowledge {
    const names = new Set(this.#relations.flatMap(({ from, to }) => [from, to]));
    const entities: ImportedEntity[] = [...names].map((name) => ({ name, type: 'concept', facts: [] }));
    return { entities, relations: this.#relations, memories: [...this.#memories.values()] };
  }

  #readOne(value: JsonRecord): boolean {
    const text = (asText(value['memory']) ?? asText(value['text']) ?? asText(value['data']) ?? '').trim();
    if (text === '') {
      if (asText(value['id']) === undefined) return false;
      this.#tally.add('memory', 'it has no text');
      return true;
    }
    const id = asText(value['id']) ?? text;
    const who = [asText(value['user_id']), asText(value['agent_id']), asText(value['app_id'])].flatMap(
      (one) => one ?? [],
    );
    const categories = Array.isArray(value['categories']) ? (value['categories'] as readonly unknown[]) : [];
    const tags = [...who, ...categories.flatMap((one) => asText(one) ?? [])].map(tagName).filter((tag) => tag !== '');
    const timeMs = asTimeMs(value['created_at']) ?? asTimeMs(value['updated_at']);
    this.#memories.set(`${id}\0${text}`, { id, text, timeMs, tags: [...new Set(tags)] });
    return true;
  }

  #readRelation(value: JsonRecord): void {
    const [from, to] = [asText(value['source']), asText(value['target']) ?? asText(value['destination'])];
    const relation = asText(value['relationship']) ?? asText(value['relation']);
    if (!from || !to || !relation) this.#tally.add('relation', 'it lacks an end or its name');
    else this.#relations.push({ from: plainName(from), relation, to: plainName(to) });
  }
}

/** Names in its graph are written with underscores. */
function plainName(name: string): string {
  return name.replaceAll('_', ' ').trim();
}

function tagName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}-]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 40);
}
