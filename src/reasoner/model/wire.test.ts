import { afterEach, describe, expect, it } from 'vitest';
import { LANGUAGE_PROVIDERS, type LanguageProviderName } from '../../providers/language/port.ts';
import type { ReceivedRequest } from '../../providers/embeddings/testing/provider-server.ts';
import type { Purpose, Purposes } from '../port.ts';
import { readPrompt } from './models.ts';
import { extractInput, finding, findings, KEY, NOW_MS, startHarness, turn, type Harness } from './testing/harness.ts';

/** Every purpose through every provider's real wire format. */

interface Case<P extends Purpose> {
  readonly input: Purposes[P]['input'];
  readonly says: string;
  readonly output: unknown;
  /** Something only this question contains. */
  readonly shows: string;
}

const conversation = {
  session: 'ses_1',
  user: 'Ines',
  project: 'harbor',
  timeZone: 'Europe/Berlin',
  known: [{ name: 'Kemal Aydin', type: 'person' }],
  turns: [
    turn('t1', 'Where should the tiles be cached?', { role: 'agent', trust: 'agent' }),
    turn('t2', 'We go with Redis for the tile cache, because Kemal Aydin knows it.', { name: 'Ines' }),
  ],
};

const CASES: { readonly [P in Purpose]: Case<P> } = {
  extract: {
    input: { conversation, kinds: ['decision', 'fact'] },
    says: findings({
      kind: 'decision',
      statement: 'harbor uses Redis for the tile cache.',
      turns: ['t2'],
      quote: 'We go with Redis for the tile cache',
      importance: 0.7,
      subject: { name: 'harbor', type: 'project' },
      rationale: 'Kemal Aydin knows it',
      entities: [
        { name: 'Redis', type: 'tool' },
        { name: 'harbor', type: 'project' },
      ],
      relations: [{ subject: 'harbor', relation: 'uses', object: 'Redis' }],
      tags: ['Tile Cache', 'redis'],
    }),
    output: [
      {
        kind: 'decision',
        statement: 'harbor uses Redis for the tile cache.',
        evidence: { session: 'ses_1', turns: ['t2'], quote: 'We go with Redis for the tile cache' },
        trust: 'user',
        saidMs: NOW_MS,
        confidence: 'high',
        importance: 0.7,
        subject: { name: 'harbor', type: 'project' },
        rationale: 'Kemal Aydin knows it',
        entities: [
          { name: 'Redis', type: 'tool' },
          { name: 'harbor', type: 'project' },
        ],
        relations: [
          { subject: { name: 'harbor', type: 'project' }, relation: 'uses', object: { name: 'Redis', type: 'tool' } },
        ],
        tags: ['tile-cache', 'redis'],
        isCoreWorthy: false,
      },
    ],
    shows: 'Kinds wanted: decision, fact.',
  },
  flush: {
    input: { conversation, kinds: ['decision', 'task'] },
    says: findings({
      kind: 'decision',
      statement: 'harbor uses Redis for the tile cache.',
      turns: ['t2'],
      quote: 'We go with Redis for the tile cache',
    }),
    output: [
      {
        kind: 'decision',
        statement: 'harbor uses Redis for the tile cache.',
        evidence: { session: 'ses_1', turns: ['t2'], quote: 'We go with Redis for the tile cache' },
        trust: 'user',
        saidMs: NOW_MS,
        confidence: 'high',
        importance: 0.5,
        entities: [],
        relations: [],
        tags: [],
        isCoreWorthy: false,
      },
    ],
    shows: 'Kinds wanted: decision, task.',
  },
  route: {
    input: { text: 'Vera lives in Graz now', user: 'Ines', timeMs: NOW_MS, timeZone: 'UTC' },
    says: JSON.stringify({
      store: 'semantic',
      kind: 'person',
      entities: [
        { name: 'Vera', type: 'person' },
        { name: 'Graz', type: 'place' },
      ],
      relations: [{ subject: 'Vera', relation: 'located in', object: 'Graz' }],
      tags: ['family'],
      confidence: 'high',
      is_core_worthy: false,
      summary: 'Vera lives in Graz.',
    }),
    output: {
      store: 'semantic',
      kind: 'person',
      entities: [
        { name: 'Vera', type: 'person' },
        { name: 'Graz', type: 'place' },
      ],
      relations: [
        { subject: { name: 'Vera', type: 'person' }, relation: 'located-in', object: { name: 'Graz', type: 'place' } },
      ],
      tags: ['family'],
      confidence: 'high',
      isCoreWorthy: false,
      summary: 'Vera lives in Graz.',
    },
    shows: 'Sunday 2026-11-15 12:00',
  },
  summarise: {
    input: { conversation, maxTokens: 200 },
    says: JSON.stringify({
      topic: 'Tile cache',
      points: ['Ines and the agent talked about the tile cache.'],
      decisions: ['Redis is the tile cache.'],
      errors: [],
      next: [],
      tags: ['cache'],
    }),
    output: {
      topic: 'Tile cache',
      points: ['Ines and the agent talked about the tile cache.'],
      decisions: ['Redis is the tile cache.'],
      errors: [],
      next: [],
      tags: ['cache'],
    },
    shows: 'At most 6 points.',
  },
  resolve_contradiction: {
    input: {
      known: { text: 'The port is 8080.', saidMs: NOW_MS, attribute: 'port', value: '8080' },
      incoming: { text: 'The port is 8443.', saidMs: NOW_MS },
      similarity: 0.9,
    },
    says: JSON.stringify({ verdict: 'replaces', reason: 'The port has a new value.' }),
    output: { verdict: 'replaces', reason: 'The port has a new value.' },
    shows: '"incoming":{"text":"The port is 8443."',
  },
  reflect: {
    input: {
      learned: ['Ines moved to the Graz office.'],
      revised: ['Ines works in Linz.'],
      past: ['approved; themes: office'],
      draft: {
        learning: 'One was approved.',
        understanding: '1 fact is new.',
        theme: '',
        questions: ['Still in Linz?'],
      },
    },
    says: JSON.stringify({
      learning: 'What is about the office was approved.',
      understanding: 'Ines moved from Linz to the Graz office.',
      theme: 'Ines and the Graz office.',
      questions: [],
    }),
    output: {
      learning: 'What is about the office was approved.',
      understanding: 'Ines moved from Linz to the Graz office.',
      theme: 'Ines and the Graz office.',
      questions: ['Still in Linz?'],
    },
    shows: '"Ines moved to the Graz office."',
  },
  rewrite_core: {
    input: {
      bullets: [{ id: 'b1', text: 'Ines works in Linz.' }],
      candidates: [
        { id: 'c1', text: 'Ines is allergic to latex.' },
        { id: 'c2', text: 'Ines likes jazz.' },
      ],
      removable: [{ id: 'b1', text: 'Ines works in Linz.' }],
    },
    says: JSON.stringify({ add: ['^c1'], remove: ['b1'] }),
    output: { add: ['c1'], remove: ['b1'] },
    shows: '"text":"Ines is allergic to latex."',
  },
  infer: {
    input: {
      subject: 'Ines',
      premises: [
        { id: 'p1', text: 'Ines works in the Graz office.' },
        { id: 'p2', text: 'The Graz office is closed on Fridays.' },
      ],
    },
    says: JSON.stringify({
      conclusions: [
        { statement: 'Ines works in an office closed on Fridays.', premises: ['^p1', 'p2', 'p9'], confidence: 'high' },
      ],
    }),
    output: [{ statement: 'Ines works in an office closed on Fridays.', premises: ['p1', 'p2'], confidence: 'high' }],
    shows: '"id":"p2"',
  },
  gate: {
    input: {
      message: 'Ship the fix to the live servers',
      topic: { name: 'Deploy', description: 'Bringing a build to production.', keywords: ['deploy'] },
      matched: [],
      likeness: 0.2,
    },
    says: JSON.stringify({ answer: 'YES' }),
    output: true,
    shows: '"text":"Ship the fix to the live servers"',
  },
  slug: {
    input: { text: 'How we moved the tile cache to Redis' },
    says: JSON.stringify({ slug: 'Tile Cache → Redis' }),
    output: 'tile-cache-redis',
    shows: 'How we moved the tile cache to Redis',
  },
  rerank: {
    input: {
      question: 'Where does the tile cache live?',
      texts: ['Ada likes tea.', 'The tile cache uses Redis.', 'x'],
    },
    says: JSON.stringify({ scores: [0, 9] }),
    output: [0, 0.9, 0],
    shows: '"number":2,"text":"The tile cache uses Redis."',
  },
};

