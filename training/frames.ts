import { readPhrases } from '../src/capture/triggers/testing/phrases.ts';
import { LANGUAGES, type Language } from '../src/judge/requests/lexicon.ts';
import type { Answer } from '../src/judge/requests/wording.ts';

/**
 * The plainest requests, made of frames and of what people say: authors who are asked for variety avoid "remember that …",
 * and readers of the manual write nothing else. `S` stands for a statement, `N` for the name of a thing.
 */
const FRAMES: Readonly<Record<Language, Readonly<Partial<Record<Answer, string>>>>> = {
  en: {
    remember: `
      remember that S | please remember that S | Remember: S | can you remember that S | could you remember that S? | ok, remember S |
      don't forget that S | do not forget: S | keep in mind that S | please keep in mind that S | make a note that S | note that S |
      note down: S | for the record, S | S remember that | S please remember this | save this: S | remember this: S |
      thanks! please remember that S | also remember that S | remember this | remember that | from now on, S | save to memory: S |
      you should remember that S | I want you to remember that S`,
    forget: `
      forget about N | please forget about N | forget that S | forget what I said about N | forget what I told you about N |
      forget everything about N | delete everything you know about N | remove N from your memory | erase N from your notes |
      you can forget N | forget the thing about N | could you forget N?`,
    recall: `
      what do you know about N? | what do you remember about N? | do you remember N? | do you remember what I said about N? |
      what did I say about N? | what did I tell you about N | remind me what I said about N | what was N again? |
      tell me what you know about N | did I tell you about N?`,
  },
  de: {
    remember: `
      merk dir, dass S | Merk dir: S | merk dir bitte: S | kannst du dir merken, dass S | könntest du dir bitte merken: S |
      notier dir: S | Notiere bitte, dass S | vergiss nicht, dass S | vergiss bitte nicht: S | denk daran, dass S |
      behalte im Kopf, dass S | schreib dir auf: S | S merk dir das | S bitte merken | speicher dir ab: S | merk dir das |
      ab jetzt gilt: S | fürs Protokoll: S | ich möchte, dass du dir merkst: S`,
    forget: `
      vergiss N | vergiss bitte N | vergiss das mit N | vergiss, was ich über N gesagt habe | vergiss alles über N | lösch alles über N |
      lösche N aus deinem Gedächtnis | streich N aus deinen Notizen | kannst du N bitte vergessen?`,
    recall: `
      was weißt du über N? | was weißt du noch über N? | erinnerst du dich an N? | was habe ich über N gesagt? |
      was hab ich dir zu N erzählt? | wie war nochmal N? | sag mir, was du über N weißt`,
  },
  es: {
    remember: `
      recuerda que S | Recuerda: S | por favor recuerda que S | ¿puedes recordar que S? | acuérdate de que S | anota que S | Anota: S | apunta que S |
      apunta esto: S | no olvides que S | no te olvides: S | ten en cuenta que S | ten presente que S | guarda esto: S | S recuérdalo |
      S apúntalo por favor | recuerda esto | toma nota: S | a partir de ahora: S | quiero que recuerdes que S`,
    forget: `
      olvida N | olvida lo de N | olvida lo que dije sobre N | olvida todo sobre N | borra todo lo que sabes de N |
      borra N de tu memoria | olvídate de N | quita N de tus notas`,
    recall: `
      ¿qué sabes de N? | ¿qué recuerdas de N? | ¿recuerdas N? | ¿qué dije sobre N? | ¿qué te conté de N? | ¿cuál era N? |
      dime qué sabes de N | recuérdame N`,
  },
  fr: {
    remember: `
      souviens-toi que S | Souviens-toi : S | s'il te plaît souviens-toi que S | tu peux te souvenir que S ? | note que S | Note : S |
      retiens que S | retiens ça : S | n'oublie pas que S | n'oublie pas : S | garde en tête que S | garde à l'esprit que S |
      rappelle-toi que S | S retiens-le | S note-le s'il te plaît | retiens ça | prends note : S | à partir de maintenant : S |
      je veux que tu retiennes que S`,
    forget: `
      oublie N | oublie ce que j'ai dit sur N | oublie tout sur N | oublie l'histoire de N | efface tout ce que tu sais sur N |
      efface N de ta mémoire | supprime N de tes notes`,
    recall: `
      que sais-tu de N ? | qu'est-ce que tu sais sur N ? | tu te souviens de N ? | qu'est-ce que j'ai dit sur N ? |
      c'était quoi déjà N ? | rappelle-moi N | dis-moi ce que tu sais de N`,
  },
};

/** Own things, so that a question about them is one to the memory. */
const NAMES: Readonly<Record<Language, string>> = {
  en: `my sister|the night train|our deploy key|my old address|the office by the river|the blue logo|my knee|the Riga trip|Project Heron
    |the budget talk|my allergies|the party plan|our wifi password|the landlord|Mr Novak`,
  de: `meine Schwester|den Nachtzug|unseren Schlüssel|meine alte Adresse|das Büro am Fluss|das blaue Logo|mein Knie|Projekt Reiher
    |das Budget|meine Allergien|den Vermieter|unser Passwort|Herrn Novak`,
  es: `mi hermana|el tren nocturno|nuestra clave|mi antigua dirección|la oficina del río|el logo azul|mi rodilla|el proyecto Garza
    |el presupuesto|mis alergias|el casero|la fiesta|el señor Novak`,
  fr: `ma sœur|le train de nuit|notre clé|mon ancienne adresse|la maison du lac|le logo bleu|mon genou|la réunion de mars|le projet Héron
    |le budget|mes allergies|la fête|monsieur Novak`,
};

export interface Framed {
  readonly answer: Answer;
  readonly text: string;
}

/** Every frame with so many statements or names of its language, always the same ones. */
export function frameRequests(english: readonly string[], each: number): Framed[] {
  const written = readPhrases('statements').map(({ text }) => text);
  const part = written.length / (LANGUAGES.length - 1);
  let turn = 0;
  return LANGUAGES.flatMap((language, place) => {
    const told = (language === 'en' ? english : written.slice((place - 1) * part, place * part)).filter(isFact);
    const names = NAMES[language].split('|').map((name) => name.trim());
    return Object.entries(FRAMES[language]).flatMap(([answer, frames]) =>
      frames.split('|').flatMap((frame) =>
        Array.from({ length: /[SN]/u.test(frame) ? each : 1 }, (): Framed => {
          turn += 1;
          const fact = (told[(turn * 7) % told.length] ?? '').replace(/[.!]$/u, '');
          const text = frame
            .trim()
            .replace(/\bS\b/u, fact)
            .replace(/\bN\b/u, names[turn % names.length] ?? '');
          return { answer: answer as Answer, text };
        }),
      ),
    );
  });
}

function isFact(text: string): boolean {
  return text.length > 15 && text.length < 90 && !text.includes('?');
}
