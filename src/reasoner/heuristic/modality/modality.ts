import type { Utterance } from '../clauses/utterance.ts';
import { isIronic } from './irony.ts';

/** How a statement is meant. Only what is asserted and lasts can become knowledge. */
export interface Modality {
  readonly isQuestion: boolean;
  readonly isHypothetical: boolean;
  /** Said with doubt: "probably", "I think", "leaning towards". */
  readonly isHedged: boolean;
  readonly isIronic: boolean;
  /** What somebody else said, thinks or wrote. */
  readonly isReported: boolean;
  /** Was so, and is over. */
  readonly isPast: boolean;
  /** True for the moment only. */
  readonly isMomentary: boolean;
  /** An order to the agent for the work at hand. */
  readonly isCommand: boolean;
}

const QUESTION_START =
  /^(?:what|what's|who|who's|where|where's|when|why|how|how's|which|whose|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|may|have you|has|isn't|aren't|don't you|any idea|any chance|remind me (?:what|why|how|when|where|who|which))\b/u;
/** "When we deploy, …" and "how we do it: …" begin like questions without being any. */
const NO_QUESTION = /^(?:when(?:ever)?|how|what|where|which|who)\b(?!.*\?).*(?:,|:)/u;

/** "…, aren't they": asked for a yes, whatever stands at the end. */
const TAG =
  /, (?:(?:is|are|was|were|do|does|did|has|have|ca|wo|could|would|should)n't|right|no|correct) ?(?:it|they|he|she|we|you|i|that)?[.!]*$/u;

const HYPOTHETICAL: readonly RegExp[] = [
  /\bif\b.*\b(?:would|could|were|had|might)\b|\b(?:would|could|might)\b.*\bif\b/u,
  /\b(?:what if|imagine|suppose|supposing|assuming|hypothetically|let's say|say we|in theory|theoretically|in an ideal world|one day|someday|some day)\b/u,
  /\b(?:i|we|one|you|they|he|she|it|that|this)(?:'d| would| could| might) (?:be|have|get|mean|need|lose|win|take|work|make|break|do|love to|like to see)\b/u,
  /\b(?:we|i|you|one) (?:could|might|may)\b/u,
  /\b(?:wish|hopefully|if only|dream of|daydream)\b/u,
];

const HEDGED =
  /\b(?:maybe|perhaps|thought (?:of|about) \p{L}+ing|probably|possibly|i think|i guess|i suppose|not sure|unsure|no idea|might|thinking (?:about|of)|considering|toying with|playing with the idea|leaning (?:to|towards)|tempted|wonder(?:ing)?|should we|we should probably|in doubt|undecided|haven't decided|don't know (?:if|whether|yet)|tbd|kind of|sort of|not decided|open question|could be|seems? (?:like|to)|looks like|feels like|i assume|i'd guess|either|who knows|or (?:he|she|it|they|not) (?:isn't|doesn't|won't|aren't))\b/u;

const REPORTED: readonly RegExp[] = [
  /\b(?:says|said|thinks|thought|claims|claimed|reckons|argues|argued|insists|believes|suggested|suggests|proposed|proposes|keeps saying|told|tells|writes|wrote|swears|complains|complained|joked|wants us|wanted us|is convinced|apparently)\b/u,
  /\b(?:according to|the (?:docs?|documentation|article|blog|post|paper|readme|thread|internet|book|podcast|website|ad|brochure|vendor|salesperson) (?:say|says|said|claim|claims|suggest|suggests|recommend|recommends)|i (?:read|heard|saw) (?:that|somewhere)|rumou?r|people say|they say|someone (?:said|on))\b/u,
];
/** The user's own words and findings, not somebody else's. */
const OWN_REPORT =
  /\b(?:i|we) (?:said|told|thought|wrote|suggested|proposed|think)\b|\blike i said\b|\bas i said\b|\bi'm told\b/u;

const PAST =
  /\b(?:used to|back then|back when|in the old days|at my (?:old|last|previous|former) (?:job|company|place|flat)|when i was (?:a|at|in|little|young)|years ago|as a (?:kid|child|student)|once upon|formerly|in (?:19[5-9]\d|200\d|201\d))\b/u;

const MOMENTARY: readonly RegExp[] = [
  /\b(?:right now|at the moment|just now|for a sec(?:ond)?|one sec|brb|this minute|give me (?:a|\d+)|hang on|hold on|be right back|in a (?:minute|sec|moment|bit)|still (?:running|waiting|loading|compiling|building|reading)|so far today|rn)\b/u,
  /\b(?:i'm|i am|we're) (?:so |really |a bit |very |super |totally |just |still |completely |kind of )*(?:hungry|tired|sleepy|exhausted|bored|stuck|confused|happy|sad|angry|annoyed|back|here|ready|busy|late|awake|done|lost|stressed|glad|sorry|curious|excited|nervous|off|out|in a meeting|on the train|on my way|in bed|at my desk|waiting|looking|reading|trying|running|checking|about to|afraid|sure|fine|good|okay|ok|cold|freezing|sick)\b/u,
  /\b(?:tests?|build|ci|pipeline|deploy|job|linter|compiler|server|migration|script|download|upload|install) (?:is|are|was|were|'s)? ?(?:still |now |just )?(?:running|green|red|failing|failed|fails|passing|passed|passes|broken|stuck|hanging|done|finished|down|up again|compiling)\b/u,
  /\ball (?:\p{L}+ )?(?:green|passing)\b/u,
  /\b(?:it|that|this) (?:works|worked|compiles|passes|passed|fails|failed|crashed|helped)(?: now| again)?[.!]*$/u,
  /\b(?:is|are|'s) (?:asleep|sleeping|here|tired|calling|crying|screaming|ringing|knocking|meowing|waiting|awake|downstairs|outside|in the shower)\b/u,
];

/** Verbs of the work at hand; an order made of them is done when the turn is over. */
const WORK_VERB =
  '(?:add|fix|write|run|rerun|try|show|give|tell|look|check|open|read|explain|list|find|search|grep|make|create|implement|refactor|rename|update|change|remove|delete|move|put|draft|translate|summari[sz]e|compare|generate|commit|push|merge|rebase|revert|undo|redo|print|format|test|debug|help|do|go|let me|paste|send|set|start|stop|continue|keep going|shorten|rewrite|rephrase|walk me|pull|bump|install|build|deploy|cut|drop|replace|wrap|extract|split|sort|convert|calculate|compute|suggest|propose|think|see|wait|ignore|skip|use|double-check|review|look up|plot|sketch|turn)';
const COMMAND = new RegExp(
  `^(?:please |pls |can you |could you |would you |will you |now |just |then |go ahead and |let's |let me |quickly |maybe )*${WORK_VERB}\\b`,
  'u',
);

export function judgeModality(utterance: Utterance): Modality {
  const { plain } = utterance;
  const isQuestion = utterance.isAsked || TAG.test(plain) || (QUESTION_START.test(plain) && !NO_QUESTION.test(plain));
  return {
    isQuestion,
    isHypothetical: HYPOTHETICAL.some((pattern) => pattern.test(plain)),
    isHedged: HEDGED.test(plain),
    isIronic: isIronic(utterance),
    isReported: REPORTED.some((pattern) => pattern.test(plain)) && !OWN_REPORT.test(plain),
    isPast: PAST.test(plain),
    isMomentary: MOMENTARY.some((pattern) => pattern.test(plain)),
    isCommand: COMMAND.test(plain),
  };
}
