import { addTo } from '../../model/records.ts';
/**
 * Words and phrases that say the same in English, German, Spanish and French, so that what is learned of one language holds
 * for the others. Folded (lower case, no accents, apostrophes as spaces); `*` stands for any ending, `_` joins the words of a
 * phrase, `|` separates what may stand in its place. A word may belong to several groups.
 */
export const LANGUAGES = ['en', 'de', 'es', 'fr'] as const;

const LEXICON = `
keep
  en remember rember remeber rembember memorise memorize note jot log pin save store record keep retain stash bookmark file remembering memo rmbr noted archive retaining
  de merk merke merken merks merkst merkts notier* speicher* vermerk* festhalt* festzuhalten behalt behalte behaltst behalten abspeicher* einspeicher* ablege* hinterleg* protokollier* aufschreib* einprag* prag prage notiz aufheben eintragen archivier* mitschreib* behalts merkt speichert eintrag festgehalten abgespeichert vormerk* schreibs notiert notieren
  es recuerda recuerde recuerden recuerdes recuerdalo acuerdate acuerdese acordate acuerdes acordaros apunta apunte apuntes apuntalo apuntame apuntate apuntalos apuntar anota anote anotes anotalo anotame anotate anotar guarda guarde guardes guardalo guardame guardate guardatelo guardar registra registre registralo reten retenga retengas retener retuviese memoriza* graba grabate grabatelo conserva conserve almacena* aprendete* aprendetelo archiva tenlo tengalo tene archivame archivalo incorporar incorpore recordar guardaras memo escrito grabado anotao dejalo
  fr retiens retiennes retienne retenir retenez note notes notez noter souviens souviennes souvenez memoris* enregistr* garde gardes gardez garder inscris inscrivez inscrire consigne consignez marque marquez stocke* sauvegarde* conserve* archive* apprends grave memo rappelez epingle retenu souvienne notee memo retenez souvenir
add
  en write put add enter append wirte
  de schreib schreibe schreibs schreiben schreibst trag trage trags pack packe setz setze erganz* fug fuge nimm hau leg lege halt halte halten heb
  es escribe escribi escriba escribeme pon ponlo ponle poneme ponme ponga pongas suma sumale sumalo anade anadir agrega* mete meteme incluye
  fr ecris ecrivez mets mettez ajoute* rajoute* colle colles fous fiche tiens
drop
  en forget 4get unremember erase wipe scratch discard purge ditch disregard unlearn scrub unsave delete remove drop cancel undo bin trash strike clear rid dump shred lose withdraw revoke retract scrap nuke burn cross ignore clearing deleting wiping removing forgetting erasing
  de vergiss vergesst vergessen vergiß losch* loesch* ausloschen entfern* streich* gestrichen wegwerf* wegschmeis* schmeiss* schmeis wirf vernicht* tilg* ignorier* verwirf* raus runter weg kipp kippen austrag* rauswerf* rausschmeiss* rausnehm* beseitig* widerruf* hinfallig ausradier* radier* ausmist* heb hebt entsorg* tonne mull lasch* nimm raushau* wegtun wegmach*
  es olvida olvide olvides olvidate olvidalo olvidar olvidese borra borre borres borrar borralo borrame borrala borralos elimina elimine eliminar eliminalo quita quite quites quitar quitalo quitate quitame saca saque sacame tacha tache tachar descarta descarte suprim* tira tire tiralo ignora ignore cancela cancele cancelala anula anule desecha* deshazte destruy* revoca* retira retire vacia fuera resete* bota limpia desapunta desech* olvidara borrara tirando olvidaras borres
  fr oublie oublies oubliez oublier efface effaces effacez effacer supprim* vire vires virez raye rayez rayer biffe biffez jette* jetez retire retires retirez enleve enleves enlevez ignore ignorez annule annulez detrui* barre barrez degage* poubelle purge* zappe* gomme* vide videz laisse tire balance radie* radiez abroge* vidange ejecte* evacue* desinscri* supprime
forgot
  en forgot forgotten forgets forgetting
  de vergass vergass verschwitzt vergesslich vergisst vergesse
  es olvido olvidado olvidaba olvidaron olvidamos olvidadiz*
  fr oublie oubliais oubliait oubliee oubliee oublis
notforget
  en dont_forget do_not_forget don_t_forget dont_you_*_forget don_t_you_*_forget never_forget not_forget don_t_let_me_forget
  de nicht|nich|ned|net|nie|niemals|nix_vergessen vergiss|vergesst|vergessen_nicht|nich|ned|net|nie|niemals vergiss_bloss|ja|mir|das|bitte|es_nicht|nich vergessen_sie_nicht|bitte|nie vergessen_sie_bitte_nicht
  es no_olvides no_te_olvides no_se_te|le_olvide|olvides|pase no_lo_olvides no_me_olvides no_olvide no_se_olvide nunca_olvides que_no_se_te no_vayas_a_olvid*
  fr n_oublie|oublies|oubliez oublie|oubliez|oublies_pas|jamais pas_oublier ne_pas_oublier oublie_surtout_pas n_oublie_jamais
dontkeep
  en dont|don_t|never|not_keep|store|save|remember|retain|hold|use|bring|mention stop_remembering|storing|using|bringing|calling|assuming|saving no_longer_need
  de nicht_mehr_merken|speichern|verwenden|beachten|berucksichtigen nicht_speichern|merken|behalten|aufheben|abspeichern hor_auf nicht_mehr
  es no_guardes|conserves|retengas|recuerdes|uses|tengas|guarde|conserve|vuelvas|vuelva|anotes deja_de deje_de dejes_de
  fr ne_garde*|conserve*|retiens|retenez|note*|stocke* arrete*_de cesse*_de ne_tiens|tenez|tenir plus_besoin n_en_garder|garde*
mind
  en in_mind for_the_record on_record for_future|later_reference|use for_later for_next|another_time going_into keep_track got_it make_a_note take_note mental_note note_to_self
  de im_kopf|hinterkopf|gedachtnis dran|daran_denken denk|denke|denken_dran|daran|sie|bitte|immer furs_protokoll|nachste|protokoll zur_info|erinnerung|kenntnis fur_spater auf_dem_schirm zu_protokoll nimm_zur fuhr*_buch hinter_die_ohren im_gedachtnis|sinn
  es en_cuenta|mente ten_presente|en tenga_presente|en para_que_conste que_conste para_la_proxima toma|tome|tomale_nota en_la_cabeza|memoria ten_lo para_luego llev*_la_cuenta que_quede que_no_se
  fr en_tete|memoire|compte dans_un_coin pour_memoire|info|plus|la_prochaine|rappel prends|prenez|prendre_note a_retenir pense_bete|bete garde_ca note_bien tiens_compte
memory
  en memory memories notes note records record database archive profile brain reminders file files memo
  de gedachtnis notizen notiz eintrag* erinnerung* akte akten kartei speicher datenbank archiv profil unterlagen gehirn gemerkt gespeichert gemerkte* gespeicherte* notizbuch merkzettel zettel aufzeichnung*
  es memoria* nota notas apuntes apunte ficha fichas registro* recuerdos archivo* perfil historial guardado guardada anotado apuntado libreta cabeza
  fr memoire notes note carnet fiche fiches dossier souvenirs registre registres tablettes archives profil enregistre retenu cahier memo
list
  en list lists
  de liste listen *liste einkaufsliste
  es lista listas
  fr liste listes
offlist
  en off_the|my_list from_the|my|your_list|memory|notes|records out_of_your
  de von|aus_der|meiner|deiner_liste von_*_liste aus_deinem|deinen|ihrem|ihren|dem
  es de_la|mi|tu|su_lista|memoria de_tus|sus_notas|registros|recuerdos|archivos de_lo_que
  fr de_la|ma|ta|votre_liste|memoire de_tes|vos_notes|tablettes|registres|fiches
onlist
  en to|on_the|my_list to|on_my|the|our_*_list list_of to_my|your
  de auf_die|meine|unsere|der_*liste auf_die|meine_liste in_deine|deinen|ihre
  es a|en_la|mi_lista a|en_tus|mis a_mi_lista
  fr sur|a|dans_la|ma_liste dans|a_tes|mes|vos sur_ma
rule
  en always henceforth onward onwards forward rule standard default policy every whenever future
  de kunftig zukunft zukunftig immer stets jedesmal regel grundsatzlich dauerhaft fortan generell ausnahmslos hinfort prinzipiell wann
  es siempre adelante regla norma permanente cada fija futuro sucesivo
  fr toujours desormais dorenavant avenir regle chaque systematiquement principe consigne jamais
fromnow
  en from_now from_here from_today from_this starting_now|today|tomorrow going_forward in_future in_the_future as_of
  de ab_jetzt|sofort|heute|nun|morgen|montag von_jetzt|nun|heute_an|ab in_zukunft ab_dem fur_alle_zukunft nie_wieder nie_mehr ab_jz ab_sofort
  es a_partir_de de_ahora|aqui|hoy_en en_adelante en_lo_sucesivo desde_ahora|hoy|ya nunca_mas
  fr a_partir_de|d a_l_avenir a_compter_de des_maintenant|aujourd plus_jamais
negation
  en not dont never no doesnt didnt wont cant without nothing don t
  de nicht nich ned net nix kein* nie niemals ohne nichts
  es no nunca jamas tampoco sin nada ni
  fr pas jamais ne rien sans aucun* n pus
you
  en you u ya your yours yourself ur youd youve youre
  de du dir dich dein* sie ihnen ihr ihre ihren ihrem ihrer euch dus haste kannste
  es tu te ti usted le su sus vos contigo tus os
  fr tu te toi ton ta tes vous votre vos t
i
  en i me my mine im ive id ill myself
  de ich mir mich mein* i hab
  es yo me mi mis mio mia conmigo
  fr je j moi mon ma mes me m jai
we
  en we us our ours weve together
  de wir uns unser* gemeinsam
  es nosotros nos nuestr* quedamos hablamos juntos
  fr on nous notre nos ensemble
other
  en he she they him his her them mum mom mother dad father boss sister brother wife husband teacher doctor colleague friend people everybody someone nobody son daughter
  de er ihm ihn mutter mama vater papa chef chefin schwester bruder frau mann lehrer* arzt kolleg* freund* leute oma opa sohn tochter nachbar*
  es el ella ellos madre padre jefe jefa hermana hermano mujer marido suegra profesor* medico amig* gente abuela abuelo hijo hija vecin*
  fr il elle ils elles lui leur mere pere patron chef soeur frere femme mari prof medecin collegue ami* gens mamie papi fils fille voisin*
said
  en told said tell mention* gave dictated asked shared talked discussed spoke explained sent
  de gesagt gsagt erzahl* erwahn* genannt nannte mitgeteilt gegeben diktiert* besprochen geredet beschrieben verraten anvertraut geschickt vorgeschwarmt ausgemacht
  es dije dicho conte comente mencion* hable hablado hablamos dicte nombre explique comentado contado di pase pedi mande
  fr dit disais raconte* parle* mentionn* donne donnee dicte* explique confie cause cite dite confie promis gardes
itoldyou
  en i_told|gave|sent|asked|dictated|mentioned|shared|said|explained i_ve_told|given|said|mentioned|shared told|gave|asked_you|u did_i_tell|say|mention|give have_i_told|mentioned we_talked|discussed|said|agreed|decided|settled i_ever_told|mentioned
  de hab|habe|hatte|hatt_ich|i|wir_*_dir|ihnen|gesagt|erzahlt|genannt|gegeben|erwahnt|diktiert hab|habe|hatte_ich|i_gesagt|erzahlt|erwahnt ich_dir|ihnen dir_*_gesagt|erzahlt|gegeben|erwahnt|genannt wir_*_besprochen|gesagt|ausgemacht|beschlossen|entschieden nannte_ich ich_*_erwahnt
  es te|le|os_dije|di|conte|comente|mencione|pase|pedi|dicte|mande|nombre|explique|hable te|se_lo|la|los|las_dije|di|conte|comente|pase|dicte te_habia le_habia te_he_dicho|contado quedamos_en dije_que habiamos_quedado|hablado|decidido
  fr t|vous_ai_dit|donne|donnee|raconte|parle|explique|confie|demande|dicte t_avais|avions_dit|parle|explique|donne|raconte je_t|vous_*_dit|donne|parle jt_ai jtai jte_l jtavais je_te_l on_avait_dit|parle|decide|convenu ai_je_dit avais_dit disais te_disais te_parlais
youhave
  en you_have|ve|got_saved|stored|noted|on|about you_know_about you_remember|recall do_you_remember|recall|know|have you_kept you_noted saved_under
  de du_*_gespeichert|gemerkt|notiert|weisst hast_du_*_gespeichert|gemerkt|notiert|noch weisst|kennst_du_noch du_noch hast_du_noch bei_dir|ihnen
  es tienes_guardad*|apuntad*|anotad*|registrad*|todavia tenes_guardad*|anotad* lo_tienes|tiene|tenes te_acuerdas|acordas|acuerda que_sabes|sabe|tienes|tenes apuntaste|anotaste|guardaste
  fr tu_as|l_as|en|te_memoire|note|souviens|rappelles|enregistre|garde tu_te_souviens|rappelles vous_vous_souvenez|rappelez vous_avez|l_avez|note|garde tu_sais|gardes que_sais|savez
what
  en what which who when where how whats whos why wot
  de was welche* wer wann wo wie wies worauf woruber warum wieso wem wen wofur wohin
  es que cual* quien* cuando donde como cuanto* q k
  fr quoi quel* qui quand ou comment combien laquelle lequel pourquoi qu
mywas
  en what|when|where|which_was|were|is|s_my|the|our what|whats_my what_did|do_i|we how_do|did_i_like|want who_was
  de was|wie|wann|wo|wer_war|waren|is|ist|hiess|heisst|hieß_mein*|der|die|das|unser*|noch|nochmal wie_hiess|hieß wie_war was_war wie_viel*_waren
  es cual|como|que|quien|donde|cuando_era|eran|fue|es_mi|el|la|mis como_se_llamaba cual_era como_era en_que_quedamos
  fr c|ct_quoi|etait|quoi_deja|mon|ma|le|la quel*_etait|est|etaient comment_s|il|elle_appelait c_etait_quoi qu_avait|avais ou_en_etais
past
  en was were had did used
  de war warst waren hatte hatten wurde gewesen hiess
  es era eran fue habia estaba
  fr etait etaient avait avais avions fut
again
  en again
  de nochmal nochma noch gleich nomal doch
  es otra vez nuevamente
  fr deja encore
remind
  en remind reminder refresh recall recap reminding jog
  de erinner* auffrisch* sprunge erinnere
  es recuerdame recordame recuerdeme recordarme recordar refrescame recuerda acordarme hazme_memoria
  fr rappelle* rappelez rappeler rafraich* redis redites redonne rapelle rememor*
show
  en show read give pull bring fetch repeat look find check dig tell say hear
  de zeig* lies sag sags gib nenn* hol such schau guck wiederhol* her verrat
  es muestra* dame dime dimelo digame lee leeme leame busca ensena* repite deci decime pasame devolve*
  fr montre* lis lisez dis dites donne donnez sors sortez cherche regarde repete retrouve ressors
earlier
  en yesterday earlier ago last previously before once recently already other
  de gestern vorhin neulich damals letzte* letzten vorige* fruher bereits schonmal kurzlich unlangst schon
  es ayer antes anterior pasad* hace anoche ultim* aquella aquel aquello ya
  fr hier avant autre dernier* derniere* auparavant recemment tantot
review
  en review summarise summarize summary tidy sort clean consolidate contradict* pattern* overview synthesis recap organise organize reflect analyse analyze merge dedupe duplicate* audit retrospective trends inconsisten* outdated stale portrait distil themes conclusions inventory declutter prune picture tally takeaways
  de durchgeh* geh durchschau* zusammenfass* zusammengefass* fass fasse aufraum* raum ordne ordnen ordnung sortier* widerspruch* widerspr* muster uberblick ubersicht bilanz fazit resumee auswert* reflektier* bereinig* entrumpel* dopplung* doppelt* veraltet* prufe pruf* resumier* sichte* ausmist* miste bestandsaufnahme ruckblick jahresruckblick zuruckschau* ruckschau gewohnheiten erkennst
  es repas* resum* ordena* orden limpia* contradic* patron* balance depura* organiza* analiza* reflexion* sintesis sintetiza* recopila* duplicad* revisa* repetid* conclusion* fusiona* panorama inventario retrato cuadra limpieza unific* repase* extraiga junta
  fr relis relisez recapitul* synthese synthetis* range* ranger trie* trier nettoi* menage contradict* contradiction* bilan motif* tendance* analyse* resume* recoupe* doublon* inventaire revue revois reflech* ordre portrait tri
goover
  en go|look|run|read_through|over|back looking_back clean_up sum_up tidy_up what_have_you what_do_you_know|make|notice|see what_you_know all_our|your
  de geh*_*_durch schau*_*_durch raum*_*_auf fass*_*_zusammen was_weisst|wissen_du|sie alles_was uber_mich von_mir aus_allem was_fallt
  es todo_lo_que lo_que_sabes|sabe|llevamos que_has_aprendido de_mi sobre_mi echa*_un pon|poner_orden
  fr tout_ce_que ce_que_tu|vous_sais|savez|as|avez sur_moi de_moi fais|faites|faire_le_point|menage|tri|bilan mets_de_l passe_en
all
  en everything all whole entire overall complete anything
  de alles alle allem ganz* samtliche* gesamt* komplett*
  es todo toda todos todas entero conjunto completo
  fr tout toute tous toutes entier*
know
  en know knows known knowledge
  de weisst weiss wissen wisst weißt bekannt
  es sabes sabe sabeis conoces saber
  fr sais savez sait connais connaissez savoir
learned
  en learned learnt gathered collected picked noticed notice conversations chats
  de gelernt gesammelt mitbekommen aufgefallen gesprache* unterhaltungen chats
  es aprendido recogido notado aprendiste conversaciones charlas
  fr appris accumule* recueilli* remarque* compris conversations echanges discussions
over
  en wrong outdated obsolete longer anymore incorrect mistake changed moved sold gone
  de mehr falsch veraltet uberholt erledigt vorbei geandert irrtum unsinn
  es mas equivoc* caducado cambie cambio error vendido viejo
  fr plus faux perime obsolete change vendu erreur termine fini
make
  en write draft translate explain fix compose rewrite correct convert calculate recommend suggest help proofread define
  de entwirf* ubersetz* erklar* korrigier* formulier* verfass* berechne* empfiehl* hilf* umschreib* schreib schreibe schreiben
  es escribe escribeme escribele redact* traduc* explic* corrig* calcula* recomienda* sugier* ayuda* haz hazme hazle
  fr ecris redig* tradui* trad expliqu* corrig* calcul* recommand* sugger* propos* aide* fais conjugu*
letterto
  en write|draft|compose_a|an|me|him|her an_email a_letter a_message a_note_to|for
  de schreib|schreibe|schreiben|verfass*|formulier*_einen|eine|ein|sie|mir|der|dem eine_mail einen_brief ein_schreiben
  es escribe|redacta|escribele_un|una|a un_correo una_carta|nota un_mensaje
  fr ecris|redige|redigez_un|une|a|lui un_mail|mot|courriel|message une_lettre
language
  en english german french spanish grammar tense translation means meaning mean
  de englisch deutsch franzosisch spanisch grammatik bedeutet heisst
  es ingles aleman frances espanol gramatica significa
  fr anglais allemand francais espagnol grammaire signifie
do
  en book send call open set schedule order invite run deploy play turn upload print buy
  de buch* schick* ruf offne stell* reservier* lade spiel* druck* kauf* bestell*
  es reserva* manda* envia* llama* abre program* invita* sube imprime compra*
  fr reserve* envoie* appelle* ouvre* regle* programme* invite* lance* imprime* achete* commande*
text
  en email mail letter message text article poem song lyrics paragraph sentence chapter story speech essay word document page slide film movie book
  de mail brief nachricht text artikel gedicht lied absatz satz kapitel geschichte rede wort dokument seite folie zitat film roman
  es correo carta mensaje texto articulo poema cancion parrafo frase capitulo historia discurso palabra documento pagina pelicula novela diapositiva*
  fr courriel lettre message texte article poeme chanson paragraphe phrase chapitre histoire discours mot document page citation film roman
code
  en branch file folder function class variable table column row sql cache commit repo script server api json css field changelog
  de datei ordner funktion klasse variable tabelle spalte zeile datenbank zweig skript feld
  es archivo carpeta funcion clase tabla columna fila rama campo servidor
  fr fichier dossier fonction classe table colonne ligne branche champ serveur
timer
  en timer alarm calendar appointment clock minutes
  de wecker kalender termin uhr minuten timer
  es alarma calendario cita minutos temporizador
  fr minuteur reveil agenda calendrier rdv minutes alarme
person
  en remembers remembered reminded remembering
  de erinnerte erinnert erinnere gemerkt notierte
  es recordaba recordo recuerdo acuerdo acordaba apuntaba
  fr rappelait rappelles souvenait souvient notait notais
please
  en please pls plz kindly
  de bitte bidde
  es porfa favor xfa porfi
  fr plait svp stp priere prie
want
  en want would like need rather prefer wish d
  de mochte will wurde wunsche lieber wollt
  es quiero quisiera prefiero preferiria gustaria necesito
  fr voudrais veux aimerais prefere souhaite faudrait
able
  en can could may
  de kannst konntest konnen konnten kann
  es puedes podrias puede podria podes
  fr peux pourrais pouvez pourriez
pretend
  en pretend as_if never_said|told|mentioned|happened
  de tu|tun_so als_hatt*|war* so_als vergiss_dass
  es como_si haz_como
  fr comme_si fais_comme
thing
  en that this it these those
  de das dies* des es den
  es eso esto lo ese esa esos
  fr ca cela ce cette ceci le l
`;

