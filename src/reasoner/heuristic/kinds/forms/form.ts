import type { KnowledgeKind } from '../../../../model/knowledge.ts';

/** A way of putting something that is used for hardly anything else. Patterns see lower case without openers. */
export interface Form {
  readonly kind: KnowledgeKind;
  readonly pattern: RegExp;
  /** The sentence begins with somebody's name. */
  readonly isNamed?: boolean;
  /** Says when. */
  readonly isDated?: boolean;
  /** Names something in particular: a figure, a name, a term. */
  readonly isSpecific?: boolean;
  /** Words the sentence was opened with. */
  readonly opener?: RegExp;
}
