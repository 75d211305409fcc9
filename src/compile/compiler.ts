import { hash } from 'node:crypto';
import { MnemeError } from '../model/errors.ts';
import { repeats } from '../model/repeated.ts';
import type { Group } from '../retrieve/fit.ts';
import type { Redactor } from '../workspace/safety/redact.ts';
import { type Assembled, Filling } from './fill/filling.ts';
import { readFeedback, withFeedback, type PromptFeedback } from './feedback.ts';
import { offer, offerLatest, offerRanked, offerTogether, takeAll, takeHistory } from './fill/offers.ts';
import { gather, scopesOf, type Gathered } from './gather.ts';
import { findKnowledge, type Knowledge } from './knowledge.ts';
import { LaterWords } from './later.ts';
import { type Limits, limitsFor } from './limits.ts';
import type { Piece } from './piece.ts';
import { ownerOf } from './project.ts';
import type { Briefing, Receipt } from './receipt.ts';
import { NAME_OF, SLOT_OF, type Tag } from './slots.ts';
import { isTold, keysOf } from './told-store.ts';
import { groupsAsTold } from './told-trust.ts';
import { type TokenCounter, rememberCounts } from './tokens/estimate.ts';
import type { CompileRequest, World } from './world.ts';

export interface CompilerParts {
  readonly counter: TokenCounter;
  /** For the message, which the receipt keeps. */
  readonly redactor: Redactor;
}

export interface Compiled {
  readonly briefing: Briefing;
  /** Keys of the lines that the prompt tells. */
  readonly toldKeys: readonly string[];
}

/** The state of the workspace a briefing is made from. */
export type WorkspaceState = Pick<Receipt, 'mutation' | 'journalEnd'>;

const MAX_KEPT_MESSAGE = 2000;

/** Tokens of some languages are long; with a budget in proportion it fits, and with a little less surely. */
const SHRINK = 0.95;
const MAX_FITTINGS = 8;

/** Message + memory + budget → a prompt with a receipt. */
export async function compile(
  request: CompileRequest,
  world: World,
  parts: CompilerParts,
  state: WorkspaceState,
): Promise<Compiled> {
  const counter = rememberCounts(parts.counter);
  const limits = limitsOf(request, world, counter, request.budget);
  const feedback = await readFeedback(world, scopesOf(request.scope));
  const gathered = await gather(request, world, feedback);
  const fixed = gathered.pieces.map((piece) => leaveIfTold(withFeedback(piece, feedback), request));
  const knowledge = await knowledgeFor(
    { ...request, feedback },
    world,
    gathered,
    roomFor(fixed, limits, counter, isStart(request)),
  );
  const assembled = fit([...fixed, ...(knowledge?.pieces ?? [])], limits, { request, world, counter });
  const { text: message } = await parts.redactor.redact(request.message);
  const { prompt, sections, tokens, turns } = assembled;
  const spaces = spacesOf(world, knowledge);
  const briefing: Briefing = {
    prompt,
    tokens,
    budget: limits.budget,
    receipt: {
      id: request.receipt,
      ...state,
      configHash: hash('sha256', JSON.stringify(world.config)).slice(0, 16),
      embedder: spaces.join(' + ') || 'none',
      embedderHash: hash('sha256', spaces.join('\n')).slice(0, 16),
      tokenizer: counter.id,
      clock: new Date(world.nowMs).toISOString(),
      preset: request.preset,
      event: request.event ?? null,
      session: request.session ?? null,
      message: message.slice(0, MAX_KEPT_MESSAGE).toWellFormed(),
      asked: askedOf(request),
      sha256: hash('sha256', prompt),
      decision: knowledge?.decision ?? null,
      slots: slotsOf(assembled, limits),
      items: assembled.items,
    },
    sections,
    turns,
    notes: notesOf({ assembled, knowledge, gathered, limits, world }),
  };
  return { briefing, toldKeys: request.told === undefined ? [] : assembled.told.flatMap(keysOf) };
}

/** The models that scored what was found, with the share of the passages that had a vector: another share may find otherwise. */
function spacesOf({ models }: World, knowledge: Knowledge | undefined): string[] {
  const used = knowledge?.models ?? models.filter(({ isInstant }) => isInstant).map(({ embedder }) => embedder.id);
  return models
    .filter(({ embedder }) => used.includes(embedder.id))
    .map(({ embedder, coverage }) =>
      coverage === 1 ? embedder.id : `${embedder.id} (${Math.floor(coverage * 100)} %)`,
    );
}

