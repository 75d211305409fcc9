import { parseFeedback, type Feedback } from '../memory/feedback.ts';
import type { Scope } from '../model/provenance.ts';
import type { StoredPassage } from '../search-index/port.ts';
import { extractTerms } from '../search-index/text/terms.ts';
import { FEEDBACK_FILE } from '../workspace/formats/control-files.ts';
import type { Piece } from './piece.ts';
import { repeats } from '../model/repeated.ts';
import type { World } from './world.ts';

/** A memory, as far as feedback asks. */
interface Said {
  readonly id: string;
  readonly text: string;
  readonly path: string;
  readonly session: string | undefined;
  readonly turn: string | undefined;
}

export function saidIn({ id, text, document, session, turn }: StoredPassage): Said {
  return { id, text, path: document.path, session, turn };
}

/** The effect of the user's feedback on one prompt. */
export interface PromptFeedback {
  /** Ids of what every session starts with. */
  readonly always: readonly string[];
  /** Why a memory stays out whoever asks; undefined where nothing speaks against it. */
  whyWrong(said: Said): string | undefined;
  /** Why a memory is not pushed for a message. */
  whyUnhelpful(said: Said, message: string): string | undefined;
}

export const NO_FEEDBACK: PromptFeedback = {
  always: [],
  whyWrong: () => undefined,
  whyUnhelpful: () => undefined,
};

/** Prompts are alike when the shorter one shares so much of its words. */
const ALIKE = 0.5;

export async function readFeedback(world: World, scopes: readonly Scope[]): Promise<PromptFeedback> {
  const text = await world.readFile(FEEDBACK_FILE);
  const given = text === undefined ? [] : parseFeedback(text);
  if (given.length === 0) return NO_FEEDBACK;
  const judged: (Feedback & { readonly covers: (said: Said) => boolean })[] = [];
  for (const one of given) judged.push({ ...one, covers: coverOf(one.id, await readItems(world, scopes, [one.id])) });
  const [wrong, unhelpful] = (['wrong', 'not-helpful'] as const).map((verdict) =>
    judged.filter((one) => one.verdict === verdict),
  );
  return {
    always: given.filter(({ verdict }) => verdict === 'always').map(({ id }) => id),
    whyWrong: (said) =>
      wrong?.some(({ covers }) => covers(said)) === true ? 'the user said that it is wrong' : undefined,
    whyUnhelpful: (said, message) =>
      unhelpful?.some((one) => one.covers(said) && isLike(one, message)) === true
        ? 'the user said that it did not help with such a prompt'
        : undefined,
  };
}

/** Whether a memory says what was judged: the item itself, the turn it was taken from, or a diary that retells it. */
function coverOf(id: string, passages: readonly StoredPassage[]): (said: Said) => boolean {
  const turns = new Set(passages.flatMap((passage) => turnOf(passage) ?? []));
  const isRetold = repeats(passages.map((passage) => passage.text));
  // Other statements of the same turn are not what was judged, unless the turn itself was.
  return (said) =>
    said.id === id || turns.has(said.id) || turnOf(said) === id || (retells(said) && isRetold(said.text));
}

/** A statement of its own may share all its words with another; a turn or a diary that does says the same. */
function retells({ id, path }: Said): boolean {
  return id.includes('#') || path.includes('memory/journal/');
}

/** The first passage of each item. */
export async function readItems(
  { index }: Pick<World, 'index'>,
  scopes: readonly Scope[],
  ids: readonly string[],
): Promise<StoredPassage[]> {
  const view = await index.view({ scopes: [...scopes] });
  const found: StoredPassage[] = [];
  for (const id of ids) found.push(...(await view.read((await view.findItem(id)).slice(0, 1))));
  return found;
}

/** A piece that the user's feedback keeps out says so in the receipt. */
export function withFeedback(piece: Piece, feedback: PromptFeedback): Piece {
  const { id, path, session, turn } = piece.origin;
  const said = { id, text: piece.said, path, session: session ?? undefined, turn: turn ?? undefined };
  const refused = piece.refused ?? feedback.whyWrong(said);
  return refused === undefined ? piece : { ...piece, refused };
}

function turnOf({ session, turn }: Pick<Said, 'session' | 'turn'>): string | undefined {
  return session === undefined || turn === undefined ? undefined : `${session}#${turn}`;
}

function isLike({ words }: Feedback, message: string): boolean {
  const [known, asked] = [new Set(extractTerms(words)), new Set(extractTerms(message))];
  if (known.size === 0) return true;
  return known.intersection(asked).size / Math.min(known.size, Math.max(1, asked.size)) >= ALIKE;
}
