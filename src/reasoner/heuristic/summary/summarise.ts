import { withoutRepetitions } from '../../../model/repeated.ts';
import { sameWords } from '../../../model/same-words.ts';
import { tagsOf } from '../../../model/content-words.ts';
import type { SummariseInput, Summary } from '../../port.ts';
import { findKept } from '../conversation/find.ts';
import { setScene } from '../conversation/scene.ts';
import { type Finding, type Scene, notice } from '../kinds/finding.ts';
import { stateFinding } from '../statement/statement.ts';
import { stemsOf, contentWords, stemOf } from '../text/words.ts';
import { capitalise } from '../../../model/text.ts';

const CHARACTERS_PER_TOKEN = 4;
const FAILED =
  /\b(?:fail(?:s|ed|ing)?|broke(?:n)?|crash(?:ed|es)?|error|outage|bug|wrong|lost|leak(?:ed|s)?|stuck|timeout|flood(?:ed)?)\b/iu;
const MAX_POINTS = 12;
const MAX_LISTED = 6;

interface Sentence {
  readonly text: string;
  readonly worth: number;
  readonly order: number;
}

/** Taken from the conversation's own sentences: what is most worth keeping and most central, decisions first. */
export async function summarise({ conversation, maxTokens }: SummariseInput): Promise<Summary> {
  const scene = await setScene(conversation);
  const findings = findKept(scene);
  const state = (kind: Finding['kind']): string[] =>
    findings
      .filter((each) => each.kind === kind)
      .map((each) => stateFinding(each, scene))
      .slice(0, MAX_LISTED);
  const sentences = sentencesOf(scene);
  const errors = sentences
    .filter(({ text, worth }) => FAILED.test(text) && worth > 0.3)
    .map(({ text }) => text)
    .slice(0, MAX_LISTED);
  const topic = topicOf(scene);
  const once = eachOnce({ decisions: state('decision'), next: state('task'), errors, points: choose(sentences) });
  const { decisions, next } = once;
  const budget = Math.max(0, maxTokens * CHARACTERS_PER_TOKEN - topic.length);
  const points = fit(once.points, budget);
  const left = budget - lengthOf(points);
  return {
    topic,
    points,
    decisions: fit(decisions, left),
    errors: fit(once.errors, left - lengthOf(decisions)),
    next: fit(next, left - lengthOf(decisions) - lengthOf(errors)),
    tags: tagsOf(`${topic} ${[...points, ...decisions, ...next].join(' ')}`, conversation.project),
  };
}

function sentencesOf(scene: Scene): Sentence[] {
  const users = scene.turns.flat().filter(({ turn, text }) => turn.role === 'user' && text !== '');
  const spread = new Map<string, number>();
  const withStems = users.map((utterance) => ({ utterance, stems: stemsOf(utterance.text) }));
  for (const { stems } of withStems) for (const stem of stems) spread.set(stem, (spread.get(stem) ?? 0) + 1);
  return withStems.map(({ utterance, stems }, order) => {
    const heard = notice(utterance, scene);
    const { none } = scene.chancesOf(utterance);
    const central =
      stems.size === 0
        ? 0
        : [...stems].reduce((sum, stem) => sum + Math.min(4, (spread.get(stem) ?? 1) - 1), 0) / stems.size;
    const isAside = utterance.isAsked || stems.size < 3;
    const worth = isAside ? 0 : 1 - none + 0.1 * central + (order === 0 ? 0.3 : 0);
    return { text: stateFinding({ kind: 'fact', heard, score: 1 }, scene), worth, order };
  });
}

type Lists = Record<'decisions' | 'next' | 'errors' | 'points', readonly string[]>;
const LISTS = ['decisions', 'next', 'errors', 'points'] as const satisfies readonly (keyof Lists)[];

/** A sentence stands in one list, the first that has it, in its fullest wording: a decision is no point beside itself. */
function eachOnce(lists: Lists): Lists {
  const all = LISTS.flatMap((list) => lists[list].map((text) => ({ list, text })));
  const once = withoutRepetitions(
    all,
    ({ text }) => text,
    ({ list }, { text }) => ({ list, text }),
  );
  const of = (wanted: keyof Lists): string[] => once.filter(({ list }) => list === wanted).map(({ text }) => text);
  return { decisions: of('decisions'), next: of('next'), errors: of('errors'), points: of('points') };
}

/** The worthiest that do not repeat each other; most telling first. */
function choose(sentences: readonly Sentence[]): string[] {
  const chosen: Sentence[] = [];
  for (const sentence of [...sentences].sort((one, other) => other.worth - one.worth || one.order - other.order)) {
    if (chosen.length >= MAX_POINTS || sentence.worth < 0.25) break;
    if (chosen.every(({ text }) => !sameWords(text, sentence.text))) chosen.push(sentence);
  }
  return chosen.map(({ text }) => text);
}

function fit(texts: readonly string[], budget: number): string[] {
  const fitting: string[] = [];
  let used = 0;
  for (const text of texts) {
    if (used + text.length > budget) continue;
    used += text.length;
    fitting.push(text);
  }
  return fitting;
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

const MAX_WORDS = 4;
/** Said in any conversation. */
const EMPTY = new Set(
  'morning today thing things look tell need want know think good nice yeah sure really maybe stuff everything pls thx week day time'.split(
    ' ',
  ),
);

/** The topic of a conversation: the content words that come back most, in the order of their first mention. */
function topicOf({ conversation, turns }: Scene): string {
  const counts = new Map<string, { word: string; count: number; first: number }>();
  let place = 0;
  for (const turn of turns) {
    for (const { turn: said, text } of turn) {
      for (const word of contentWords(text)) {
        place += 1;
        if (!/^\p{L}[\p{L}-]{2,}$/u.test(word) || EMPTY.has(word)) continue;
        const stem = stemOf(word);
        const entry = counts.get(stem) ?? { word, count: 0, first: place };
        entry.count += said.role === 'user' ? 2 : 1;
        counts.set(stem, entry);
      }
    }
  }
  const project = conversation.project?.toLowerCase();
  const best = [...counts.values()]
    .filter(({ word }) => word !== project)
    .sort((one, other) => other.count - one.count || one.first - other.first)
    .slice(0, MAX_WORDS)
    .sort((one, other) => one.first - other.first)
    .map(({ word }) => word);
  const words = best.join(', ');
  if (project === undefined || project === '') return words === '' ? 'Conversation' : capitalise(words);
  return words === '' ? capitalise(project) : `${capitalise(project)}: ${words}`;
}
