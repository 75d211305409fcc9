import { MnemeError, isMnemeError } from '../../model/errors.ts';
import { asAgent } from '../../model/mutation.ts';
import { scopeFolder, type Scope } from '../../model/provenance.ts';
import type { Mneme } from '../../mneme.ts';
import type { OperationContext } from '../../operations/context.ts';
import { changeFiles, type ChangeFilesInput } from '../../operations/files/change-files.ts';
import { listFolder, readText } from '../../operations/files/read-visible.ts';
import { runOperation } from '../../operations/operation.ts';
import { recall } from '../../operations/search/recall.ts';
import { visibleTo } from '../../operations/visible-to.ts';
import { cleanDeep, refuseSecretId } from '../../workspace/safety/clean-name.ts';
import {
  type FoundItem,
  type ListNamespacesOperation,
  type NamespaceOptions,
  type Place,
  type SearchOperation,
  type SearchOptions,
  type StoreOperation,
  type StoreResults,
  type StoredItem,
  type StoredValue,
  hasNamespace,
  parseItem,
  passes,
  placeOfItem,
  renderItem,
  toFileName,
} from './stored-item.ts';

export interface AgentStoreOptions {
  /** The scope of the items: everybody's, or that of a user, project, channel or agent. */
  readonly scope?: string | undefined;
}

/** Beside the files that agents write themselves. */
const FOLDER = 'memory/agent-notes/store';
const DEFAULT_LIMIT = 10;

/**
 * A store of JSON items by namespace and key, in the shape of LangGraph's `BaseStore`. Each item is a Markdown file of the
 * memory with history and undo, which every other agent's `recall` finds too.
 */
export class AgentStore {
  readonly #context: OperationContext;
  readonly #scope: Scope;
  readonly #root: string;

  constructor({ internals }: Mneme, options: AgentStoreOptions = {}) {
    // A model decides what is kept, whoever opened the home.
    this.#context = { ...internals, actor: asAgent(internals.actor) };
    this.#scope = visibleTo(this.#context).enter(options.scope);
    this.#root = `${scopeFolder(this.#scope)}${FOLDER}`;
  }

