import { hash } from 'node:crypto';
import type { Config } from '../model/config/schema.ts';
import { MnemeError } from '../model/errors.ts';
import type { UlidFactory } from '../model/ids.ts';
import type { Scope } from '../model/provenance.ts';
import type { Clock } from '../platform/clock.ts';
import { scanFiles } from '../retrieve/scan.ts';
import type { MemorySearch } from '../retrieve/search.ts';
import type { ChunkContext } from '../search-index/chunk/draft.ts';
import type { HomeIndex } from '../search-index/home-index.ts';
import type { SearchIndex } from '../search-index/port.ts';
import type { Redactor } from '../workspace/safety/redact.ts';
import { assemble, type Assembled } from './assemble.ts';
import { findKnowledge, type Knowledge } from './knowledge.ts';
import { limitsFor, type Limits, type Preset } from './limits.ts';
import type { Piece } from './piece.ts';
import { corePieces, identityPieces } from './file-sources.ts';
import type { Project } from './project.ts';
import type { Briefing, BriefingEvent, Receipt, StartSource } from './receipt.ts';
import { historyPieces, lastSessionPieces, projectPieces, recentPieces, type PassageSources } from './sources.ts';
import { isTold, keysOf } from './told.ts';
import type { Told } from './told-store.ts';
import { estimateCounter, type TokenCounter } from './tokens.ts';

export interface CompileRequest {
  readonly message: string;
  readonly event: BriefingEvent | undefined;
  readonly preset: Preset;
  readonly budget: number | undefined;
  /** For programs that cut off what is longer. */
  readonly maxChars: number | undefined;
  readonly session: string | undefined;
  /** Why the session begins. */
  readonly source: StartSource | undefined;
  /** Where the agent works. */
  readonly project: Project | undefined;
  /** What it knows already; undefined when nobody keeps count. */
  readonly told: Told | undefined;
  readonly scope: Scope;
  /** Core memory is for the main agent in the main session. */
  readonly isMainSession: boolean;
}

export interface CompilerParts {
  readonly home: HomeIndex;
  readonly search: MemorySearch;
  readonly config: Config;
  readonly chunkContext: ChunkContext;
  readonly clock: Clock;
  readonly ulids: UlidFactory;
  /** For the message, which the receipt keeps. */
  readonly redactor: Redactor;
  readonly counter?: TokenCounter | undefined;
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
export class ContextCompiler {
  readonly #parts: CompilerParts;
  readonly #counter: TokenCounter;

  constructor(parts: CompilerParts) {
    this.#parts = parts;
    this.#counter = parts.counter ?? estimateCounter;
  }

