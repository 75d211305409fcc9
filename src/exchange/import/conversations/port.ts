import type { JsonRecord } from '../lines.ts';
import type { SessionDraft } from '../session-draft.ts';
import type { Tally } from '../port.ts';

/** A conversation of an export, and how it is told. */
export interface ExportedConversation {
  readonly id: string;
  readonly title: string | undefined;
  readonly startedMs: number | undefined;
  readonly endedMs: number | undefined;
  /** Puts its words into the draft. */
  read(draft: SessionDraft, tally: Tally): void;
}

/** The format of a service's conversation export. */
export interface ConversationFormat {
  readonly name: string;
  /** A description of the source, as the end of a sentence. */
  readonly describes: string;
  /** Matches the names of the files in an export that hold conversations. */
  readonly files: RegExp;
  /** undefined when an object is no conversation of this service. */
  parse(value: JsonRecord): ExportedConversation | undefined;
}
