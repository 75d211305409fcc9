import fs from 'node:fs';
import path from 'node:path';
import { type Utterance, tidy } from '../src/reasoner/heuristic/clauses/utterance.ts';
import { setScene } from '../src/reasoner/heuristic/conversation/scene.ts';
import { type Heard, type Scene, notice } from '../src/reasoner/heuristic/kinds/finding.ts';
import { wordsOf } from '../src/reasoner/heuristic/text/words.ts';
import { toConversation, type LabelledSession, type Told } from '../bench/extract/sample.ts';

/** A statement of a writer's conversation with the items that it tells. */
export interface LabelledStatement {
  readonly heard: Heard;
  readonly items: readonly Told[];
  /** It holds a part of an item that is too small to tell it: neither an example of the kind nor of nothing. */
  readonly isUnclear: boolean;
}

export interface WrittenSession {
  readonly id: string;
  readonly labelled: LabelledSession;
  readonly scene: Scene;
  readonly statements: readonly LabelledStatement[];
}

export interface Writer {
  readonly name: string;
  readonly folder: string;
}

/** Of a statement's words, or of a quote's, that must be common to both. */
const ENOUGH = 0.5;
/** How far a statement's next word may stand: fillers between them are left out of statements. */
const MAX_GAP = 60;

/** Everybody whose conversations are labelled: a folder per writer, or one writer's folder itself. */
export function findWriters(folders: readonly string[]): Writer[] {
  return folders.flatMap((folder) => {
    if (sessionFiles(folder).length > 0) return [{ name: path.basename(folder), folder }];
    return fs
      .readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, folder: path.join(folder, name) }))
      .sort((one, other) => one.name.localeCompare(other.name));
  });
}

export async function readWriter({ name, folder }: Writer): Promise<WrittenSession[]> {
  const sessions: WrittenSession[] = [];
  for (const file of sessionFiles(folder)) {
    const labelled = JSON.parse(fs.readFileSync(file, 'utf8')) as LabelledSession;
    const user = labelled.turns.find((turn) => turn.role === 'user' && turn.name !== undefined)?.name ?? name;
    const scene = await setScene(toConversation(labelled, user, 'Europe/Berlin', []));
    const statements = labelTurns(scene.turns, labelled).map(({ utterance, ...label }) => ({
      ...label,
      heard: notice(utterance, scene),
    }));
    sessions.push({ id: `${name}-${labelled.session}`, labelled, scene, statements });
  }
  return sessions;
}

function sessionFiles(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => /^\d.*\.json$/u.test(name))
    .sort()
    .map((name) => path.join(folder, name));
}

interface LabelledUtterance extends Omit<LabelledStatement, 'heard'> {
  readonly utterance: Utterance;
}

/** How much of an item a turn's statements hold: of each, 1 tells it and more than 0 touches it; of the best, the share. */
interface Held {
  readonly parts: readonly number[];
  readonly share: number;
}
type Holds = (statements: readonly Utterance[]) => Held;

/** What each statement tells. An item that rests on several turns is told by the one that holds most of it: the others only touch it. */
function labelTurns(turns: readonly (readonly Utterance[])[], labelled: LabelledSession): LabelledUtterance[] {
  const statements = turns.map((turn) => turn.filter((utterance) => utterance.text !== ''));
  const told = new Map<Utterance, Told[]>();
  const touched = new Set<Utterance>();
  for (const item of labelled.items) {
    const holding = (item.quote === undefined ? item.evidence : item.evidence.slice(0, 1)).map((id) => {
      const place = labelled.turns.findIndex((turn) => turn.id === id);
      const own = labelled.turns[place]?.role === 'user' ? (statements[place] ?? []) : [];
      return { own, ...holdsOf(item, labelled.turns[place]?.text ?? '')(own) };
    });
    const most = Math.max(0, ...holding.map(({ share }) => share));
    const best = holding.find(({ share }) => share === most && share > 0);
    for (const { own, parts } of holding) {
      for (const [place, part] of parts.entries()) {
        const utterance = own[place];
        if (utterance === undefined || part === 0) continue;
        if (part === 1 && own === best?.own) told.set(utterance, [...(told.get(utterance) ?? []), item]);
        else touched.add(utterance);
      }
    }
  }
  return statements.flat().map((utterance) => {
    const items = told.get(utterance) ?? [];
    return { utterance, items, isUnclear: items.length === 0 && touched.has(utterance) };
  });
}

function holdsOf({ must, quote = '' }: Told, text: string): Holds {
  return must === undefined || must.length === 0
    ? holdsQuote(wordsOf(tidy(text)), wordsOf(tidy(quote)))
    : holdsGroups(must);
}

/** The statements with a word of every group; where none has all, the first of those with most, if that is half of them. */
function holdsGroups(must: readonly (readonly string[])[]): Holds {
  return (statements) => {
    const counts = statements.map(({ text }) => {
      const said = text.toLowerCase();
      return must.filter((group) => group.some((word) => said.includes(word.toLowerCase()))).length;
    });
    const most = Math.max(0, ...counts);
    const isTold = most > 0 && most * 2 >= must.length;
    const parts = counts.map((count, place) => {
      const tells = isTold && count === most && (most === must.length || counts.indexOf(most) === place);
      return tells ? 1 : count / (must.length + 1);
    });
    return { parts, share: most / must.length };
  };
}

function holdsQuote(words: readonly string[], quote: readonly string[]): Holds {
  const places = placesOfQuote(words, quote);
  return (statements) => {
    let cursor = 0;
    const parts = statements.map(({ text }) => {
      const own = placesInOrder(words, wordsOf(text), cursor);
      cursor = (own.at(-1) ?? cursor - 1) + 1;
      const shared = own.filter((place) => places.has(place)).length;
      if (shared === 0) return 0;
      const share = Math.max(shared / own.length, shared / places.size);
      return share >= ENOUGH ? 1 : shared > 1 ? share : 0;
    });
    return { parts, share: Math.max(0, ...parts) };
  };
}
function placesInOrder(words: readonly string[], wanted: readonly string[], from: number): number[] {
  const places: number[] = [];
  let cursor = from;
  for (const word of wanted) {
    const place = words.indexOf(word, cursor);
    if (place === -1 || place - cursor > MAX_GAP) continue;
    places.push(place);
    cursor = place + 1;
  }
  return places;
}

function placesOfQuote(words: readonly string[], quote: readonly string[]): ReadonlySet<number> {
  for (let start = 0; start + quote.length <= words.length; start += 1) {
    if (quote.every((word, index) => words[start + index] === word))
      return new Set(quote.map((_word, index) => start + index));
  }
  return new Set(placesInOrder(words, quote, 0));
}
