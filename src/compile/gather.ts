import type { Scope } from '../model/provenance.ts';
import { cutText } from '../model/text.ts';
import type { IndexView } from '../search-index/port.ts';
import { NO_TOPICS, type TopicsForTurn } from '../topics/port.ts';
import { parseEntity } from '../workspace/formats/entity.ts';
import { visibleText } from '../workspace/formats/metadata.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import type { PromptFeedback } from './feedback.ts';
import { quoteLine } from './fence.ts';
import { type Piece, UNSCORED, formOf } from './piece.ts';
import { corePieces, identityPieces, statedInCore, systemPieces, trustOf, withoutMark } from './sources/files.ts';
import { knownPieces } from './sources/known.ts';
import { historyPieces, lastSessionPieces, recentPieces } from './sources/passages.ts';
import { procedurePieces, subscriptionPieces, topicPieces } from './sources/reactive.ts';
import type { CompileRequest, Notice, World } from './world.ts';

/** Everything but what is searched for. */
export interface Gathered {
  readonly pieces: readonly Piece[];
  /** Words of active topics that join the question. */
  readonly keywords: readonly string[];
  readonly notes: readonly string[];
}

/** P0, P1, P2 and P4. A hook that answers every message adds only what the message calls for: P2. */
export async function gather(request: CompileRequest, world: World, feedback: PromptFeedback): Promise<Gathered> {
  const scopes = scopesOf(request.scope);
  const topics = await watch(request, world);
  const view = await world.index.view({ scopes: [...scopes] });
  const reactive = [
    ...(await topicPieces(topics, world)),
    ...(await subscriptionPieces(topics, view)).filter(({ origin }) => scopes.includes(origin.scope)),
    ...(await procedurePieces(world, request.message, scopes, request.event === 'prompt')),
  ];
  const left = topics.leftOut.map(leftOutPiece);
  const notes = topics.notes;
  const standing = request.event === 'prompt' ? [] : await standingPieces(request, world, scopes, feedback);
  return { pieces: [...standing, ...reactive, ...left], keywords: topics.keywords, notes };
}

async function standingPieces(
  request: CompileRequest,
  world: World,
  scopes: readonly Scope[],
  feedback: PromptFeedback,
): Promise<Piece[]> {
  const { event, session, isMainSession, source, scope, project } = request;
  const { index, config, nowMs } = world;
  const view = await index.view({ scopes: [...scopes] });
  const passages = { index, config, scopes, nowMs, project };
  // A session that was compacted has lost its beginning: its own turns are memories to it now.
  const current = source === 'compact' ? undefined : session;
  const isStart = event === 'session-start';
  return [
    ...systemPieces(request.system),
    ...(await identityPieces(world, scope)),
    ...(isMainSession ? await corePieces(world, 'shared', scope) : []),
    ...(scope === 'shared' ? [] : await corePieces(world, scope, scope)),
    ...(await projectPieces(world, view, scopes)),
    ...(await recentPieces(passages)),
    ...(isStart ? await knownPieces(passages, feedback, await statedInCore(world)) : []),
    ...(isStart ? await lastSessionPieces(passages, current) : []),
    ...(isStart && isMainSession ? await noticePieces(world, scope) : []),
    ...(session === undefined || isStart ? [] : await historyPieces(passages, session)),
  ];
}

export function scopesOf(scope: Scope): readonly Scope[] {
  return scope === 'shared' ? ['shared'] : ['shared', scope];
}

async function watch(
  { message, session, scope, receipt, isDry }: CompileRequest,
  world: World,
): Promise<TopicsForTurn> {
  if (world.topics === undefined) return NO_TOPICS;
  const said = message.trim() === '' ? undefined : ({ text: message, role: 'user' } as const);
  return world.topics.activeTopics({ session, message: said, scope, receipt, isDry });
}

/** For the receipt only: why a topic that was looked at is not there. */
function leftOutPiece({ name, path, reason, score }: TopicsForTurn['leftOut'][number], at: number): Piece {
  return {
    tag: 'topics',
    origin: {
      id: `topic:${name}`,
      path,
      source: null,
      session: null,
      turn: null,
      trust: 'user',
      scope: 'shared',
      time: null,
    },
    forms: [{ level: 'full', text: '' }],
    said: '',
    position: at,
    score,
    scores: null,
    evidence: null,
    refused: reason,
  };
}

/** As many as a person works on; a longer list says nothing. */
const MAX_PROJECTS = 12;
const SUMMARY_CHARACTERS = 240;
const LINE_CHARACTERS = 80;

/** P1: what is being worked on, by name, so that the list stays as it is as long as the work does. */
async function projectPieces(world: World, view: IndexView, scopes: readonly Scope[]): Promise<Piece[]> {
  const active = (await world.listActiveEntities()).filter(({ scope }) => scopes.includes(scope));
  const sorted = [...active].sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
  const pieces: Piece[] = [];
  for (const [position, { id, name, path, scope }] of sorted.slice(0, MAX_PROJECTS).entries()) {
    const text = await world.readFile(path);
    if (text === undefined) continue;
    const summary = quoteLine(visibleText(parseEntity(parseDocument(withoutMark(text)), path).summary));
    const trust = trustOf(await view.readDocument({ source: 'workspace', path }));
    const mark = trust === 'user' ? '' : `[${trust === 'agent' ? trust : `${trust}, untrusted`}] `;
    const tell = (chars: number): string =>
      `- ${quoteLine(name)}${summary === '' ? '' : `: ${mark}${cutText(summary, chars)}`}`;
    const origin = { id, path, source: null, session: null, turn: null, time: null, trust, scope } as const;
    const forms = [
      formOf('full', () => tell(SUMMARY_CHARACTERS)),
      formOf('line', () => tell(LINE_CHARACTERS)),
      formOf('link', () => `- ${quoteLine(name)}`),
    ] as const;
    pieces.push({ tag: 'projects', origin, forms, said: summary, position, ...UNSCORED });
  }
  return pieces;
}

/** P1 at the start of a session: what waits for a person. */
async function noticePieces(world: World, scope: Scope): Promise<Piece[]> {
  return (await world.listNotices(scope)).map(noticePiece);
}

function noticePiece({ id, path, text, trust = 'user' }: Notice, position: number): Piece {
  const origin = {
    id,
    path,
    source: null,
    session: null,
    turn: null,
    time: null,
    trust,
    scope: 'shared',
  } as const;
  const forms = [formOf('full', () => `- ${quoteLine(text)}`)] as const;
  return { tag: 'notices', origin, forms, said: text, position, ...UNSCORED };
}
