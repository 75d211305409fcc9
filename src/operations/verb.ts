import type { z } from 'zod';
import type { ErrorCode } from '../model/errors.ts';
import type { Actor } from '../model/mutation.ts';
import type { OperationContext } from './context.ts';
import type { Operation } from './operation.ts';
import type { Progress, Terminal, View } from './command-line/style.ts';
import type { Section } from './sections.ts';

/**
 * Everything particular to one verb, in one file. Command line, help, completion, library method, HTTP route, OpenAPI, typed
 * client and reference pages are derived from it; `npm run generate` lists it in the registry.
 */
export interface Verb<
  Input extends z.ZodType = z.ZodType,
  Output = unknown,
  Controls = unknown,
  Args extends readonly string[] = readonly string[],
  Library extends LibraryShape | false = LibraryShape | false,
> extends Operation<Input, Output, Controls> {
  /** More than the summary, for `--help` and the reference page. */
  readonly description?: string | undefined;
  /** Calls as a user would type them, for `--help` and the reference page. */
  readonly examples?: readonly string[] | undefined;
  /**
   * Input keys given by position, on the command line and in the library: `['entity', 'text...']`. Dots take the rest of the
   * words: as a list where the schema has a list, otherwise joined by blanks.
   */
  readonly args?: Args | undefined;
  /** False keeps the verb off the command line. */
  readonly cli?: CliShape<Input, NoInfer<Output>, NoInfer<Controls>> | false | undefined;
  /** False keeps the verb off HTTP; a list offers it under several paths. */
  readonly http?: HttpShape | readonly HttpShape[] | false | undefined;
  /** False keeps the verb out of the library. */
  readonly library?: Library | undefined;
  /** Turns the answer into text for the command line; without it the answer is printed as JSON. */
  render?(
    view: View,
    output: NoInfer<Output>,
    input: z.output<Input>,
    extra: Typed<Input>['extra'],
  ): string | Promise<string>;
}

/** Describes what the command line does differently from what the schema says. */
export interface CliShape<Input extends z.ZodType, Output, Controls> {
  /** The words of the command, where they are not the verb's name; false where only `instead` of other verbs calls it. */
  readonly path?: string | false | undefined;
  /** Positional keys, where they are not the verb's `args`. */
  readonly args?: readonly string[] | undefined;
  /** The form of options that does not follow from their key; false hides one. */
  readonly options?: Readonly<Record<string, OptionShape | false>> | undefined;
  /** Options that only the command line has; `prepare` and `around` get them. */
  readonly extra?: Readonly<Record<string, ExtraOption>> | undefined;
  /** Words behind `--` belong to the last positional key, even where those before it are left out. */
  readonly takesDashes?: boolean | undefined;
  /** The key that `-` fills from standard input. */
  readonly stdin?: string | undefined;
  /** Runs when the group is called without a command. */
  readonly isDefault?: boolean | undefined;
  /** Other names of the command that work alike: `search`. */
  readonly aliases?: readonly string[] | undefined;
  /** Names it had before; they work and say the new one. */
  readonly formerly?: readonly string[] | undefined;
  /** The heading of `mneme --help` it is listed under, for a command that is no member of a group. */
  readonly section?: Section | undefined;
  /** Left out of help. */
  readonly isHidden?: boolean | undefined;
  /** Another verb that answers what was typed: `forget --confirm CODE` is `forget confirm`. */
  instead?(typed: Typed<Input>): TypedVerb | undefined | Promise<TypedVerb | undefined>;
  /** Completes or refuses what was typed; `around` gets what it returns. */
  prepare?(typed: Typed<Input>, terminal: Terminal): z.input<Input> | Promise<z.input<Input>>;
  /** Runs before the home is opened; its answer joins `extra`. Undefined ends the call: the user declined. */
  beforeOpening?(typed: Typed<Input>, place: HomePlace): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Passes progress and Ctrl-C to work that takes long; a verb with it shows progress. */
  controls?(progress: Progress, terminal: Terminal): Controls;
  /** Takes the place of the one call: asks first, or calls several verbs. */
  around?(typed: Typed<Input>, call: VerbCall<Input, Output>): Promise<Output>;
  /** Completes the answer while the home is still open. */
  finish?(
    context: OperationContext,
    output: Output,
    progress: Progress | undefined,
    terminal: Terminal,
  ): Promise<Output>;
  /** Picks what `--json` prints, where that is not the whole answer. */
  json?(output: Output): unknown;
  /** Prints JSON although `--json` was not typed. */
  isJson?(typed: Typed<Input>): boolean;
  /** Notes for standard error, besides the answer. */
  notes?(output: Output, typed: Typed<Input>): readonly string[];
  /** The exit code of an answer that is no success. */
  exitCode?(output: Output, typed: Typed<Input>): ErrorCode | 'ok';
  /** True ends the process although work that does not stop is left in it. */
  leavesWork?(output: Output): boolean;
}

