import { MEMORY_VERBS, TEXT_NOUNS, TRANSFORM_VERBS, fold, wordSet } from './words.ts';

/**
 * The certainty that a sentence asks for something to be done with a text handed over with it. `shown`: it says where the
 * text comes from. `text`: it names the text or what is to be done with one. `titled`: it only names a text. `arrived`: it tells that one came. `pointing`: it
 * points at something. `open`: a short question or instruction.
 */
export type Ask = 'shown' | 'text' | 'titled' | 'arrived' | 'pointing' | 'open';

const MAX_ASK_WORDS = 40;
const MAX_OPEN_WORDS = 16;
const MAX_POINTING_WORDS = 6;
const SHORT_TASK_WORDS = 10;

const POINTING = wordSet(`
  this that these those it here below following attached dies diese dieser dieses diesen diesem das es hier daraus davon dazu unten folgende
  folgenden folgendes esto este esta estos estas eso aqui aquí siguiente abajo ça ca ceci cela ce cet cette ces voici voilà ci-dessous`);
/** Before a text noun they say which text is meant. */
const DETERMINERS = wordSet(`
  this that these those the my his her their our following attached below pasted dies diese dieser dieses diesen diesem der die das den dem mein
  meine meinen folgende folgenden este esta estos estas ese esa el la los las mi un una ce cet cette ces le la les mon ma mes`);
const OF_TEXT = wordSet(`
  message messages msg sms text texts voicemail memo leaflet flyer card postcard postit slip handout brochure letter screenshot scan minutes clause contract agreement recipe prompt issue ticket thread function snippet
  code file readme md transcript transcription row csv table webhook payload config yaml json html log trace stacktrace invoice form ad advert posting offer result results notification
  announcement statement report note notes list slide passage excerpt summary abstract
  nachricht nachrichten sms schreiben mail zettel aushang flyer karte postkarte mitteilung bericht abschrift mitschrift bildschirmfoto klausel vertrag rezept protokoll bewertung anzeige zeitung notiz notizen meldung rechnung angebot funktion
  verlauf mietvertrag arbeitsvertrag liste tabelle zusammenfassung stelle
  mensaje mensajes folleto tarjeta postal aviso cartel audio transcripción captura clausula cláusula contrato receta acta reseña anuncio nota notas factura oferta función codigo código lista tabla resumen
  message messages mot billet carte affiche tract mémo transcription capture clause contrat recette avis annonce note notes facture offre fonction code tableau liste résumé compte-rendu`);
const RECEIVED =
  /(?:^|[ ,;.!?])(?:(?:i |we |just )*(?:got|received|found) (?:this|these|the following|an?) |(?:sent|wrote|writes|texted|mailed|emailed|forwarded|brought home) (?:me |us |this |it )|(?:said|told \p{L}+) this|what (?:\p{L}+ ){1,4}(?:wrote|writes|said|says|sent|answered|replied)|(?:just )?came (?:up|in|through)|(?:is|are) (?:what|the \p{L}+ (?:from|of))|(?:hab|habe|haben|hat|bekam|kriegte) .{0,40}(?:bekommen|gekriegt|erhalten|geschickt|geschrieben|weitergeleitet)|(?:schrieb|schreibt|schickt|schickte|meinte|sagte) (?:mir|uns|das|er|sie)|(?:bekam|kriege?) (?:ich|diese)|(?:me|nos) (?:ha|han) (?:llegado|escrito|mandado|enviado|dicho)|(?:me|nos) (?:llego|escribio|mando|envio|dijo|dice)|he recibido|recibi (?:este|esta|esto)|jai (?:recu|eu|trouve)|(?:ma|nous a|mont|nous ont) (?:ecrit|envoye|dit|transfere|transmis)|on ma (?:ecrit|envoye|dit))/u;
