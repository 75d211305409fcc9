import { RELATION_NOUN } from '../../entities/people.ts';
import type { Form } from './form.ts';

const TRAIT =
  "(?:lives? in|lives? (?:on|at|with|near)|moved (?:to|from|out|in)|works? (?:for|at|as|in|on|part|from|with)|is (?:now |also )?(?:our|my|the|a|an|in charge|responsible|head of|based|from|on (?:parental|maternity|paternity|sick) leave|on (?:holiday|vacation)|away|allergic|vegetarian|vegan|pregnant|retired|married|divorced|left-handed|diabetic|colou?r ?blind|called|named)|can't (?:stand|eat|drink|have)|doesn't (?:eat|drink|like|drive|work|speak)|speaks|was born|hates|loves|likes|prefers|collects|handles|owns|leads|runs|manages|maintains|joined|joins|left|leaves|teaches|studies|reports to|takes care of|plays|gets \\p{L}*-?sick|gets (?:nervous|migraines|seasick|carsick)|signs off|looks after|covers|is off|has (?:(?:a|an|no) (?!problem|question|point|idea|meeting|call|cold|moment|look|go\\b)|two|three|four)|usually|always|never|only)";
/** Parts of a life that have one value. */
const OWN =
  '(?:name|birthday|address|number|phone|email|e-mail|employer|job|role|title|type|tongue|company|wedding|anniversary|passport|insurance|bank|landline|car|bike|laptop|phone|flat|house|apartment|landlord|landlady|rent|salary|budget|blood type|shoe size|time zone|timezone|home town|hometown|dog|cat|team|stack|editor|server|database|repo|repository|domain|office)';