export type Language = (typeof LANGUAGES)[number];

/** A phrase: for each of its places the words that may stand there. */
interface Phrase {
  readonly concept: string;
  readonly places: readonly (readonly string[])[];
}

class Vocabulary {
  readonly #exact = new Map<string, string[]>();
  readonly #beginnings = new Map<string, string[]>();
  readonly #phrases = new Map<string, Phrase[]>();
  readonly #misspelt = new Map<string, string[]>();

  add(entry: string, concept: string): void {
    if (entry.includes('_')) this.#addPhrase(entry, concept);
    else if (entry.endsWith('*')) addTo(this.#beginnings, entry.slice(0, -1), concept);
    else {
      addTo(this.#exact, entry, concept);
      if (MISSPELT.has(concept) && entry.length >= SHORTEST_MISSPELT)
        for (const variant of [entry, ...withoutOne(entry)]) addTo(this.#misspelt, variant, concept);
    }
  }

  #addPhrase(entry: string, concept: string): void {
    const places = entry.split('_').map((place) => place.split('|'));
    for (const first of places[0] ?? []) addTo(this.#phrases, first.replace('*', ''), { concept, places });
  }

  knows(word: string): boolean {
    return this.#exact.has(word);
  }

  conceptsAt(tokens: readonly string[], at: number): Set<string> {
    const word = tokens[at] ?? '';
    const found = new Set(this.#exact.get(word));
    for (let length = 1; length <= word.length; length += 1) {
      const beginning = word.slice(0, length);
      for (const concept of this.#beginnings.get(beginning) ?? []) found.add(concept);
      for (const { concept, places } of this.#phrases.get(beginning) ?? [])
        if (places.every((place, step) => place.some((each) => matches(each, tokens[at + step])))) found.add(concept);
    }
    if (found.size === 0 && word.length >= SHORTEST_MISSPELT - 1)
      for (const variant of [word, ...withoutOne(word)])
        for (const concept of this.#misspelt.get(variant) ?? []) found.add(concept);
    return found;
  }
}

/** Words that are worth recognising when a letter is missing, wrong or in another's place. */
const MISSPELT = new Set(['keep', 'drop', 'remind']);
const SHORTEST_MISSPELT = 6;

function withoutOne(word: string): string[] {
  return Array.from(word, (_letter, at) => word.slice(0, at) + word.slice(at + 1));
}

function matches(pattern: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  if (pattern.startsWith('*')) return word.endsWith(pattern.slice(1));
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : pattern === word;
}

function readLexicon(): ReadonlyMap<Language, Vocabulary> {
  const vocabularies = new Map(LANGUAGES.map((language) => [language, new Vocabulary()]));
  let concept = '';
  for (const line of LEXICON.split('\n')) {
    const [, language, words] = /^ {2}(\w\w) (.*)$/u.exec(line) ?? [];
    if (words === undefined) concept = line;
    else for (const word of new Set(words.split(' '))) vocabularies.get(language as Language)?.add(word, concept);
  }
  return vocabularies;
}

const VOCABULARIES = readLexicon();
const COMMON: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: new Set(
    'the a an and to of in for is it that on with my i you be at this from not but so have just was are do me what can if'.split(
      ' ',
    ),
  ),
  de: new Set(
    'der die das und zu ist ein eine ich du nicht mit den dem auf fur im in von hab mir dass sich wie bitte auch so an es war wir aus noch dir mal bei'.split(
      ' ',
    ),
  ),
  es: new Set(
    'el la los las que de y en un una es por con no me mi lo se para te su al del como pero si le mas ya esta cuando'.split(
      ' ',
    ),
  ),
  fr: new Set(
    'le la les de et un une est que je tu il pas en des pour sur ce qui dans mon ma c l d j n s au du avec ne ca t a plus mais on'.split(
      ' ',
    ),
  ),
};

/** The languages whose words a message uses; more than one where that is not clear. */
export function languagesOf(tokens: readonly string[]): readonly Language[] {
  const scores = LANGUAGES.map((language) => {
    const vocabulary = VOCABULARIES.get(language);
    return tokens.reduce(
      (sum, token) => sum + (COMMON[language].has(token) ? 2 : 0) + (vocabulary?.knows(token) === true ? 1 : 0),
      0,
    );
  });
  const least = Math.max(...scores) * NEARLY_AS_MANY;
  return LANGUAGES.filter((_language, place) => (scores[place] ?? 0) >= least);
}

const NEARLY_AS_MANY = 0.8;

/** The possible meanings of each word; none for most words. */
export function conceptsOf(tokens: readonly string[]): Set<string>[] {
  const vocabularies = languagesOf(tokens).map((language) => VOCABULARIES.get(language));
  return tokens.map((_token, at) => {
    const found = new Set<string>();
    for (const vocabulary of vocabularies) vocabulary?.conceptsAt(tokens, at).forEach((concept) => found.add(concept));
    return found;
  });
}
