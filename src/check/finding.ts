/** Something that does not agree, found by `mneme check`. */
export interface CheckFinding {
  /** The checked area: files, git, audit, proposals, configuration, journal, graph, chain, erasure. */
  readonly area: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
  /** True when `--repair` can put it right without losing anything. */
  readonly isRepairable: boolean;
}