export const FACT_FORMS: readonly Form[] = [
  {
    kind: 'fact',
    pattern:
      /^(?:i|we)(?:'m|'re| am| are)? (?:now |currently |just |recently |actually |both |still )*(?:live|living|work|working|moved|was born|were born|grew up|allergic|based|studied|married|from) (?:in|to|at|for|from|with|as|on|near)\b/u,
  },
  {
    kind: 'fact',
    pattern: /^i(?:'m| am) (?:allergic|\d{2}\b|left-handed|colou?r ?blind|diabetic|pregnant|vegan|vegetarian)/u,
  },
  {
    kind: 'fact',
    pattern:
      /^(?:i|we) have (?:a|an|one|two|three|four|five|\d+) (?:\p{L}+ )?(?:kids?|children|daughters?|sons?|dogs?|cats?|cars?|siblings|sisters?|brothers?|employees|servers?|environments?|repos(?:itories)?|customers|clients)\b/u,
  },
  {
    kind: 'fact',
    pattern: new RegExp(
      `^(?:my|our) (?:\\p{L}+ ){0,2}${OWN}(?:'s name)? (?:is|are|expires?|runs?|has|costs?)\\b(?! (?:not|being|down|broken|slow|late|weird|full|fine|ok|okay|good|bad|great))`,
      'u',
    ),
  },
  {
    kind: 'fact',
    pattern: /^[\p{L}\d' -]{2,40} (?:listens|runs|is|sits) (?:on|at) (?:[\p{L}\d' -]+, )?port \d{2,5}\b/u,
  },
  {
    kind: 'fact',
    pattern:
      /^(?:the|our|my) (?:[\p{L}\d' -]{1,50} )?(?:ip|ip address|url|address|hostname|endpoint|region|account id|customer number) is \S/u,
  },
  {
    kind: 'fact',
    pattern:
      /^all (?:of )?(?:our |the |my |\p{L}+'s )?[\p{L}\d' -]{2,60} (?:is|are) (?:in|on|at|stored|kept|written|counted|measured|billed|named)\b/u,
  },
  {
    kind: 'fact',
    pattern:
      /^(?:the|our|my) \p{L}+ (?:on|for|of|in) [\p{L}\d' -]{2,50} (?:is|are|lasts?|runs?|costs?|holds?|takes?) (?:only |about |around )?(?:\d|[€$£]|(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)\b)/u,
  },
  {
    kind: 'fact',
    pattern:
      /^(?:our|the) [\p{L}\d' -]{2,50} (?:runs on|runs in|is hosted|are hosted|is kept|are kept|are stored|is called|is named|is located|lives? (?:in|at|under|on)|is stored|are stored|is (?:in|at|on|under|behind) (?!it|that|this|fire|time|track|place|order|use|progress)|consists? of|is limited to|expires?|costs?|starts? (?:in|on|at)|ends? (?:in|on|at)|uses|has \d+|have \d+|takes? (?:about |around )?\d+|supports)\b/u,
    isSpecific: true,
  },
];

export const PERSON_FORMS: readonly Form[] = [
  {
    kind: 'person',
    pattern: new RegExp(
      `^(?:my|our) (?:new |old |little |older |younger |best |eldest |youngest |middle |former )*${RELATION_NOUN}(?:,? \\p{L}+,?)?(?: \\p{L}+)?(?:'s (?:name|birthday) is|,? (?:is called|${TRAIT}|is))\\b`,
      'u',
    ),
  },
  { kind: 'person', pattern: new RegExp(`^\\p{L}+(?: \\p{L}+)? ${TRAIT}\\b`, 'u'), isNamed: true },
  {
    kind: 'person',
    pattern:
      /^the (?:woman|man|guy|girl|boy|lady|person|people) (?:at|who|in|from|on|with) .{3,60} (?:is|are) (?:called|named)\b/u,
  },
  {
    kind: 'person',
    pattern:
      /^\p{L}+ (?:only |never |always |usually |mostly |also |still )?(?!(?:wants|needs|says|thinks|asks|looks|gets|goes|comes|starts|does|was|has|is|seems|sends|sounds|knows|means|makes|takes|brings|keeps|gives|wins|pays|calls|stays|moves|agrees|writes|tells|insists|finds|hopes|believes|decides|suggests|proposes|puts|and|as|its|this|his)\b)\p{L}{2,}s\b/u,
    isNamed: true,
  },
  {
    kind: 'person',
    pattern:
      /^\p{L}+ (?:is (?:crazy|mad|nuts) about|is (?:afraid|scared|terrified|proud|fond) of|has (?:perfect|bad|poor|great|weak|low|high|his own|her own) \p{L}+)/u,
    isNamed: true,
  },
  {
    kind: 'person',
    pattern: new RegExp(`^(?:dad|mum|mom|mama|papa|gran|grandma|grandpa|nana) (?:takes|${TRAIT})\\b`, 'u'),
  },
  {
    kind: 'person',
    pattern:
      /^\p{L}+'s (?:birthday|phone number|number|email|e-mail|surname|last name|husband|wife|partner|pronouns|kids?|son|daughter|job|role|team|boss) (?:is|are)\b/u,
    isNamed: true,
  },
  { kind: 'person', pattern: /^(?:dr|mr|mrs|ms|prof|herr|frau)\.? \p{L}+ (?:is|works|lives|has|prefers|wants)\b/u },
];

export const LESSON_FORMS: readonly Form[] = [
  { kind: 'lesson', pattern: /^never again (?:a|an|the|on|in|with|without|at|two|any|do|will)\b/u },
  {
    kind: 'lesson',
    pattern:
      /\blessons? (?:learn(?:ed|t)|from|for)\b|^(?:the |my |our )?(?:big |main |real |key )?(?:lesson|takeaway|moral|learning)s?(?: here| of \p{L}+| from [^:]{2,40})?(?::| is\b| was\b)/u,
  },
  {
    kind: 'lesson',
    pattern:
      /\b(?:i|we)(?:'ve| have)? (?:just |finally |now )?learn(?:ed|t) (?:that|the hard way|today|from|to (?:never|always|not))\b|\bthe hard way\b/u,
  },
  {
    kind: 'lesson',
    pattern:
      /\b(?:taught|teaches) (?:me|us) (?:that|to|never|a lesson|is|not)\b|^what (?:this|that|it) (?:taught|showed|tells) (?:me|us)\b/u,
  },
  { kind: 'lesson', pattern: /\b(?:i|we)(?:'ll)? (?:took|take) (?:away )?from (?:this|today|that|it|the)\b/u },
  {
    kind: 'lesson',
    pattern: /^(?:so |and )*that(?:'s| is| was) (?:the reason|why|what (?:caused|broke|did it))\b.{0,20}[:,]/u,
  },
  { kind: 'lesson', pattern: /,? so no more \p{L}+ (?:before|after|in|on|with|without|for|at)\b/u },
  { kind: 'lesson', pattern: /^what (?:i|we)(?:'ve| have)? (?:learn(?:ed|t)|took away|take away|take from)\b/u },
  { kind: 'lesson', pattern: /^(?:it )?turn(?:s|ed) out(?: that|,| the| our| we| it)\b/u },
  {
    kind: 'lesson',
    pattern:
      /\broot cause\b.*\b(?:was|is|:)|^(?:the )?(?:root cause|culprit|real (?:problem|issue|reason|cause))(?: of [^,:]{2,50})? (?:was|is|turned out)\b/u,
  },
  { kind: 'lesson', pattern: /^(?:the|our|my) (?:biggest |real |main )?mistake(?: here)? (?:was|is)\b/u },
  { kind: 'lesson', pattern: /^(?:in hindsight|in retrospect|looking back|note to self)\b/u },
  {
    kind: 'lesson',
    pattern: /^(?:so )?next time,? (?:we|i|you|let's|always|never|don't|test|check|first|ask|start)\b/u,
  },
  {
    kind: 'lesson',
    pattern:
      /\b(?:should|shouldn't) have (?:\p{L}+ )*(?:checked|tested|asked|read|started|pinned|used|waited|backed|written|told|done|set|made|trusted|known)\b/u,
  },
];
