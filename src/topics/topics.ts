import { hash } from 'node:crypto';
import type { Config } from '../model/config/schema.ts';
import { errorMessage } from '../model/errors.ts';
import { scopeCanSee, type Scope } from '../model/provenance.ts';
import type { Clock } from '../platform/clock.ts';
import type { Gate } from './gate.ts';
import {
  NO_TOPICS,
  type Correction,
  type LeftOutTopic,
  type TopicsForTurn,
  type TopicSource,
  type TopicsRequest,
  type TriggerMatch,
  type WatchedMessage,
} from './port.ts';
import type { TopicRegistry } from './registry.ts';
import type { GateDecision, GateLog } from './state/gate-log.ts';
import {
  type SessionState,
  type SessionStates,
  isResting,
  newSessionState,
  nextTurn,
  withActive,
  withCorrections,
} from './state/session-state.ts';
import type { SubscriptionSources } from './subscriptions.ts';
import { showTopics } from './show-topics.ts';
import { readWords } from './text/words.ts';
import type { WatchedTopic } from './topic-file.ts';
import type { Sighting, Watchers } from './watchers.ts';

/** This many of the playbook's own words in a reply are more than chance. */
const MIN_WORDS = 2;
const MIN_SHARE = 0.08;

/**
 * Whether a reply drew on a playbook: it uses words of it that the message it answers did not bring. A guess, for tuning
 * only, and never a reason to forget anything.
 */
function wasUseful(topic: Pick<WatchedTopic, 'body'>, message: string, reply: string): boolean {
  const brought = stemsOf(message);
  const own = [...stemsOf(topic.body)].filter((stem) => !brought.has(stem));
  const said = stemsOf(reply);
  const used = own.filter((stem) => said.has(stem)).length;
  return used >= MIN_WORDS && used / Math.max(1, Math.min(own.length, said.size)) >= MIN_SHARE;
}

function stemsOf(text: string): Set<string> {
  return new Set(readWords(text).flatMap(({ stem, isContent }) => (isContent ? [stem] : [])));
}

/** The decision on a topic that was sighted. */
interface Verdict {
  readonly outcome: 'activate' | 'ask' | 'drop';
  /** In words, for the log and the receipt. */
  readonly reason: string;
}

/** Scores below which the question is not worth asking: S0's table, where a low priority needs more than a medium one. */
const ASKED_FROM = { medium: 0.2, low: 0.3 } as const;

type WatcherSettings = Pick<Config, 'watchers' | 'gate'>;

/**
 * A trigger that the user wrote and that matches as written activates its topic, a single keyword as well: whoever writes a
 * word there means it. Where it only comes close, or where none matched, the score and the gate decide (S0 §5.2 and its
 * table of §5.4).
 */
export function decide({ topic, hits, score }: Sighting, { watchers, gate }: WatcherSettings): Verdict {
  const threshold = topic.frontmatter.similarity_threshold ?? watchers.similarity_threshold;
  const isMatched = hits.length > 0;
  const shown = score.toFixed(2);
  if (topic.activation === 'manual') return drop('activated by hand only');
  const match = hits.find((hit) => !hit.isLoose);
  if (match !== undefined) return activate(`a trigger matched: ${match.trigger.type}`);
  if (isMatched && topic.priority === 'critical') return activate('critical, and a trigger nearly matched');
  if (topic.activation === 'auto') {
    return score >= threshold ? activate(`auto, score ${shown}`) : drop(`score ${shown} is below ${threshold}`);
  }
  const ask = (why: string): Verdict => ({ outcome: 'ask', reason: why });
  if (!isMatched) {
    return score >= threshold
      ? ask(`no trigger, score ${shown}`)
      : drop(`no trigger, score ${shown} is below ${threshold}`);
  }
  const { high_min_score: high } = gate.bypass;
  const { medium, low } = ASKED_FROM;
  switch (topic.priority) {
    case 'critical':
    case 'high':
      return score >= high
        ? activate(`high priority, score ${shown}`)
        : ask(`high priority, score ${shown} is below ${high}`);
    case 'medium':
      return score >= medium
        ? ask(`a trigger nearly matched, score ${shown}`)
        : drop(`score ${shown} is below ${medium}`);
    case 'low':
      return score >= low
        ? ask(`a trigger nearly matched, score ${shown}`)
        : drop(`low priority, score ${shown} is below ${low}`);
  }
}

