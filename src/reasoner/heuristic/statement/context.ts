import type { Utterance } from '../clauses/utterance.ts';
import { neighbour } from '../features/dialogue.ts';
import type { Finding, Scene } from '../kinds/finding.ts';
import { personsIn } from '../kinds/notice.ts';

const ANAPHOR =
  /\b(?:it|its|it's|it'll|them|they|they're|he|he's|he'll|she|she's|him|his|her|that one|this one|those|these|both|same|there|which|the (?:first|second|third|other|latter|former|new|old) one)\b|^(?:that|that's|this)\b|\b(?:do|like|use|take|keep|leave|with|for|about|change) (?:that|this)\b/iu;
const PERSONAL = /\b(?:he|she|his|him|her|he's|she's|he'll|she'll)\b/iu;
/** A statement with a subject and a verb of its own says what it is about. */
const SELF_CONTAINED =
  /^(?:i|we|i'm|we're|i've|we've|i'll|we'll|my|our|the|every|each|all|there|let's|\p{Lu}\p{L}+|\p{L}+) (?:\p{L}+ ){0,4}(?:is|are|was|were|has|have|had|will|must|need|needs|can|goes|go|gets?|stays?|moves?|comes?|takes?|uses?|runs?|lives?|works?|wants?|\p{L}{3,}(?:s|ed))\b/iu;
const MAX_CONTEXT = 160;

/** What a statement cannot be understood without, in the words said before; undefined when it stands alone. */
export function contextOf(finding: Finding, scene: Scene): string | undefined {
  const { utterance } = finding.heard;
  if (finding.text !== undefined) return undefined;
  if (finding.kind === 'correction') return correctedContext(finding, scene);
  const own = scene.turns[utterance.turnIndex]?.[utterance.index - 1];
  if (ANAPHOR.test(utterance.text)) {
    const person =
      PERSONAL.test(utterance.text) && personsIn(utterance.text, scene).length === 0
        ? personBefore(utterance, scene)
        : undefined;
    const before = own ?? questionBefore(utterance, scene);
    const parts = [person, before === undefined ? undefined : shorten(before.text)].filter(
      (part) => part !== undefined,
    );
    return parts.length === 0 ? undefined : `about: ${parts.join(', ')}`;
  }
  if (utterance.index > 0 || SELF_CONTAINED.test(utterance.text)) return undefined;
  const asked = questionBefore(utterance, scene);
  return asked?.isAsked === true ? `asked: ${shorten(asked.text)}` : undefined;
}

/** What the agent had said that was wrong. */
function correctedContext({ corrects, heard }: Finding, scene: Scene): string | undefined {
  const said = corrects ?? questionBefore(heard.utterance, scene)?.text;
  return said === undefined ? undefined : `said before: ${shorten(said)}`;
}

function questionBefore(utterance: Utterance, scene: Scene): Utterance | undefined {
  const before = neighbour(utterance, scene, -1);
  return before?.findLast(({ isAsked }) => isAsked) ?? before?.at(-1);
}

function personBefore(utterance: Utterance, scene: Scene): string | undefined {
  for (let turn = utterance.turnIndex; turn >= Math.max(0, utterance.turnIndex - 3); turn -= 1) {
    const all = scene.turns[turn] ?? [];
    const before = turn === utterance.turnIndex ? all.slice(0, utterance.index) : all;
    for (const each of [...before].reverse()) {
      const person = personsIn(each.text, scene)[0];
      if (person !== undefined) return person;
    }
  }
  return undefined;
}

function shorten(text: string): string {
  const clean = text
    .replaceAll(/[\s()]+/gu, ' ')
    .replace(/[.,;:!?]+$/u, '')
    .trim();
  return clean.length <= MAX_CONTEXT ? clean : `${clean.slice(0, clean.lastIndexOf(' ', MAX_CONTEXT))}…`;
}