  async compile(request: CompileRequest, state: WorkspaceState): Promise<Compiled> {
    const { home, config, clock, chunkContext, redactor } = this.#parts;
    const limits = limitsFor(config.context, request.preset, request.budget);
    const { index, models, notes } = await home.prepare();
    const searched = index ?? (await scanFiles(home.files, chunkContext));
    const nowMs = clock.now();
    const scopes: readonly Scope[] = request.scope === 'shared' ? ['shared'] : ['shared', request.scope];
    const { project } = request;
    const sources = { index: searched, config, scopes, nowMs, project };
    const fixed = (await this.#fixedPieces(request, sources)).map((piece) => leaveIfTold(piece, request));
    const knowledge = await this.#knowledge(request, scopes, searched, this.#roomFor(fixed, limits, isStart(request)));
    const assembled = this.#fit([...fixed, ...(knowledge?.pieces ?? [])], limits, request);
    const { text: message } = await redactor.redact(request.message);
    const briefing: Briefing = {
      prompt: assembled.prompt,
      tokens: assembled.tokens,
      budget: limits.budget,
      receipt: {
        id: this.#parts.ulids.next(nowMs),
        ...state,
        configHash: hash('sha256', JSON.stringify(config)).slice(0, 16),
        embedder: models.map(({ embedder }) => embedder.id).join(' + ') || 'none',
        tokenizer: this.#counter.id,
        clock: new Date(nowMs).toISOString(),
        preset: request.preset,
        event: request.event ?? null,
        session: request.session ?? null,
        message: message.slice(0, MAX_KEPT_MESSAGE).toWellFormed(),
        sha256: hash('sha256', assembled.prompt),
        decision: knowledge?.decision ?? null,
        items: assembled.items,
      },
      notes: this.#notes(assembled, knowledge, notes),
    };
    return { briefing, toldKeys: assembled.told.flatMap(keysOf) };
  }

  /** Within the tokens, and within the characters that whoever asked can take. */
  #fit(pieces: readonly Piece[], limits: Limits, request: CompileRequest): Assembled {
    const { maxChars = Infinity, preset } = request;
    let assembled = assemble(pieces, limits, this.#counter, isStart(request));
    let { budget } = limits;
    for (let round = 0; assembled.prompt.length > maxChars && round < MAX_FITTINGS; round += 1) {
      budget = Math.max(1, Math.floor((budget * maxChars * SHRINK) / assembled.prompt.length));
      const smaller = limitsFor(this.#parts.config.context, preset, budget);
      assembled = assemble(pieces, smaller, this.#counter, isStart(request));
    }
    if (assembled.prompt.length <= maxChars) return assembled;
    throw new MnemeError('refused', `The briefing has ${assembled.prompt.length} characters, more than ${maxChars}.`, {
      hint: 'Shorten MEMORY.md.',
    });
  }

  /** What does not depend on the message. A hook that answers every message adds only what the message calls for. */
  async #fixedPieces(request: CompileRequest, sources: PassageSources): Promise<Piece[]> {
    const { home, chunkContext } = this.#parts;
    const { event, session, isMainSession, source } = request;
    if (event === 'prompt') return [];
    const view = await sources.index.view({ scopes: ['shared'] });
    const files = { files: home.files, layout: chunkContext.layout, view };
    // A session that was compacted has lost its beginning: its own turns are memories to it now.
    const current = source === 'compact' ? undefined : session;
    const atStart = async (): Promise<Piece[]> => [
      ...(await projectPieces(sources)),
      ...(await lastSessionPieces(sources, current)),
    ];
    return [
      ...(await identityPieces(files)),
      ...(isMainSession ? await corePieces(files) : []),
      ...(await recentPieces(sources)),
      ...(event === 'session-start' ? await atStart() : []),
      ...(session === undefined || event === 'session-start' ? [] : await historyPieces(sources, session)),
    ];
  }

  async #knowledge(
    { message, event, session, told }: CompileRequest,
    scopes: readonly Scope[],
    index: SearchIndex,
    tokens: number,
  ): Promise<Knowledge | undefined> {
    if (message.trim() === '') return undefined;
    const { search, config } = this.#parts;
    const isAsked = event !== 'prompt';
    const request = { message, tokens, scopes, isAsked, session: isAsked ? undefined : session, told };
    return findKnowledge(request, search, config, async () => (await index.status()).passages);
  }

  /** What is left for recalled knowledge once everything fixed is in; history gives way to it. */
  #roomFor(fixed: readonly Piece[], limits: Limits, mayLeaveIdentity: boolean): number {
    const before = fixed.filter(({ slot }) => slot !== 'P4');
    const { tokens } = assemble(before, limits, this.#counter, mayLeaveIdentity);
    return Math.max(1, Math.min(limits.caps.memory, limits.room - tokens));
  }

  #notes(assembled: Assembled, knowledge: Knowledge | undefined, ready: readonly string[]): string[] {
    const { model } = this.#parts.config.context;
    return [
      ...assembled.notes,
      ...(knowledge?.notes ?? ready),
      ...(model === null ? [] : [`There is no tokenizer for ${model} here yet; tokens are estimated.`]),
    ];
  }
}

/** A session that is resumed still has its beginning in the window; what was told in part was told as far as it fits. */
function leaveIfTold(piece: Piece, { told }: CompileRequest): Piece {
  const { origin, said, forms } = piece;
  const ways = [said, ...forms.slice(1)];
  const isKnown = told !== undefined && ways.some((way) => isTold([{ id: origin.id, said: way }], told));
  return isKnown ? { ...piece, refused: 'already told in this session' } : piece;
}

/** An agent that starts has nobody to shorten its files or allow it more: it gets what fits, and its person a note. */
function isStart({ event }: CompileRequest): boolean {
  return event === 'session-start';
}
