import type { Section } from '../operations/sections.ts';
import type { Verb } from '../operations/verb.ts';

/** The properties of a verb known before its file is loaded. */
export interface VerbEntry {
  readonly name: string;
  /** Absent where the command line does not offer it. */
  readonly command?: CommandLine | undefined;
  /** The library's method; absent where the library does not offer it. */
  readonly method?: string | undefined;
  readonly load: () => Promise<Verb>;
}

/** The data on a command for help and completion before its file is loaded. */
export interface CommandLine {
  readonly path: string;
  readonly summary: string;
  /** Its arguments: `<path> [text...]`. */
  readonly usage?: string | undefined;
  /** An example of an everyday command. */
  readonly example?: string | undefined;
  readonly section?: Section | undefined;
  readonly isDefault?: true | undefined;
  readonly isHidden?: true | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly formerly?: readonly string[] | undefined;
}
