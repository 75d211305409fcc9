import type { Config } from '../../model/config/schema.ts';
import type { Scope } from '../../model/provenance.ts';
import { momentOf } from '../../search-index/chunk/dates.ts';
import type { SearchIndex, StoredPassage } from '../../search-index/port.ts';
import { extractTerms } from '../../search-index/text/terms.ts';
import { cutText } from '../../model/text.ts';
import { quoteText } from '../fence.ts';
import { formOf, UNSCORED, type Piece } from '../piece.ts';
import type { Project } from '../project.ts';
import { isTelling } from '../relevance/vocabulary.ts';
import {
  createDays,
  headingOf,
  originOf,
  quoteLink,
  quotePassages,
  quoteSnippet,
  quoteTurn,
  type DayOf,
} from '../quote.ts';
import { DAY_MS } from '../../model/time.ts';

/** Turns a conversation is looked back; more never fit beside anything else. */
const MAX_HISTORY = 400;
/** Conversations that are asked for their project before the last one of all is taken. */
const MAX_SESSIONS = 20;
/** Enough of the last conversation to know where it stopped. */
const LAST_TURNS = 3;
const LAST_TURN_CHARACTERS = 240;

export interface PassageSources {
  readonly index: SearchIndex;
  readonly config: Config;
  readonly scopes: readonly Scope[];
  readonly nowMs: number;
  /** Where the agent works, when that is known. */
  readonly project?: Project | undefined;
}

/** More would be read and not fit: the part that tells of recent days has 1,024 tokens. */
const MAX_RECENT = 50;

/**
 * P1: today and yesterday. A day that is over is told by its journal where there is one, otherwise by what was written
 * down on it; what speaks of the project is taken first.
 */
export async function recentPieces(sources: PassageSources): Promise<Piece[]> {
  const { index, config, scopes, nowMs, project } = sources;
  const { journal_days: days } = config.context;
  if (days === 0) return [];
  const dayOf = createDays(config.time_zone);
  const sinceMs = momentOf(dayOf(nowMs - (days - 1) * DAY_MS), undefined, config.time_zone);
  const view = await index.view({ scopes, stores: ['episodic', 'journal'], sinceMs });
  const found = await view.read(await view.findRecent(MAX_RECENT));
  const written = latestFirst(found.filter(isWritten));
  const isJournal = ({ document }: StoredPassage): boolean => document.store === 'journal';
  const condensed = new Set(written.filter(isJournal).map(({ timeMs = nowMs }) => dayOf(timeMs)));
  condensed.delete(dayOf(nowMs));
  const isOwn = ({ text, document }: StoredPassage): boolean =>
    project !== undefined && (project.isNamedIn(text) || document.scope === project.scope);
  const pieces = written.map((passage, at) => {
    const day = dayOf(passage.timeMs ?? nowMs);
    const isCondensed = !isJournal(passage) && condensed.has(day);
    const why = isOwn(passage) ? `about ${project?.name}` : undefined;
    return recentPiece(passage, -at, dayOf, why, isCondensed ? `the journal of ${day} is told instead` : undefined);
  });
  return [...pieces.filter(({ why }) => why !== undefined), ...pieces.filter(({ why }) => why === undefined)];
}

/** P1 at the start of a session: where the last conversation stopped, if possible the last one about the project. */
export async function lastSessionPieces(sources: PassageSources, current: string | undefined): Promise<Piece[]> {
  const { index, scopes, config, project } = sources;
  // Pushed history is the talk of the user and the agent, not another party's log.
  const view = await index.view({ scopes, types: ['turn'], trust: ['user', 'agent'] });
  const turns = latestFirst(await view.read(await view.findRecent(MAX_HISTORY)));
  const others = new Map<string, StoredPassage>();
  for (const turn of turns) {
    const { session } = turn;
    const isOther = session !== undefined && session !== current && !others.has(session);
    if (isOther && hasContent(turn)) others.set(session, turn);
  }
  const sessions = [...others].slice(0, MAX_SESSIONS);
  const ofProject = project === undefined ? undefined : sessions.find(([, turn]) => project.holds(turn));
  const last = (ofProject ?? sessions[0])?.[0];
  const why = ofProject === undefined ? 'the last conversation' : `the last conversation about ${project?.name}`;
  const dayOf = createDays(config.time_zone);
  const own = turns.filter(({ session }) => session !== undefined && session === last);
  return own.slice(0, LAST_TURNS).map((passage, at) => {
    const shown: StoredPassage = { ...passage, text: cutText(passage.text, LAST_TURN_CHARACTERS) };
    // After everything written in the recent days: it is what happened last.
    return recentPiece(shown, LAST_TURNS - at, dayOf, why);
  });
}

/** "hi" and "thanks" say nothing about where a conversation stopped. */
function hasContent({ trust, text }: StoredPassage): boolean {
  return trust === 'user' && extractTerms(text).some(isTelling);
}

/** P4: the conversation so far, the latest turn first. */
export async function historyPieces(sources: PassageSources, session: string): Promise<Piece[]> {
  const { index, scopes } = sources;
  const view = await index.view({ scopes, sessions: [session], types: ['turn'] });
  const turns = lastSaidFirst(await view.read(await view.findRecent(MAX_HISTORY)));
  return turns.map((passage, at) => historyPiece(passage, -at));
}

function historyPiece(passage: StoredPassage, position: number): Piece {
  const origin = originOf([passage], passage);
  const forms = [formOf('full', () => quoteTurn(passage))] as const;
  const role = passage.speaker === 'agent' || passage.trust === 'agent' ? 'assistant' : 'user';
  const spoken = { role, text: quoteText(passage.text) } as const;
  return { tag: 'history', origin, forms, said: passage.text, position, spoken, ...UNSCORED };
}

function isWritten({ turn, type }: StoredPassage): boolean {
  return turn === undefined && type !== 'superseded';
}

/** Longer entries have a short form. */
const SHORT_CHARACTERS = 160;

/** Makes the piece for a passage of the recent days. */
function recentPiece(
  passage: StoredPassage,
  position: number,
  dayOf: DayOf,
  why: string | undefined,
  refused?: string,
): Piece {
  return {
    tag: 'recent',
    origin: originOf([passage], passage),
    forms: [
      formOf('full', () => quotePassages([passage])),
      formOf('line', () => quoteSnippet([passage], cutText(passage.text.replaceAll(/\s+/gu, ' '), SHORT_CHARACTERS))),
      formOf('link', () => quoteLink([passage])),
    ],
    said: passage.text,
    position,
    below: { heading: headingOf([passage], dayOf), order: position },
    ...UNSCORED,
    why,
    refused,
  };
}

function latestFirst(passages: readonly StoredPassage[]): StoredPassage[] {
  return [...passages].sort((left, right) => (right.timeMs ?? 0) - (left.timeMs ?? 0) || right.number - left.number);
}

/** Turns are counted as they come; a clock may have been set back between two of them. */
function lastSaidFirst(turns: readonly StoredPassage[]): StoredPassage[] {
  const count = ({ turn }: StoredPassage): number => Number(turn?.slice(1) ?? 0);
  return [...turns].sort((left, right) => count(right) - count(left) || right.number - left.number);
}
