/**
 * Forms of words that state a relation whatever stands around them, so that no model is needed: `subject | family | object | form`.
 * `I` is the speaker. P and Q stand for people, O for an organisation, L for a place, T and U for things that are named or
 * written like code (`checkout-api`). `P+` is a list of people. Words in braces are in `FORM_WORDS`.
 *
 * Kept only while each is right in at least 97 of 100 messages of training/data/relations (`npm run bench:relations`).
 */
interface RelationForms {
  /** Beside a name: "could you call my sister Ada?" says whose sister she is, also in a question or a condition. */
  readonly named: readonly string[];
  /** As a statement: not when it is asked, denied, wished, imagined, reported or over. */
  readonly stated: readonly string[];
}

export const FORM_WORDS: Readonly<Record<string, string>> = {
  age: '(?:big |little |older |younger |elder |eldest |oldest |youngest |baby |twin |half-|half |step-|step)?',
  sibling: '(?<kin>brother|sister|sibling|twin)',
  siblings: '(?:brothers|sisters|siblings|twins)',
  spouse: '(?<kin>wife|husband|spouse)',
  child: '(?:son|daughter)',
  children: '(?:sons|daughters|kids|children|boys|girls)',
  parent: '(?<kin>mother|mum|mom|father|dad)',
  boss: '(?:boss|manager|line manager|supervisor|team lead|team leader)',
  report: '(?:direct report|direct reports)',
  called: "(?:'s name is|’s name is| is called| is named|, called|, named)",
  is: "(?: is|'s|’s)",
  am: "(?: am|'m|’m)",
  leads: '(?:manages|leads|heads|heads up|is in charge of|supervises)',
  straight: '(?:straight |directly |now )?',
  now: '(?:now |currently |still )?',
};

export const RELATION_FORMS: RelationForms = {
  named: [
    'I | sibling of | P | my {age}{sibling},? P',
    'I | sibling of | P | my {age}{siblings},? P+',
    'I | married to | P | my {spouse},? P',
    'I | parent of | P | (?:my|our) {age}{child},? P',
    'I | parent of | P | (?:my|our) {age}{children},? P+',
    'P | parent of | I | my {parent},? P',
    'P | manages | I | my {boss},? P',
    'P | sibling of | Q | P’s {age}{sibling},? Q',
    'P | married to | Q | P’s {spouse},? Q',
    'P | married to | Q | P and (?:his|her) {spouse},? Q',
    'P | parent of | Q | P’s {age}{child},? Q',
    'P | parent of | Q | P’s {age}{children},? Q+',
    'Q | parent of | P | P’s {parent},? Q',
    'Q | manages | P | P’s {boss},? Q',
    'P | sibling of | Q | P and (?:his|her) {age}{sibling},? Q',
    'P | works for | O | P,? who {now}works (?:for|at) O',
    'P | lives in | L | P,? who {now}lives in L',
    'P | manages | O | P,? who {now}(?:runs|leads|manages|heads) O',
    'P | founded | O | P,? who (?:co-)?founded O',
    'P | reports to | Q | P,? who {now}reports to Q',
    'P | reports to | Q | P+,? who both report to Q',
    'I | parent of | P | P+, (?:my|our) {age}{children}',
    'I | parent of | P | P, (?:my|our) (?:youngest|eldest|oldest|{age}{child})',
  ],
  stated: [
    'I | sibling of | P | my {age}{sibling}(?:{called}| is) P',
    'I | sibling of | P | P{is} my {age}{sibling}',
    'I | married to | P | my {spouse}(?:{called}| is) P',
    'I | married to | P | P{is} my {spouse}',
    'I | married to | P | I{am} married to P',
    'I | parent of | P | (?:my|our) {age}{child}(?:{called}| is) P',
    'I | parent of | P | P{is} (?:my|our) {age}{child}',
    'P | parent of | I | my {parent}(?:{called}| is) P',
    'P | manages | I | my (?:new )?{boss}(?:{called}| is) (?:now )?P',
    'P | manages | I | P{is} my (?:new )?{boss}',
    'P | sibling of | Q | P{is} Q’s {age}{sibling}',
    'P | married to | Q | P{is} Q’s {spouse}',
    'P | parent of | Q | Q{is} P’s {age}{child}',
    'P | manages | Q | P{is} Q’s {boss}',
    'P | married to | Q | P (?:is married to|married) Q',
    'P | married to | Q | P and Q (?:are|got|have been) married',
    'I | married to | P | P and I (?:are|got|have been) married',
    'P | sibling of | Q | P and Q are (?:brothers|sisters|siblings|twins|brother and sister)',
    'P | parent of | Q | P has a {age}{child},? (?:called |named )?Q',
    'P | works for | O | P {now}works (?:for|at) O',
    'P | works for | O | P (?:has )?(?:joined|got a job (?:at|with)|started at) O',
    'I | works for | O | I(?:’ve| have)? (?:got a job (?:at|with)) O',
    'I | works for | O | I {now}work (?:for|at) O',
    'P | reports to | Q | P {now}reports {straight}to Q',
    'P | reports to | Q | P+ (?:both |all )?report {straight}to Q',
    'I | reports to | P | I {now}report {straight}to P',
    'P | manages | Q | P {now}{leads} Q',
    'I | manages | P | I {now}manage P',
    'P | lives in | L | P {now}lives in L',
    'P | lives in | L | P (?:has |just |has just )?moved to L',
    'I | lives in | L | I(?:’ve| have)? (?:just )?moved to L',
    'I | lives in | L | I {now}live in L',
    'P | founded | O | P (?:co-)?founded O',
    'I | founded | O | I (?:co-)?founded O',
    'P | founded | O | O was (?:co-)?founded by P',
    'P | member of | O | P is (?:a |an )?member of O',
    'I | member of | O | I{am} (?:a |an )?member of O',
    'T | depends on | U | T {now}(?:depends on|relies on|requires) U',
    'T | deployed on | U | T {now}(?:runs|is running|is deployed|is hosted) (?:on|at) U',
    'T | part of | U | T is (?:a )?part of U',
    'T | replaced by | U | (?:we|I)(?:’ve| have)? (?:just )?replaced T (?:with|by) U',
    'T | replaced by | U | T (?:was|has been|got) replaced (?:with|by) U',
    'T | replaced by | U | (?:we|I)(?:’ve| have)? (?:just )?(?:switched|migrated) from T to U',
    'I | uses | T | we {now}use T',
    'I | uses | T | I {now}use T',
    'P | uses | T | P {now}uses T',
    'P | owns | T | P owns T',
    'O | located in | L | O is (?:based|located) in L',
  ],
};
