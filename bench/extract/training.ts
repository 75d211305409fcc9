import fs from 'node:fs';
import path from 'node:path';
import type { KnowledgeKind } from '../../src/model/knowledge.ts';
import type { Utterance } from '../../src/reasoner/heuristic/clauses/utterance.ts';
import { setScene } from '../../src/reasoner/heuristic/conversation/scene.ts';
import type { Heard } from '../../src/reasoner/heuristic/kinds/finding.ts';
import { notice } from '../../src/reasoner/heuristic/kinds/notice.ts';
import { tidy } from '../../src/reasoner/heuristic/text/tidy.ts';
import { wordsOf } from '../../src/reasoner/heuristic/text/words.ts';
import { toConversation, type SampleSession } from './sample.ts';

/** Something to keep, with the words that say it. */
export interface QuotedItem {
  readonly id: string;
  readonly kind: KnowledgeKind;
  readonly alsoKind?: readonly KnowledgeKind[];
  readonly evidence: readonly string[];
  readonly quote: string;
  readonly optional?: boolean;
}

/** A statement of a writer's conversation with the items whose quotes it tells. */
export interface LabelledStatement {
  readonly heard: Heard;
  readonly items: readonly QuotedItem[];
  /** It holds a part of a quote that is too small to tell it: neither an example of the kind nor of nothing. */
  readonly isUnclear: boolean;
}

export interface WrittenSession {
  readonly id: string;
  readonly writer: string;
  readonly statements: readonly LabelledStatement[];
  readonly items: readonly QuotedItem[];
}

/** A writer counts once all sessions are there. */
const SESSIONS_PER_WRITER = 14;
/** Of a statement's words, or of a quote's, that must be common to both. */
const ENOUGH = 0.5;
/** How far a statement's next word may stand: fillers between them are left out of statements. */
const MAX_GAP = 60;

export function findWriters(folder: string): string[] {
  return fs
    .readdirSync(folder)
    .filter((name) => sessionFiles(path.join(folder, name)).length >= SESSIONS_PER_WRITER)
    .sort();
}

export async function readWriter(folder: string, writer: string): Promise<WrittenSession[]> {
  const sessions: WrittenSession[] = [];
  for (const file of sessionFiles(path.join(folder, writer))) {
    const session = JSON.parse(fs.readFileSync(file, 'utf8')) as Omit<SampleSession, 'items'> & {
      readonly items: readonly QuotedItem[];
    };
    const user = session.turns.find(({ role, name }) => role === 'user' && name !== undefined)?.name ?? writer;
    const scene = await setScene(toConversation(session, user, 'Europe/Berlin', []));
    const statements = scene.turns.flatMap((turn, index) =>
      labelTurn(turn, session.turns[index]?.text ?? '', session.items).map(({ utterance, ...label }) => ({
        ...label,
        heard: notice(utterance, scene),
      })),
    );
    sessions.push({ id: session.session, writer, statements, items: session.items });
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

function labelTurn(turn: readonly Utterance[], text: string, all: readonly QuotedItem[]): LabelledUtterance[] {
  const words = wordsOf(tidy(text));
  const quotes = all
    .filter(({ evidence }) => evidence[0] === turn[0]?.turn.id)
    .map((item) => ({ item, places: placesOfQuote(words, wordsOf(tidy(item.quote))) }));
  let cursor = 0;
  return turn
    .filter((utterance) => utterance.text !== '')
    .map((utterance) => {
      const own = placesInOrder(words, wordsOf(utterance.text), cursor);
      cursor = (own.at(-1) ?? cursor - 1) + 1;
      const items: QuotedItem[] = [];
      let isTouched = false;
      for (const { item, places } of quotes) {
        const shared = own.filter((place) => places.has(place)).length;
        if (shared === 0) continue;
        isTouched ||= shared > 1;
        if (shared / own.length >= ENOUGH || shared / places.size >= ENOUGH) items.push(item);
      }
      return { utterance, items, isUnclear: isTouched && items.length === 0 };
    });
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
