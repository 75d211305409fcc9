import type { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import { coreAdd, coreEdit, coreShow, type CoreAdded, type CoreEdited, type ShownCore } from './core.ts';
import { pin, type Pinned } from './pin.ts';

/** Core memory as a library has it: `m.core.show()`, `m.core.add("…")`. */
export class CoreVerbs {
  readonly #context: OperationContext;

  constructor(context: OperationContext) {
    this.#context = context;
  }

  show(): Promise<ShownCore> {
    return runOperation(coreShow, this.#context, {});
  }

  add(text: string, options: Omit<z.input<typeof coreAdd.input>, 'text'> = {}): Promise<CoreAdded> {
    return runOperation(coreAdd, this.#context, { ...options, text });
  }

  /** Rewords a line. */
  edit(id: string, text: string): Promise<CoreEdited> {
    return runOperation(coreEdit, this.#context, { id, text });
  }

  remove(id: string): Promise<CoreEdited> {
    return runOperation(coreEdit, this.#context, { id });
  }

  pin(id: string, { off = false }: { readonly off?: boolean } = {}): Promise<Pinned> {
    return runOperation(pin, this.#context, { target: id, off });
  }
}
