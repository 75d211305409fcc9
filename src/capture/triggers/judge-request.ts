import { packagedJudge } from '../../judge/judge.ts';
import { ANSWERS, weighWording, type Answer } from '../../judge/requests/wording.ts';
import { isMnemeError } from '../../model/errors.ts';

/** The kinds of request that the model and the wording tell apart. */
export type AskedKind = 'remember' | 'forget' | 'reflect' | 'recall';

/** `ignore`: nothing is to be learned about something, from now on. */
export type TriggerKind = AskedKind | 'ignore';

/** A request to the memory that the message itself makes; start and end are the place of its words in the message. */
export interface Trigger {
  readonly kind: TriggerKind;
  readonly phrase: string;
  readonly start: number;
  readonly end: number;
  /** The content; undefined when there is none, or when the previous turn is meant. */
  readonly content: string | undefined;
  /** "Remember this" with nothing before it in the message: the previous turn is meant. */
  readonly refersBack: boolean;
  /** Only for remember: the content is a text that the message hands over ("Remember these notes: …"), not the user's words. */
  readonly isHandedOver: boolean;
  /** Only for forget: erase, do not merely archive. */
  readonly permanently: boolean;
}

/** The model's weight relative to the wording's, and the lower limit for its chance. */
const MODEL_WEIGHT = 1;
const LEAST_CHANCE = 0.02;
/**
 * Where the wording is this sure that nothing is asked, the model is not loaded. Of 4,244 requests by authors left out of
 * the training 54 are lost by this; eight of ten other messages are settled without it.
 */
const SURELY_NONE = Math.log(0.95);
/** Nor where it is this sure of a recall, which only shows what is known. */
const SURELY_RECALL = Math.log(0.8);
/**
 * The lead over `none` that the answer needs: a wrong memory is worse than having to repeat a request. A recall
 * only shows what is known, so it needs less.
 */
const MARGINS: Readonly<Record<Answer, number>> = { remember: 1, forget: 0.7, recall: -0.3, reflect: 0.3, none: 0 };

/** The request in a stretch of a message, and its lead over "none". */
export interface Judged {
  readonly answer: Answer;
  readonly lead: number;
}

const NOTHING: Judged = { answer: 'none', lead: 0 };

/** Finds the request that a person's own words make: by their wording and, unless that settles it, by the model. */
export function judgeRequest(words: string): Judged {
  const wording = weighWording(words);
  if ((wording.at(-1) ?? 0) > SURELY_NONE) return NOTHING;
  const isRecall = (wording[ANSWERS.indexOf('recall')] ?? -Infinity) > SURELY_RECALL;
  const chances = isRecall ? undefined : askModel(words);
  const scores = ANSWERS.map((answer, place) => {
    const model = chances === undefined ? 0 : Math.log((chances[answer] ?? 0) + LEAST_CHANCE);
    return (wording[place] ?? 0) + MODEL_WEIGHT * model - MARGINS[answer];
  });
  const best = Math.max(...scores);
  const answer = ANSWERS[scores.indexOf(best)] ?? 'none';
  return { answer, lead: best - (scores.at(-1) ?? 0) };
}

/** For each word the chance that it says what the request is about; undefined when the model cannot be read. */
export function findWhat(words: readonly string[]): readonly number[] | undefined {
  return withModel((judge) => judge.findWhat(words));
}

function askModel(words: string): Readonly<Record<string, number>> | undefined {
  return withModel((judge) => judge.findRequest(words));
}

/** A damaged model must not cost a message: the wording then decides alone, and `mneme check setup` names the file. */
function withModel<T>(ask: (judge: ReturnType<typeof packagedJudge>) => T): T | undefined {
  try {
    return ask(packagedJudge());
  } catch (error) {
    if (isMnemeError(error, 'integrity')) return undefined;
    throw error;
  }
}
