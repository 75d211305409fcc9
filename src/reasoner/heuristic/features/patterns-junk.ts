/** Signs that nothing lasting is said: moods, small talk, work at hand, thinking aloud. */
export const JUNK_PATTERNS: Readonly<Record<string, RegExp>> = {
  thanks: /\b(?:thanks|thank you|thx|cheers|good night|bye|see you|morning|hello|good luck|enjoy|congrat\w*)\b/u,
  mood: /\b(?:tired|hungry|coffee|cry|crying|happy|sad|god|omg|wow|ugh|uff|ouch|haha|lol|sigh|yay|finally|hero|lovely|sweet|nice|great|cool|perfect|funny|weird|crazy|annoyed|exhaust\w*)\b/u,
  bye: /\b(?:got to go|gotta go|have to run|off to|going to (?:bed|work|sleep)|standup|next meeting|lunch|later|brb|ok good|that's it for)\b/u,
  laugh: /(?:😂|🤣|😄|:d\b|:\)|;\)|😅|\bhaha|\blol\b|🙄|🙃|🤞)/u,
  maybe:
    /\b(?:maybe|perhaps|probably|possibly|i think|i guess|not sure|no idea|dunno|don't know|undecided|we'll see|might|could|curious|wonder|tempted|either)\b/u,
  would: /\b(?:would|wouldn't|could|'d)\b/u,
  ifWould: /\bif\b.*\b(?:would|could|'d|were|had)\b/u,
  says: /\b(?:says|said|thinks|thought|told|claims|swears|recommends|asked|asks|wants us|suggests|suggested|reckons|wrote|writes)\b/u,
  reads:
    /\b(?:i read|i heard|i saw|somewhere|the docs|article|blog|podcast|internet|apparently|supposedly|according)\b/u,
  lookAt:
    /^(?:please |pls |can you |could you |now |ok |then |and |just )*(?:look|show|tell|check|open|read|explain|list|find|search|grep|compare|summari[sz]e|draft|translate|generate|paste|try|run|rerun|write|add|fix|implement|refactor|help|go|do|start|continue|status|sort|give|copy|make|collect|get|suggest|commit|push|revert|undo|print)\b/u,
  codingNow:
    /\b(?:test fails?|tests? (?:are|is)|stack ?trace|error|compile\w*|build|branch|merge|rebase|diff|line \d+|function|this file|this one|log|output|status)\b/u,
  justNow:
    /\b(?:just|right now|at the moment|currently|today|this morning|yesterday|last night|minutes? ago|hours? ago|so far|still running|running)\b/u,
  deictic: /\b(?:this|that|these|those|it|them|here|there)\b/u,
  weather:
    /\b(?:rain\w*|snow\w*|sunny|weather|train|dog|bike|kettle|window|asleep|sleeping|sitting|waiting|outside)\b/u,
  mean: /\b(?:nothing|whatever|never mind|forget it|doesn't matter|not my problem|no regrets|not relevant|not now|not today|not urgent)\b/u,
  old: /\b(?:used to|back then|previous company|old (?:company|job|colleague|employer)|years ago|once)\b/u,
  quotes: /"/u,
  wish: /\b(?:wish|hope|hopefully|would love|would like|someday|lottery|dream)\b/u,
  done: /\b(?:done|delivered|finished|did it|is in|sorted|off (?:my|the) list|ticked|already)\b/u,
};
