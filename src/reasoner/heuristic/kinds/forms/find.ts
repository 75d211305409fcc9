import type { KnowledgeKind } from '../../../../model/knowledge.ts';
import { isFirstName } from '../../entities/lexicon.ts';
import type { Heard } from '../finding.ts';
import { replyFormOf } from '../reply-forms.ts';
import { DECISION_FORMS, PREFERENCE_FORMS, STANDING_ORDERS } from './choices.ts';
import { CORRECTION_FORMS } from './corrections.ts';
import type { Form } from './form.ts';
import { FACT_FORMS, LESSON_FORMS, PERSON_FORMS } from './knowledge.ts';
import { PROCEDURE_FORMS, TASK_FORMS } from './work.ts';

/** The first that fits counts: what says more about how it is meant stands before what says less. */
export const FORMS: readonly Form[] = [
  ...CORRECTION_FORMS,
  ...STANDING_ORDERS,
  ...LESSON_FORMS,
  ...TASK_FORMS,
  ...PROCEDURE_FORMS,
  ...PREFERENCE_FORMS,
  ...DECISION_FORMS,
  ...PERSON_FORMS,
  ...FACT_FORMS,
];

/** Past, and true for ever. */
const OF_A_LIFE = /\b(?:born|grew up|studied|married)\b/u;
/** A sentence that only says that something was wrong; the next one says what is right. */
const ANNOUNCED =
  /^(?:i (?:misspoke|was wrong|made a mistake|mixed \p{L}+ up)|(?:that's|that is|that was) (?:wrong|not right|not correct|not true|incorrect)|you (?:misunderstood|misread|mixed that up|got (?:that|it) wrong))\b.{0,25}$/u;

/** The kind of a statement in a plain form, when nothing about it says that it is not meant. */
export function plainFormOf(heard: Heard): KnowledgeKind | undefined {
  const { isHypothetical, isHedged, isReported, isPast, isMomentary } = heard.modality;
  if (isHypothetical || isHedged) return undefined;
  if (isPast && !OF_A_LIFE.test(heard.utterance.plain)) return undefined;
  const form = replyFormOf(heard) ?? findForm(heard)?.kind;
  // Steps and lessons tell of what others say and of mornings without being about them.
  return (isReported || isMomentary) && form !== 'procedure' && form !== 'lesson' ? undefined : form;
}

export function findForm(heard: Heard): Form | undefined {
  const { utterance } = heard;
  if (utterance.plain.includes('?')) return undefined;
  return FORMS.find((form) => fits(form, heard));
}

function fits({ pattern, isNamed, isDated, isSpecific, opener }: Form, heard: Heard): boolean {
  const { utterance, dates, specifics, scene } = heard;
  if (isDated === true && dates.length === 0) return false;
  if (isSpecific === true && specifics.names + specifics.numbers === 0) return false;
  if (opener !== undefined && !openersOf(heard).some((each) => opener.test(each))) return false;
  if (isNamed === true) {
    const first = /^\p{L}+/u.exec(utterance.text)?.[0] ?? '';
    if (scene.people.nameOf(first) === undefined && !isFirstName(scene.lexicon, first)) return false;
  }
  return pattern.test(utterance.plain);
}

/** With what the sentence before announced. */
function openersOf({ utterance, scene }: Heard): readonly string[] {
  const before = scene.turns[utterance.turnIndex]?.[utterance.index - 1];
  return before !== undefined && ANNOUNCED.test(before.plain)
    ? ['correction', ...utterance.openers]
    : utterance.openers;
}