/** A home that is not open yet. */
export interface HomePlace {
  readonly home: string;
  readonly actor: Actor;
  readonly terminal: Terminal;
  /** Offers to make the home where there is none; false when the user declines. */
  ensure(options: { readonly yes: boolean; readonly dryRun: boolean }): Promise<boolean>;
}

/** Input as typed: keys that were not typed are undefined. */
export interface Typed<Input extends z.ZodType> {
  readonly input: Partial<z.input<Input>> & Readonly<Record<string, unknown>>;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** A verb with what was typed for it. */
export interface TypedVerb {
  readonly verb: Verb;
  readonly typed: Typed<z.ZodType>;
}

/** Passes a call on to another verb. */
export function callInstead<Input extends z.ZodType, Output, Controls>(
  verb: Verb<Input, Output, Controls>,
  input: Partial<z.input<Input>>,
): TypedVerb {
  return { verb, typed: { input, extra: {} } };
}

export interface OptionShape {
  /** The long name without dashes, where it is not the key in kebab-case. */
  readonly flag?: string;
  /** A letter. */
  readonly short?: string;
  /** Stands for the value in help: `number`, `when`. */
  readonly value?: string;
  /** A list is comma-separated unless its option is repeated, or takes several words. */
  readonly list?: 'commas' | 'repeated' | 'words';
  /** Help, where the schema's description does not fit the command line. */
  readonly help?: string;
  /** Must be typed although the schema does not demand it, or the other way round. */
  readonly isRequired?: boolean;
  /** Turns what was typed into the value. */
  readonly parse?: (typed: string | readonly string[], option: string) => unknown;
}

export interface ExtraOption {
  /** As commander takes them: `--edit`, `--from <kind>`. */
  readonly flags: string;
  readonly help: string;
  readonly isRepeated?: boolean;
}

/** A call on an open home, for verbs that the command line calls in several steps. */
export interface VerbCall<Input extends z.ZodType, Output> {
  readonly terminal: Terminal;
  /** Of the open home, to register what the call needs there. */
  readonly context: OperationContext;
  /** Only for a verb with `controls`. */
  readonly progress: Progress | undefined;
  /** This verb. */
  readonly run: (input: z.input<Input>) => Promise<Output>;
  /** Another verb, checked like every call. */
  readonly verb: <OtherInput extends z.ZodType, OtherOutput, OtherControls>(
    other: Operation<OtherInput, OtherOutput, OtherControls>,
    input: z.input<OtherInput>,
    controls?: OtherControls,
  ) => Promise<OtherOutput>;
}

export interface HttpShape {
  /** Without it, reads are GET and everything else is POST. */
  readonly method?: 'GET' | 'POST' | 'PUT' | undefined;
  /** The role it takes, where it does not follow from the effect. */
  readonly needs?: 'read' | 'propose' | 'write' | 'own' | undefined;
  /** An answer may take minutes: the usual time limit does not apply. */
  readonly isLong?: boolean | undefined;
  /** Keys that HTTP does not take, for instance because they name a file of the server. */
  readonly omit?: readonly string[] | undefined;
  /** Values that every call over HTTP has; they are omitted from what it takes. */
  readonly fixed?: Readonly<Record<string, unknown>> | undefined;
  /** The path, where it is not the verb's name. */
  readonly name?: string | undefined;
}

export interface LibraryShape {
  /** The key of the answer that the method returns, where it is not the whole answer. */
  readonly answer?: string | undefined;
  /** The method, where it is not the verb's name: `procedures.run`. */
  readonly name?: string | undefined;
  /** Positional keys, where they are not the verb's `args`. */
  readonly args?: readonly string[] | undefined;
}

/** For verbs that only other parts of Mneme call, with the checks of every call. */
export const NOT_OFFERED = { cli: false, http: false, library: false } as const;

export function defineVerb<
  Input extends z.ZodType,
  Output,
  Controls = unknown,
  const Args extends readonly string[] = readonly [],
  const Library extends LibraryShape | false = LibraryShape,
>(verb: Verb<Input, Output, Controls, Args, Library>): Verb<Input, Output, Controls, Args, Library> {
  return verb;
}
