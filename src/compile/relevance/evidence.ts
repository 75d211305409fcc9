import { rarestOf, termsOf } from '../../retrieve/logistic.ts';
import type { Answer } from '../../retrieve/retriever.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { commonTermsOf, findKnownNames, isTelling } from './vocabulary.ts';

/** The overlap of one passage with a message, before anything is normalised. */
export interface PassageEvidence {
  /**
   * Their overlap, in words that were said only once: 1 is one such word, or two that are half as rare. Unlike a
   * share it does not shrink with the length of a pasted log.
   */
  readonly information: number;
  /** The share of the message, by rarity, that the passage contains. */
  readonly coverage: number;
  readonly matched: readonly string[];
}

/** The memory's evidence for a message. */
export interface MessageEvidence extends PassageEvidence {
  /** The largest share of the message that one passage and its neighbours contain. */
  readonly coverage: number;
  /** The largest share of the message that one passage contains by itself. */
  readonly coverageAlone: number;
  /** The largest raw cosine; undefined when no model was asked. */
  readonly similarity: number | undefined;
  /** Terms that could tell one memory from another: a pasted log has many, and shares some with anything. */
  readonly tellingTerms: number;
  /** The share of those that nobody ever said. */
  readonly unheard: number;
  /** Passages in the memory: among many, some share a word or two with anything. */
  readonly size: number;
  /** Words of the message that the memory writes as names, and people who speak in it. */
  readonly names: readonly string[];
  /** The message is in another language than the memory's model reads best. */
  readonly isForeign: boolean;
}

/** Only what could be shown counts: a perfect match on rank 200 will not be read. */
const LOOKED_AT = 20;

/** A small memory has said few words twice; that a word is common elsewhere makes a match worth less. */
const COMMON_WORD = 0.5;

/** An answer stands a turn or two behind its question, and the two share a message's words between them. */
const NEAR = 2;

function isNear(passage: StoredPassage, { number, first }: StoredPassage): boolean {
  return first === passage.first && Math.abs(number - passage.number) <= NEAR;
}

export type MeasurePassage = (passages: readonly StoredPassage[]) => PassageEvidence;

/** Measures passages against the message that was answered; `size` is how many passages the memory has. */
export function createMeasure(message: string, { rarities, understanding }: Answer, size: number): MeasurePassage {
  const common = commonTermsOf(message);
  const weights = new Map(understanding.terms.map(({ term, weight }) => [term, weight]));
  const worth = new Map(
    [...rarities].map(([term, rarity]) => [
      term,
      rarity * (weights.get(term) ?? 1) * (common.has(term) ? COMMON_WORD : 1),
    ]),
  );
  const telling = [...worth].filter(([term]) => isTelling(term));
  const otherForms = formsOf(understanding);
  const onceSaid = Math.log(1 + (size + 0.5) / 1.5);
  const total = telling.reduce((sum, [, value]) => sum + value, 0);
  return (passages) => {
    const present = passages.map(termsOf);
    const shared = telling.filter(([term]) =>
      [term, ...(otherForms.get(term) ?? [])].some((form) => present.some((terms) => terms.includes(form))),
    );
    const sum = shared.reduce((found, [, value]) => found + value, 0);
    return {
      information: sum / onceSaid,
      coverage: total === 0 ? 0 : sum / total,
      matched: shared.map(([term]) => term),
    };
  };
}

/** "Chose" answers "choose", and "three" answers "3"; a synonym may mean something else. */
function formsOf({ expansions }: Answer['understanding']): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, string[]>();
  for (const { of, term, reason } of expansions) {
    if (reason === 'form' || reason === 'number') forms.set(of, [...(forms.get(of) ?? []), term]);
  }
  return forms;
}

export function gatherEvidence(
  message: string,
  answer: Answer,
  measure: MeasurePassage,
  size: number,
): MessageEvidence {
  const { ranked, rarities, understanding } = answer;
  let best: PassageEvidence = { information: 0, coverage: 0, matched: [] };
  let coverage = 0;
  let coverageAlone = 0;
  let similarity: number | undefined;
  const candidates = ranked.map(({ passage }) => passage);
  const looked = ranked.slice(0, LOOKED_AT);
  for (const { passage, similarity: own } of looked) {
    const found = measure([passage]);
    const around = candidates.filter((other) => isNear(passage, other));
    coverage = Math.max(coverage, measure(around).coverage);
    coverageAlone = Math.max(coverageAlone, found.coverage);
    if (own !== undefined) similarity = Math.max(similarity ?? own, own);
    if (found.information > best.information) best = found;
  }
  const telling = [...rarities].filter(([term]) => isTelling(term));
  const unheard = telling.filter(([, rarity]) => rarity >= rarestOf(size) - 0.001);
  const texts = looked.map(({ passage }) => passage.text);
  const { people, entities, language } = understanding;
  const spoken = [...people, ...entities.map(({ phrase }) => phrase)].map((name) => name.toLowerCase());
  const names = [...new Set([...spoken, ...findKnownNames(message, texts)])];
  return {
    ...best,
    coverage,
    coverageAlone,
    similarity,
    tellingTerms: telling.length,
    unheard: telling.length === 0 ? 0 : unheard.length / telling.length,
    size,
    names,
    isForeign: language !== 'en',
  };
}
