import type { Intent, TimeRange } from './understanding.ts';
import { DAY_MS } from '../../model/time.ts';

/** Asked in the folded question (lower case, no accents). The first list that matches decides. */
const PATTERNS: readonly (readonly [Intent, readonly RegExp[]])[] = [
  [
    'latest',
    [
      /\b(?:latest|newest|most recent(?:ly)?|up[- ]to[- ]date|status of|state of|where do we stand|what'?s new)\b/u,
      /\bwhat(?:'?s| is| are| are we| am i)\b.*\b(?:current|currently|right now|at the moment|these days|nowadays)\b/u,
      /\b(?:is|are|do|does) .*\bstill\b/u,
      /\b(?:what|where|which|who)\b.*\b(?:now|currently)\s*\?*$/u,
      /\bany (?:news|updates?)\b/u,
      /\b(?:neueste[nrs]?|aktuelle[nrs]?|stand (?:der|des|von|bei)|zuletzt|derzeit|was gibt es neues)\b/u,
      /\b(?:lo ultimo|ultim[ao]s? (?:novedades|noticias|version|estado)|estado (?:actual|de)|actualmente|mas reciente)\b/u,
      /\b(?:derniere?s? (?:nouvelles?|version|infos?|etat)|etat (?:actuel|de)|actuellement|le plus recent|ou en (?:est|sont|sommes))\b/u,
    ],
  ],
  [
    'when',
    [
      /(?:^|[.!?,;]\s*|\b(?:and|remember|know|recall|say|tell me|since|until|und|seit|y|desde|et|depuis)\s+)when\s+(?:did|was|were|is|are|will|does|do|has|have|had|am|can|should|would|exactly|in)\b/u,
      /^\W*when\b|\b(?:remember|recall|know|tell me) when\b/u,
      /\b(?:what|which|in what|in which|on what|on which) (?:exact )?(?:date|day|month|year|week|weekday|time)\b(?! (?:zone|series|limit|out))/u,
      /\bhow long ago\b/u,
      /\bsince when\b/u,
      /\b(?:wann|seit wann|an welchem tag|in welchem (?:jahr|monat)|um wie viel uhr|wie lange ist es her)\b/u,
      /(?:^|\W)cuando\b.*\?|^\W*(?:desde )?cuando\b|\b(?:en que (?:fecha|dia|mes|ano)|que dia|a que hora|hace cuanto)\b/u,
      /^\W*(?:depuis )?quand\b|\b(?:a quelle (?:date|heure)|quel jour|en quelle annee|quel mois|quand (?:est|a|ai|as|avons|avez|ont))\b/u,
    ],
  ],
  [
    'how-to',
    [
      /\bhow (?:do|does|can|should|could|would|did) (?:i|we|you|one|someone|people)\b/u,
      /\bhow (?:do|should) \w+ (?:usually|normally|always)\b/u,
      /\bhow to\b/u,
      /\b(?:steps?|procedure|instructions?|recipe|workflow|runbook|process|command|way|guide) (?:to|for|of)\b/u,
      /\b(?:walk me through|what(?:'?s| is) the (?:usual |best |right )?(?:way|command|process|procedure))\b/u,
      /\bwie (?:mache?|kann|konnen|muss|mussen|soll|sollen|geht|macht|richte|installiere?|starte?|baue?)\b|\bwie \w+ (?:ich|wir|man)\b|\banleitung\b/u,
      /\bcomo (?:se|puedo|podemos|hago|hacemos|debo|configuro|instalo|despliego|ejecuto)\b|\bpasos para\b/u,
      /\bcomment (?:faire|puis|peut|je|on|dois|doit|fait|faut|installer|configurer|deployer|lancer)\b|\betapes pour\b/u,
    ],
  ],
  [
    'about',
    [
      /\b(?:tell me|know|knew|remember|recall|have|got|anything|everything|information|info|details?|facts?|notes?|background) (?:\w+ ){0,3}?(?:about|on|regarding|concerning)\b/u,
      /^\W*(?:who|what|whats|whos)(?:'s| is| are|s) (?:an? |the |this |that |our |my |your )?[\w.+#-]+(?: [\w.+#-]+){0,2}\W*$/u,
      /^\W*who(?:'s| is| was)\b/u,
      /^\W*(?:describe|summari[sz]e|explain|introduce)\b/u,
      /\b(?:what do you know|tell me more|who exactly)\b/u,
      /^\W*wer (?:ist|war)\b|\b(?:wei(?:ss|ß)t du|wissen wir|erzahl(?:e)? (?:mir|uns)?|informationen) (?:\w+ ){0,2}?(?:uber|zu|von)\b|^\W*was ist \S+(?: \S+)?\W*$/u,
      /^\W*quien(?:es)? (?:es|son|era)\b|\b(?:sabes|sabemos|cuentame|hablame|informacion) (?:\w+ ){0,2}?(?:de|sobre|del)\b|^\W*que es \S+(?: \S+)?\W*$/u,
      /^\W*qui (?:est|sont|etait)\b|\b(?:sais-tu|sait-on|savez-vous|parle[- ]moi|dis[- ]moi|infos?) (?:\w+ ){0,2}?(?:de|du|sur|d)\b|^\W*qu'est[- ]ce que? (?:c'est|le|la|un)/u,
    ],
  ],
];

const PAST = [
  /\b(?:did|was|were|had|used to|previous|previously|originally|formerly|earlier|ago|back then|back in|back when|at the time|once upon|yesterday|history|in the past|the first time|initially|no longer|remember when|anymore)\b/u,
  /\b(?:have|has) (?:\w+ )?(?:we|you|i|he|she|they|it|\w+) (?:ever|already|been|tried|used|said|told|talked|discussed|decided|done|gone|made|seen)\b/u,
  /\bwhat happened\b/u,
  /\b(?:hat|hatte[nst]*|habe[n]?|war(?:en|st)?|wurde[n]?|damals|fruher|vorher|ursprunglich|gestern)\b/u,
  /\b(?:fue|fueron|era|eran|estaba[ns]?|hizo|hicimos|dijo|dijeron|hablamos|decidimos|decidio|ayer|antes|anteriormente|hubo|tuvo|habia)\b/u,
  /\b(?:etait|etaient|avait|avaient|avons|avez|a-t-(?:il|elle|on)|ont-(?:ils|elles)|as-tu|hier|autrefois|auparavant|avant)\b/u,
];

const PRESENT =
  /\b(?:now|currently|right now|at the moment|these days|nowadays|derzeit|aktuell|jetzt|actualmente|ahora|maintenant|actuellement)\b/u;

export function guessIntent(foldedText: string): Intent {
  for (const [intent, patterns] of PATTERNS) {
    if (patterns.some((pattern) => pattern.test(foldedText))) return intent;
  }
  return 'general';
}

/** "Latest" asks for what holds now, however it is worded. */
export function asksAboutThePast(
  foldedText: string,
  intent: Intent,
  timeRange: TimeRange | undefined,
  nowMs: number,
): boolean {
  if (intent === 'latest') return false;
  if (timeRange?.untilMs !== undefined && timeRange.untilMs < nowMs - DAY_MS) return true;
  if (PRESENT.test(foldedText)) return false;
  return PAST.some((pattern) => pattern.test(foldedText));
}
