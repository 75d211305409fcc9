import path from 'node:path';
import { makeTemporaryFolder } from '../../../../test/support/home.ts';
import type { ModelReply } from '../../../../test/support/model-wire.ts';
import { startModelServer, type ModelServer } from '../../../../test/support/provider-server.ts';
import { defaultConfig, type Config } from '../../../model/config/schema.ts';
import { KNOWLEDGE_KINDS } from '../../../model/knowledge.ts';
import type { LanguageProviderName } from '../../../providers/language/port.ts';
import { createReasoner, type HomeReasoner, type ReasonerParts } from '../../create.ts';
import { Ledger } from '../../ledger/ledger.ts';
import type { CallRecord } from '../../ledger/prices.ts';
import type { Answer, ExtractInput, HeardTurn, Purpose, Purposes, Reasoner } from '../../port.ts';
import type { Finding } from '../schemas.ts';

export const KEY = 'sk-test-key-0123456789';
export const NOW_MS = Date.parse('2026-11-15T12:00:00Z');

/** Answers every purpose at once, with something no model would say. */
export const STAND_IN: Reasoner = {
  name: 'heuristic@test',
  ask<P extends Purpose>(purpose: P, input: Purposes[P]['input']): Promise<Answer<Purposes[P]['output']>> {
    const outputs: { readonly [Each in Purpose]: Purposes[Each]['output'] } = {
      extract: [],
      flush: [],
      route: {
        store: 'episodic',
        kind: undefined,
        entities: [],
        relations: [],
        tags: [],
        confidence: 'low',
        isCoreWorthy: false,
        summary: '',
      },
      summarise: { topic: 'heuristic', points: [], decisions: [], errors: [], next: [], tags: [] },
      resolve_contradiction: { verdict: 'different', reason: 'heuristic' },
      infer: [],
      reflect: { learning: 'heuristic', understanding: 'heuristic', theme: '', questions: [] },
      rewrite_core: { add: [], remove: [] },
      gate: false,
      slug: 'heuristic',
      rerank: [],
    };
    const { fromTurn } = input as { readonly fromTurn?: string };
    const notes = fromTurn === undefined ? [] : [`from ${fromTurn}`];
    return Promise.resolve({ output: outputs[purpose], by: 'heuristic@test', notes });
  },
};

export const PATHS: Readonly<Record<LanguageProviderName, string>> = {
  anthropic: '/v1',
  openai: '/v1',
  google: '/v1beta',
  'openai-compatible': '/v1',
};

export interface Harness {
  readonly server: ModelServer;
  readonly reasoner: HomeReasoner;
  readonly home: string;
  readonly config: Config;
  /** Calls as they were reported. */
  readonly calls: CallRecord[];
  readonly pausesMs: number[];
  ledger(): Ledger;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly provider?: LanguageProviderName;
  readonly settings?: Partial<Config['reasoner']>;
  readonly parts?: Partial<ReasonerParts>;
  readonly home?: string;
}

/** A reasoner that asks a server on this machine with the real SDK. */
export async function startHarness(reply: ModelReply, options: HarnessOptions = {}): Promise<Harness> {
  const { provider = 'anthropic', settings, parts, home = makeTemporaryFolder() } = options;
  const server = await startModelServer(reply);
  const defaults = defaultConfig();
  const named = provider === 'openai-compatible' ? { small_model: 'local-model' } : {};
  const config: Config = {
    ...defaults,
    reasoner: { ...defaults.reasoner, ...named, provider, base_url: `${server.url}${PATHS[provider]}`, ...settings },
  };
  const calls: CallRecord[] = [];
  const pausesMs: number[] = [];
  const journalFolder = path.join(home, 'journal');
  const clock = { now: () => NOW_MS };
  const reasoner = createReasoner(config, {
    journalFolder,
    stateFolder: path.join(home, 'state'),
    clock,
    random: { bytes: (length) => new Uint8Array(length), number: () => 0 },
    readVariable: () => KEY,
    heuristic: STAND_IN,
    onCall: (call) => calls.push(call),
    sleep: async (milliseconds) => {
      pausesMs.push(milliseconds);
    },
    ...parts,
  });
  return {
    server,
    reasoner,
    home,
    config,
    calls,
    pausesMs,
    ledger: () => new Ledger({ folder: journalFolder, clock: parts?.clock ?? clock, timeZone: 'UTC' }),
    close: () => {
      reasoner.close();
      return server.close();
    },
  };
}

export function turn(id: string, text: string, given: Partial<HeardTurn> = {}): HeardTurn {
  return { id, role: 'user', text, timeMs: NOW_MS, trust: 'user', ...given };
}

export function extractInput(turns: readonly HeardTurn[], given: Partial<ExtractInput> = {}): ExtractInput {
  return {
    conversation: { session: 'ses_test', user: 'Ines', timeZone: 'Europe/Berlin', turns },
    kinds: KNOWLEDGE_KINDS,
    ...given,
  };
}

/** A finding as a model would give it, with everything that does not apply left empty. */
export function finding(given: Partial<Finding>): Finding {
  return {
    kind: 'fact',
    statement: '',
    turns: ['t1'],
    quote: '',
    confidence: 'high',
    importance: 0.5,
    subject: { name: '', type: '' },
    attribute: '',
    value: '',
    from: '',
    until: '',
    due: '',
    owner: '',
    rationale: '',
    trigger: '',
    steps: [],
    corrects: '',
    retracts: '',
    entities: [],
    relations: [],
    tags: [],
    is_core_worthy: false,
    ...given,
  };
}

export function findings(...given: Partial<Finding>[]): string {
  return JSON.stringify({ findings: given.map(finding) });
}
