import type { Form } from './form.ts';

/** Verbs of choosing, as they follow "we'll", "let's" or "I'm going to". */
const CHOOSE =
  '(?:go with|go for|use|stick with|stick to|stay with|stay on|drop|switch to|move to|migrate to|keep|skip|ditch|adopt|standardi[sz]e on|replace|split|postpone|cancel|buy|rent|hire|ship|support)';
const CHOOSING =
  '(?:going with|going for|sticking with|sticking to|staying with|staying on|dropping|switching|moving|migrating|keeping|skipping|ditching|adopting|standardi[sz]ing on|replacing|splitting|postponing|cancell?ing|buying|renting|hiring)';
/** What "it" is stands in another sentence. */
const NOT_IT = '(?! (?:it|that|this|them|those|these)\\b(?! \\p{L}))';

export const DECISION_FORMS: readonly Form[] = [
  {
    kind: 'decision',
    pattern:
      /^(?:we|i|the team|they|\p{L}+ and (?:i|me))(?:'ve| have)? (?:now |just |finally |all |both |also |already |now finally )*(?:decided (?:to|on|against|that|for|not|he|she|we|they|i|the|nobody|no one|all|every)|chose\b|chosen\b|settled (?:on|for)|agreed (?:to|on|that|not)|opted (?:for|to)|picked\b|voted (?:for|to))(?! (?:it|that|this|them)\b(?! \p{L}))(?! (?:it|that|this|them) (?:this|last|yesterday|today|already|on|at|before|with)\b)/u,
  },
  {
    kind: 'decision',
    pattern:
      /^(?:we|i|the team|they|\p{L}+ and (?:i|me|\p{L}+))(?:'ve| have)? (?:all |both )?(?:decided|agreed|settled)\b[^,]{0,50}?(?:(?<! on| to| about| with| for) that (?!this|last|yesterday|today|already|before|way|one)\p{L}|: ?\p{L})/u,
  },
  {
    kind: 'decision',
    pattern: /^(?:we're|we are|i'm|i am) going to \p{L}+ (?:from|on|in|for|over) .*\d/u,
  },
  { kind: 'decision', pattern: /,? and (?:that's|that is) (?:all|it|final|that)[.!]*$/u },
  {
    kind: 'decision',
    pattern: /^(?:final (?:call|decision|answer|word)|(?:the )?decision(?: is| was)?:|decision made|decided:|agreed:)/u,
  },
  { kind: 'decision', pattern: /^(?:the|our|my) (?:final )?decision (?:is|was)\b/u },
  { kind: 'decision', pattern: /\bmade up (?:my|our) minds?\b/u },
  {
    kind: 'decision',
    pattern: new RegExp(
      `^(?:for [^,]{3,50},? |after [^,]{3,50},? |in the end,? )?(?:we|i)(?:'ll| will|'re going to| are going to|'m going to| am going to) (?:just |now |simply |not |definitely )*${CHOOSE}${NOT_IT}`,
      'u',
    ),
    isSpecific: true,
  },
  {
    kind: 'decision',
    pattern: new RegExp(
      `^(?:for [^,]{3,50},? |after [^,]{3,50},? |in the end,? )?(?:we|i)(?:'re| are|'m| am) (?:now |not |definitely )*${CHOOSING}${NOT_IT}`,
      'u',
    ),
  },
  {
    kind: 'decision',
    pattern: new RegExp(`^let's (?:just |then |definitely )*${CHOOSE}${NOT_IT}`, 'u'),
    isSpecific: true,
  },
  { kind: 'decision', pattern: /^let's (?:just |then |definitely )*(?:go|stick|stay) with (?!it\b|that\b|this\b)/u },
  {
    kind: 'decision',
    pattern:
      /^(?:we|i)(?:'re| are|'m| am) (?:not going to|no longer going to) (?!lie|argue|pretend|ask|get into)\p{L}+/u,
    isSpecific: true,
  },
  {
    kind: 'decision',
    pattern:
      /^from (?:now|today|monday|tuesday|wednesday|thursday|friday|next \p{L}+|january|february|march|april|may|june|july|august|september|october|november|december) on,? (?:we|all|every|each|the|our|no|only|\p{L}+s? (?:happens?|goe?s?|runs?|are|is|gets?|moves?))\b/u,
  },
  { kind: 'decision', pattern: /\b(?:set|do|make|keep) it like that[.!]*$/u },
  {
    kind: 'decision',
    pattern:
      /^it's (?!me\b|you\b|him\b|her\b)\p{L}.{2,60} then[.!]*$|^(?!what|who|how|that|this|here|there)[\p{L}\d][\p{L}\d' -]{2,40} it is(?: then| for .+)?[.!]*$/u,
  },
  {
    kind: 'decision',
    pattern:
      /^i(?:'d)? (?:prefer|take|pick|choose) (?:[a-d]\b(?! \p{L})|option|number \p{L}+|the (?:first|second|third|last)\b)/u,
  },
  { kind: 'decision', pattern: /^there(?:'ll| will) be no (?!problem|need|time|point)/u },
  { kind: 'decision', pattern: /\bstays? (?:where|as|the way) (?:it|they|he|she) (?:is|are)[.!]*$/u },
  { kind: 'decision', pattern: /^(?:i|we)(?:'m|'re| am| are) (?:taking|using|buying|keeping|getting) .{3,60}, not\b/u },
  { kind: 'decision', pattern: /^(?:i|we) said (?:yes|no) (?:to|on|if|under)\b/u },
  { kind: 'decision', pattern: /\bwe(?:'ll| will)? (?:stay|stick) with (?!it\b|that\b|this\b)/u },
  { kind: 'decision', pattern: /^(?:the|our) (?:new )?(?:plan|rule|policy) is (?:now )?(?:to|that|:)/u },
];

/** How the agent is to work whenever it does something: steps may be named, but it is a wish. */
export const STANDING_ORDERS: readonly Form[] = [
  {
    kind: 'preference',
    pattern:
      /^(?:before|when|whenever|after|if) you (?!get|have|are|were|look|see)[^,]{3,60}, (?:please |just )*(?:always|never|don't|do not|make sure|ask me|tell me|show me|first ask|first make)\b/u,
  },
];

export const PREFERENCE_FORMS: readonly Form[] = [
  { kind: 'preference', pattern: /^i (?:don't|do not|never) want .*\bever\b/u },
  {
    kind: 'preference',
    pattern:
      /^(?:from now on|going forward|in future|in the future),? (?:please |always |never |don't |no |keep |use |write |ask |answer |give |send |show |put |skip |call |start |reply )/u,
  },
  {
    kind: 'preference',
    pattern:
      /^(?!.*\b(?:we|agreed|decided|patients|customers)\b).*\b(?:you|me|i|please|use|write|show|put|send|keep)\b.*\bfrom now on[.!]*$/u,
  },
  {
    kind: 'preference',
    pattern:
      /^i(?:'d like| would like| want| need) (?!you to (?:keep|remember|know|help|look))(?!to (?:know|see|talk|ask)|a (?:last|final|quick)\b).*\b(?:all new|every|each|always|whenever|any new|by default)\b(?! of (?:it|that|this))/u,
  },
  { kind: 'preference', pattern: /^(?:please |pls )(?:always|never|don't ever|stop)\b/u },
  {
    kind: 'preference',
    pattern:
      /^(?:always|never|don't ever) (?!again|mind|better|know|thought|did|had|was|been|a |the )(?:use|using|write|show|ask|give|send|put|call|commit|push|run|deploy|explain|answer|reply|add|include|start|tell|suggest|assume|touch|delete|schedule|book|quote|sign|format|name|keep|check|test|merge|paste|translate|round|apologi[sz]e|summari[sz]e)\b/u,
  },
  {
    kind: 'preference',
    pattern:
      /^(?:please |pls )?(?:don't|do not|stop|no need to|never) (?:use|using|write|writing|add|adding|send|sending|call|calling|say|saying|apologi[sz]\w+|explain\w*|summari[sz]\w+|suggest\w*|start\w*|end\w*|put|putting|book|booking|schedul\w+|include|including|give|giving|ask|asking|remind\w*|end\w*|repeat\w*|wrap\w*)\b(?!.*\b(?:yet|now|today|tonight|this time|for the moment|here|until)\b)/u,
  },
  {
    kind: 'preference',
    pattern:
      /^(?:please |pls )?(?:keep|make) (?:all |your |the |my |any )*(?:answers?|repl(?:y|ies)|messages?|responses?|explanations?|summar(?:y|ies)|commits?|commit messages?|emails?|mails?|drafts?|tone|language) (?:to |as |under |at |below )?\p{L}/u,
  },
  {
    kind: 'preference',
    pattern:
      /^(?:when(?:ever)?|if) (?:you|i) [^,]{3,70}, (?:please |always |then |just )*(?:use|don't|do|write|never|show|ask|give|tell|keep|answer|put|start|send|skip|reply|make|stick|call|leave|add|i want|i'd like|i prefer|you (?:can|should|must|may))\b/u,
  },
  {
    kind: 'preference',
    pattern:
      /^i (?:really |absolutely |strongly |generally |much |always |usually |definitely |still )*(?:prefer|hate|dislike|can't stand|can't bear|detest|loathe) (?!it\b|[a-d]\b(?! \p{L})|option|number \p{L}+|the (?:first|second|third|last)\b|this\b|that\b|them\b|him\b|her\b|you\b|to say)/u,
  },
  {
    kind: 'preference',
    pattern:
      /^i (?:really |absolutely |generally |much |always |usually |also )*(?:don't like|do not like|don't enjoy|like|love|enjoy|adore) (?!it\b|this\b|that\b|them\b|him\b|her\b|you\b|your\b|the (?:idea|sound|look|second|first|last|new|other)\b|how\b|what\b|where\b|option\b)/u,
  },
  { kind: 'preference', pattern: /^i(?:'d| would) (?:much |always )?rather (?!not say|you)/u },
  {
    kind: 'preference',
    pattern:
      /\bi(?:'d| would) (?:always )?(?:pick|take|choose) .{3,60} over .{3,60}|\bi (?:always )?(?:pick|take|choose) .{3,40} over .{3,40}|, any day[.!]*$/u,
  },
  {
    kind: 'preference',
    pattern:
      /^i (?:always|usually|never|only) (?:want|need|like|use|drink|eat|read|wear|buy|fly|sit|take|book|work with)\b(?! (?:it|that|this|them)\b)/u,
  },
  { kind: 'preference', pattern: /^i(?:'m| am) (?:not )?(?:a (?:big |huge )?fan of|not into|big on)\b/u },
  { kind: 'preference', pattern: /\bmy (?:favou?rite|preferred) [\p{L} '-]+ (?:is|are)\b/u },
  { kind: 'preference', pattern: /\b(?:works|suits) (?:me )?best(?: for me)?[.!]*$/u },
  {
    kind: 'preference',
    pattern: /^(?:no|never any) (?:emojis?|bullet points|jargon|small talk|exclamation marks?|apolog\p{L}+)\b/u,
  },
];
