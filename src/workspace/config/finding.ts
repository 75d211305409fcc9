/**
 * A problem with a configuration. `syntax`: the text cannot be read at all. `value`, `rule`: a setting is not
 * allowed, by itself or together with others. `unknown-key`: no code reads it. `removed-key`: an earlier version
 * did. `format`: a newer Mneme wrote it. `fallback`: something other than the file is in effect. `last-good`: the
 * safety copy could not be kept.
 */
export type ConfigFindingKind =
  | 'syntax'
  | 'value'
  | 'rule'
  | 'unknown-key'
  | 'removed-key'
  | 'format'
  | 'fallback'
  | 'last-good';

export interface ConfigFinding {
  readonly kind: ConfigFindingKind;
  /** The dotted name of the setting, where one is meant. */
  readonly key: string | undefined;
  /** Line in mneme.yaml, from 1. */
  readonly line: number | undefined;
  /** States what is wrong, what is allowed and what is in effect instead. */
  readonly message: string;
  /** The way to fix it. */
  readonly hint: string;
}

/** Whether the file's own settings are all in effect: unknown and removed keys change nothing. */
export function isGoodConfig(findings: readonly ConfigFinding[]): boolean {
  return !findings.some(({ kind }) => kind === 'syntax' || kind === 'value' || kind === 'rule');
}
