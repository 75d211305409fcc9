import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KNOWLEDGE_KINDS, type Candidate } from '../../../model/knowledge.ts';
import type { HeardTurn } from '../../port.ts';
import { conversationOf } from '../../testing/table.ts';
import { createHeuristicReasoner } from '../reasoner.ts';

const reasoner = createHeuristicReasoner();

async function extract(said: readonly string[], fromTurn?: string): Promise<readonly Candidate[]> {
  const { output } = await reasoner.ask('extract', {
    conversation: conversationOf(said),
    kinds: KNOWLEDGE_KINDS,
    fromTurn,
  });
  return output;
}

describe('acceptance', () => {
  const offer = 'A: Here is what I see.\n1. Keep the sessions in Postgres\n2. Move the sessions to Redis';

  it('makes the chosen option a decision that rests on both turns', async () => {
    const [decision] = await extract([offer, 'ok go with the second']);
    expect(decision).toMatchObject({ kind: 'decision', trust: 'user', evidence: { turns: ['t1', 't2'] } });
    expect(decision?.statement).toContain('Redis');
  });

  it.each([['hm, not sure about the second'], ['which one is cheaper?'], ['no, neither']])(
    'does not take "%s" for one',
    async (answer) => {
      expect(await extract([offer, answer])).toEqual([]);
    },
  );

  it('takes a single proposal that is agreed to', async () => {
    const said = ["A: I'd suggest keeping the retries at three by default.", 'sounds good, do that'];
    expect((await extract(said)).map(({ statement }) => statement).join()).toContain('three');
  });
});

describe('retraction', () => {
  const decided = "let's go with kafka for the events, it has replay";

  it('takes back what was decided before', async () => {
    expect((await extract([decided, 'A: Kafka it is.'])).map(({ kind }) => kind)).toEqual(['decision']);
    expect(await extract([decided, 'A: Kafka it is.', 'hm, scrap that'])).toEqual([]);
  });

  it('reaches the thing that is named', async () => {
    const kept = await extract([
      decided,
      'A: Kafka.',
      'remind me to call Tom on friday',
      "A: I'll remind you.",
      'forget about the kafka events',
    ]);
    expect(kept.map(({ kind }) => kind)).toEqual(['task']);
  });
});

describe('candidates', () => {
  it('carry due day, trust, evidence and entities', async () => {
    const [task] = await extract(['remind me to call Vera on friday']);
    expect(task).toMatchObject({
      kind: 'task',
      due: '2026-03-06',
      trust: 'user',
      evidence: { session: 's1', turns: ['t1'] },
    });
    expect(task?.entities.map(({ name }) => name)).toContain('Vera');
  });

  it('carry a property that has one value at a time', async () => {
    const [fact] = await extract(['I live in Munich']);
    expect(fact).toMatchObject({
      kind: 'person',
      attribute: 'residence',
      value: 'Munich',
      subject: { name: 'Ada', isUser: true },
    });
    expect(fact?.isCoreWorthy).toBe(true);
  });

  it('are told once, however often they are said', async () => {
    const [only, ...more] = await extract(['I live in Munich', 'A: Nice.', 'as I said, I live in Munich']);
    expect(more).toEqual([]);
    expect(only?.statement).toContain('Munich');
  });

  it('come only from turns that are new', async () => {
    expect(await extract(['I live in Munich', 'A: Nice.', 'thanks'], 't2')).toEqual([]);
  });

  it('come only from what is asked for', async () => {
    const { output } = await reasoner.ask('extract', {
      conversation: conversationOf(['I live in Munich']),
      kinds: ['task'],
    });
    expect(output).toEqual([]);
  });

  it('come from tools only as properties of what is known', async () => {
    const told = async (text: string): Promise<readonly Candidate[]> => {
      const turns: HeardTurn[] = [{ id: 't1', role: 'tool', text, timeMs: Date.UTC(2026, 2, 2), trust: 'tool' }];
      const conversation = { ...conversationOf([]), turns, known: [{ name: 'Vera', type: 'person' }] };
      return (await reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS })).output;
    };
    expect(await told('Ada lives in Berlin.')).toMatchObject([
      { kind: 'fact', trust: 'tool', attribute: 'residence', value: 'Berlin', subject: { isUser: true } },
    ]);
    expect(await told('Vera works at Acme.')).toMatchObject([{ kind: 'person', trust: 'tool', value: 'Acme' }]);
    expect(
      await told('I live in Munich. Tom lives in Graz. Please always pay by card. We decided to use Redis.'),
    ).toEqual([]);
  });

  it.each([
    ['ich wohne jetzt in Hamburg und arbeite bei der Post', 'fact'],
    ['erinnere mich bitte an den Termin am Freitag, das ist wichtig', 'task'],
    ['hemos decidido usar el tren para el viaje', 'decision'],
    ['je préfère le train pour le voyage', 'preference'],
  ])('come from "%s"', async (text, kind) => {
    expect((await extract([text])).map((each) => each.kind)).toEqual([kind]);
  });
});

describe('any input', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('```', '> ', '(((', '"', 'remind me to', '\u0000', '`'.repeat(9), '1. 2. 3.', 'From: a\nTo: b'),
  );
  const turns = fc.array(
    fc.record({
      role: fc.constantFrom('user', 'agent', 'tool', 'system'),
      text: fc.array(text, { maxLength: 4 }).map((parts) => parts.join(' ')),
    }),
    { maxLength: 5 },
  );

  it('is answered', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (said) => {
        const heard = said.map((each, index): HeardTurn => ({
          id: `t${index}`,
          role: each.role as HeardTurn['role'],
          text: each.text,
          timeMs: 0,
          trust: 'user',
        }));
        const conversation = { session: 's', timeZone: 'UTC', turns: heard };
        const { output } = await reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
        for (const { statement, evidence, importance } of output) {
          expect(statement).not.toBe('');
          expect(importance).toBeLessThanOrEqual(1);
          expect(heard.map(({ id }) => id)).toEqual(expect.arrayContaining([...evidence.turns]));
        }
        const summary = await reasoner.ask('summarise', { conversation, maxTokens: 50 });
        expect(summary.output.topic).not.toBe('');
      }),
      { numRuns: 150 },
    );
  });

  it('of one message is routed, named and compared', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (one, other) => {
        const routed = await reasoner.ask('route', { text: one, timeMs: 0, timeZone: 'UTC' });
        expect(routed.output.tags.length).toBeLessThanOrEqual(5);
        expect((await reasoner.ask('slug', { text: one })).output).toMatch(/^[a-z0-9-]{1,48}$/u);
        const compared = await reasoner.ask('resolve_contradiction', {
          known: { text: one, saidMs: 0 },
          incoming: { text: other, saidMs: 1 },
          similarity: 0.5,
        });
        expect(compared.output.reason).not.toBe('');
      }),
      { numRuns: 150 },
    );
  });
});