function activate(reason: string): Verdict {
  return { outcome: 'activate', reason };
}

function drop(reason: string): Verdict {
  return { outcome: 'drop', reason };
}

/** The words and actions of an agent in a session, in the order of its turns. */
export interface HeardOutput extends WatchedMessage {
  readonly turn: number;
}

export interface TopicsParts {
  readonly registry: TopicRegistry;
  readonly states: SessionStates;
  readonly log: GateLog;
  readonly gate: Gate;
  readonly settings: WatcherSettings;
  readonly clock: Clock;
  readonly sources: SubscriptionSources;
  /** Prepares topics for watching; the same topics give the same watchers. */
  readonly watchersFor: (topics: readonly WatchedTopic[]) => Promise<Watchers>;
  /** The agent's output in a session after a turn, and the message that it answered. */
  readonly outputsSince: (session: string, turn: number, scope: Scope) => Promise<readonly HeardOutput[]>;
}

/** A topic that was looked at, with what was decided and why: what `topics test` shows. */
export interface Judged {
  readonly sighting: Sighting;
  readonly verdict: Verdict;
  readonly gate: { readonly isYes: boolean; readonly by: string } | undefined;
  readonly isActive: boolean;
}

/** Questions to the gate for one message; more topics than this are never meant at once. */
const MAX_QUESTIONS = 5;
/** Sightings that matched nothing and are this unlikely are not worth a line of the log. */
const MIN_LOGGED_SCORE = 0.05;

/** Keeps the active topics of each conversation. */
export class Topics implements TopicSource {
  readonly #parts: TopicsParts;

  constructor(parts: TopicsParts) {
    this.#parts = parts;
  }

