import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KNOWLEDGE_KINDS } from '../../model/knowledge.ts';
import { LANGUAGE_PROVIDERS } from '../../providers/language/port.ts';
import type { HeardConversation, HeardTurn } from '../port.ts';
import { siftFindings } from './guard/findings.ts';
import { extractAnswer, toWireSchema } from './schemas.ts';
import { finding, startHarness, type Harness } from './testing/harness.ts';
import { cutIntoWindows } from './windows.ts';

/*
 * The labelled sample through every provider: the server answers with the labels, as a perfect model would, and the
 * guard must not take them for inventions.
 */

interface Session {
  readonly session: string;
  readonly project: string | null;
  readonly turns: readonly { id: string; time: string; role: string; name?: string; text: string }[];
  readonly items: readonly { kind: string; statement: string; evidence: readonly string[] }[];
}

const FOLDER = path.resolve(import.meta.dirname, '../../../bench/data/knowledge');
const sessions = fs
  .readdirSync(FOLDER)
  .filter((name) => /^\d+-.*\.json$/u.test(name))
  .sort()
  .map((name) => JSON.parse(fs.readFileSync(path.join(FOLDER, name), 'utf8')) as Session);

const ROLES = { user: 'user', assistant: 'agent', tool: 'tool' } as const;

function heard({ session, project, turns }: Session): HeardConversation {
  return {
    session,
    user: 'Ines Kaldor',
    project: project ?? undefined,
    timeZone: 'Europe/Berlin',
    turns: turns.map(({ id, time, role, name, text }): HeardTurn => {
      const who = ROLES[role as keyof typeof ROLES];
      return { id, role: who, ...(name === undefined ? {} : { name }), text, timeMs: Date.parse(time), trust: who };
    }),
  };
}

/** The labels of a session whose turns are shown as new, each with the beginning of its main turn as its quote. */
function labelsFor(sent: string): string {
  const isShown = ({ turns: [first] }: Session): boolean =>
    sent.includes(JSON.stringify(first?.text.slice(0, 60)).slice(1, -1));
  const shown = sessions.find(isShown);
  const found = (shown?.items ?? []).map((item) => {
    const text = shown?.turns.find(({ id }) => id === item.evidence[0])?.text ?? '';
    return finding({ kind: item.kind, statement: item.statement, turns: [...item.evidence], quote: text.slice(0, 80) });
  });
  return JSON.stringify({ findings: found });
}

describe.each(LANGUAGE_PROVIDERS)('the sample through %s', (provider) => {
  let harness: Harness;
  const wrongRequests: string[] = [];

  beforeAll(async () => {
    harness = await startHarness(
      ({ messages, schema, system }) => {
        if (!isDeepStrictEqual(schema, toWireSchema(extractAnswer))) wrongRequests.push('schema');
        if (!system.includes('worth keeping in long-term memory')) wrongRequests.push('instructions');
        if (messages.length !== 1 || messages[0]?.role !== 'user') wrongRequests.push('messages');
        return labelsFor(messages[0]?.text ?? '');
      },
      { provider },
    );
  });
  afterAll(() => harness.close());

  it('every session is asked about in the right form, and the labels come through the guard', async () => {
    let labels = 0;
    let kept = 0;
    const lost: string[] = [];
    for (const session of sessions) {
      const conversation = heard(session);
      const { output, by, notes } = await harness.reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
      expect(by).not.toBe('heuristic@test');
      labels += session.items.length;
      kept += output.length;
      lost.push(...notes);
      for (const { evidence, trust } of output) {
        const cited = conversation.turns.filter(({ id }) => evidence.turns.includes(id));
        expect(cited.some((each) => each.trust === trust)).toBe(true);
      }
    }
    expect(sessions.length).toBeGreaterThanOrEqual(40);
    expect(wrongRequests).toEqual([]);
    expect(harness.calls.every(({ outcome, session }) => outcome === 'ok' && session !== undefined)).toBe(true);
    // A perfect answer loses next to nothing, and only what is said in very different words.
    expect(kept / labels).toBeGreaterThan(0.99);
    expect(lost.every((note) => /dropped: \d saying what nobody said\.$/u.test(note))).toBe(true);
  }, 60_000);
});

it('statements of other conversations are not believed, though their quotes are true', () => {
  let kept = 0;
  let total = 0;
  for (const [index, session] of sessions.entries()) {
    const conversation = heard(session);
    const [window] = cutIntoWindows(conversation);
    const foreign = sessions[(index + 7) % sessions.length]?.items ?? [];
    const cited = session.turns[Math.floor(session.turns.length / 2)];
    const found = foreign.map(({ kind, statement }) =>
      finding({ kind, statement, turns: [cited?.id ?? ''], quote: cited?.text.slice(0, 60) ?? '' }),
    );
    total += found.length;
    if (window !== undefined)
      kept += siftFindings(found, window, { conversation, kinds: KNOWLEDGE_KINDS }).candidates.length;
  }
  expect(total).toBeGreaterThan(500);
  expect(kept / total).toBeLessThan(0.03);
});
