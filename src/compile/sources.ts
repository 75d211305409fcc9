import type { Config } from '../model/config/schema.ts';
import { localTime } from '../model/time.ts';
import type { Scope } from '../model/provenance.ts';
import { momentOf } from '../search-index/chunk/dates.ts';
import type { SearchIndex, StoredPassage } from '../search-index/port.ts';
import type { HomeFiles } from '../search-index/sync/home-files.ts';
import { placeOf, type Layout } from '../workspace/formats/layout.ts';
import { visibleText } from '../workspace/formats/metadata.ts';
import { locateBlocks, sectionsOf, textOf } from '../workspace/formats/sections.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { quoteText } from './fence.ts';
import type { Piece } from './piece.ts';
import { originOf, quotePassages, quoteTurn } from './quote.ts';

const DAY_MS = 86_400_000;
const CORE_FILE = 'MEMORY.md';
const IDENTITY_FILES = ['SOUL.md', 'IDENTITY.md', 'USER.md', 'AGENTS.md', 'TOOLS.md'];

/** Turns a conversation is looked back; more never fit beside anything else. */
const MAX_HISTORY = 400;
/** Enough of the last conversation to know where it stopped. */
const LAST_TURNS = 6;
const LAST_TURN_CHARACTERS = 400;

export interface FileSources {
  readonly files: HomeFiles;
  readonly layout: Layout;
}

/** P0: who the agent and its user are, as written. */
export function identityPieces({ files, layout }: FileSources): Piece[] {
  return IDENTITY_FILES.flatMap((path, position) => {
    const file = placeOf(path, layout).kind === 'identity' ? files.read({ source: 'workspace', path }) : undefined;
    const text = file === undefined ? '' : visibleMarkdown(file.text);
    if (text === '') return [];
    return [
      filePiece({ slot: 'P0', tag: 'identity', id: path, path, position, forms: [`# ${path}\n${text}`], said: text }),
    ];
  });
}

/** P1: core memory by its sections, each shorter by lines where it does not fit. */
export function corePieces({ files }: FileSources): Piece[] {
  const file = files.read({ source: 'workspace', path: CORE_FILE });
  if (file === undefined) return [];
  const document = parseDocument(withoutMark(file.text));
  return sectionsOf(document).flatMap(({ title, blocks }, position) => {
    const said = visibleText(textOf(blocks)).trim();
    const quoted = quoteText(said).trim();
    if (quoted === '') return [];
    const heading = title === '' ? '' : `## ${quoteText(title)}\n`;
    const id = title === '' ? CORE_FILE : `${CORE_FILE}#${title}`;
    const forms = shorterByLines(quoted).map((text) => heading + text);
    return [
      filePiece({ slot: 'P1', tag: 'core', id, path: CORE_FILE, position, forms: nonEmpty(forms, quoted), said }),
    ];
  });
}

export interface PassageSources {
  readonly index: SearchIndex;
  readonly config: Config;
  readonly scopes: readonly Scope[];
  readonly nowMs: number;
}

/** P1: what was written down today and yesterday, the latest first. */
export async function recentPieces(sources: PassageSources): Promise<Piece[]> {
  const { index, config, scopes, nowMs } = sources;
  const { journal_days: days, recent_memories: limit } = config.context;
  if (days === 0) return [];
  const { date } = localTime(nowMs - (days - 1) * DAY_MS, config.time_zone);
  const sinceMs = momentOf(date, undefined, config.time_zone);
  const view = await index.view({ scopes, stores: ['episodic', 'journal'], sinceMs });
  const found = await view.read(await view.findRecent(limit));
  const written = latestFirst(found.filter(({ turn, type }) => turn === undefined && type !== 'superseded'));
  return written.map((passage, at) => recentPiece(passage, -at, config.time_zone));
}

/** P1 at the start of a session: where the last conversation stopped. */
export async function lastSessionPieces(sources: PassageSources, current: string | undefined): Promise<Piece[]> {
  const { index, scopes, config } = sources;
  // What is pushed unasked is what the two said to each other, not somebody else's log.
  const view = await index.view({ scopes, types: ['turn'], trust: ['user', 'agent'] });
  const turns = latestFirst(await view.read(await view.findRecent(MAX_HISTORY)));
  const last = turns.find(({ session }) => session !== undefined && session !== current)?.session;
  const own = turns.filter(({ session }) => session === last);
  return own.slice(0, LAST_TURNS).map((passage, at) => {
    const text = clip(passage.text, LAST_TURN_CHARACTERS);
    // After everything written in the recent days: it is what happened last.
    return recentPiece({ ...passage, text }, LAST_TURNS - at, config.time_zone);
  });
}

/** P4: the conversation so far, the latest turn first. */
export async function historyPieces(sources: PassageSources, session: string): Promise<Piece[]> {
  const { index, scopes } = sources;
  const view = await index.view({ scopes, sessions: [session], types: ['turn'] });
  const turns = latestFirst(await view.read(await view.findRecent(MAX_HISTORY)));
  return turns.map((passage, at) => passagePiece({ slot: 'P4', tag: 'history' }, passage, quoteTurn(passage), -at));
}

/** What a passage said in the recent days looks like. */
function recentPiece(passage: StoredPassage, position: number, timeZone: string): Piece {
  return passagePiece({ slot: 'P1', tag: 'recent' }, passage, quotePassages([passage], timeZone), position);
}

function passagePiece(
  place: Pick<Piece, 'slot' | 'tag'>,
  passage: StoredPassage,
  form: string,
  position: number,
): Piece {
  const origin = originOf([passage], passage);
  return { ...place, origin, forms: [form], said: passage.text, position, score: null, scores: null, evidence: null };
}

function latestFirst(passages: readonly StoredPassage[]): StoredPassage[] {
  return [...passages].sort((left, right) => (right.timeMs ?? 0) - (left.timeMs ?? 0) || right.number - left.number);
}

function filePiece(
  part: Pick<Piece, 'slot' | 'tag' | 'forms' | 'said' | 'position'> & { readonly id: string; readonly path: string },
): Piece {
  const { id, path, ...rest } = part;
  const origin = {
    id,
    path,
    source: null,
    session: null,
    turn: null,
    trust: 'user',
    scope: 'shared',
    time: null,
  } as const;
  return { ...rest, origin, score: null, scores: null, evidence: null };
}

function visibleMarkdown(text: string): string {
  return quoteText(visibleText(textOf(locateBlocks(parseDocument(withoutMark(text)))))).trim();
}

function withoutMark(text: string): string {
  return text.replace(/^\uFEFF+/u, '');
}

/** The whole, then without its last quarter, half and three quarters of lines. */
function shorterByLines(text: string): string[] {
  const lines = text.split('\n');
  const counts = [1, 0.75, 0.5, 0.25].map((share) => Math.ceil(lines.length * share));
  return [...new Set(counts)].map((count) => {
    const kept = lines.slice(0, count).join('\n');
    return count === lines.length ? kept : `${kept}\n…`;
  });
}

function nonEmpty(forms: readonly string[], fallback: string): readonly [string, ...string[]] {
  const [first = fallback, ...rest] = forms;
  return [first, ...rest];
}

function clip(text: string, maxCharacters: number): string {
  return text.length <= maxCharacters
    ? text
    : `${text
        .slice(0, maxCharacters - 1)
        .toWellFormed()
        .trimEnd()}…`;
}
