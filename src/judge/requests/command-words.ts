/** A request to remember, divided into what is to be kept and the words that only ask for it. */
export interface DividedRequest {
  readonly content: string;
  /** Empty where nothing asks. */
  readonly asking: string;
}

const POLITE =
  "(?:please|pls|plz|kindly|hey|hi|ok(?:ay)?|so|and|also|just|now|oh|well|then|mneme|can you|could you|would you|will you|i(?:'d| would) like you to|i(?:'d| would)? (?:want|need) you to|(?:you )?(?:should|must)|make sure (?:to|you)|be sure to|let's|bitte|por favor|s'il (?:te|vous) plaît)";
/** Beside these, what is to be kept may follow at once: "remember my flight is at nine". */
const REMEMBER =
  "(?:(?:please )?(?:always |do )?remember|memori[sz]e|(?:never|don'?t|do not|don’t)(?: ever| you| you ever| let yourself| you dare)* forget|keep in mind|bear in mind|(?:make|take)(?: a| an)?(?: mental| quick| important)? note(?: of)?|note(?: down)?|merke? dir|notiere?(?: dir)?|vergiss (?:nicht|nie|niemals|bitte nicht)|denk(?:e)? (?:daran|dran)|behalte?(?: dir)?|recuerda|apunta|anota|no (?:te )?olvides(?: nunca)?|nunca olvides|ten en cuenta|toma nota(?: de)?|souviens[- ]toi|rappelle[- ]toi|retiens|n['’]oublie (?:pas|jamais)|prends note(?: de)?|(?:pin|vault|store|save|record|log)(?= that\\b|(?: \\p{L}+){0,2} that\\b))";
/** Beside these, something like "this" or "in the vault" must stand: "keep the door shut" asks for nothing. */
const SAVE =
  '(?:save|store|keep|record|log|pin|file|put|add|write|jot|lock|preserve|archive|stick|hold on to|hang on to|commit|speichere?|schreib|sichere?|behalte?|halte?|guarda|conserva|enregistre|garde|épingle)';
const PLACE =
  '(?:(?:in|to|into|on|as|under|with) (?:your |my |the |a |our )?(?:permanent |long-term |longterm |safe |pinned )?(?:memory|memories|mind|head|vault|notes?|record|records|file|profile|core memory|list of facts|top|safe place|knowledge(?: base)?|permanent (?:note|fact)|heart)|im (?:hinterkopf|kopf|gedächtnis|tresor)|en (?:mente|memoria)|en (?:tête|mémoire))';
const FOREVER =
  '(?:for ?ever(?: and ever)?|for (?:good|life|all time|always|the long term|keeps)|permanently|permanent|always|indefinitely|no matter what|für immer|dauerhaft|auf dauer|para siempre|permanentemente|pour toujours|définitivement|à jamais)';
const OBJECT = `(?:this(?: one)?|that(?= (?:forever|for ever|permanently|for good|down|in|to|as|somewhere|safe|one)|\\s*[,:;–—-]|$)|it|these|those|them|the following|(?:this|that|the following|one) (?:fact|thing|info|information|detail|note|one|down|line|important)|something(?: important)?|down|safe|somewhere safe|about me|for me|for (?:later|next time|the future|the record|future reference|reference|us)|please|too|as well|${PLACE}|${FOREVER}|das|dir|auf|fest|es|esto|eso|lo|ça|cela|ceci)`;
const BREAK = "\\s*[:,;.!–—]+\\s*(?:(?:that|dass|que)\\s+)?|\\s+-+\\s+|\\s+(?:that|dass|que|qu[’'])\\s*(?=\\S)";
const CALLS =
  "(?:for the record|for future reference|for (?:later|your (?:notes|memory|information))|fyi|btw|by the way|just so you know|so you know|important(?: note)?|very important|heads[- ]up|note to self|reminder|ps|p\\.s\\.|memo|note|quick note|one (?:more )?thing|something (?:important )?to (?:remember|keep)|new (?:fact|info)|fact|remember|never forget|don'?t forget|permanent(?:ly| note| fact)?|forever|vault|pin(?:ned)?|to (?:the )?vault|für immer|wichtig|merken|zur info|nunca olvidar|importante|important à retenir|à retenir)";

