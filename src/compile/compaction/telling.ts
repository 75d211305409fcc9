import { withoutHandedOver } from '../../judge/handed-over/split.ts';
import { splitSentences } from '../../reasoner/heuristic/text/sentences.ts';
import { contentWords } from '../../reasoner/heuristic/text/words.ts';
import { cutText } from '../../model/text.ts';
import type { ContextMessage } from './message.ts';

/** Two sentences of a person's length. */
const MAX_CHARS = 240;
const MAX_SENTENCES = 2;

const SETTLED =
  /\b(?:decid|agree|let'?s|we(?:'ll| will)|i(?:'ll| will)|must|never|always|prefer|want|instead|don'?t|no more|from now on|until|by (?:mon|tue|wed|thu|fri|sat|sun)|todo|task|because)/iu;
/** An agreement counts more than an agent's announcement. */
const AGREED = /\b(?:decid|agreed|settled on|went with|from now on)/iu;
const FIGURE = /\d/u;
const NAME = /(?<!^)\b\p{Lu}\p{Ll}+/u;

/** A message by its most telling sentences, in their order; '' for one that only acknowledges. */
export function tellingPart({ role, text }: ContextMessage): string {
  if (role === 'tool') return toolLine(text);
  const sentences = splitSentences(withoutFences(text)).map((sentence, order) => {
    const words = contentWords(sentence.text).length;
    const worth =
      (words < 2 ? -2 : 0) +
      Math.min(words, 12) / 12 +
      (SETTLED.test(sentence.text) ? 1.5 : 0) +
      (FIGURE.test(sentence.text) ? 0.7 : 0) +
      (NAME.test(sentence.text) ? 0.4 : 0) +
      (order === 0 ? 0.3 : 0) -
      (sentence.isAsked && role === 'agent' ? 0.5 : 0);
    return { text: sentence.text, worth, order };
  });
  const best = sentences
    .filter(({ worth }) => worth > 0)
    .sort((one, other) => other.worth - one.worth || one.order - other.order)
    .slice(0, MAX_SENTENCES)
    .sort((one, other) => one.order - other.order);
  return cutText(best.map((each) => each.text).join(' '), MAX_CHARS);
}

/** Sentences that settle something: decisions, wishes, tasks. In their order. */
export function settledSentences({ role, text }: ContextMessage): string[] {
  const settles = role === 'user' ? SETTLED : role === 'agent' ? AGREED : undefined;
  if (settles === undefined) return [];
  const own = role === 'user' ? withoutHandedOver(text) : text;
  return splitSentences(withoutFences(own)).flatMap((sentence) => {
    const isTelling = !sentence.isAsked && settles.test(sentence.text) && contentWords(sentence.text).length > 2;
    return isTelling ? [cutText(sentence.text, MAX_CHARS)] : [];
  });
}

/** Code that was pasted or proposed is found in the files; what was said about it is not. */
function withoutFences(text: string): string {
  return text.replaceAll(/^```[^\n]*\n[\s\S]*?(?:^```[^\n]*$|$(?![\s\S]))/gmu, '[code]');
}

const MAX_TOOL_CHARS = 160;
/** Of a line that is long itself, what tells which call it was. */
const MAX_FIRST_CHARS = 70;

const TROUBLE = /\b(?:error|exception|failed|failure|fatal|panic|denied|refused|not found|timed? ?out|traceback)\b/iu;

/** Puts a tool's output on one line: its beginning, and its error or its end. */
export function toolLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/gu, ' ').trim())
    .filter((line) => line !== '');
  const [first = ''] = lines;
  if (lines.length <= 1) return cutText(first, MAX_TOOL_CHARS);
  const telling = lines.slice(1).find((line) => TROUBLE.test(line)) ?? lines.at(-1) ?? '';
  const head = cutText(first, MAX_FIRST_CHARS);
  const tail = ` (${lines.length} lines)`;
  return `${head} … ${cutText(telling, MAX_TOOL_CHARS - head.length - tail.length - 3)}${tail}`;
}
