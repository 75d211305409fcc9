import { RELATION_NOUN } from '../entities/people.ts';

/** Signs of lessons, procedures, tasks, facts and people. */
export const KNOW_PATTERNS: Readonly<Record<string, RegExp>> = {
  lesson:
    /\b(?:lessons?|learn(?:ed|t|ing)|takeaway|took from|moral|hindsight|retrospect|remember(?:s|ed)?|my (?:new )?(?:rule|religion|mantra)|mental note|note to self|for next time)\b/u,
  learnedIt:
    /\b(?:i|we|what (?:i|we)) (?:did |have |'ve )?(?:learn(?:ed|t)|realis?ed|realized|noticed|found out|figured)\b|^(?:learn(?:ed|t))\b/u,
  turnsOut:
    /\b(?:turns? out|turned out|found it|found out|it was the|was it not|figured|the (?:real|actual) (?:reason|problem|cause|issue|lesson|trick)|root cause|culprit|because of (?:it|that)|that's why)\b/u,
  neverAgain:
    /\b(?:never again|next time|should(?:'ve| have)|shouldn't have|not again|again!|twice|every time|each time|once is enough)\b/u,
  harm: /\b(?:bit|burn(?:ed|t|ing)?|cost|killed|broke|broken|blew|died|dead|failed|fails?|crash\w*|lost|lose|wasted|hid|flood\w*|leak\w*|drown\w*|forgot|forget|missed|hurt|shock|garbage|blocks?|blocked|wrong|worse|damage\w*|ruin\w*|stuck|throws? up|tears|outage|rash|puke\w*|bursts?|trouble)\b/u,
  helped:
    /\b(?:worked|works|helps|helped|worth it|paid off|fixed it|did it|sticks|the trick|the secret|gave|hides?)\b/u,
  pastEvent: /\b(?:was|were|had|did|got|went|came|took|gave|left|said|found|made|put|ran|\p{L}{3,}ed)\b/u,
  inYear:
    /\b(?:in|since) (?:19|20)\d\d\b|\blast (?:year|winter|summer|spring|autumn|time|weekend)\b|\b(?:winter|summer|autumn)\b/u,
  mustBe: /\b(?:has|have|needs?|must|ought)(?: to| n't| not)? (?:be )?(?:to )?\p{L}+/u,
  steps: /\b(?:first|1[.)]).*\b(?:then|after that|next|second|2[.)]|only then|finally|last)\b/u,
  afterwards: /\bthen\b/u,
  onlyThen:
    /\b(?:only (?:then|after|when|if)|straight after|right after|directly after|after that|before that|in that order|beforehand)\b/u,
  beforeAfter: /\b(?:before|after|until|once|as soon as|unless|without)\b/u,
  before: /\bbefore\b/u,
  howTo:
    /\b(?:how (?:we|i|to|a|it|you)|the way|routine|steps|procedure|process|runbook|recipe|checklist|method|drill|instructions?)\b/u,
  youHaveTo: /\byou (?:have to|need to|must|can|get|should|just|call|go|press|take)\b/u,
  generalSubject: /\b(?:everyone|everybody|people|nobody|anyone|whoever|one of us|each|every|all)\b/u,
  toDo: /^(?:to|for|in order to) [^,:]{3,60}[,:]/u,
  colonAfterTopic: /^[\p{L}\d' -]{2,50}: \S/u,
  manyCommas: /(?:,[^,]+){3,}/u,
  arrows: /(?:→|->|=>|\s\+\s|\s=\s)/u,
  runCode: /\b(?:run|use|install|clone|call|type|do|start|restart|deploy|make|via|with) (?:codeterm|\.\/)/u,
  remind:
    /\b(?:remind me|reminder|don't let me forget|don't forget|remember to|note to self|to-?dos?|on (?:my|the|your) list|for the list|on the agenda|(?:on|for) me\b|for me:|that's mine|still on me|on my plate|i owe|write (?:it|that|this) (?:down|on)|for later)\b/u,
  iNeedTo:
    /\b(?:i|we) (?:\w+ )?(?:need to|have to|must|gotta|got to|ought to|should)\b|^(?:still |also |and |but )*(?:need to|have to|must|gotta|needs to|has to)\b/u,
  iWill: /\b(?:i'll|i will|we'll|we will|i'm going to|i'm gonna|we're going to)\b/u,
  iAction:
    /\b(?:i|we) (?:\w+ )?(?:call|ask|send|report|order|book|buy|bring|pick|prepare|write|print|review|tell|do|make|check|pay|talk|sign|meet|bake|cook|rebook|upload|get|give|take|go|set|finish|fix|update|test|sort|visit|post|drop)\b/u,
  otherWill:
    /\b(?:he|she|they|[\p{L}]+)(?:'ll| will| does| sets| sends| writes| builds| reviews| brings| has to| needs to| must| is going to| prepares| takes| makes| adds| handles| orders| checks| picks| asks| calls)\b/u,
  actionVerbStart:
    /^(?:please |pls |and |then |also |still |must |need to |have to )*(?:call|book|buy|order|email|mail|send|pay|cancel|renew|file|submit|register|schedule|pick|return|ask|write|confirm|sign|print|transfer|collect|get|finish|prepare|review|update|rotate|migrate|upgrade|bake|bring|deliver|move|find|fetch|report|upload|ring|fix|clean|tell|check)\b/u,
  byDate:
    /\b(?:by|until|till|before|due|latest|deadline|no later than) (?:the |next |this |end of )*(?:mon|tue|wed|thu|fri|sat|sun|tomorrow|tonight|noon|end|week|month|easter|christmas|january|february|march|april|may|june|july|august|september|october|november|december|\d)/u,
  due: /\b(?:due|deadline|must be (?:out|in|done|ready)|has to be (?:done|ready|in|out)|expires?|runs out|lead time|appointment|urgent|control|check-?up)\b/u,
  thisWeek:
    /\b(?:today|tonight|tomorrow|this (?:week|evening|afternoon|weekend|friday|month)|next (?:week|month|monday|tuesday|wednesday|thursday|friday)|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/u,
  weekdays:
    /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|every (?:\w+day|week|month|day|morning|evening|year|other)|mornings|evenings|weekdays|weekends|daily|weekly|monthly|per (?:day|week|month|hour|visit|sec|second)|a (?:day|week|month)|once a)\b/u,
  wantsTo: /\b(?:someday|sometime|eventually|at some point|one day|maybe later|later)\b/u,
  isState: /\b(?:is|are|'s|'re)\b/u,
  hasState: /\b(?:has|have|'ve got|there's|there are|there is|own|owns)\b/u,
  stative:
    /\b(?:lives?|works?|costs?|runs?|uses?|needs?|takes?|starts?|ends?|opens?|closes?|belongs?|sits?|listens?|supports?|expires?|lasts?|contains?|holds?|weighs?|covers?|includes?|connects?|defaults?|stores?|serves?|handles?|speaks?|knows?|reads?|answers?|pays?|earns?)\b/u,
  newState:
    /\b(?:moved|signed|bought|got|joined|started|arrived|came|changed|installed|is in|are in|is there|works since|since|confirmed|is done|went live|renamed)\b/u,
  myThing: /^(?:my|our) /u,
  ourThing: /\b(?:our|ours|us|we)\b/u,
  goodToKnow:
    /\b(?:fyi|for the record|so you know|just so|in case|good to know|keep in mind|to know about|for your notes|note that|quick for later|for context|btw|by the way)\b/u,
  relation: new RegExp(`\\b${RELATION_NOUN}\\b`, 'u'),
  personIs:
    /\b(?:he|she|\p{L}+)(?:'s| is| was) (?:\w+ )?(?:our|my|the|a|an|from|in|off|away|on|at|allergic|vegetarian|vegan|pregnant|retired|married|\d+|called|pronounced)\b/u,
  personTrait:
    /\b(?:birthday|born|turns \d+|fortieth|phone|email|surname|allerg\w+|vegetarian|vegan|pregnant|maternity|parental|retired|speaks|likes|loves|hates|prefers|eats|drinks|lives|works (?:for|at|as|in|from)|studies|student|joins|joined|leaves|picks up|answers mails?|reachable|in person|comes (?:same|to|from)|did payments|is off|is away|holiday|vacation|on leave|the one (?:who|from|with)|half|kids?|daughter|son|wife|husband|nickname|pronounced|used to|contact|responsible|in charge|looks after|babysits?)\b/u,
  theOne: /\b(?:the one (?:who|from|with|that)|who|whose|from (?:the|upstairs|design|swimming|work|school|class))\b/u,
  title: /\b(?:herr|frau|dr|mr|mrs|ms|prof)\b\.?/u,
  heShe: /\b(?:he|she|him|her|his|hers|he's|she's)\b/u,
  theySubject: /^(?:they|they're)\b/u,
  itSubject: /^(?:it|it's|that|that's|this|those|these|which)\b/u,
  iSubject: /^(?:i|i'm|i've|i'll|i'd)\b/u,
  weSubject: /^(?:we|we're|we've|we'll|we'd)\b/u,
  theSubject: /^the /u,
  everySubject: /^(?:every|each|all|any|anything|both|nobody|everyone)\b/u,
  ifStart: /^(?:if|when|whenever|once|as soon as|on|for|with|at|in)\b/u,
  numberStart: /^\d/u,
};