  async get(namespace: string[], key: string): Promise<StoredItem | null> {
    return (await this.#read({ namespace, key })) ?? null;
  }

  /** `index` is not used: whatever an item says is found. */
  async put(namespace: string[], key: string, value: StoredValue): Promise<void> {
    const { redactor } = this.#context.workspace;
    // A file's name is encoded, and no rule would know a secret in it.
    for (const name of [...namespace, key]) await refuseSecretId(redactor, name, 'name of the item');
    const clean = (await cleanDeep(redactor, value)) as StoredValue;
    const earlier = await this.#read({ namespace, key });
    const updatedAt = new Date(this.#context.clock.now());
    const item = { namespace, key, value: clean, createdAt: earlier?.createdAt ?? updatedAt, updatedAt };
    await this.#change({ kind: 'write', path: this.#pathOf(item), text: renderItem(item) }, `kept ${key}`);
  }

  async delete(namespace: string[], key: string): Promise<void> {
    if ((await this.#read({ namespace, key })) === undefined) return;
    await this.#change({ kind: 'delete', path: this.#pathOf({ namespace, key }) }, `deleted ${key}`);
  }

  /** Items below a namespace: those that answer a query, best first, or all of them. */
  async search(namespacePrefix: string[], options: SearchOptions = {}): Promise<FoundItem[]> {
    const { query = '', filter = {}, limit = DEFAULT_LIMIT, offset = 0 } = options;
    const places = (await this.#places()).filter(({ namespace }) => hasNamespace(namespace, namespacePrefix));
    const found: FoundItem[] = [];
    for (const { place, score } of query === '' ? places.map(unscored) : await this.#answering(query, places)) {
      const item = await this.#read(place);
      if (item !== undefined && passes(item.value, filter)) found.push(score === undefined ? item : { ...item, score });
    }
    return found.slice(offset, offset + limit);
  }

  listNamespaces(options: NamespaceOptions = {}): Promise<string[][]> {
    const { prefix, suffix, maxDepth, limit = 100, offset = 0 } = options;
    return this.#namespaces({
      matchConditions: [
        ...(prefix === undefined ? [] : [{ matchType: 'prefix' as const, path: prefix }]),
        ...(suffix === undefined ? [] : [{ matchType: 'suffix' as const, path: suffix }]),
      ],
      ...(maxDepth === undefined ? {} : { maxDepth }),
      limit,
      offset,
    });
  }

  async batch<Operations extends StoreOperation[]>(operations: Operations): Promise<StoreResults<Operations>> {
    const results: unknown[] = [];
    // In their order: a later one may read what an earlier one wrote.
    for (const operation of operations) results.push(await this.#run(operation));
    return results as StoreResults<Operations>;
  }

  /** Called by LangGraph; the home is opened and closed by its owner. */
  start(): void {}

  stop(): void {}

  #run(operation: StoreOperation): Promise<unknown> {
    if ('namespacePrefix' in operation)
      return this.search(operation.namespacePrefix, operation satisfies SearchOperation);
    if (!('namespace' in operation)) return this.#namespaces(operation);
    const { namespace, key } = operation;
    if (!('value' in operation)) return this.get(namespace, key);
    return operation.value === null ? this.delete(namespace, key) : this.put(namespace, key, operation.value);
  }

  async #namespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const matching = (await this.#places())
      .map(({ namespace }) => namespace)
      .filter((namespace) =>
        matchConditions.every(({ matchType, path }) => hasNamespace(namespace, path, matchType === 'suffix')),
      )
      .map((namespace) => namespace.slice(0, maxDepth));
    const unique = new Map(matching.map((namespace) => [JSON.stringify(namespace), namespace]));
    return [...unique.values()].slice(offset, offset + limit);
  }

  async #answering(
    query: string,
    places: readonly Place[],
  ): Promise<readonly { readonly place: Place; readonly score: number }[]> {
    const limit = this.#context.config.search.max_results;
    const { hits } = await runOperation(recall, this.#context, {
      query,
      limit,
      stores: ['reference'],
      scope: this.#scope,
    });
    const byPath = new Map(places.map((place) => [this.#pathOf(place), place]));
    const answering = new Map<Place, number>();
    for (const { path, score, sources = [] } of hits) {
      for (const found of [path, ...sources.map((source) => source.path)]) {
        const place = byPath.get(found);
        if (place !== undefined && !answering.has(place)) answering.set(place, score);
      }
    }
    return [...answering].map(([place, score]) => ({ place, score }));
  }

  async #places(): Promise<Place[]> {
    const entries = (await runOperation(listFolder, this.#context, { path: this.#root })) ?? [];
    return entries.flatMap(({ path, isFolder }) => (isFolder ? [] : (placeOfItem(path) ?? [])));
  }

  async #read(place: Place): Promise<StoredItem | undefined> {
    try {
      const { text } = await runOperation(readText, this.#context, { path: this.#pathOf(place) });
      return parseItem(text, place);
    } catch (error) {
      if (isMnemeError(error, 'not-found')) return undefined;
      throw error;
    }
  }

  #pathOf({ namespace, key }: Place): string {
    return [this.#root, ...namespace.map(toFileName), `${toFileName(key)}.md`].join('/');
  }

  async #change(change: ChangeFilesInput['changes'][number], summary: string): Promise<void> {
    const given = { changes: [change], summary, trigger: 'store' };
    const { waitsBecause, proposal } = await runOperation(changeFiles, this.#context, given);
    if (waitsBecause === null) return;
    throw new MnemeError(
      'refused',
      `Nothing changed yet: "${summary}" waits as proposal ${proposal ?? ''} (${waitsBecause}).`,
      {
        hint: 'Open the home as an agent that may write.',
      },
    );
  }
}

function unscored(place: Place): { readonly place: Place; readonly score?: number } {
  return { place };
}