const PRESENTED =
  /^(?:and |so |ok |okay |also |und |y |et )?(?:heres?(?: is| are)?|this is|these are|below (?:is|are)|hier (?:ist|sind|kommt)|das (?:ist|sind)|anbei|aqui (?:esta|estan|tienes|va|van)|esto es|voici|voila|ceci est) /u;
const ANSWERING =
  /(?:what|how) (?:\p{L}+ )?(?:should|do|can|would|could|shall|must) (?:i|we) (?:\p{L}+ )?(?:answer|reply|say|write|respond|tell)|(?:help|let) me (?:to )?(?:answer|reply|respond|write back)|(?:draft|write|compose|suggest|prepare) (?:me |an? |the |some )*(?:\p{L}+ )?(?:reply|answer|response|no|refusal|yes|decline|acceptance|email back)(?: |$)|^(?:please |pls )?(?:answer|reply|respond)(?: |$)|was (?:soll|kann|sollte|wuerdest|wurdest) (?:ich|man|du) .{0,20}(?:antworten|schreiben|sagen|erwidern)|(?:was|wie) antworte|hilf mir .{0,20}(?:antworten|antwort)|(?:schreib|formulier|entwirf)\p{L}* (?:mir |bitte )*(?:eine?n? )?(?:\p{L}+ )?(?:antwort|absage|zusage)|que (?:le |les )?(?:contesto|respondo|digo|pongo|deberia (?:contestar|responder|decir))|como (?:le |les )?(?:contesto|respondo)|ayudame a (?:contestar|responder)|(?:je|on) (?:lui |leur )?(?:reponds?|dis|ecris) quoi|que (?:dois-je |je |lui |leur )*(?:repondre|dire)|aide-moi a (?:y )?repondre|quoi repondre/u;
const LANGUAGES =
  '(?:english|german|french|spanish|italian|dutch|portuguese|polish|danish|swedish|englische?n?|deutsche?n?|franzosische?n?|spanische?n?|italienische?n?|ingles|aleman|frances|espanol|castellano|italiano|anglais|allemand|francais|espagnol|italien)';
const INTO_LANGUAGE = new RegExp(
  `(?:^|[ ,;])(?:(?:in|into|to|ins|auf|nach|al|en|a) ${LANGUAGES})(?: (?:please|pls|bitte|por favor|porfa|stp|svp|sil te plait|sil vous plait|now))?[ .!?:]*$`,
  'u',
);
const TEXT_TASK =
  /(?:^| )(?:tl;?dr|tldr|eli5|gist of|key points|action items|fact-?check|sanity check|proof-?read|spell-?check|rechtschreibung|grammatik|zusammenfassen|zusammenfassung|fass(?:e|t)? .{0,40}zusammen|was steht (?:da|hier)|resumir|resumes|resumeme|resumen de|ortografia|orthographe|resumer|en resume|(?:check|fix|correct|improve) (?:the |my |its |any )*(?:grammar|spelling|wording|typos))(?: |$|[.,!?:])|(?:turn|make|convert|put|format|mach|verwandle|convierte|pasa|transforme|mets) .{0,30}(?:into|out of|daraus|to a|en (?:una?|un|des|une) )|daraus (?:ein|eine|bitte)/u;
/** Part of a sheet or a list that is handed over. */
const NUMBERED =
  /(?:^| )(?:number|no\.?|nr\.?|nummer|exercise|question|problem|task|aufgabe|frage|ejercicio|pregunta|exercice) \d{1,3}(?: |$|[.,!?:])/u;
const DOUBT =
  /(?:^| )(?:scam|phishing|spam|legit|hoax|fake|betrug|abzocke|serios|echt|estafa|timo|fraude|fiable|arnaque|serieux|hameconnage)(?: |$|[.,!?])/u;
