import type { Config } from '../model/config/schema.ts';
import type { Scope, Trust } from '../model/provenance.ts';
import type { KnownProcedure } from '../memory/procedures/procedures.ts';
import type { Asking } from '../retrieve/search.ts';
import type { ServingModel } from '../search-index/embed/model.ts';
import type { SearchIndex } from '../search-index/port.ts';
import type { TopicSource } from '../topics/port.ts';
import type { Layout } from '../workspace/formats/layout.ts';
import type { Preset } from './limits.ts';
import type { Project } from './project.ts';
import type { BriefingEvent, StartSource } from './receipt.ts';
import type { Told } from './told-store.ts';

/** The parameters of a context request. */
export interface CompileRequest {
  /** The id the receipt gets. */
  readonly receipt: string;
  readonly message: string;
  /** The host's own system prompt; part of the prompt, before everything else. */
  readonly system: string | undefined;
  readonly event: BriefingEvent | undefined;
  readonly preset: Preset;
  readonly budget: number | undefined;
  /** Tokens kept free for the answer, instead of the settings'. */
  readonly response: number | undefined;
  /** For programs that cut off what is longer. */
  readonly maxChars: number | undefined;
  readonly session: string | undefined;
  /** Why the session begins. */
  readonly source: StartSource | undefined;
  /** Where the agent works. */
  readonly project: Project | undefined;
  /** The context it already has; undefined when this is not tracked. */
  readonly told: Told | undefined;
  readonly scope: Scope;
  /** Core memory is for the main agent in the main session. */
  readonly isMainSession: boolean;
  /** Only to look: watchers keep nothing of it. */
  readonly isDry: boolean;
}

/** An entity whose status is `active`. */
export interface ActiveEntity {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly scope: Scope;
}

/** Something that waits for a person. */
export interface Notice {
  readonly id: string;
  readonly path: string;
  readonly text: string;
  /** The source of the quoted words; the program itself when not given. */
  readonly trust?: Trust | undefined;
}

/** The source of a context: the home as it is, or as it was. */
export interface World {
  readonly nowMs: number;
  readonly index: SearchIndex;
  readonly search: Asking;
  readonly config: Config;
  readonly layout: Layout;
  /** The past is answered from an index of its own. */
  readonly isPast: boolean;
  /** Models that have vectors, the preferred one last. */
  readonly models: readonly ServingModel[];
  /** The text of a file of the workspace. */
  readonly readFile: (path: string) => Promise<string | undefined>;
  readonly listActiveEntities: () => Promise<readonly ActiveEntity[]>;
  readonly listProcedures: () => readonly KnownProcedure[];
  /** Undefined where nobody watches, such as in the past. */
  readonly topics: TopicSource | undefined;
  readonly listNotices: (scope: Scope) => Promise<readonly Notice[]>;
  /** Notes about it for a person. */
  readonly notes: readonly string[];
}