/** A clause made of nothing but these words asks, however it is put: "this must never be forgotten". */
const ASKING_WORDS =
  "(?:(?:to|must|should|shall|may|can|will|be|is|it['’]?s|are|has|have|needs?|i|we|you|want|need|please|this|that|it|these|one|really|very|so|always|ever|never|not|don['’]?t|do|and|or|keep|kept|saved?|stored?|remember(?:ed)?|forget|forgotten|lose|lost|deleted?|pin(?:ned)?|vault(?:ed)?|permanent(?:ly)?|forever|for|ever|good|life|all|time|safe|important|in|into|the|your|memory|goes|put|lock(?:ed)?|away|no|matter|what|just|me|us|let)(?:,?\\s+|(?=\\s*[:–—.!)]|$)))";

const LEADS = [
  new RegExp(`^(?:${POLITE}[,\\s]+)*(?:${REMEMBER})(?:\\s+${OBJECT})*(?:${BREAK}|\\s+(?!to\\b|when\\b))`, 'iu'),
  new RegExp(
    `^(?:${POLITE}[,\\s]+)*(?:${SAVE}|${REMEMBER})(?:,?\\s+(?:and\\s+)?(?:${SAVE}\\s+)?${OBJECT})+(?:${BREAK})`,
    'iu',
  ),
  new RegExp(`^${CALLS}(?:\\s*[:!–—]+\\s*|\\s+-+\\s+|,\\s+)(?:that\\s+)?`, 'iu'),
  new RegExp(`^${FOREVER}\\s*[:,–—]\\s*`, 'iu'),
  new RegExp(`^${ASKING_WORDS}{1,12}(?:\\s*[:–—]|\\s-)\\s*`, 'iu'),
];
const TAILS = [
  new RegExp(
    `[\\s,.;!?–—(-]+(?:${POLITE}[,\\s]+)*(?:${SAVE}|${REMEMBER})(?:,?\\s+(?:and\\s+)?(?:(?:${SAVE}|${REMEMBER})\\s+)?(?:${OBJECT}|that|please|ok(?:ay)?|thanks|thank you))+[\\s.!)]*$`,
    'iu',
  ),
  new RegExp(
    `(?:[,;.!?–—(]|\\s-)\\s*(?:${POLITE}[,\\s]+)*(?:please remember|remember|never forget|${CALLS}|(?:this|it) (?:must|should|may|can) never be (?:lost|forgotten))[\\s.!)]*$`,
    'iu',
  ),
  new RegExp(`(?:[;,.!?–—(]|\\s-)\\s+${ASKING_WORDS}{2,12}[\\s.!)]*$`, 'iu'),
];

/**
 * Separates "remember that", "save this permanently, pin it:" or ", note it down" from what is to be kept. Only words at
 * either end count, and "remember to …" stays: it says what is to be done.
 */
export function divideRequest(text: string): DividedRequest {
  let content = text.trim();
  const asking: string[] = [];
  const cut = (patterns: readonly RegExp[]): void => {
    for (let hasCut = true; hasCut;) {
      hasCut = false;
      for (const pattern of patterns) {
        const words = pattern.exec(content)?.[0];
        const rest = words === undefined ? '' : content.replace(pattern, '').trim();
        if (words === undefined || !/[\p{L}\p{N}]/u.test(rest)) continue;
        asking.push(words.trim());
        content = rest;
        hasCut = true;
      }
    }
  };
  cut(LEADS);
  cut(TAILS);
  return { content, asking: asking.join(' ') };
}

const FOR_EVER = new RegExp(
  `(?<!\\p{L})(?:${FOREVER}|(?:never|ever)(?: \\p{L}+){0,3} (?:forget|lose)|always remember|(?:never|not)(?: ever)? (?:be|get) (?:lost|forgotten|deleted)|vault|pin(?:ned|ning)?|tresor|vergiss (?:nie|niemals)|nunca (?:te )?olvides|n['’]oublie jamais|nunca olvidar)(?!\\p{L})`,
  'iu',
);

/** Whether the words that ask say that it is to be kept for good. */
export function isForEver({ asking }: DividedRequest): boolean {
  return FOR_EVER.test(asking);
}