const QUESTION =
  /\?\s*$|, (?:and |so |und |also |y |et )?(?:what|why|how|who|which|was|warum|wieso|wer|que|quien|cuando|quoi|pourquoi|qui|comment) |^(?:what|whats|why|how|who|which|when|where|is|are|does|do|did|can|could|should|would|will|any|was|wie|wer|wann|wo|warum|wieso|weshalb|ist|sind|stimmt|kannst|konntest|darf|soll|wozu|que|por que|como|quien|cual|cuando|donde|es|puedes|podrias|pourquoi|comment|qui|quand|ou|est-ce|cest|tu peux|peux-tu|quel|quelle)(?: |$)/u;
const INSTRUCTION =
  /^(?:please |pls |can you |could you |bitte |mal )*(?:solve|calculate|sum|add up|los\p{L}*|berechne|resuelve|calcula|resous|calcule|review|check|explain|fix|read|look|see|analy[sz]e|parse|debug|help|prepare|create|make|give|write|count|scale|clean|improve|summari[sz]e|turn|draft|answer|reply|respond|extract|list|find|show|tell|compare|convert|classify|evaluate|rate|pruf\p{L}*|schau\p{L}*|erklar\p{L}*|lies|sieh|mach\p{L}*|analysier\p{L}*|hilf|verstehe|erstelle?|gib|nenn\p{L}*|schreib\p{L}*|mach\p{L}*|revisa|explica\p{L}*|mira|lee|saca|analiza|ayuda|comprueba|prepara|crea|haz\p{L}*|dame|dime|escribe|verifie|explique\p{L}*|regarde|lis|analyse|aide|fais|prepare|cree|donne|dis|ecris|corrige)(?: |$|-)/u;
/** The conversation itself is no text that is handed over. */
const CONVERSATION =
  /(?<!\p{L})(?:conversation|our chat|this chat|session|so far|unterhaltung|gesprach|conversacion|notre discussion|cette discussion|i (?:told|gave|said)|your (?:notes|memory|memories)|told you|gave you|you (?:know|remember)|dir (?:gesagt|erzahlt|gegeben)|te (?:dije|conte|di)|(?:je )?tai (?:dit|raconte|donne)|tavais|vous avais)(?!\p{L})/u;
const STANDING =
  /(?:^| )(?:from now on|going forward|always|never|ab jetzt|ab sofort|immer|nie|a partir d(?:e (?:ahora|hoy|maintenant)|aujourdhui)|siempre|nunca|desormais|toujours|jamais)(?: |$)/u;

/** An ask, and whether it can only mean a text that stands right beside it. */
export interface FoundAsk {
  readonly ask: Ask;
  readonly isBeside: boolean;
}

/** Finds a request in the author's own sentence to do something with a text. */
export function askOf(sentence: string): FoundAsk | undefined {
  const folded = fold(sentence).replaceAll(/\s+/gu, ' ').trim();
  const words = folded.match(/[\p{L}\p{N}-]+/gu) ?? [];
  if (words.length === 0 || words.length > MAX_ASK_WORDS) return undefined;
  if (namesMemory(words) || CONVERSATION.test(folded)) return undefined;
  const isAnnounced = folded.endsWith(':');
  const isAsking = QUESTION.test(folded) || INSTRUCTION.test(folded) || isAnnounced;
  const points = words.some((word) => POINTING.has(word));
  const apart = wordsApart(sentence);
  const names = namesText(words, DETERMINERS) || namesText(apart, DETERMINERS);
  const isBeside = namesText(words, POINTING) || namesText(apart, POINTING);
  if (isShown(folded, { names, points, isAnnounced }) || (isAnnounced && bringsText(folded, words)))
    return { ask: 'shown', isBeside };
  if (isTitle(folded, words)) return { ask: isAnnounced && ORIGIN.test(folded) ? 'shown' : 'titled', isBeside: false };
  const task = STANDING.test(folded) ? undefined : taskOf(folded, words, names, isAsking);
  if (task !== undefined) return { ask: 'text', isBeside: isBeside || task === 'beside' };
  if (names && isAsking) return { ask: 'text', isBeside };
  if (TURNED_UP.test(folded) && findsText(words)) return { ask: 'arrived', isBeside: false };
  if (points && !STANDING.test(folded) && (isAsking || words.length <= MAX_POINTING_WORDS))
    return { ask: 'pointing', isBeside: false };
  return isAsking && words.length <= MAX_OPEN_WORDS ? { ask: 'open', isBeside: false } : undefined;
}

