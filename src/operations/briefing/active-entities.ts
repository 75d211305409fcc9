import type { ActiveEntity } from '../../compile/world.ts';
import type { OperationContext } from '../context.ts';

/** Kept as long as nobody writes: every prompt asks, and reading the table of a large graph takes longer than a search. */
export class ActiveEntities {
  readonly #home: Pick<OperationContext, 'entities' | 'workspace'>;
  #last: { readonly at: string; readonly found: readonly ActiveEntity[] } | undefined;

  constructor(home: Pick<OperationContext, 'entities' | 'workspace'>) {
    this.#home = home;
  }

  async list(): Promise<readonly ActiveEntity[]> {
    const { entities, workspace } = this.#home;
    const at = workspace.journalEnd;
    if (this.#last?.at === at) return this.#last.found;
    await entities.sync();
    const found = entities.all().filter(isActive);
    this.#last = { at, found };
    return found;
  }
}

/** The list of active projects is made of entities whose status says so. */
export function isActive({
  status,
  mergedInto,
}: {
  status: string | undefined;
  mergedInto: string | undefined;
}): boolean {
  return status === 'active' && mergedInto === undefined;
}
