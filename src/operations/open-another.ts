import type { Config } from '../model/config/schema.ts';
import type { Layout } from '../workspace/formats/layout.ts';
import type { OperationContext } from './context.ts';

/** A second home beside the open one, such as the copy a reconstruction works on. */
export interface AnotherHome {
  readonly home: string;
  readonly config: Config;
  readonly layout: Layout;
}

export interface OpenedHome {
  readonly context: OperationContext;
  close(): Promise<void>;
}

/** Given by the composition root: verbs cannot put a home together themselves. */
export type OpenAnother = (another: AnotherHome) => Promise<OpenedHome>;
