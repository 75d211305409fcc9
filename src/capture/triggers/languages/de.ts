import type { LanguageTable } from '../types.ts';

export const german: LanguageTable = {
  language: 'de',
  rules: [
    {
      kind: 'remember',
      position: 'command',
      object: 'needed',
      phrases: `
        merk|merke|notier|notiere dir ! nicht|nichts ! das|es|dies nicht
        merkt euch ! nicht|nichts
        merken|notieren sie sich ! nicht|nichts
        merk|merke|notier|notiere dir das|dies|folgendes ! nicht
        schreib|schreibe dir das|dies|folgendes? auf > :|,|.|dass|das
        schreib|schreibe|notier|notiere das|dies|es auf? > :|.
        vergiss|vergesst das|es|dies? nicht|nie|niemals ! mich|uns
        vergessen sie das|es|dies? nicht
        denk|denke|denkt das? daran|dran ! wie
        denken sie daran|dran
        denk|denke an ! mich|dich|etwas|was|uns
        behalt|behalte das|dies|es? im hinterkopf|kopf|gedächtnis ! nicht
        behalt|behalte das|dies? in erinnerung
        berücksichtige künftig|immer|stets ,? dass
        nimm das|dies|folgendes? in dein gedächtnis|deine auf
        speicher|speichere das|dies|es für später|die? zukunft?
        speicher|speichere das|dies|es? in deinem|dein gedächtnis|speicher ab?
        speicher|speichere dir? ab? ,? dass
        speicher|speichere dir ab?
        speicher|speichere das|dies ab? > .
        heb|hebe das|dir? für später auf
        erinnere|erinner mich daran|dran|bitte ,? > den|die|das|dass|am|an|morgen|heute|,|zu|ein|eine|einen|beim|im|mit|bei|:
        halte|halt fest ,? dass
        aktualisiere dein|deine gedächtnis|notizen
      `,
    },
    {
      kind: 'remember',
      position: 'asked',
      object: 'needed',
      phrases: `
        dir merken|notieren|aufschreiben > ,|:|dass|das
        dir ... merken|notieren|aufschreiben
        daran|dran denken > ,|:|dass|das
        im hinterkopf|kopf behalten > ,|:|dass
        merken|notieren|aufschreiben|speichern|abspeichern > ,|:|dass
        dir merken|notieren könntest|würdest|kannst > ,|:|dass
        dir merkst|notierst > ,|:|dass
        dir ... merkst|notierst
        daran denkst > ,|:|dass
        nicht vergisst > ,|:|dass
        im hinterkopf|kopf behältst > ,|:|dass
      `,
    },
    {
      kind: 'remember',
      position: 'command',
      object: 'needed',
      weak: true,
      phrases: `
        beachte > ,|:|dass
        beachten sie > ,|:|dass
        bedenke > ,|:|dass
        nicht vergessen > ,|:|dass
      `,
    },
    {
      kind: 'remember',
      position: 'label',
      object: 'needed',
      phrases: `
        sehr|ganz? wichtig
        nicht vergessen
        für später|die|nachher zukunft|akten|unterlagen?
        merke
        zum? merken
        notiz an mich selbst?
        nur? zur erinnerung für? dich?
        zur info für später
        fürs nächste mal
        notiz für später
        fürs gedächtnis|protokoll
      `,
    },
    {
      kind: 'remember',
      position: 'standing',
      object: 'needed',
      weak: true,
      phrases: `
        ab jetzt|sofort|heute ! wird|ist|es|er|sie|das|der|die|geht|sind|war|wurde|hat|läuft|kann|gibt
        von nun|jetzt an ! wird|ist|es|er|sie|das|der|die|geht|sind|war|wurde|hat|läuft|kann|gibt
        künftig|zukünftig ! wird|ist|es|er|sie|das|der|die|geht|sind|hat|kann|gibt
        in zukunft > bitte|immer|nie|nutze|nimm|antworte|schreib|schreibe|sollst|möchte|nur|,
        fürs nächste mal
      `,
    },
    {
      kind: 'recall',
      position: 'question',
      object: 'needed',
      phrases: `
        was weißt du noch|alles|schon? noch|alles? über|von|vom|zu|zum|zur
        was weißt du noch? ,? > was|wer|wo|wann
        weißt du noch ,? > was|wer|wo|wann|welche|welcher|welches|welchen|wie|warum|ob|wieviel|wem
        erinnerst du dich noch? an|daran ,? ! damals|diesen|diese|jenen|früher|mich
        erinnerst du dich noch? ,? > was|wer|wo|wann|welche|welcher|welches|welchen|wie|warum|ob
        weißt du ,? > wo|wann|was|wie|wer|welche|welchen ich|wir|mein|meine|unser|unsere
        hast du dir gemerkt|notiert ,? > was|wer|wo|wann|welche|wie|dass|ob
        was|wer|wo|wann|wie war|ist|hieß nochmal|noch|gleich mal? ^mein|meine|unser|unsere|der|die|das ...
        woran erinnerst du dich
        was hab|habe|hatte ich|wir dir? noch|mal? über|von|vom|zu|zum|zur|wegen ... gesagt|erzählt|geschrieben|beschlossen|entschieden|vereinbart|besprochen
        was haben|hatten wir noch|mal? über|zu|zum|zur|wegen|bei|beim|mit ... gesagt|beschlossen|entschieden|vereinbart|besprochen|ausgemacht
        hab|habe ich dir schon|mal? von|vom|über ... erzählt|gesagt
        hast du etwas|was über|zu|zum|zur ... gespeichert|notiert
        was hast du über|zu|zum|zur ... gespeichert|notiert
        was steht in deinem gedächtnis|deinen über|zu|zum|zur
      `,
    },
    { kind: 'recall', position: 'question', object: 'optional', phrases: 'was weißt du über mich' },
    {
      kind: 'recall',
      position: 'command',
      object: 'needed',
      phrases: `
        erinnere|erinner mich nochmal|noch|mal? mal? daran? ,? > was|wer|wo|wann|welche|welcher|welches|welchen|wie|warum|ob
        erinnere|erinner dich an ! damals|früher
        sag|sage|erzähl|erzähle|zeig mir alles? ,? was du noch? über|von|zu ... weißt|gespeichert
        such|suche|schau|sieh in deinem|deinen gedächtnis|erinnerungen|notizen nach? nach|zu|zum
        durchsuche|durchsuch dein|deine gedächtnis|erinnerungen|notizen nach
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'needed',
      phrases: `
        vergiss|vergesst das|die sache|geschichte? ganze? mit|von|wegen|über
        vergiss|ignorier|ignoriere ,? alles? ,? was ich|wir dir? gerade|eben? über|zu|zum|zur|von|vom|wegen ... gesagt|erzählt|geschrieben habe|hab|haben|hatte?
        vergiss ,? alles? ,? was du über|von|vom|zu|zum|zur ... weißt|hast
        lösch|lösche|entfern|entferne|streich|streiche alles ,? was du über|von|vom|zu|zum|zur ... weißt|hast|gespeichert
        vergiss|lösch|lösche|entferne alles über|zu|zum|zur|von|vom
        vergiss > meine|mein|meinen|unsere|unseren|unser ! nicht
        vergiss ,? > dass|daß
        vergiss > alles .
        lösch|lösche|entfern|entferne die|deine|alle erinnerung|erinnerungen|notiz|notizen an|über|zu|zum|zur|von
        lösch|lösche|entfern|entferne|streich|streiche|nimm ... aus deinem|dem|deinen gedächtnis|erinnerungen|notizen
        lösch|lösche|entfern|entferne|streich|streiche aus deinem gedächtnis
        was ich über|zu|zum|zur ... gesagt|erzählt habe|hab ist nicht mehr relevant|aktuell|wichtig
      `,
    },
    {
      kind: 'forget',
      position: 'asked',
      object: 'needed',
      phrases: `
        das mit|von|wegen ... vergessen|vergisst
        alles über|zu|zum|zur|von ... vergessen|löschen|vergisst|löschst
        ^meine|meinen|mein|unsere|unseren|unser ... vergessen|vergisst > .
      `,
    },
    {
      kind: 'forget',
      position: 'command',
      object: 'back',
      phrases: `
        streich|streiche das > .
        vergiss|ignorier|ignoriere meine|die letzte|vorige|letzten nachricht|bemerkung|aussage
        vergiss|ignorier|ignoriere ,? was ich gerade|eben|vorhin|zuletzt? gesagt|geschrieben habe|hab
        vergiss das > .
        das|dies ist nicht mehr relevant|aktuell
        das hat sich erledigt
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'needed',
      phrases: `
        reflektier|reflektiere über ! die|deine|den|das? antwort|lösung|wand|code|spiegel
        denk|denke|denkt über ... nach
        lass uns über ... nachdenken|reflektieren
      `,
    },
    {
      kind: 'reflect',
      position: 'command',
      object: 'optional',
      phrases: `
        räum|räume dein|deine gedächtnis|erinnerungen|notizen auf
        geh|gehe alle? deine erinnerungen|notizen durch
        sortier|sortiere|ordne|konsolidier|konsolidiere|überprüf|überprüfe dein|deine gedächtnis|erinnerungen zu|über?
        mach|mache|starte eine reflexion|konsolidierung
      `,
    },
    {
      kind: 'reflect',
      position: 'asked',
      object: 'optional',
      phrases: 'dein|deine gedächtnis|erinnerungen aufräumen|durchgehen|sortieren|konsolidieren',
    },
  ],
  leadIns: `
    bitte|hey|hallo|hi|ok|okay|oh|ach|also|und|auch|aber|dann|jetzt|nun|so|ja|nein|danke|übrigens|gut|super|prima|moment|halt|erstens|zweitens|drittens|außerdem|noch|immer|doch|mal|ps|schließlich|sonst
    ach ja
    hey|hallo|hi *
    noch etwas|was
    claude|gpt|chatgpt|assistent|mneme|copilot|gemini
    du sollst|solltest|musst|kannst
    stell sicher ,? dass du
    endgültig|dauerhaft
    lass uns
  `,
  asks: `
    kannst|könntest|würdest|magst|wirst|willst du bitte|auch|mal|jetzt|vielleicht?
    können|könnten|würden sie bitte?
    kannst|könntest du
    ich möchte|will|hätte gern|gerne? ,? dass du
    ich wünsche mir ,? dass du
    es? wäre schön|gut|super|toll|nett ,? wenn du
    bitte
    du sollst|solltest|musst|kannst
  `,
  conjunctions: 'und aber dann oder sowie',
  subjects:
    'ich er sie wir man wer mein meine sein seine ihre leute jeder niemand zu du wie warum was soll solle sollte sagte meinte',
  firstPerson: 'ich mich mir mein meine meinen meinem meiner wir uns unser unsere unseren',
  sayVerbs: `sagte sagt sagen gesagt meinte meint schrieb schreibt geschrieben bat bittet rief ruft sang singt antwortete fragte
    flüsterte mahnte warnte erinnerte motto spruch`,
  fillers: 'bitte mal doch auch unbedingt schon gleich ganz immer',
  permanence: 'endgültig\nfür immer\ndauerhaft\nunwiderruflich\npermanent\nein für alle mal',
  not: 'nicht',
  pronouns: 'das dies dieses es folgendes alles',
  complementisers: 'dass daß an daran dran',
  generic: 'dinge sachen etwas was alles namen fakten gespräche sowas vieles',
  openers: 'ich wir er sie es das die ist wird nimm nutze stattdessen denn weil da lieber bitte',
  nostalgia: 'tag tage sommer winter nacht abend zeit zeiten kindheit schule urlaub ferien damals früher jugend',
  determiners: 'der die das den dem an jenen jener diesen diese dieser alten guten schönen ersten letzten in unsere',
  textNouns: `gedicht lied liedtext songtext geschichte märchen kommentar absatz satz mail e-mail brief text titel überschrift
    post abschnitt skript dialog szene rede aufsatz artikel zitat doku dokumentation roman buch kapitel schild prompt docstring
    seite webseite website dokument`,
  machineNouns: 'log logs ausgabe fehlermeldung fehler konfiguration diff',
  transformVerbs: 'übersetze übersetz übersetzen korrigiere umformulieren formuliere fasse lektoriere',
  rolePlay: 'rollenspiel\ntu so als\ntu so, als\nstell dir vor, du bist',
  creationVerbs: 'schreib schreibe schreiben füge ergänze dichte verfasse erstelle sagt lautet steht heißt',
  memoryVerbs: 'merk merke vergiss notiere denk',
  mailMarks: 'schrieb',
};