  async activeTopics(request: TopicsRequest): Promise<TopicsForTurn> {
    const { registry, states, settings } = this.#parts;
    if (!settings.watchers.enabled || registry.isEmpty()) return NO_TOPICS;
    const scope = request.scope ?? 'shared';
    const topics = await this.visible(scope);
    const notes: string[] = [];
    const { session } = request;
    const before = session === undefined ? newSessionState() : states.read(session);
    const heard = await this.#hearOutputs(before, topics, request, notes);
    const turn = await this.#takeTurn(heard, topics, request, notes);
    const shown = await showTopics(turn.state, topics, { scope, ...this.#parts });
    if (session !== undefined && request.isDry !== true) {
      // Told once: what is shown now is no longer waiting.
      await this.#keep(session, { ...turn.state, corrections: [] }, notes);
    }
    const corrections = session === undefined ? [] : turn.state.corrections;
    return { ...shown, corrections, leftOut: turn.leftOut, notes: [...notes, ...shown.notes] };
  }

  /** Tier by tier, without a session and without leaving a trace. */
  async judge(
    message: WatchedMessage,
    topics: readonly WatchedTopic[],
    signal?: AbortSignal,
  ): Promise<{ judged: Judged[]; notes: string[] }> {
    const notes: string[] = [];
    const watchers = await this.#parts.watchersFor(topics.filter(({ isEnabled }) => isEnabled));
    const { sightings, notes: told } = await watchers.watch(message);
    notes.push(...told);
    const judged = await this.#judge(message, sightings, notes, signal);
    return { judged, notes };
  }

  async visible(scope: Scope): Promise<WatchedTopic[]> {
    return (await this.#parts.registry.sync()).filter((topic) => scopeCanSee(scope, topic.scope));
  }

  /** The agent's side since the last turn: corrections for the next one, topics it called for, and what was of use. */
  async #hearOutputs(
    state: SessionState,
    topics: readonly WatchedTopic[],
    { session, isDry, scope = 'shared' }: TopicsRequest,
    notes: string[],
  ): Promise<SessionState> {
    const { outputsSince, log, clock } = this.#parts;
    if (session === undefined) return state;
    const outputs = await outputsSince(session, state.heardTo, scope);
    if (outputs.length === 0) return state;
    let next: SessionState = { ...state, heardTo: Math.max(...outputs.map(({ turn }) => turn)) };
    const said = outputs.filter(({ role }) => role === 'agent');
    if (isDry !== true) {
      const asked = outputs.findLast(({ role }) => role === 'user')?.text ?? '';
      const reply = said.map(({ text }) => text).join('\n');
      const uses = state.active.flatMap(({ path, decision }) => {
        const topic = topics.find((each) => each.path === path);
        if (topic === undefined || decision === null || reply === '') return [];
        return [{ decision, was_useful: wasUseful(topic, asked, reply) }];
      });
      this.#attempt('The gate log', notes, () => log.recordUse(new Date(clock.now()).toISOString(), uses));
    }
    const watchers = await this.#parts.watchersFor(topics.filter(({ isEnabled }) => isEnabled));
    for (const output of said) {
      const { sightings, notes: told } = await watchers.watch(output);
      notes.push(...told.filter((note) => !notes.includes(note)));
      const judged = await this.#judge(output, sightings, notes);
      next = withCorrections(next, judged.filter(({ isActive }) => isActive).flatMap(correctionsOf));
      next = this.#activate(next, judged, output, { session, isDry }, 'output', notes);
    }
    return next;
  }

  async #takeTurn(
    state: SessionState,
    topics: readonly WatchedTopic[],
    request: TopicsRequest,
    notes: string[],
  ): Promise<{ readonly state: SessionState; readonly leftOut: LeftOutTopic[] }> {
    const { clock } = this.#parts;
    const { message, signal } = request;
    if (message === undefined) return { state, leftOut: [] };
    const watchers = await this.#parts.watchersFor(topics.filter(({ isEnabled }) => isEnabled));
    const { sightings, tone, notes: told } = await watchers.watch(message, state.tone);
    notes.push(...told.filter((note) => !notes.includes(note)));
    const judged = await this.#judge(message, sightings, notes, signal);
    const turn = nextTurn(state, clock.now(), tone);
    const next = this.#activate(turn, judged, message, request, 'message', notes);
    const isIn = new Set(next.active.map(({ path }) => path));
    const leftOut = judged
      .filter(({ sighting }) => !isIn.has(sighting.topic.path) && isWorthTelling(sighting))
      .map(({ sighting, verdict, gate }) => ({
        name: sighting.topic.name,
        path: sighting.topic.path,
        reason: gate?.isYes === false ? `${verdict.reason}; ${gate.by} said no` : verdict.reason,
        score: sighting.score,
      }));
    return { state: next, leftOut };
  }

  async #judge(
    { text }: WatchedMessage,
    sightings: readonly Sighting[],
    notes: string[],
    signal?: AbortSignal,
  ): Promise<Judged[]> {
    const judged: Judged[] = [];
    let questions = 0;
    for (const sighting of sightings) {
      const verdict = decide(sighting, this.#parts.settings);
      if (verdict.outcome !== 'ask') {
        judged.push({ sighting, verdict, gate: undefined, isActive: verdict.outcome === 'activate' });
        continue;
      }
      questions += 1;
      if (questions > MAX_QUESTIONS) {
        const reason = `${verdict.reason}; the gate was asked about ${MAX_QUESTIONS} likelier ones`;
        judged.push({ sighting, verdict: { outcome: 'drop', reason }, gate: undefined, isActive: false });
        continue;
      }
      const { isYes, by, notes: told } = await this.#parts.gate.ask(text, sighting, signal);
      notes.push(...told.filter((note) => !notes.includes(note)));
      judged.push({ sighting, verdict, gate: { isYes, by }, isActive: isYes });
    }
    return judged;
  }

  #activate(
    state: SessionState,
    judged: readonly Judged[],
    message: WatchedMessage,
    { session, isDry }: Pick<TopicsRequest, 'session' | 'isDry'>,
    cause: 'message' | 'output',
    notes: string[],
  ): SessionState {
    const nowMs = this.#parts.clock.now();
    const decisions: GateDecision[] = [];
    let next = state;
    for (const each of judged) {
      const { sighting, verdict } = each;
      const { path } = sighting.topic;
      const isIn = each.isActive && !isResting(state, path);
      const decision = decisionOf(each, message, { session, nowMs, isIn });
      if (isWorthTelling(sighting)) decisions.push(decision);
      if (!isIn) continue;
      const entry = {
        path,
        cause,
        reason: verdict.reason,
        sinceMs: nowMs,
        score: sighting.score,
        decision: decision.id,
        matches: matchesOf(sighting),
      };
      next = withActive(next, entry);
    }
    if (isDry !== true) this.#attempt('The gate log', notes, () => this.#parts.log.record(decisions));
    return next;
  }

