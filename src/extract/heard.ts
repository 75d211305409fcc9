import type { Trust } from '../model/provenance.ts';
import type { HeardConversation, HeardTurn } from '../reasoner/port.ts';
import type { TranscriptFrontmatter } from '../model/schemas/frontmatter.ts';
import { isSomebodyElse } from '../capture/triggers/detect.ts';
import { handedOverTexts, withoutTexts } from '../judge/handed-over/split.ts';
import { knownZone, momentOf } from '../search-index/chunk/dates.ts';
import { type Turn, memorableParts } from '../workspace/formats/transcript.ts';
import { realName } from '../model/knowledge.ts';
import { cutSentences } from '../judge/handed-over/sentences.ts';
import { contentWords, stemOf } from '../model/content-words.ts';

/** Turns as their source keeps them; a live log knows the instant, a transcript only day and hour. */
type TimedTurn = Turn & { readonly timeMs?: number | undefined };

/** A conversation as judgement is to hear it: who said what, when, and how far each is trusted. */
export function hearConversation(
  session: string,
  turns: readonly TimedTurn[],
  about: Partial<TranscriptFrontmatter>,
  {
    timeZone,
    user: known,
    aliases = [],
  }: {
    readonly timeZone: string;
    readonly user?: string | undefined;
    readonly aliases?: readonly string[] | undefined;
  },
): HeardConversation {
  const zone = knownZone(about.timezone) ?? timeZone;
  const user = realName(known) ?? turns.find(({ role, name }) => role === 'user' && realName(name) !== undefined)?.name;
  const isOther = (turn: Turn): boolean => [user, ...aliases].every((each) => isSomebodyElse(turn, each));
  const isForeign = about.trust !== undefined && about.trust !== 'user';
  const handedOver = new HandedOverSoFar();
  const heard = turns.flatMap((turn) => {
    const trust = isForeign ? about.trust : isOther(turn) ? 'external' : undefined;
    return hearTurn(turn, trust, zone, handedOver);
  });
  return { session, user, project: about.project, timeZone, turns: heard };
}

/** A tool's line inside an agent's turn is not the agent speaking: it is heard as a turn of its own with the same id. */
function hearTurn(turn: TimedTurn, foreign: Trust | undefined, zone: string, handedOver: HandedOverSoFar): HeardTurn[] {
  const timeMs = turn.timeMs ?? momentOf(turn.date, turn.time, zone) ?? 0;
  const parts = memorableParts(turn).filter((part) => part !== undefined);
  const said = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  const tools = parts.flatMap((part) => (part.kind === 'tool' ? [part.result ?? ''] : []));
  const { id, name } = turn;
  const heard = tools
    .filter((text) => text !== '')
    .map((text): HeardTurn => ({ id, timeMs, role: 'tool', text, trust: foreign ?? 'tool' }));
  const { own, repeated, pasted } = divide(turn, said, handedOver);
  if (repeated.trim() !== '') heard.push({ id, timeMs, role: 'tool', text: repeated, trust: foreign ?? 'external' });
  if (own.trim() === '') return heard;
  // Another person's words about themselves are not the user's statement: they count like a tool result.
  const role = turn.role === 'user' && foreign === 'external' ? 'tool' : turn.role;
  return [
    ...heard,
    { id, timeMs, role, name, text: own, trust: foreign ?? trustOf(turn.role), ...(pasted && { handedOver: pasted }) },
  ];
}

/** Text that a user hands over belongs to its author, and still does where an agent repeats it. */
function divide(
  { role }: TimedTurn,
  said: string,
  handedOver: HandedOverSoFar,
): { readonly own: string; readonly repeated: string; readonly pasted?: string } {
  if (role === 'agent') return handedOver.divide(said);
  if (role !== 'user') return { own: said, repeated: '' };
  const texts = handedOverTexts(said);
  const pasted = texts.map(({ start, end }) => said.slice(start, end));
  handedOver.add(pasted);
  return { own: withoutTexts(said, texts), repeated: '', pasted: pasted.join('\n') };
}

function trustOf(role: Turn['role']): Trust {
  if (role === 'user') return 'user';
  return role === 'tool' ? 'tool' : 'agent';
}

/** A sentence with fewer words of its own repeats nothing in particular. */
const LEAST_STEMS = 3;
/** The share of a sentence's words from which on it repeats another one. */
const REPEATS = 0.6;
/** Of a pasted book so much is compared with what the agent says of it. */
const MAX_SENTENCES = 400;

/** Texts handed over in a conversation so far: an agent that repeats one is not its source. */
class HandedOverSoFar {
  readonly #sentences: ReadonlySet<string>[] = [];

  add(texts: readonly string[]): void {
    for (const text of texts) {
      for (const sentence of sentencesOf(text)) {
        if (this.#sentences.length >= MAX_SENTENCES) return;
        const stems = stemsOf(sentence);
        if (stems.size >= LEAST_STEMS) this.#sentences.push(stems);
      }
    }
  }

  /** Divides what an agent says into its own sentences and those that repeat what was handed over. */
  divide(text: string): { readonly own: string; readonly repeated: string } {
    if (this.#sentences.length === 0) return { own: text, repeated: '' };
    const sentences = sentencesOf(text);
    const repeated = sentences.filter((sentence) => this.#isRepeated(sentence));
    if (repeated.length === 0) return { own: text, repeated: '' };
    return { own: sentences.filter((each) => !repeated.includes(each)).join(''), repeated: repeated.join('') };
  }

  #isRepeated(sentence: string): boolean {
    const stems = stemsOf(sentence);
    if (stems.size < LEAST_STEMS) return false;
    return this.#sentences.some((known) => stems.intersection(known).size >= REPEATS * stems.size);
  }
}

function sentencesOf(text: string): readonly string[] {
  return cutSentences(text).map(({ start, end }) => text.slice(start, end));
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(contentWords(text).map(stemOf));
}
