import fs from 'node:fs';
import path from 'node:path';
import { renderTranscript, type Turn } from '../../src/workspace/formats/transcript.ts';
import { seededRandom, type SeededRandom } from '../logs/seeded.ts';

/** Words by rank, as frequent as Zipf's law says: the shape that decides how long posting lists are. */
const VOCABULARY = 40_000;
const STOP_WORDS = 'the of and to in a is that for it was on with as be at by this had not are but from or have'.split(
  ' ',
);
const STOP_SHARE = 0.42;
/** The commonest word that says something then stands in every fifth passage, as in real conversations (measured). */
const STOP_RANKS = 6;
const SYLLABLES = 'ka lo mi ten ra su vel dor ni pa sho qui ba ret un gol fe zi mar'.split(' ');
const WORDS_PER_TURN = 28;
const ASKED_WORDS = 5;
export const TURNS_PER_SESSION = 20;
const SPEAKERS = ['Ada', 'Ben', 'Cleo', 'Dmitri', 'Esi', 'Farid'];

/** Made-up conversations that have the statistics of real ones, and questions about them. */
export class SyntheticCorpus {
  readonly #random: SeededRandom;
  readonly #words: readonly string[];

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#words = Array.from({ length: VOCABULARY }, (_, rank) => wordOfRank(rank));
  }

  /** The rank by inverting the cumulated frequencies of Zipf's law, without the ranks that stop words take. */
  #content(): string {
    const growth = (VOCABULARY + STOP_RANKS) / STOP_RANKS;
    const rank = Math.floor(STOP_RANKS * growth ** this.#random.next()) - STOP_RANKS;
    return this.#words[rank] ?? 'kalo';
  }

  sentence(words: number): string {
    const text = Array.from({ length: words }, () =>
      this.#random.next() < STOP_SHARE ? (STOP_WORDS[this.#random.below(STOP_WORDS.length)] ?? 'the') : this.#content(),
    ).join(' ');
    return `${text}.`;
  }

  /** As a person asks about something that was said: some of its words among others that say nothing. */
  questionAbout(turn: string): string {
    const person = SPEAKERS[this.#random.below(SPEAKERS.length)] ?? 'Ada';
    const content = turn.split(/\W+/u).filter((word) => word !== '' && !STOP_WORDS.includes(word));
    const asked = Array.from({ length: ASKED_WORDS }, () => content[this.#random.below(content.length)] ?? 'kalo');
    return `What was it with ${person} and the ${asked.slice(0, 3).join(' and the ')} when there was ${asked.slice(3).join(' ')}?`;
  }

  /** As somebody asks who remembers only the topic: words that never stood together. */
  vagueQuestion(): string {
    return `What was it about ${Array.from({ length: ASKED_WORDS }, () => this.#content()).join(' or ')}?`;
  }

  transcript(session: number): { readonly path: string; readonly text: string } {
    const started = new Date(Date.UTC(2024, 0, 1) + session * 3_600_000);
    const iso = started.toISOString();
    const turns = Array.from({ length: TURNS_PER_SESSION }, (_, index): Turn => {
      const isUser = index % 2 === 0;
      return {
        id: `t${index + 1}`,
        date: iso.slice(0, 10),
        time: iso.slice(11, 16),
        role: isUser ? 'user' : 'agent',
        ...(isUser ? { name: SPEAKERS[session % SPEAKERS.length] ?? 'Ada' } : {}),
        parts: [{ kind: 'text', text: this.sentence(WORDS_PER_TURN) }],
      };
    });
    const id = `ses_${String(session).padStart(7, '0')}`;
    const text = renderTranscript({ session_id: id, started: iso, timezone: 'UTC' }, turns);
    return { path: `conversations/${iso.slice(0, 10).replaceAll('-', '/')}/0000-${id}.md`, text };
  }
}

/** Every rank its own word, made of syllables; frequent words are short. */
function wordOfRank(rank: number): string {
  let rest = rank + SYLLABLES.length;
  let word = '';
  while (rest > 0) {
    word += SYLLABLES[rest % SYLLABLES.length] ?? '';
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return word;
}

/** Writes the transcripts beside git: how they got there is not what is measured. Returns how many characters. */
export function writeTranscripts(rawFolder: string, corpus: SyntheticCorpus, sessions: number): number {
  let characters = 0;
  for (let session = 0; session < sessions; session += 1) {
    const { path: relative, text } = corpus.transcript(session);
    const file = path.join(rawFolder, relative);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    characters += text.length;
  }
  return characters;
}
