import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import type { IndexMigrated } from './index-migrate.ts';
import type { NamespaceInfo } from './index-namespaces.ts';

/** The search index where it is more than a file: `m.index.migrate('postgres')`. */
export class IndexVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  /** Moves the index to the other engine and changes the setting; only a person may. */
  async migrate(to: IndexMigrated['to']): Promise<IndexMigrated> {
    await this.#assertOpen();
    return runOperation((await import('./index-migrate.ts')).indexMigrate, this.#context, { to });
  }

  /** The memories on the server that this login may use. */
  async namespaces(): Promise<NamespaceInfo[]> {
    await this.#assertOpen();
    return runOperation((await import('./index-namespaces.ts')).listNamespaces, this.#context, {});
  }
}
