import { cutSentences, type Stretch } from '../../judge/handed-over/sentences.ts';
import { fold } from '../../judge/handed-over/words.ts';
import { ownWords } from '../../judge/handed-over/split.ts';

/** A longer message is mostly pasted; nobody hides such a request in it. */
const MAX_CHARS = 20_000;

/** Words before a request that change nothing about it. */
const LEAD =
  '(?:(?:please|pls|hey|hi|hello|ok|okay|so|also|btw|and|but|now|actually|wait|oh|well|just so you know|fyi|note that|by the way|from now on|(?:can|could|would|will) (?:you|we)(?: please)?|i(?:d| would) like you to|i want you to|lets|bitte|also|und|aber|jetzt|ab jetzt|ubrigens|por favor|y|pero|ahora|a partir de ahora|sil te plait|sil vous plait|stp|et|mais|maintenant|a partir de maintenant) )*';
const TAIL =
  '(?: (?:please|pls|ok|okay|thanks|now|from now on|from here on|for now|bitte|danke|ab jetzt|por favor|gracias|sil te plait|sil vous plait|stp|merci))*';

const EN_TALK = '(?:this|our|the current)(?: whole| entire)? (?:session|conversation|chat|discussion|thread|talk)';
const EN_KEEP =
  '(?:remember|save|store|record|log|keep|memori[sz]e|retain|capture|learn from|(?:keep|make|take) (?:a |any )?(?:record|memory|notes?) of)';
const DE_TALK =
  '(?:diese[rsnm]?|unser(?:e[nrs]?)?)(?: ganze[nr]?)? (?:sitzung|session|gesprach|unterhaltung|chat|konversation)';
const ES_TALK = '(?:esta|este|nuestra|nuestro)(?: mism[ao])? (?:sesion|conversacion|charla|chat|platica)';
const FR_TALK = '(?:cette|ce|cet|notre) (?:session|conversation|discussion|chat|echange)';

/** Whole clauses that make the conversation private; folded. A class that is to be private is none of them. */
const CLAUSES = [
  // English
  `${EN_TALK} (?:is|stays|remains|should be|should stay|must be|must stay|has to be|has to stay)(?: strictly| completely| now)? (?:private|confidential|off the record|not to be (?:remembered|saved|stored|recorded|kept))`,
  `(?:keep|make|mark|treat|consider) ${EN_TALK}(?: as)? (?:private|confidential|off the record)`,
  `(?:dont|do not|never|not) (?:ever )?${EN_KEEP} (?:anything (?:from|of|about|in|said in) |any of |anything we say in )?${EN_TALK}`,
  `(?:dont|do not|never) (?:ever )?${EN_KEEP} (?:anything|any of what|what) (?:i|we) (?:say|said|discuss|talk about|tell you|type|write)(?: here| today| now| in ${EN_TALK})`,
  `(?:strictly |(?:all of )?this is |(?:all of )?this stays |were |we are |go |keep (?:this|it|all of this) |talk )?off the record`,
  '(?:start |make it )?(?:a )?private session',
  // German
  `${DE_TALK} (?:ist|bleibt|soll|sollte|muss)(?: streng| ganz| bitte)? (?:privat|vertraulich)(?: sein| bleiben)?`,
  `(?:merke? dir|speichere?|behalte?|notiere?|protokolliere|lerne?)(?: dir)?(?: bitte)? nichts (?:aus|von|uber|in) ${DE_TALK}`,
  `(?:merke? dir|speichere?|behalte?|protokolliere)(?: bitte)? ${DE_TALK}(?: bitte)? nicht`,
  `(?:(?:das|alles) (?:hier )?(?:ist|bleibt) )?(?:off the record|nicht furs protokoll)`,
  '(?:das|dies|alles)(?: hier)? bleibt unter uns',
  // Spanish
  `${ES_TALK} (?:es|queda|sera|debe ser|tiene que ser)(?: estrictamente)? (?:privad[ao]|confidencial)`,
  `no (?:recuerdes|recuerde|guardes|guarde|memorices|registres|anotes|almacenes|retengas|conserves|aprendas)(?: nada)?(?: de| sobre| en)? ${ES_TALK}`,
  '(?:esto|todo esto) (?:es|queda|va) (?:extraoficial|off the record|entre nosotros)',
  // French
  `${FR_TALK} (?:est|reste|doit (?:etre|rester))(?: strictement)? (?:privee?|confidentiel(?:le)?)`,
  `(?:ne )?(?:retiens|retenez|garde|gardez|memorise|memorisez|enregistre|enregistrez|note|notez|conserve|conservez|sauvegarde|apprends) (?:pas|rien de|rien sur) ${FR_TALK}(?: en memoire)?`,
  '(?:ca|cela|ceci|tout ca) (?:reste|est) (?:entre nous|off the record)',
].map((clause) => new RegExp(`^${LEAD}(?:${clause})${TAIL}$`, 'u'));