/** Within the tokens, and within the characters that whoever asked can take. */
function fit(
  pieces: readonly Piece[],
  limits: Limits,
  { request, world, counter }: { request: CompileRequest; world: World; counter: TokenCounter },
): Assembled {
  const { maxChars = Infinity } = request;
  let assembled = assemble(pieces, limits, counter, isStart(request));
  let { budget } = limits;
  for (let round = 0; assembled.prompt.length > maxChars && round < MAX_FITTINGS; round += 1) {
    budget = Math.max(1, Math.floor((budget * maxChars * SHRINK) / assembled.prompt.length));
    assembled = assemble(pieces, limitsOf(request, world, counter, budget), counter, isStart(request));
  }
  if (assembled.prompt.length <= maxChars) return assembled;
  throw new MnemeError('refused', `The briefing has ${assembled.prompt.length} characters, more than ${maxChars}.`, {
    hint: 'Shorten MEMORY.md.',
  });
}

/** A hook's context joins a message that is in the window already; a whole prompt has to leave room for it. */
function limitsOf(
  { preset, event, message, response }: CompileRequest,
  { config }: World,
  counter: TokenCounter,
  budget: number | undefined,
): Limits {
  const isWhole = event === undefined;
  const request = isWhole ? counter.count(message) : 0;
  return limitsFor(config, { preset, budget, request, response: isWhole ? response : (response ?? 0) });
}

async function knowledgeFor(
  { message, event, session, told, scope, project, isDry, feedback }: CompileRequest & { feedback: PromptFeedback },
  world: World,
  { keywords, pieces }: Gathered,
  tokens: number,
): Promise<Knowledge | undefined> {
  if (message.trim() === '') return undefined;
  const { search, config, index, isPast, nowMs } = world;
  const attribute = (groups: readonly Group[]) => groupsAsTold(groups, world);
  const isAsked = event !== 'prompt';
  const scopes = scopesOf(scope);
  const read = async (passages: readonly number[]) => (await index.view({ scopes: [...scopes] })).read(passages);
  // A hook has no time to wait for another program.
  const models = event === undefined ? ('all' as const) : ('bundled' as const);
  const asked = { message, keywords, tokens, scopes, isAsked, models, isDry, attribute, read, feedback };
  const request = { ...asked, session: isAsked ? undefined : session, told, at: isPast ? { index, nowMs } : undefined };
  const projects = (await index.listEntities()).filter(({ type }) => type === 'project');
  return findKnowledge(request, {
    search,
    config,
    size: async () => (await index.status()).passages,
    ownerOf: (passage) => ownerOf(passage, project, projects),
    // An agent that works on no project still works in some folder.
    isInProject: project !== undefined && projects.some(({ name, aliases }) => [name, ...aliases].some(project.isName)),
    nowMs,
    calledFor: pieces.flatMap(({ tag, refused, origin }) =>
      tag === 'procedures' && refused === undefined ? [origin.path] : [],
    ),
    listProcedures: world.listProcedures,
    readLater: () => LaterWords.read(index, scopes),
  });
}

/** The room left for recalled knowledge once everything fixed is in; history gives way to it. */
function roomFor(fixed: readonly Piece[], limits: Limits, counter: TokenCounter, mayLeaveIdentity: boolean): number {
  const before = fixed.filter(({ tag }) => tag !== 'history');
  const { tokens } = assemble(before, limits, counter, mayLeaveIdentity);
  return Math.max(1, Math.min(limits.caps.memory, limits.room - tokens));
}

function askedOf(request: CompileRequest): Receipt['asked'] {
  const { scope, system, budget, response, maxChars, source, isMainSession, project } = request;
  return {
    scope,
    isMainSession,
    budget: budget ?? null,
    response: response ?? null,
    maxChars: maxChars ?? null,
    source: source ?? null,
    project: project?.name ?? null,
    systemSha256: system === undefined ? null : hash('sha256', system),
    isMessageWhole: request.message.length <= MAX_KEPT_MESSAGE,
  };
}

function slotsOf({ items }: Assembled, limits: Limits): Receipt['slots'] {
  const tags = new Map<Piece['tag'], number>();
  for (const { tag, tokens, included } of items) tags.set(tag, (tags.get(tag) ?? 0) + (included ? tokens : 0));
  const parts = [...tags].map(([tag, tokens]) => ({
    slot: SLOT_OF[tag],
    tag,
    tokens,
    cap: limits.caps[tag],
    floor: tag === 'memory' || tag === 'history' ? limits.floors[tag] : 0,
  }));
  return { room: limits.room, request: limits.request, response: limits.response, parts };
}