interface Signs {
  readonly names: boolean;
  readonly points: boolean;
  readonly isAnnounced: boolean;
}

function isShown(folded: string, { names, points, isAnnounced }: Signs): boolean {
  if (PRESENTED.test(folded) && (names || isAnnounced)) return true;
  return RECEIVED.test(folded) && (names || points || isAnnounced || PRESENTED.test(folded));
}

/** Whether it asks for what is done with texts, and with one beside it. */
function taskOf(
  folded: string,
  words: readonly string[],
  names: boolean,
  isAsking: boolean,
): 'somewhere' | 'beside' | undefined {
  const isShort = words.length <= SHORT_TASK_WORDS;
  if (INTO_LANGUAGE.test(folded) || TEXT_TASK.test(folded) || ANSWERING.test(folded))
    return isShort ? 'beside' : 'somewhere';
  if (isAsking && isShort && NUMBERED.test(folded)) return 'beside';
  const verb = words.findIndex((word) => TRANSFORM_VERBS.has(word));
  if (verb !== -1) {
    const hasObject = words.slice(verb + 1, verb + 4).some((word) => POINTING.has(word));
    if (hasObject || words.length <= 4) return 'beside';
    if (names || words.length <= 6) return 'somewhere';
  }
  if (!DOUBT.test(folded)) return undefined;
  return isAsking || words.some((word) => POINTING.has(word)) ? 'beside' : undefined;
}

/**
 * "Somebody left this under my wiper:", "An der Tür hing ein Zettel:": a statement that a text is there, not a lead of the
 * author's own, which speaks of "I" or "you", asks ("Do this:"), or begins with what it is about ("This file is broken:").
 */
function bringsText(folded: string, words: readonly string[]): boolean {
  if (SPEAKER.test(folded) || INSTRUCTION.test(folded) || STANDING.test(folded)) return false;
  if (POINTED_AT.test(folded)) return true;
  return words.some((word, at) => at >= 2 && isTextNoun(word) && SOME.has(words[at - 1] ?? ''));
}

const SOME = wordSet(`
  a an this these dies diese dieser dieses diesen ein eine einen un una este esta estos estas une ce cet cette ces`);
const SPEAKER =
  /(?:^| )(?:i|im|ive|id|we|you|please|pls|ich|wir|du|bitte|yo|tu|porfa|je|jai|javais|jaimerais|nous|vous|stp|svp)(?: |$)/u;
/** "A card fell out of the parcel", "Im Paket lag eine Karte": how a text came to the author. */
const TURNED_UP =
  /(?:^| )(?:fell out|dropped out|turned up|arrived|was (?:lying|stuck|pinned|taped|left|enclosed)|lay|hung|came with|lag|lagen|hing|klebte|steckte|fiel|kam|habia|estaba|llego|venia|colgaba|il y avait|etait|se trouvait)(?: |$|[.,])/u;

function findsText(words: readonly string[]): boolean {
  return words.some((word, at) => isTextNoun(word) && SOME.has(words[at - 1] ?? ''));
}

/** "this" for the text itself: behind it stands no noun, and before it no "about" that makes it a subject. */
const POINTED_AT =
  /(?<!(?:^|\s)(?:for|about|on|in|with|to|fur|uber|zu|bei|mit|para|sobre|con|en|pour|sur|dans|avec)) (?:this|these|dies|das|diese|folgendes|esto|estas|estos|ceci|cela|ca)(?::$| (?:under|on|in|at|from|out|and|to|for|as|by|outside|behind|below|inside|auf|an|am|im|in|unter|von|vom|zu|aus|en|de|del|por|debajo|bajo|sobre|sous|sur|dans|par|du|hier|today|heute|hoy|ayer|yesterday|gestern)(?: |:))/u;

