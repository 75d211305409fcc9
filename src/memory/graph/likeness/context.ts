import type { Embedder } from '../../../providers/embeddings/port.ts';
import { openStaticEmbedder } from '../../../providers/embeddings/static.ts';
import { dot } from '../../../providers/embeddings/vector.ts';
import { splitWords, termsOfWord } from '../../../search-index/text/terms.ts';
import { spellings } from './spelling.ts';

export interface Described {
  readonly name: string;
  readonly aliases: readonly string[];
  /** What is known of it, in a few sentences. */
  readonly context: string;
}

/** Always the same table, whichever embedder a home uses, so that a verdict does not depend on that. */
let table: Embedder | undefined;

/** How alike what is known of two means, 0 to 1. Their names are left out: they would drown the rest. */
export async function contextLikeness(left: Described, right: Described): Promise<number> {
  table ??= openStaticEmbedder();
  const names = namesOf(left, right);
  const texts = [left, right].map(({ context }) => withoutNames(context, names));
  const [one, other] = await table.embed(texts, 'document');
  return one === undefined || other === undefined ? 0 : Math.max(0, dot(one, other));
}

function namesOf(left: Described, right: Described): Set<string> {
  return new Set([left.name, right.name].concat(left.aliases, right.aliases).flatMap(wordForms));
}

function withoutNames(context: string, names: ReadonlySet<string>): string {
  return context.replaceAll(/[\p{L}\p{N}+#]+/gu, (word) => (names.has(wordForms(word)[0] ?? '') ? '' : word));
}

function wordForms(text: string): string[] {
  return (text.replaceAll(/['’]s\b/gu, '').match(/[\p{L}\p{N}+#]+/gu) ?? []).map(
    (word) => spellings(word)[0] ?? word.toLowerCase(),
  );
}

/** Fewer words are soon found in the other's by chance. */
const FEW_WORDS = 4;
/** Of pairs with names as near as this asks for, 95 of 100 that share so much are one. */
const MUCH = 0.5;

/** Whether much of what is known of one is said of the other in the same words, and no figure speaks against it. */
export function isSaidOfBoth(left: Described, right: Described): boolean {
  const names = namesOf(left, right);
  const [fewer, more] = [left, right]
    .map(({ context }) => new Set(splitWords(withoutNames(context, names)).flatMap(termsOfWord)))
    .sort((one, other) => one.size - other.size);
  if (fewer === undefined || more === undefined || fewer.size < FEW_WORDS) return false;
  const hasOwnFigure = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
    [...one].some((word) => /\d/u.test(word) && !other.has(word));
  if (hasOwnFigure(fewer, more) && hasOwnFigure(more, fewer)) return false;
  return [...fewer].filter((word) => more.has(word)).length >= MUCH * fewer.size;
}

const CALLED =
  /\b(?:renamed|formerly|previously|used to be|was called|now called|also called|known as|alias|aka|a\.k\.a|real name|short for|stands for|goes by|nicknamed|nickname|rebranded|née|maiden name|new name|old name|full name|früher|ehemals)\b/iu;

/** Whether what is known of one says that it is called like the other. */
export function isSaidToBe({ context }: Described, { name, aliases }: Described): boolean {
  const said = ` ${wordForms(context).join(' ')} `;
  const names = [name, ...aliases].map((each) => wordForms(each).join(' '));
  return CALLED.test(context) && names.some((each) => each !== '' && said.includes(` ${each} `));
}
