import type { KnowledgeKind } from '../../../model/knowledge.ts';
import { RELATION_NOUN } from '../entities/people.ts';
import { isFirstName } from '../entities/lexicon.ts';
import type { Heard } from './finding.ts';
import { replyFormOf } from './reply-forms.ts';

interface Form {
  readonly kind: KnowledgeKind;
  readonly pattern: RegExp;
  /** The sentence begins with somebody's name. */
  readonly isNamed?: boolean;
}

const TRAIT =
  "(?:lives? in|moved to|works? (?:for|at|as|in)|is (?:now )?(?:our|my|the new)|is (?:a |an )?(?:vegetarian|vegan|allergic|pregnant|retired|married|divorced|left-handed|diabetic|colou?r ?blind)|is allergic|is on (?:parental|maternity|paternity|sick) leave|can't (?:stand|eat|drink)|doesn't (?:eat|drink|like)|speaks|was born|hates|loves|prefers|collects)";

/** Forms that are said for hardly any other reason: what people say when they mean to be understood. */
const FORMS: readonly Form[] = [
  {
    kind: 'task',
    pattern: /\b(?:remind me (?:to|on|that|about)|don't let me forget|todo(?: for me)?:|to-do:)/u,
  },
  {
    kind: 'fact',
    pattern:
      /^i(?:'m| am)? (?:now |currently |just |recently |actually )*(?:live|living|work|working|moved|was born|grew up|from|allergic|based) (?:in|to|at|for|from|with|as)\b/u,
  },
  {
    kind: 'fact',
    pattern:
      /^(?:my|our) (?:new |home |work |phone |email |e-mail |blood |mother |postal )*(?:name|birthday|address|number|email|employer|job|type|tongue|company|wedding|passport|insurance|bank|landline) (?:is|are|expires)\b/u,
  },
  {
    kind: 'fact',
    pattern: /^[\p{L}\d' -]{2,40} (?:listens|runs|is|sits) (?:on|at) (?:[\p{L}\d' -]+, )?port \d{2,5}\b/u,
  },
  { kind: 'decision', pattern: /\b(?:set|do|make|keep) it like that[.!]*$/u },
  {
    kind: 'person',
    pattern: new RegExp(
      `^(?:my|our) (?:new |old |little |older |younger |best )*${RELATION_NOUN}(?: \\p{L}+)? (?:is called|${TRAIT})\\b`,
      'u',
    ),
  },
  { kind: 'person', pattern: new RegExp(`^\\p{L}+(?: \\p{L}+)? ${TRAIT}\\b`, 'u'), isNamed: true },
  {
    kind: 'person',
    pattern:
      /^\p{L}+'s (?:birthday|phone number|number|email|e-mail|surname|husband|wife|partner|pronouns) (?:is|are)\b/u,
    isNamed: true,
  },
  {
    kind: 'decision',
    pattern:
      /^(?:we|i)(?:'ve| have)? (?:now |just |finally |all )*(?:decided (?:to|on|against|that)|settled on|agreed (?:to|on|that))\b/u,
  },
  {
    kind: 'decision',
    pattern: /^let's (?:just |then )?(?:go with|stick with|stay with|drop|switch to|standardi[sz]e on)\b/u,
  },
  { kind: 'decision', pattern: /\bwe(?:'ll| will)? (?:stay|stick) with (?!it\b|that\b|this\b)/u },
  { kind: 'lesson', pattern: /^never again (?:a|an|the|on|in|with|without|at|two|any)\b/u },
  { kind: 'preference', pattern: /^i (?:don't|do not|never) want .*\bever\b/u },
  { kind: 'lesson', pattern: /\blessons? learn(?:ed|t)\b|^(?:the )?lesson(?: here)?(?::| is| was)/u },
  {
    kind: 'preference',
    pattern:
      /^(?:from now on|going forward|in future),? (?:please |always |never |don't |no |keep |use |write |ask |answer |give )/u,
  },
  { kind: 'preference', pattern: /^(?:please |pls )(?:always|never|don't ever|stop)\b/u },
  {
    kind: 'preference',
    pattern:
      /^i (?:really |absolutely |strongly |generally |much )?(?:prefer|hate|dislike|can't stand|can't bear) (?!it\b|this\b|that\b|them\b|him\b|her\b|you\b|to say)/u,
  },
  { kind: 'preference', pattern: /^my favou?rite [\p{L} ]+ (?:is|are)\b/u },
];

/** The kind of a statement in a plain form, when nothing about it says that it is not meant. */
export function plainFormOf(heard: Heard): KnowledgeKind | undefined {
  const { utterance, modality, scene } = heard;
  const { isHypothetical, isHedged, isReported, isPast, isMomentary } = modality;
  if (isHypothetical || isHedged || isReported || isPast || isMomentary) return undefined;
  const reply = replyFormOf(heard);
  if (reply !== undefined) return reply;
  if (/\?|\b(?:but|anymore|any more|no longer)\b/u.test(utterance.plain)) return undefined;
  const first = /^\p{L}+/u.exec(utterance.text)?.[0] ?? '';
  const isNamed = scene.people.nameOf(first) !== undefined || isFirstName(scene.lexicon, first);
  return FORMS.find((form) => (form.isNamed !== true || isNamed) && form.pattern.test(utterance.plain))?.kind;
}
