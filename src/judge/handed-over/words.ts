const NOT_ASCII = /[^\u0020-\u007e]/;
/** Accents, and letters that nobody sees. */
const COMBINING = /[\p{M}\p{Cf}]/gu;
const APOSTROPHES = /['’ʼ`´]/g;

/** The form for comparing words: lower case, no accents, no apostrophes; people type "don’t", "dont" and "acuerdate". */
export function fold(word: string): string {
  const lower = word.toLowerCase().replace(APOSTROPHES, '');
  if (!NOT_ASCII.test(lower)) return lower;
  return lower
    .normalize('NFD')
    .replace(COMBINING, '')
    .replaceAll('ß', 'ss')
    .replaceAll('œ', 'oe')
    .replaceAll('æ', 'ae');
}

/** The ways a word of a table may be typed: "lösche" arrives as "lösche", "losche" and "loesche". */
function foldings(word: string): readonly string[] {
  const plain = fold(word);
  const spelledOut = fold(word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue'));
  return plain === spelledOut ? [plain] : [plain, spelledOut];
}

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(
    words
      .split(/\s+/)
      .filter((word) => word !== '')
      .flatMap(foldings),
  );
}

/** Kinds of texts: named before a colon, what follows is not the person's own request. */
export const TEXT_NOUNS = wordSet(`
  poem song songs lyrics story tale docstring comment comments paragraph sentence email e-mail mail letter text headline title tweet post caption
  slogan readme section script dialogue dialog scene speech essay verse haiku changelog article transcript chat quote docs documentation novel book
  chapter sign poster prompt translation subtitle tagline ad page webpage website document newsletter announcement
  gedicht lied liedtext songtext geschichte märchen kommentar absatz satz brief titel überschrift abschnitt skript szene rede aufsatz artikel zitat
  doku dokumentation roman buch kapitel schild seite webseite dokument
  poema canción letra cuento historia comentario párrafo frase correo carta texto título titular artículo guion diálogo escena discurso ensayo cita
  documentación novela libro capítulo cartel página documento
  poème chanson paroles histoire conte commentaire paragraphe phrase courriel lettre texte titre scénario scène discours essai citation livre
  chapitre panneau`);
/** "Add a test: remember that …" says what to build. */
export const WORK_NOUNS = wordSet('test tests testcase fixture scenario assertion prueba pruebas testfall szenario');
export const MACHINE_NOUNS = wordSet(`
  log logs output trace stacktrace traceback error errors diff patch config warning warnings console terminal
  ausgabe fehlermeldung fehler konfiguration salida errores traza configuración sortie erreur erreurs configuration`);
export const TRANSFORM_VERBS = wordSet(`
  translate proofread rewrite rephrase paraphrase summarize summarise spellcheck shorten reword reformulate transcribe polish
  übersetze übersetz übersetzen korrigiere korrigier umformulieren formuliere fasse lektoriere
  traduce traducir traduzca corrige reescribe resume parafrasea revisa
  traduis traduire traduisez réécris reformule résume relis`);
/** Named with a text noun before a colon on the same line, they announce that text. */
export const CREATION_VERBS = wordSet(`
  write add put compose draft create insert include say says saying reads called titled print render type
  schreib schreibe schreiben füge ergänze dichte verfasse erstelle sagt lautet steht heißt
  escribe escribir añade agrega pon redacta crea compón dice
  écris écrire ajoute mets rédige crée dit`);
/** With one of these before the colon the person speaks about memory, not about a text. */
export const MEMORY_VERBS = wordSet(`
  remember memorize memorise save store jot forget merk merke vergiss notiere denk recuerda guarda olvida apunta anota
  souviens retiens oublie note rappelle`);
export const MAIL_MARKS = wordSet('wrote schrieb escribió écrit');
export const MAIL_HEADERS = wordSet(`
  subject from to date sent cc von an betreff gesendet datum de para asunto enviado fecha objet envoyé à`);
/** Words of labels that the person puts before what is to be kept: "Important: …", "fürs Protokoll: …". */
export const LABEL_WORDS = wordSet(`
  very super important note info reminder to for self myself later you future just so remember dont forget next time fyi reference your memory notes
  please save nb heads up sehr ganz wichtig nicht vergessen für später die nachher zukunft akten unterlagen merke zum merken notiz an mich selbst nur zur
  erinnerung dich fürs nächste mal gedächtnis protokoll muy importante para el más un futuro tarde adelante la próxima que lo recuerdes nota mental mí
  très pour plus tard l avenir suite prochaine fois mémoire à moi même retenir noter`);
export const ROLE_PLAY = [
  'role-play',
  'roleplay',
  'role play',
  'pretend you',
  'pretend to be',
  'act as',
  'imagine you are',
  'rollenspiel',
  'tu so als wär',
  'tu so, als wär',
  'stell dir vor, du bist',
  'juego de rol',
  'juguemos a',
  'finge que',
  'imagina que eres',
  'jeu de rôle',
  'imagine que tu es',
].flatMap(foldings);