function notesOf(made: {
  readonly assembled: Assembled;
  readonly knowledge: Knowledge | undefined;
  readonly gathered: Gathered;
  readonly limits: Limits;
  readonly world: World;
}): string[] {
  const { room, request, response, budget } = made.limits;
  const isFull = room === 0;
  return [
    ...(isFull
      ? [`The message (${request} tokens) and the answer (${response}) leave nothing of ${budget} tokens.`]
      : []),
    ...made.assembled.notes,
    ...made.gathered.notes,
    ...(made.knowledge?.notes ?? made.world.notes),
    ...(made.world.isPast ? made.world.notes : []),
  ];
}

/** A session that is resumed still has its beginning in the window; what was told in part was told as far as it fits. */
function leaveIfTold(piece: Piece, { told }: CompileRequest): Piece {
  if (told === undefined || told.keys.size === 0 || piece.refused !== undefined) return piece;
  const { origin, said, forms } = piece;
  const isKnown = (way: string): boolean => isTold([{ id: origin.id, said: way }], told);
  const wasTold = isKnown(said) || forms.slice(1).some(({ text }) => isKnown(text));
  return wasTold ? { ...piece, refused: 'already told in this session' } : piece;
}

/** An agent that starts has nobody to shorten its files or allow it more: it gets what fits, and its person a note. */
function isStart({ event }: CompileRequest): boolean {
  return event === 'session-start';
}

/** Of what everything before leaves, the conversation is sure of this much. */
const HISTORY_SHARE = 0.4;

/** Of what identity leaves at the start of a session, core memory cannot take this much from what is known. */
const KNOWN_SHARE = 0.4;

/**
 * Chooses what goes into the prompt and puts it together. The budget is never exceeded, and nothing is said twice.
 * A piece of priority P0 that does not fit is refused, or at the start of a session left out with a note; nothing is searched for then, so
 * that nothing is kept free for it.
 */
export function assemble(pieces: readonly Piece[], limits: Limits, counter: TokenCounter, isStart = false): Assembled {
  const filling = new Filling(limits, counter);
  const of = (...tags: Tag[]): Piece[] => pieces.filter(({ tag }) => tags.includes(tag));
  takeAll(filling, of('system', 'identity'), isStart);
  // Whatever the message is, or the same core memory would be told now at full length and now shortened.
  const kept = isStart ? 0 : keptForLater(filling, limits);
  const known = of('known');
  offerTogether(filling, of('core'), kept + (known.length === 0 ? 0 : Math.floor(filling.left * KNOWN_SHARE)));
  offerTogether(filling, of('projects'), kept);
  for (const piece of known) offer(filling, piece, kept);
  // A line is no repetition of a turn to the letter, and tells the same.
  const isKnown = repeats(known.filter((piece) => filling.isTakenWhole(piece)).map(({ said }) => said));
  const [repeated, recent] = [
    of('recent').filter(({ said }) => isKnown(said)),
    of('recent').filter(({ said }) => !isKnown(said)),
  ];
  for (const piece of repeated) filling.leave(piece, `repeats ${NAME_OF.known}`);
  for (const piece of recent.filter(({ why }) => why !== undefined)) offer(filling, piece, kept);
  offerLatest(
    filling,
    recent.filter(({ why }) => why === undefined).sort((left, right) => left.position - right.position),
    kept,
  );
  for (const piece of of('notices')) offer(filling, piece, kept);
  offerTogether(filling, of('topics'), kept);
  for (const piece of of('subscriptions')) offer(filling, piece, kept);
  offerTogether(filling, of('procedures'), kept);
  const history = of('history');
  const shown = takeHistory(filling, history, Math.floor(filling.left * HISTORY_SHARE));
  offerRanked(filling, of('memory'));
  takeHistory(filling, history.slice(shown), filling.left);
  if (isStart) useRounding(filling, known);
  return filling.finish();
}

/** Lines are counted apart and rounded up; together they leave room for more of them. */
function useRounding(filling: Filling, pieces: readonly Piece[]): void {
  for (let left = pieces; left.length > 0;) {
    filling.recount();
    const before = left.length;
    left = left.filter((piece) => !filling.isTakenWhole(piece) && !offer(filling, piece));
    if (left.length === before) return;
  }
}

/** Floors are shares of what identity leaves: that is never cut for anything. */
function keptForLater(filling: Filling, { floors, room }: Limits): number {
  return room === 0 ? 0 : Math.floor((floors.memory + floors.history) * (filling.left / room));
}
