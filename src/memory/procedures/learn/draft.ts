import { lowestTrust, type Trust } from '../../../model/provenance.ts';
import { extractTerms } from '../../../search-index/text/terms.ts';
import type { Sequence } from './sequences.ts';

/** A procedure that conversations suggest. */
export interface LearnedDraft {
  readonly name: string;
  readonly trigger: string;
  readonly steps: readonly string[];
  readonly learnedFrom: readonly string[];
  readonly notes: readonly string[];
  /** 0 to 1. */
  readonly confidence: number;
  readonly trust: Trust;
  readonly signs: readonly string[];
}

const MAX_NAME_WORDS = 6;
const MAX_SOURCES = 12;
/** Everybody says so, whatever they ask for. */
const POLITE = new Set([
  'please',
  'now',
  'today',
  'again',
  'hi',
  'hey',
  'hello',
  'thanks',
  'bitte',
  'need',
  'want',
  'like',
]);

export function draftProcedure(sequence: Sequence): LearnedDraft {
  const { good, bad, signs } = sequence;
  const asked = commonWords(good.map(({ attempt }) => attempt.request));
  const steps = signs.map((_sign, index) => commonText(good.map((occurrence) => occurrence.steps[index]?.text ?? '')));
  const name = asked === '' ? steps.slice(0, 3).join(', ').replaceAll('`', '') : capital(asked);
  const notes = bad.length === 0 ? [] : [`Went wrong in ${bad.length} of ${good.length + bad.length} conversations.`];
  return {
    name,
    trigger: asked === '' ? '' : `When the user asks to ${asked}.`,
    steps,
    notes,
    learnedFrom: good.slice(-MAX_SOURCES).map(({ attempt }) => attempt.source),
    // With one success and one failure imagined, so that few conversations never make it certain.
    confidence: Math.round(((good.length + 1) / (good.length + bad.length + 2)) * 100) / 100,
    trust: lowestTrust(good.map(({ attempt }) => attempt.trust)),
    signs,
  };
}

/** The words of the shortest request that most of the others share, in its order. */
function commonWords(requests: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const request of requests) {
    for (const term of new Set(extractTerms(request))) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const needed = Math.max(2, Math.ceil(requests.length * 0.6));
  const shortest = [...requests].sort((left, right) => left.length - right.length)[0] ?? '';
  const words = shortest.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  const isShared = (word: string): boolean =>
    !POLITE.has(word.toLowerCase()) && extractTerms(word).some((term) => (counts.get(term) ?? 0) >= needed);
  const first = words.findIndex(isShared);
  const last = words.findLastIndex(isShared);
  return first === -1
    ? ''
    : words
        .slice(first, Math.min(last + 1, first + MAX_NAME_WORDS))
        .join(' ')
        .toLowerCase();
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What all have in common, with … for what differs. */
function commonText(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  const rest = others.map((text) => new Set(text.replaceAll('`', '').split(' ')));
  const isCode = first.startsWith('`');
  const words = first.replaceAll('`', '').split(' ');
  const kept = words.map((word) => (rest.every((other) => other.has(word)) ? word : '…'));
  const text = kept.filter((word, index) => word !== '…' || kept[index - 1] !== '…').join(' ');
  return isCode ? `\`${text}\`` : text;
}