  /** A conversation must not stop because a log could not be written; whoever asks is told. */
  #attempt(what: string, notes: string[], write: () => void): void {
    try {
      write();
    } catch (error) {
      notes.push(`${what} could not be written: ${errorMessage(error)}`);
    }
  }

  async #keep(session: string, state: SessionState, notes: string[]): Promise<void> {
    try {
      await this.#parts.states.write(session, state);
    } catch (error) {
      notes.push(`What is active could not be noted: ${errorMessage(error)}`);
    }
  }
}

const MAX_MATCHES = 5;

function matchesOf({ hits }: Sighting): TriggerMatch[] {
  return hits
    .slice(0, MAX_MATCHES)
    .map(({ trigger, found }) => ({ trigger: trigger.type, found: found.slice(0, 100).toWellFormed() }));
}

function isWorthTelling({ hits, score }: Sighting): boolean {
  return hits.length > 0 || score >= MIN_LOGGED_SCORE;
}

function correctionsOf({ sighting }: Judged): Correction[] {
  const { topic, hits } = sighting;
  return hits.flatMap(({ trigger, found }) =>
    trigger.correction_hint === undefined
      ? []
      : [{ topic: topic.name, path: topic.path, hint: trigger.correction_hint, found: found.slice(0, 200) }],
  );
}

function decisionOf(
  { sighting, verdict, gate }: Judged,
  { text, role }: WatchedMessage,
  { session, nowMs, isIn }: { readonly session: string | undefined; readonly nowMs: number; readonly isIn: boolean },
): GateDecision {
  const { topic, hits, score } = sighting;
  const messageHash = hash('sha256', text).slice(0, 16);
  const timestamp = new Date(nowMs).toISOString();
  return {
    id: hash('sha256', `${timestamp} ${messageHash} ${topic.path} ${session ?? ''}`).slice(0, 16),
    timestamp,
    message_hash: messageHash,
    topic_name: topic.name,
    tier1_matched: hits.length > 0,
    tier2_score: score,
    gate_result: gate?.isYes ?? null,
    was_useful: null,
    topic_path: topic.path,
    session: session ?? null,
    side: role === 'user' ? 'input' : 'output',
    outcome: isIn ? 'active' : 'left-out',
    reason: verdict.reason,
    by: gate?.by ?? null,
    triggers: [...new Set(hits.map(({ trigger }) => `${trigger.type}:${topic.triggers.indexOf(trigger)}`))],
  };
}
