import type { Scene } from '../kinds/finding.ts';
import { findNamedDates } from '../dates/dates.ts';
import { splitSentences } from '../text/sentences.ts';

interface Ending {
  /** In the ontology's words; which end is which does not matter. */
  readonly relations: readonly string[];
  /** Verbs that say it holds, and "no longer" or "not … any more" that it does not. */
  readonly holds: string;
  /** Words that say by themselves that it is over. */
  readonly over?: string | undefined;
}

const ENDINGS: readonly Ending[] = [
  {
    relations: ['works-for', 'employs'],
    holds: 'work(?:s|ing)?|employed|with|at',
    over: '(?:(?:has |have |had )?(?:just )?(?:left|quit)|resigned from|retired from|(?:was|got|been) (?:fired|laid off|let go) (?:by|from|at)|(?:handed in|gave) .{0,20}notice at|used to work (?:for|at))',
  },
  {
    relations: ['married-to'],
    holds: 'married|together|a couple',
    over: '(?:(?:(?:are|got|is|have|has|were) )?(?:now )?(?:divorced|separated)|(?:have |has )?split up|broke up|used to be married)',
  },
  {
    relations: ['lives-in', 'home-of'],
    holds: 'liv(?:e|es|ing)|based',
    over: "(?:(?:has |have |’ve |'ve )?moved (?:away |out )?(?:from|of)|moved out of|used to live in)",
  },
  {
    relations: ['manages', 'managed-by'],
    holds:
      'manag(?:e|es|ing|er of)|report(?:s|ing)? to|lead(?:s|ing)?|head(?:s|ing)?|run(?:s|ning)?|(?:my|our) (?:boss|manager|lead)|in charge of',
    over: '(?:used to (?:manage|lead|run|report to|head)|stepped down (?:as head of|from))',
  },
  {
    relations: ['uses', 'used-by'],
    holds: 'us(?:e|es|ing)|on',
    over: "(?:stopped using|(?:have |has |we |'ve )?(?:dropped|ditched|abandoned)|(?:got|gotten) rid of|(?:moved|migrated|switched) away from|used to use)",
  },
  { relations: ['depends-on', 'required-by'], holds: 'depend(?:s|ing)? on|need(?:s)?|rel(?:y|ies) on|require(?:s)?' },
  { relations: ['deployed-on', 'hosts'], holds: 'run(?:s|ning)? (?:on|at)|hosted (?:on|at|by)|deployed (?:on|to)|on' },
  {
    relations: ['member-of', 'has-member'],
    holds: 'a member of|member of|part of|in|with|on',
    over: '(?:(?:has |have )?(?:left|quit)|resigned from|dropped out of|stepped down from)',
  },
  { relations: ['part-of', 'contains'], holds: '(?:a )?part of|belong(?:s)? to|in' },
  {
    relations: ['owns', 'owned-by'],
    holds: 'own(?:s)?|the owner of',
    over: '(?:(?:has |have )?sold|gave away|used to own)',
  },
  { relations: ['located-in', 'location-of'], holds: 'located in|based in|in|at' },
];

/** Asked, supposed, wished, planned or told by others: it may go on. */
const NOT_OVER =
  /\?|\b(?:if|whether|unless|until|when|once|as soon as|might|may|could|would|should|will|won't|gonna|going to|about to|wants?|wanted|wish\w*|plans?|planning|hopes?|hoping|think\w*|thought|consider\w*|rumou?rs?|heard?|hears|apparently|allegedly|supposedly|maybe|perhaps|nearly|almost|never|before|after|tomorrow|next (?:week|month|year)|joke|kidding|forget|remember|(?:he|she|they|people) (?:says?|said|claims?))\b|["“”]/iu;
/** "Jonas left Halden at six": he is back tomorrow. */
const FOR_THE_DAY =
  /^\W*(?:at \d|early|late|for (?:lunch|the day|a )|today|tonight|this (?:morning|afternoon|evening)|on time)/iu;
/** The words behind these did not end: "no longer at Halden but at Zalando". */
const NEXT = /\b(?:but|instead|now|and (?:is|are|has|have|now|he|she|they|we|i)|for (?=\p{Lu}))\b|[,;–—(]/iu;

interface CompiledEnding {
  readonly relations: readonly string[];
  readonly pattern: RegExp;
}

const NEGATED = String.raw`\bno longer (?:\w+ ){0,2}?(?:HOLDS)(?!\p{L})|(?:n't|\bnot) (?:\w+ ){0,3}?(?:HOLDS)(?!\p{L})(?=[^.;]*\b(?:any ?more|any longer)\b)`;
const PATTERNS: readonly CompiledEnding[] = ENDINGS.map(({ relations, holds, over }) => {
  const negated = NEGATED.replaceAll('HOLDS', holds);
  const source = over === undefined ? negated : `${negated}|(?<over>\\b${over})(?!\\p{L})`;
  return { relations, pattern: new RegExp(source, 'iu') };
});

/** The words before and behind those that end a relation; each holds one of its ends, or the speaker. */
export interface EndedRelation {
  readonly relations: readonly string[];
  readonly before: string;
  readonly behind: string;
  /** When it ended, where the sentence says so: `2026-03-06`, `2026-03` or `2026`. */
  readonly until: string | undefined;
}

/** Relations that a turn says are over: "Jonas left Halden in June", "I no longer live in Lisbon", "Vera and Tom split up". */
export function findEndings(
  text: string,
  saidMs: number,
  scene: Pick<Scene, 'dates' | 'conversation'>,
): EndedRelation[] {
  const found: EndedRelation[] = [];
  for (const { text: said } of splitSentences(text)) {
    const sentence = said.replaceAll('’', "'");
    if (NOT_OVER.test(sentence)) continue;
    for (const { relations, pattern } of PATTERNS) {
      const match = pattern.exec(sentence);
      if (match === null) continue;
      const rest = sentence.slice(match.index + match[0].length);
      // "No longer my boss": the speaker is one end.
      const own = /\b(?:my|our) /iu.exec(match[0])?.[0] ?? '';
      const behind = `${own}${rest.slice(0, NEXT.exec(rest)?.index ?? rest.length)}`;
      const before = sentence.slice(0, match.index);
      // "Vera and Tom aren't married any more, but Jonas left": who stands in another clause has no part in it.
      const clause = before.slice(before.search(/[^;:]*$/u));
      const object = /\p{Lu}\S*(?: \p{Lu}\S*)*/u.exec(behind)?.[0] ?? '';
      const isToday =
        match.groups?.['over'] !== undefined && FOR_THE_DAY.test(behind.slice(behind.indexOf(object) + object.length));
      if (isToday) continue;
      const [date] = findNamedDates(sentence, saidMs, scene.conversation.timeZone, scene.dates);
      found.push({ relations, before: clause, behind, until: date?.date });
    }
  }
  return found;
}
