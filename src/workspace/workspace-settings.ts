import type { CommitIdentity } from './git/identity.ts';

export interface WorkspaceSettings {
  /** A home of a newer format is only read: completing or committing anything there could damage it. */
  readonly mode: 'read' | 'read-write';
  readonly cadence: 'mutation' | 'batch';
  readonly batchIntervalMs: number;
  readonly branch: string;
  /** The author of Mneme's commits, if not Mneme. */
  readonly identity?: CommitIdentity | undefined;
  readonly maxFileBytes: number;
  /** The same for what is no text; `maxFileBytes` when not given. */
  readonly maxAttachmentBytes?: number | undefined;
  /** Most files one atomic group may change, and the longest path a new file may have; no limit when not given. */
  readonly maxChanges?: number | undefined;
  readonly maxPathChars?: number | undefined;
  readonly redaction: { readonly enabled: boolean; readonly allow: readonly string[] };
}
