/** Signs of decisions, preferences and corrections, by what they mean. */
export const CHOICE_PATTERNS: Readonly<Record<string, RegExp>> = {
  decided:
    /\b(?:decided|settled|agreed|opted|chose|chosen|picked|signed off|approved|ok'd|okayed|confirmed|fixed|promised|swapped|cancelled|canceled|postponed|turned off|switched)\b/u,
  letsChoose:
    /\blet's (?:\w+ )?(?:go with|use|take|keep|stick|drop|skip|ditch|switch|move|postpone|push|delay|call|name|make|set|cap|split|adopt|pick|not|do|have|put|leave|get|say|change|cut)\b/u,
  lets: /\blet's\b/u,
  goWith: /\b(?:go|going|went|goes) (?:with|for|back to)\b/u,
  weVerb:
    /\bwe (?:go|take|keep|use|stay|stick|drop|skip|do|build|move|start|stop|wait|leave|ask|have|get|put|make|ship|cut|switch|pay|buy|rent|cancel|need|change|test|run)\b/u,
  wont: /\b(?:won't|not going to|not gonna|no longer|not doing|not taking|not moving|not using|aren't going)\b/u,
  itIs: /\b(?:it is|it's)(?: then| now)?[.!]*$/u,
  stays:
    /\b(?:stays?|remains?|keeps?|comes? (?:along|too|with)|moves? to|goes (?:to|live|in|into|on|out|away|back)|is out|are out|gets?|becomes?)\b/u,
  subjectGets:
    /^(?:the |our |every |each |all )?[\p{L}\d'-]+(?: [\p{L}\d'+-]+){0,4} (?:gets?|stays?|comes?|goes|moves?|keeps?|is owned|are owned)\b/u,
  endOfDebate:
    /\b(?:end of (?:debate|discussion|story)|that's it|settled|final|done deal|is decision|a decision|period|full stop|fix that|take it in|put it in)\b/u,
  setValue:
    /^(?:please |pls |then |just |so )*(?:set|take|make|use|put|raise|lower|cap|limit|increase|reduce|keep|leave|drop|skip|store)\b/u,
  instead: /\b(?:instead|rather than|in place of|down to|up to|from \S+ to)\b/u,
  fromOn:
    /\b(?:from (?:now|then|today|tomorrow|this|next|april|may|june|january|february|march|july|august|september|october|november|december|monday|day|v?\d)\b.{0,20}\bon\b|from now|from (?:april|may|june|july|august|september|october|november|december|january|february|march)|going forward|as of|starting)\b/u,
  afterAll:
    /\b(?:after all|changed my mind|on second thought|scrap|forget it|drop the|never ?mind|not after all|cancel)\b/u,
  reason: /\b(?:because|since|cause|bc|so that|so we|so i|otherwise|reason|as it|that's why|therefore|else)\b/u,
  yesTo: /\b(?:yes|ok|okay|good idea|agree|fine)\b/u,
  shortNo: /^(?:no|not|nope|nothing|none|only|just|never)\b/u,
  noNoun: /(?:^|[,.] )no (?!one|idea|way|need|problem|thanks|worries|wait|clue)[\p{L}-]+/u,
  onlyNoun: /(?:^|[,;] )only (?:the|one|a|\d|from|after|if|when)\b/u,
  taste:
    /\b(?:like|love|hate|prefer|dislike|enjoy|adore|loathe|can't stand|can't bear|rather|favou?rite|fan of|allergic to|refuse|fond of)\b/u,
  iTaste:
    /\bi (?:really |just |also |still |always |never |do |absolutely )*(?:like|love|hate|prefer|dislike|enjoy|adore|can't stand|refuse|don't like|don't want|want|avoid|read|drink|eat|keep|don't mix|don't do|don't read|don't own|don't eat|don't drink|don't use)\b/u,
  iWant: /\bi (?:\w+ )?want\b/u,
  iDontWant: /\bi (?:don't|do not|never) (?:want|need|like|mix|read|own|do|trust|use)\b/u,
  notForMe: /\b(?:not for me|for me|to me|drives me|annoy\w*|useless to me|i care|i mind|bother\w*)\b/u,
  ban: /^(?:please |pls |and |also |so |again )*(?:no|never|don't|do not|stop|nothing|not)\b/u,
  never: /\b(?:never|ever)\b/u,
  always: /\b(?:always|every time|each time|whenever|by default|in general|general(?:ly)?|as a rule|forever)\b/u,
  please: /\b(?:please|pls|plz)\b/u,
  youDo:
    /\byou (?:write|say|give|show|send|answer|ask|stage|put|use|do|keep|run|propose|suggest|tell|commit|push|touch|change|explain)\b/u,
  whenI: /\b(?:when|if|whenever) i (?:ask|say|write|want|send|paste|mention|tell)\b/u,
  whenYou: /\b(?:when|if|whenever|before|after) you\b/u,
  agentWork:
    /\b(?:answers?|repl(?:y|ies)|explain|explanations?|summar(?:y|ies)|summari[sz]e|comments?|commits?|commit messages?|emojis?|tone|bullets?|bullet points|tables?|verbose|shorter|short|concise|brief|diffs?|apologi[sz]\w*|jargon|sources?|options?|one-liners?|drafts?|english|german|formal|format|prefix(?:es)?|headings?|spoilers?|units?|grams|screen|messages?|reminders?|suggest\w*|recommend\w*|numbers?)\b/u,
  toAgent:
    /\b(?:from you|by yourself|for you|tell me|show me|give me|ask me|remind me|write me|call me|ask first|wake me|ping me|bother me)\b/u,
  correctionWord:
    /\b(?:wrong|incorrect|not right|not true|mixed (?:up|them)|you mean|i meant|confus\w+|made up|typo|mistake|careful|outdated|correct(?:ion|ed)?|misread|misunderst\w+)\b/u,
  notX: /\bnot (?:a |an |the |on |in |at |from |by |as )?[\p{L}\d:.'-]+(?: [\p{L}\d:.'-]+){0,2}[.!]*$/u,
  notXMiddle: /(?:,|\bis|\bare|'s|\b\d+|\bnow) not (?:a |an |the |on |in |at )?[\p{L}\d:.'-]+/u,
  isntNoun: /\b(?:isn't|aren't|wasn't|doesn't|don't|didn't|is not|are not|does not)\b/u,
  anymore: /\b(?:anymore|any more|no longer|not any|was before|used to be|always was|still)\b/u,
  other: /\b(?:other one|the other|the one who|different|two different|apart)\b/u,
  toldYou: /\b(?:i told you|i said|as i said|like i said|last (?:week|time)|already|again|still true)\b/u,
  now: /\bnow\b/u,
  asThought: /\b(?:as i thought|i thought|you think|you said|you wrote|you have|you had)\b/u,
};
