import type { Scope } from '../model/provenance.ts';
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
