import { lowestTrust, type Trust } from '../../model/provenance.ts';
import { ownWords } from '../../judge/handed-over/split.ts';
import { containment, contentWords, stemOf } from '../../reasoner/heuristic/text/words.ts';
import type { Transcript } from '../../workspace/formats/transcript.ts';
import { isFailure, stepOfTool } from '../procedures/learn/signs.ts';
import { clockOf, momentIn, type Occurrence } from './occurrence.ts';

/** A label that says what the user asked for. */
export const ASKED = 'asked: ';

interface Happened {
  readonly id: string;
  readonly occasion: string;
  readonly timeMs: number;
  readonly trust: Trust;
  /** The user's request, or the tool call and its outcome. */
  readonly request?: string | undefined;
  readonly labels: readonly string[];
}

/** Finds the users' requests and the tool calls, by the conversations in which they happened. */
export function occurrencesIn(transcripts: readonly Transcript[], timeZone: string): Occurrence[] {
  const happened = transcripts.flatMap((transcript) => happenedIn(transcript, timeZone));
  const names = new RequestNames();
  return happened
    .toSorted((one, other) => one.timeMs - other.timeMs)
    .flatMap(({ id, occasion, timeMs, trust, request, labels }): Occurrence[] => {
      const name = request === undefined ? undefined : names.nameOf(request);
      const all = name === undefined ? labels : [...labels, `${ASKED}${name}`];
      return all.length === 0 ? [] : [{ id, occasion, timeMs, trust, labels: all, ...clockOf(timeMs, timeZone) }];
    });
}

function happenedIn({ frontmatter, turns }: Transcript, timeZone: string): Happened[] {
  const occasion = frontmatter.session_id ?? '';
  if (occasion === '') return [];
  const zone = frontmatter.timezone ?? timeZone;
  // An agent's actions are no more trusted than the agent, and nothing more than the whole conversation.
  const trust = lowestTrust(['agent', frontmatter.trust ?? 'agent']);
  return turns.flatMap(({ id, date, time, role, parts }): Happened[] => {
    const timeMs = momentIn(date, time, zone);
    if (timeMs === undefined) return [];
    const about = { id: `${occasion}#${id}`, occasion, timeMs, trust };
    const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join(' ');
    if (role === 'user') return text === '' ? [] : [{ ...about, request: ownWords(text), labels: [] }];
    const labels = parts.flatMap((part) =>
      part.kind === 'tool' ? labelsOfTool(part.name, part.args, part.result) : [],
    );
    return labels.length === 0 ? [] : [{ ...about, labels: [...new Set(labels)] }];
  });
}

/** `npm test`, and `npm test fails` where it did: what fixed it comes after that. */
function labelsOfTool(name: string, args: string, result: string | undefined): string[] {
  const step = stepOfTool(name, args);
  if (step === undefined) return [];
  return isFailure(result ?? '') ? [`${step.sign} fails`] : [step.sign];
}

/** Longer messages hand something over or tell a story; nobody says them twice. */
const MAX_CHARS = 200;
/** "thanks", "go on": one word asks for nothing in particular. */
const MIN_WORDS = 2;
/** Two requests that share so much are the same one with something else in it: another day, another version. */
const SAME_REQUEST = 0.75;
const SHOWN_CHARS = 60;
const FIGURE = /\d/u;

/** Gives requests names, the same to those that ask for the same; the first wording is the name, so that it stays. */
class RequestNames {
  readonly #known: { readonly name: string; readonly stems: ReadonlySet<string> }[] = [];
  readonly #byStem = new Map<string, Set<number>>();

  /** undefined for what asks for nothing that could come again. Requests are given in the order of their time. */
  nameOf(text: string): string | undefined {
    const said = text.trim();
    if (said.length > MAX_CHARS || said.includes('\n\n')) return undefined;
    const stems = new Set(contentWords(said.replaceAll(/\S*\d\S*/gu, ' ')).map(stemOf));
    if (stems.size < MIN_WORDS) return undefined;
    const places = new Set([...stems].flatMap((stem) => Array.from(this.#byStem.get(stem) ?? [])));
    const same = [...places]
      .toSorted((one, other) => one - other)
      .find((place) => isSame(stems, this.#known[place]?.stems));
    if (same !== undefined) return this.#known[same]?.name;
    const name = shown(said);
    const place = this.#known.push({ name, stems }) - 1;
    for (const stem of stems) this.#byStem.set(stem, (this.#byStem.get(stem) ?? new Set()).add(place));
    return name;
  }
}

function isSame(stems: ReadonlySet<string>, known: ReadonlySet<string> | undefined): boolean {
  if (known === undefined) return false;
  const [small, large] = stems.size <= known.size ? [stems, known] : [known, stems];
  // A short request stands in many long ones, which ask for something else besides.
  return containment(small, large) >= SAME_REQUEST && small.size >= large.size * SAME_REQUEST;
}

function shown(text: string): string {
  const bare = text
    .replaceAll(/\s+/gu, ' ')
    .replace(/[.!?\s]+$/u, '')
    .toLowerCase();
  const words = bare.split(' ').filter((word) => !FIGURE.test(word));
  const line = words.join(' ');
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS - 1)}…` : line;
}
