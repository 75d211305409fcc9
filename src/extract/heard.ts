import type { Trust } from '../model/provenance.ts';
import type { HeardConversation, HeardTurn } from '../reasoner/port.ts';
import type { TranscriptFrontmatter } from '../model/schemas/transcript.ts';
import { isSomebodyElse } from '../capture/wishes-in.ts';
import { handedOverTexts, withoutTexts } from '../judge/handed-over/split.ts';
import { HandedOverSoFar } from './echoes.ts';
import { knownZone, momentOf } from '../search-index/chunk/dates.ts';
import { memorableParts } from '../workspace/formats/memorable.ts';
import type { Turn } from '../workspace/formats/transcript.ts';
import { realName } from '../model/user-name.ts';

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
  const { own, repeated } = divide(turn, said, handedOver);
  if (repeated.trim() !== '') heard.push({ id, timeMs, role: 'tool', text: repeated, trust: foreign ?? 'external' });
  if (own.trim() === '') return heard;
  // What somebody else says of themselves is nothing the user stated: it is heard like what a tool gave back.
  const role = turn.role === 'user' && foreign === 'external' ? 'tool' : turn.role;
  return [...heard, { id, timeMs, role, name, text: own, trust: foreign ?? trustOf(turn.role) }];
}

/** What a user hands over is somebody else's, and stays so where an agent repeats it. */
function divide(
  { role }: TimedTurn,
  said: string,
  handedOver: HandedOverSoFar,
): { readonly own: string; readonly repeated: string } {
  if (role === 'agent') return handedOver.divide(said);
  if (role !== 'user') return { own: said, repeated: '' };
  const texts = handedOverTexts(said);
  handedOver.add(texts.map(({ start, end }) => said.slice(start, end)));
  return { own: withoutTexts(said, texts), repeated: '' };
}

function trustOf(role: Turn['role']): Trust {
  if (role === 'user') return 'user';
  return role === 'tool' ? 'tool' : 'agent';
}