const MODELS: Readonly<Record<LanguageProviderName, { small: string; large: string }>> = {
  anthropic: { small: 'claude-haiku-5-5', large: 'claude-sonnet-5-5' },
  openai: { small: 'gpt-6-luna', large: 'gpt-6.1-sol' },
  google: { small: 'gemini-3.5-flash-lite', large: 'gemini-3.8-flash' },
  'openai-compatible': { small: 'local-model', large: 'local-model' },
};

interface Expected {
  readonly model: string;
  readonly purpose: Purpose;
  readonly isLarge: boolean;
  readonly system: string;
  readonly text: string;
}

const COUNT = expect.any(Number) as number;
const SCHEMA = expect.objectContaining({ type: 'object', additionalProperties: false }) as object;
const LITTLE_THINKING = expect.stringMatching(/^(?:minimal|low)$/u) as string;
const TOLD_SCHEMA = expect.stringContaining('JSON object of this schema') as string;

/** The form of a request in each vendor's documentation. */
const REQUESTS: Readonly<Record<LanguageProviderName, (expected: Expected) => object>> = {
  anthropic: ({ model, isLarge, system, text }) => ({
    path: '/v1/messages',
    headers: { 'x-api-key': KEY, 'anthropic-version': '2023-06-01' },
    body: {
      model,
      max_tokens: COUNT,
      system: [{ type: 'text', text: system }],
      messages: [{ role: 'user', content: [{ type: 'text', text }] }],
      thinking: { type: isLarge ? 'adaptive' : 'disabled' },
      output_config: { format: { type: 'json_schema', schema: SCHEMA }, ...(isLarge ? { effort: 'low' } : {}) },
    },
  }),
  openai: ({ model, purpose, isLarge, system, text }) => ({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}` },
    body: {
      model,
      max_completion_tokens: COUNT,
      reasoning_effort: isLarge ? 'low' : 'none',
      messages: [
        { role: 'developer', content: system },
        { role: 'user', content: text },
      ],
      response_format: { type: 'json_schema', json_schema: { name: purpose, strict: true, schema: SCHEMA } },
    },
  }),
  google: ({ model, system, text }) => ({
    path: `/v1beta/models/${model}:generateContent`,
    headers: { 'x-goog-api-key': KEY },
    body: {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: {
        maxOutputTokens: COUNT,
        responseMimeType: 'application/json',
        responseJsonSchema: SCHEMA,
        thinkingConfig: { thinkingLevel: LITTLE_THINKING },
      },
    },
  }),
  'openai-compatible': ({ model, purpose, text }) => ({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${KEY}` },
    body: {
      model,
      max_tokens: COUNT,
      messages: [
        { role: 'system', content: TOLD_SCHEMA },
        { role: 'user', content: text },
      ],
      response_format: { type: 'json_schema', json_schema: { name: purpose, strict: true, schema: SCHEMA } },
    },
  }),
};

