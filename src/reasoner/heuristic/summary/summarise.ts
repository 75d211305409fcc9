import { sameWords } from '../../../model/same-words.ts';
import { tagsOf } from '../../../model/statement-tags.ts';
import type { SummariseInput, Summary } from '../../port.ts';
import { findKept } from '../conversation/find.ts';
import { setScene } from '../conversation/scene.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { notice } from '../kinds/notice.ts';
import { stateFinding } from '../statement/statement.ts';
import { stemsOf } from '../text/words.ts';
import { topicOf } from './topic.ts';

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
  const decisions = state('decision');
  const next = state('task');
  const sentences = sentencesOf(scene);
  const errors = sentences
    .filter(({ text, worth }) => FAILED.test(text) && worth > 0.3)
    .map(({ text }) => text)
    .slice(0, MAX_LISTED);
  const topic = topicOf(scene);
  const budget = Math.max(0, maxTokens * CHARACTERS_PER_TOKEN - topic.length);
  const points = fit(choose(sentences), budget);
  const left = budget - lengthOf(points);
  return {
    topic,
    points,
    decisions: fit(decisions, left),
    errors: fit(errors, left - lengthOf(decisions)),
    next: fit(next, left - lengthOf(decisions) - lengthOf(errors)),
    tags: tagsOf(`${topic} ${points.join(' ')}`, conversation.project),
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
