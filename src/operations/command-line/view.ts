import type { Style } from './style.ts';

/** Describes the place where an answer is shown. */
export interface View {
  readonly style: Style;
  readonly timeZone: string;
  /** Lines are cut here; undefined leaves them whole, as for a pipe. */
  readonly columns: number | undefined;
}
