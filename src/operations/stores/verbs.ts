import type { z } from 'zod';
import type { OperationContext } from '../context.ts';
import { runOperation, type Operation } from '../operation.ts';
import { coreAdd, coreEdit, coreShow, type CoreAdded, type CoreEdited, type ShownCore } from './core.ts';
import { pin, type Pinned } from './pin.ts';

/** Rejects when the home was closed; undefined while it is open. */
type AssertOpen = () => Promise<never> | undefined;

/** Core memory as a library has it: `m.core.show()`, `m.core.add("…")`. */
export class CoreVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: AssertOpen;

  constructor(context: OperationContext, assertOpen: AssertOpen) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  show(): Promise<ShownCore> {
    return this.#run(coreShow, {});
  }

  add(text: string, options: Omit<z.input<typeof coreAdd.input>, 'text'> = {}): Promise<CoreAdded> {
    return this.#run(coreAdd, { ...options, text });
  }

  /** Rewords a line. */
  edit(id: string, text: string): Promise<CoreEdited> {
    return this.#run(coreEdit, { id, text });
  }

  remove(id: string): Promise<CoreEdited> {
    return this.#run(coreEdit, { id });
  }

  pin(id: string, { off = false }: { readonly off?: boolean } = {}): Promise<Pinned> {
    return this.#run(pin, { target: id, off });
  }

  async #run<Input extends z.ZodType, Output>(
    operation: Operation<Input, Output>,
    input: z.input<Input>,
  ): Promise<Output> {
    await this.#assertOpen();
    return runOperation(operation, this.#context, input);
  }
}
