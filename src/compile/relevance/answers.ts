import type { Group } from '../../retrieve/fit.ts';
import { foldText, splitWords } from '../../retrieve/understand/words.ts';
import type { StoredPassage } from '../../search-index/port.ts';
import { cutText } from '../../model/text.ts';
import { isPublicName } from './vocabulary.ts';

/** Length of the part of an answer that identifies it. */
const MAX_ANSWER_CHARS = 400;
/** Words two messages share, out of those of either, from which on one says what the other does. */
const RESTATES = 0.6;

export interface AskedBefore {
  readonly message: string;
  /** Whom and what the message names: asked of somebody else, it was another question. */
  readonly names: readonly string[];
  readonly read: (passages: readonly number[]) => Promise<readonly StoredPassage[]>;
}

/** A question that was asked before tells nothing by itself. What was answered stands behind it and comes along. */
export async function withAnswers(groups: readonly Group[], asked: AskedBefore): Promise<readonly Group[]> {
  const words = wordsIn(asked.message);
  const behind = groups.map(({ members }) => {
    const last = members.at(-1);
    return last !== undefined && isUnanswered(last) && isSameQuestion(last, words, asked.names) ? last : undefined;
  });
  const numbers = behind.flatMap((last) => (last === undefined ? [] : [last.number + 1]));
  if (numbers.length === 0) return groups;
  const answers = new Map((await asked.read(numbers)).map((passage) => [passage.number, passage]));
  const isShown = new Set(groups.flatMap(({ members }) => members.map(({ number }) => number)));
  return groups.map((group, at) => {
    const answer = answers.get((behind[at]?.number ?? -1) + 1);
    if (answer?.trust !== 'agent' || isShown.has(answer.number) || !isBeside(answer, behind[at])) return group;
    return { ...group, members: [...group.members, { ...answer, text: cutText(answer.text, MAX_ANSWER_CHARS) }] };
  });
}

/** The index may have numbered its passages anew since they were found. */
function isBeside(answer: StoredPassage, asked: StoredPassage | undefined): boolean {
  return answer.first === asked?.first && answer.document.path === asked.document.path;
}

/** A turn of the user with another behind it. */
function isUnanswered({ turn, trust, number, first, count }: StoredPassage): boolean {
  return turn !== undefined && trust === 'user' && number + 1 < first + count;
}

function isSameQuestion({ text }: StoredPassage, words: ReadonlySet<string>, names: readonly string[]): boolean {
  const said = wordsIn(text);
  if (names.length > 0 && !names.some((name) => isNamedIn(name, said))) return false;
  if (text.trimEnd().endsWith('?')) return true;
  const common = [...said].filter((word) => words.has(word)).length;
  return common / (said.size + words.size - common) >= RESTATES;
}

/** Whether a text speaks of somebody or something; a name may be of several words. */
export function isNamedIn(name: string, said: ReadonlySet<string>): boolean {
  const parts = [...wordsIn(name)];
  return parts.length > 0 && parts.every((part) => said.has(part));
}

/** A capital letter inside a sentence, and words of several parts, such as a service or a file has for a name. */
const NAME =
  /(?<=[\p{Ll}\p{N},;:] )\p{Lu}[\p{L}\p{N}]+|[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)+|\p{L}+\p{N}+[\p{L}\p{N}]*/gu;

/** The words that a message writes as names. */
export function namesIn(message: string): readonly string[] {
  return [...new Set(message.match(NAME) ?? [])].filter((name) => !isPublicName(foldText(name)));
}

export function wordsIn(text: string): ReadonlySet<string> {
  return new Set(splitWords(text).map(({ folded }) => folded));
}
