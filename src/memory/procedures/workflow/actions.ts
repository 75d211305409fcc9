import { MnemeError } from '../../../model/errors.ts';
import type { Json, Variables } from '../expression/evaluate.ts';

/** As actions may be called, and as they may be registered. */
export const ACTION_NAME = /^[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*$/iu;

/** The context of an action beside its input. */
export interface ActionContext {
  /** Aborted when the time is up or somebody cancels; an action that heeds it can be tried again safely. */
  readonly signal: AbortSignal;
  readonly run: string;
  readonly procedure: string;
  readonly step: string;
  /** From 1. */
  readonly attempt: number;
  readonly variables: Variables;
}

/** Checks the input, such as a zod schema. */
export interface InputSchema<Input> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Input }
    | {
        readonly success: false;
        readonly error: { readonly message: string; readonly issues?: readonly SchemaIssue[] };
      };
}

interface SchemaIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export interface ActionOptions {
  /** One line for whoever writes procedures. */
  readonly description?: string | undefined;
  /** Doing it twice does no more than doing it once: it may be repeated after a crash. */
  readonly isIdempotent?: boolean | undefined;
  /** Time for a step that names none; the home's setting when not given. */
  readonly timeoutMs?: number | undefined;
}

export interface Action extends ActionOptions {
  readonly name: string;
  /** Runs it on checked input; throws when the input does not fit. */
  readonly perform: (given: Readonly<Record<string, Json>>, context: ActionContext) => unknown;
}

/** Every procedure may count on what these mean. They are registered only when the first procedure is asked for. */
const BUILT_IN: ReadonlySet<string> = new Set(['say', 'wait', 'remember', 'recall', 'decide', 'confirm', 'ask']);

/** The actions of workflows: those registered here, and nothing else. */
export class Actions {
  readonly #actions = new Map<string, Action>();

  register<Input>(
    name: string,
    schema: InputSchema<Input> | undefined,
    run: (input: Input, context: ActionContext) => unknown,
    options: ActionOptions = {},
  ): void {
    if (!ACTION_NAME.test(name)) {
      throw new MnemeError('usage', `"${name}" cannot be the name of an action.`, {
        hint: 'Use letters and digits, with dots, dashes or underscores between them.',
      });
    }
    if (BUILT_IN.has(name.toLowerCase()) || this.#actions.has(name.toLowerCase())) {
      throw new MnemeError('conflict', `There is an action ${name} already.`, { hint: 'Give yours another name.' });
    }
    this.registerBuiltIn(name, schema, run, options);
  }

  registerBuiltIn<Input>(
    name: string,
    schema: InputSchema<Input> | undefined,
    run: (input: Input, context: ActionContext) => unknown,
    options: ActionOptions = {},
  ): void {
    if (typeof run !== 'function') throw new MnemeError('usage', `The action ${name} has no function to run.`);
    const perform = (given: Readonly<Record<string, Json>>, context: ActionContext): unknown =>
      run(checkInput(name, schema, given), context);
    this.#actions.set(name.toLowerCase(), { ...options, name, perform });
  }

  find(name: string): Action | undefined {
    return this.#actions.get(name.toLowerCase());
  }

  list(): Action[] {
    return [...this.#actions.values()];
  }
}

function checkInput<Input>(
  name: string,
  schema: InputSchema<Input> | undefined,
  given: Readonly<Record<string, Json>>,
): Input {
  if (schema === undefined) return given as Input;
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues?.[0];
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  throw new MnemeError(
    'usage',
    `${name} was given what it does not take: ${where}${issue?.message ?? parsed.error.message}.`,
    {
      hint: `Look at the step's action line: ${name} ${Object.keys(given).join(', ')}`,
    },
  );
}
