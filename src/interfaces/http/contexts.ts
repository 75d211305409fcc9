import type { Mneme } from '../../mneme.ts';
import type { OperationContext } from '../../operations/context.ts';
import { closeSessions } from '../../operations/session/open-sessions.ts';
import type { ApiClient } from './access/client.ts';

/** The home as each client sees it. Kept, because what an operation opens for a context should be opened once. */
export class ClientContexts {
  readonly #byHome = new Map<Mneme, Map<string, OperationContext>>();

  for(mneme: Mneme, { actor, scope }: Pick<ApiClient, 'actor' | 'scope'>): OperationContext {
    let contexts = this.#byHome.get(mneme);
    if (contexts === undefined) {
      contexts = new Map();
      this.#byHome.set(mneme, contexts);
    }
    const key = `${actor} ${scope ?? ''}`;
    let context = contexts.get(key);
    if (context === undefined) {
      context = { ...mneme.internals, actor, confinedTo: scope };
      contexts.set(key, context);
    }
    return context;
  }

  close(): void {
    for (const contexts of this.#byHome.values()) for (const context of contexts.values()) closeSessions(context);
    this.#byHome.clear();
  }
}