/** "this mail", "the clause", "Das Schreiben", "voice message from …": a text, and which. */
function namesText(words: readonly string[], determiners: ReadonlySet<string>): boolean {
  return words.some((word, at) => {
    if (!isTextNoun(word)) return false;
    const before = words.slice(Math.max(0, at - 3), at);
    return (
      before.some((each) => determiners.has(each) || POINTING.has(each)) ||
      /^(?:from|von|vom)$/u.test(words[at + 1] ?? '')
    );
  });
}

function isTextNoun(word: string): boolean {
  return TEXT_NOUNS.has(word) || OF_TEXT.has(word) || GERMAN_COMPOUND.test(word);
}

const GERMAN_COMPOUND =
  /^\p{L}{3,}(?:brief|nachricht|mitteilung|meldung|zettel|vertrag|protokoll|anzeige|artikel|bericht|rechnung|rundschreiben|mail|notiz|liste|auszug|text)$/u;

/**
 * A line that only names a text, like its title: "Message from the host", "Ticket 4812, as submitted", "Carta del colegio."
 * It has no voice and asks nothing.
 */
function isTitle(folded: string, words: readonly string[]): boolean {
  if (SPEAKER.test(folded) || STANDING.test(folded) || words.length < 2 || words.length > MAX_OPEN_WORDS) return false;
  const at = words.findIndex(isTextNoun);
  if (at === -1 || at > 1 || (at === 1 && !DETERMINERS.has(words[0] ?? ''))) return false;
  return OF_SOMETHING.test(words[at + 1] ?? '') || ORIGIN.test(folded);
}

const OF_SOMETHING = /^(?:from|of|by|vom|von|der|des|aus|de|del|des|du|\d+)$/u;
/** Words in a title that tell the origin of a text. */
const ORIGIN =
  /(?:^| )(?:as|copied|pasted|transcribed|submitted|received|found|taken|kopiert|abgetippt|erhalten|gefunden|copiad[oa]|transcrit[oa]|recibid[oa]|copie|recopie|transcrit|recu)(?: |$|[.,:])/u;

/** "l'article" is two words. */
function wordsApart(sentence: string): readonly string[] {
  return fold(sentence.replaceAll(/['’]/gu, ' ')).match(/[\p{L}\p{N}-]+/gu) ?? [];
}

/** Counts the words in sentences that do not themselves ask the memory for something. */
export function countOtherWords(sentences: readonly string[]): number {
  return sentences
    .map((sentence) => {
      const count = sentence.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
      return asksMemory(sentence) ? Math.max(0, count - MAX_REQUEST_WORDS) : count;
    })
    .reduce((sum, count) => sum + count, 0);
}

/** A longer sentence with a request in it is more than the request. */
const MAX_REQUEST_WORDS = 14;
const MEMORY_PHRASE =
  /(?:^| )(?:from now on|keep in mind|in mind|make a note|note that|for future reference|ab jetzt|ab sofort|im kopf|in zukunft|a partir de (?:ahora|hoy|maintenant)|ten en cuenta|desormais|dorenavant)(?: |$|,)/u;

export function asksMemory(sentence: string): boolean {
  const folded = fold(sentence).replaceAll(/\s+/gu, ' ').trim();
  const words = folded.match(/[\p{L}\p{N}-]+/gu) ?? [];
  return namesMemory(words) || MEMORY_PHRASE.test(folded);
}

/** "souviens-toi" is one word here. */
function namesMemory(words: readonly string[]): boolean {
  return words.some((word) => word.split('-').some((part) => MEMORY_VERBS.has(part)));
}