let harness: Harness;
afterEach(() => harness.close());

describe.each(LANGUAGE_PROVIDERS)('%s', (provider) => {
  it.each(Object.keys(CASES) as Purpose[])('%s: the request and the answer', async (purpose) => {
    const { input, says, output, shows } = CASES[purpose];
    harness = await startHarness(() => says, { provider });
    const answer = await harness.reasoner.ask(purpose, input);
    const isLarge = ['summarise', 'resolve_contradiction', 'infer', 'reflect', 'rewrite_core'].includes(purpose);
    const model = MODELS[provider][isLarge ? 'large' : 'small'];
    expect(answer).toEqual({ output, by: model, notes: [] });
    expect(harness.server.requests).toHaveLength(1);
    const [request] = harness.server.requests as [ReceivedRequest];
    const text = expect.stringContaining(shows) as string;
    const expected = REQUESTS[provider]({ model, purpose, isLarge, system: readPrompt(purpose).text, text });
    expect(request).toMatchObject({ method: 'POST', ...expected });
    // Nothing that some models of a vendor refuse.
    expect(JSON.stringify(request.body)).not.toContain('temperature');
    expect(harness.calls).toMatchObject([
      { purpose, provider, model, outcome: 'ok', tokensIn: expect.any(Number), tokensOut: expect.any(Number) },
    ]);
    expect(harness.calls[0]?.tokensIn).toBeGreaterThan(20);
  });

  it('the schema of findings is what the vendor takes, with every property of a finding', async () => {
    let asked: unknown;
    harness = await startHarness(
      (request) => {
        asked = request.schema;
        return findings();
      },
      { provider },
    );
    const { notes } = await harness.reasoner.ask('extract', extractInput([turn('t1', 'hello')]));
    expect(notes).toEqual([]);
    expect(asked).toMatchObject({
      properties: {
        findings: {
          items: {
            required: Object.keys(finding({})),
            properties: { kind: { enum: expect.arrayContaining(['decision']) } },
          },
        },
      },
    });
  });

  it.each([
    ['a refusal', { text: 'I cannot help with that.', ending: 'refused' }, 'it declined to answer', 1],
    ['a cut answer', { text: '{"slug": "ti', ending: 'cut' }, 'its answer was cut off, also after a repair', 2],
  ] as const)('recognises %s', async (_name, says, reason, requests) => {
    harness = await startHarness(() => says, { provider });
    const answer = await harness.reasoner.ask('slug', { text: 'the tile cache' });
    const { small } = MODELS[provider];
    expect(answer).toEqual({
      output: 'heuristic',
      by: 'heuristic@test',
      notes: [`${small} could not name it: ${reason}. heuristic@test answered instead.`],
    });
    expect(harness.server.requests).toHaveLength(requests);
  });

  it.each([
    [401, 'unauthorized', 1],
    [429, 'rate-limited', 2],
    [500, 'unavailable', 2],
    [503, 'unavailable', 2],
    [529, 'unavailable', 2],
  ] as const)('a %i is told as %s', async (status, outcome, requests) => {
    harness = await startHarness(() => CASES.slug.says, { provider });
    harness.server.faults.push({ status });
    const answer = await harness.reasoner.ask('slug', { text: 'the tile cache' });
    expect(harness.server.requests).toHaveLength(requests);
    expect(harness.calls[0]).toMatchObject({ outcome, tokensIn: 0, reason: `${status}, Failed on purpose` });
    expect(answer.by).toBe(requests === 1 ? 'heuristic@test' : MODELS[provider].small);
  });
});