/** Every clause has one of these words: a prompt without them is not split, and no clause is built, which takes a hook 20 ms. */
const NAMES_A_TALK =
  /session|sesion|sitzung|conversa|konversa|chat|discuss|thread|talk|record|gesprach|unterhaltung|protokoll|unter\s+uns|charla|platica|oficial|nosotros|echange|entre\s+nous|say|said|tell|type|write/u;

const CLAUSE_MARKS = /\s*(?:[,;:()–—]|\s-\s)\s*/u;

/** Whether a user's message asks that the conversation be kept nowhere: "this session is private", "off the record". */
export function asksPrivacy(text: string): boolean {
  if (text.length > MAX_CHARS || !NAMES_A_TALK.test(fold(text))) return false;
  const own = ownWords(text);
  return cutSentences(own).some((sentence) => isPrivacyRequest(own, sentence));
}

/** Only the first and the last clause ask: "he said, off the record, that …" tells of somebody else. */
function isPrivacyRequest(own: string, { start, end }: Stretch): boolean {
  const sentence = fold(own.slice(start, end)).replaceAll(/\s+/gu, ' ').trim();
  // "Is this session private?" asks; "can we keep this off the record?" asks for it.
  if (sentence.includes('?') && !/^(?:can|could|would|will|please|lets) /u.test(sentence)) return false;
  const clauses = sentence
    .replaceAll(/[.!?…"'“”«»*_¡¿]+/gu, ' ')
    .split(CLAUSE_MARKS)
    .map((clause) => clause.replaceAll(/\s+/gu, ' ').trim())
    .filter((clause) => clause !== '');
  const ends = [clauses[0], clauses.at(-1), clauses.join(' ')];
  return ends.some((clause) => clause !== undefined && CLAUSES.some((pattern) => pattern.test(clause)));
}

/** Words that ask for a standing rule, and then what it is about, as typed. */
const STANDING_RULES = [
  /(?:don['’]?t|do not|never|stop)(?: ever)? (?:learn(?:ing)?|remember(?:ing)?|stor(?:e|ing)|sav(?:e|ing)|keep(?:ing)?|not(?:e|ing)) (?:anything|things|stuff|facts)(?: more| else)? (?:about|on|regarding|concerning) (.+)/iu,
  /(?:don['’]?t|do not|never)(?: ever)? learn about (.+)/iu,
  /(?:lerne?|merke? dir|speichere?|behalte?|notiere?)(?: bitte)?(?: nie| niemals)? (?:nichts|nie etwas|niemals etwas)(?: mehr)? (?:über|ueber|uber|zu|von) (.+)/iu,
  /no (?:aprendas|recuerdes|guardes|memorices|anotes) (?:nada|nunca nada)(?: más| mas)? (?:sobre|de|acerca de) (.+)/iu,
  /(?:n['’]|ne )?(?:apprends|apprenez|retiens|retenez|mémorise|memorise|garde|gardez|note|notez|enregistre)(?: plus)? rien (?:sur|de|à propos de|a propos de|concernant) (.+)/iu,
];

/** Longer words are a story and not the name of a subject. */
const MAX_SUBJECT_WORDS = 6;

export interface StandingRule extends Stretch {
  /** The subject that must not be learned about, as typed. */
  readonly subject: string;
}

/** Finds the subject a user asks never to learn about: "don't learn anything about my divorce". */
export function findStandingRule(text: string): StandingRule | undefined {
  if (text.length > MAX_CHARS || asksPrivacy(text)) return undefined;
  const own = ownWords(text);
  for (const { start, end } of cutSentences(own)) {
    const sentence = own.slice(start, end);
    for (const pattern of STANDING_RULES) {
      const found = pattern.exec(sentence);
      const subject =
        found?.[1]
          ?.split(/[,;:.!?…()\n]|\s+-\s/u, 1)[0]
          ?.replace(/\s+(?:please|ok|okay|bitte|por favor)$/iu, '')
          .trim() ?? '';
      if (found === null || !isBeginning(sentence.slice(0, found.index)) || !isSubject(subject)) continue;
      const at = own.indexOf(subject, start + found.index);
      return { subject, start: start + found.index, end: at + subject.length };
    }
  }
  return undefined;
}

/** Words before it other than polite ones make it a tale: "he told me that you never store anything about …". */
function isBeginning(before: string): boolean {
  const words = fold(before.replaceAll(/[,;:–—¡¿]/gu, ' '))
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return new RegExp(`^${LEAD}$`, 'u').test(words === '' ? '' : `${words} `);
}

function isSubject(subject: string): boolean {
  const words = subject.match(/[\p{L}\p{N}]+/gu) ?? [];
  const isPointing =
    /^(?:(?:all(?: of)?|alle[ms]?|todo|tout) )?(?:this|that|it|them|das|dem|es|esto|eso|ello|ça|ca|cela|ceci)$/iu.test(
      subject,
    );
  return words.length > 0 && words.length <= MAX_SUBJECT_WORDS && !isPointing;
}
