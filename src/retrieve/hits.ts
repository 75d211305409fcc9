import { lowestTrust } from '../model/provenance.ts';
import { coverTerms } from './logistic.ts';
import type { Group } from './fit.ts';
import { highlight } from './highlight/highlight.ts';
import { type Hit, renderPassages } from './hit.ts';
import type { Answer } from './retriever.ts';
import { roundTo } from '../model/text.ts';

/** The answer as every interface shows it. */
export function toHits({ groups, understanding, rarities }: Answer, snippetMaxChars: number): Hit[] {
  return groups.map((group) => {
    const { best, members } = group;
    const { passage } = best;
    // Put together when somebody looks: a briefing quotes passages its own way, and has hundreds of hits.
    const shown = once(() => {
      const text = renderPassages(members);
      return { text, ...highlight(text, understanding, { maxChars: snippetMaxChars }) };
    });
    const evidence = once(() => ({
      coverage: roundTo(coverTerms(members, rarities).coverage, 4),
      similarity: best.similarity === undefined ? undefined : roundTo(best.similarity, 4),
    }));
    return {
      id: passage.id,
      source: passage.document.source,
      path: passage.document.path,
      ...lineRange(group),
      title: passage.document.title,
      get text() {
        return shown().text;
      },
      get words() {
        return wordsOf(group);
      },
      wordsTrust: passage.trust,
      get snippet() {
        return shown().snippet;
      },
      get highlights() {
        return shown().ranges;
      },
      score: roundTo(best.score, 4),
      scores: {
        semantic: roundTo(best.scores.semantic, 4),
        lexical: roundTo(best.scores.lexical, 4),
        temporal: roundTo(best.scores.temporal, 4),
        importance: roundTo(best.scores.importance, 4),
        access: roundTo(best.scores.access, 4),
      },
      get evidence() {
        return evidence();
      },
      store: passage.document.store,
      scope: passage.document.scope,
      type: passage.type,
      speaker: passage.speaker ?? null,
      time: passage.timeMs === undefined ? null : new Date(passage.timeMs).toISOString(),
      provenance: {
        source: passage.source,
        session: passage.session ?? null,
        turn: passage.turn ?? null,
        mutation: null,
      },
      // Several turns are trusted as far as the least of them.
      trust: lowestTrust(members.map(({ trust }) => trust)),
      // Words for a person: a hook that only quotes the hit need not look for them.
      get why() {
        return explain(wordsIn(passage.text, understanding), best.similarity, best.reasons);
      },
    };
  });
}

/** A long item or turn is indexed in pieces, of which the group may hold several. */
function wordsOf({ best: { passage }, members }: Group): string {
  const own = members.filter(({ id, document }) => id === passage.id && document.path === passage.document.path);
  return renderPassages(own.map((piece) => Object.assign({}, piece, { speaker: undefined, lead: '', day: '' })));
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Lines in the file, from the first passage shown to the last. */
function lineRange({ members }: Group): { readonly startLine: number; readonly endLine: number } {
  return {
    startLine: Math.min(...members.map(({ startLine }) => startLine)),
    endLine: Math.max(...members.map(({ endLine }) => endLine)),
  };
}

/** The matching words as they are written: a stem would puzzle a reader. */
function wordsIn(text: string, understanding: Answer['understanding']): string[] {
  const { snippet, ranges } = highlight(text, understanding, { maxChars: text.length + 2 });
  return [...new Set(ranges.map(([start, end]) => snippet.slice(start, end).toLowerCase()))];
}

function explain(matched: readonly string[], similarity: number | undefined, reasons: readonly string[]): string {
  return [
    ...(matched.length === 0 ? [] : [`words: ${matched.join(', ')}`]),
    ...(similarity === undefined ? [] : [`meaning ${similarity.toFixed(2)}`]),
    ...reasons,
  ].join('; ');
}
