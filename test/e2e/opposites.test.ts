import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sample } from '../support/effort.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import type { Extractor } from '../../src/extract/extractors.ts';
import { openMneme, type Mneme } from '../../src/index.ts';
import { must } from '../../src/model/errors.ts';
import { parseEntityWithIds } from '../../src/memory/stores/entities/entity-edit.ts';
import type { FactMetadata } from '../../src/model/schemas/item.ts';
import { Episodes } from '../../src/memory/stores/episodes.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { parseEpisodes } from '../../src/workspace/formats/episode.ts';
import { parseDocument } from '../../src/workspace/markdown/document.ts';

type Pair = readonly [kind: string, one: string, other: string];

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');
const readTable = (name: string): string[][] =>
  fs
    .readFileSync(path.join(FIXTURES, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'));
const ALL_PAIRS = readTable('opposites.tsv') as unknown as readonly Pair[];
const PAIRS = sample(ALL_PAIRS, 3);

let home: string;
let m: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  fs.appendFileSync(path.join(home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
});
afterEach(() => m.close());

interface Live {
  readonly path: string;
  readonly text: string;
  readonly verified: number;
}

/** Everything the memory holds as current, by its id. */
function liveItems(): Map<string, Live> {
  const root = path.join(home, 'workspace');
  const items = new Map<string, Live>();
  for (const file of fs.readdirSync(path.join(root, 'memory'), { recursive: true, encoding: 'utf8' })) {
    const name = `memory/${file.replaceAll(path.sep, '/')}`;
    const isEpisode = name.startsWith('memory/episodes/');
    if (!name.endsWith('.md') || !(isEpisode || name.startsWith('memory/graph/entities/'))) continue;
    const document = parseDocument(fs.readFileSync(path.join(root, name), 'utf8'));
    const { facts, decisions, tasks } = isEpisode
      ? { facts: [], decisions: [], tasks: [] }
      : parseEntityWithIds(document, name);
    const found = [
      ...(isEpisode ? parseEpisodes(document).entries : []),
      ...facts.filter(({ isSuperseded }) => !isSuperseded),
      ...decisions.filter(({ meta }) => meta.status === undefined || meta.status === 'active'),
      ...tasks.filter(({ status }) => status !== 'done' && status !== 'dropped'),
    ];
    for (const { id, text, meta } of found) {
      const { verified = 0 } = meta as FactMetadata;
      if (id !== undefined) items.set(id, { path: name, text, verified });
    }
  }
  return items;
}

/** Writes entries of a day before the home is opened, which is quicker than to remember each. */
function seedEntries(texts: readonly string[]): void {
  const root = path.join(home, 'workspace');
  const episodes = new Episodes({ root, clock: systemClock, random: systemRandom, timeZone: 'UTC' });
  const meta = { source: 'user-explicit', trust: 'user', confidence: 'high', importance: 0.7 } as const;
  const [first, ...rest] = texts.map((text) => ({ type: 'fact', text, meta }) as const);
  const {
    path: file,
    changes: [change],
  } = episodes.planEntries([must(first, 'an entry'), ...rest]);
  const written = change !== undefined && 'edit' in change ? change.edit(undefined) : undefined;
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), written ?? '');
}

// SPEC LEARN-6
describe('opposite statements', () => {
  it.each([[1, 2] as const, [2, 1] as const])('are both kept by remember, column %s first', async (first, second) => {
    seedEntries(PAIRS.map((pair) => pair[first]));
    m = await openMneme({ home, actor: 'human:ines' });
    const known = new Set(liveItems().keys());
    expect(known.size).toBe(PAIRS.length);
    const remembered: { readonly text: string; readonly id: string }[] = [];
    for (const pair of PAIRS) remembered.push({ text: pair[second], id: (await m.remember(pair[second])).id });
    const live = liveItems();
    // A procedure has a file of its own, named as its id.
    const procedures = remembered.filter(({ id }) => fs.existsSync(path.join(home, 'workspace', id)));
    expect(
      remembered.filter((each) => (!live.has(each.id) && !procedures.includes(each)) || known.has(each.id)),
    ).toEqual([]);
    expect(live.size + procedures.length).toBe(2 * PAIRS.length);
  });

  const kindOf = new Map(PAIRS.flatMap(([kind, ...texts]) => texts.map((text) => [text, kind] as const)));

  /** Takes every message for a fact about what its pair is a kind of, whatever the built-in extractors make of it. */
  const everything: Extractor = {
    name: 'everything',
    version: 1,
    find: async ({ conversation }) => ({
      by: 'everything',
      notes: [],
      candidates: conversation.turns.map(({ id, text, trust, timeMs }) => ({
        kind: 'fact',
        statement: text,
        evidence: { session: conversation.session, turns: [id], quote: text },
        trust,
        saidMs: timeMs,
        confidence: 'high',
        importance: 0.7,
        subject: { name: kindOf.get(text) ?? '', type: 'concept' },
        entities: [],
        relations: [],
        tags: [],
        isCoreWorthy: false,
      })),
    }),
  };

  async function learnFrom(session: string, day: string, texts: readonly string[]): Promise<void> {
    const open = await m.session.start({ id: session, user: 'Ines' });
    for (const text of texts) await open.message('user', text, { time: `${day}T10:00:00Z` });
    await open.end();
  }

  it('are both kept by extraction from two sessions', async () => {
    m = await openMneme({ home, extractors: [everything] });
    await learnFrom(
      'ses_a',
      '2026-01-10',
      PAIRS.map(([, one]) => one),
    );
    await learnFrom(
      'ses_b',
      '2026-01-12',
      PAIRS.map(([, , other]) => other),
    );
    await m.extract();
    const live = new Set([...liveItems().values()].map(({ text }) => text));
    expect(PAIRS.flatMap(([, one, other]) => [one, other]).filter((text) => !live.has(text))).toEqual([]);
  });

  it('are both kept by what the built-in extractors find in two sessions of a kind', async () => {
    m = await openMneme({ home });
    const kinds = ['always/never', 'buys/sells', 'likes/dislikes', 'positive/negative', 'teacher/student'];
    for (const [at, kind] of kinds.entries()) {
      const pairs = ALL_PAIRS.filter(([name]) => name === kind);
      await learnFrom(
        `ses_a${at}`,
        '2026-01-10',
        pairs.map(([, one]) => one),
      );
      await learnFrom(
        `ses_b${at}`,
        '2026-01-12',
        pairs.map(([, , other]) => other),
      );
    }
    const { sessions } = await m.extract();
    const items = sessions.flatMap((session) => session.items);
    const live = liveItems();
    // A procedure has a file of its own, named as its id.
    const isLive = (id: string): boolean => live.has(id) || fs.existsSync(path.join(home, 'workspace', id));
    expect(items.filter(({ action, id = '' }) => action !== 'added' || !isLive(id))).toEqual([]);
    expect(items.length).toBeGreaterThanOrEqual(16);
  });
});

describe('a statement in the same words', () => {
  it('is recognised by remember and counted as a confirmation', async () => {
    const table = readTable('repetitions.tsv');
    seedEntries([...new Set(table.map(([one = '']) => one))]);
    m = await openMneme({ home, actor: 'human:ines' });
    const known = new Set(liveItems().keys());
    const again: string[] = [];
    for (const [, other = ''] of table) again.push((await m.remember(other)).id);
    expect(table.filter((_, at) => !known.has(again[at] ?? ''))).toEqual([]);
    expect(liveItems().size).toBe(known.size);
    const counted = [...liveItems().values()].reduce((sum, { verified }) => sum + verified, 0);
    expect(counted).toBe(table.length);
  });

  it('stays two where it only looks the same', async () => {
    const table = readTable('look-alikes.tsv');
    seedEntries([...new Set(table.map(([one = '']) => one))]);
    m = await openMneme({ home, actor: 'human:ines' });
    const merged: unknown[] = [];
    for (const [one = '', other = ''] of table) {
      const { id } = await m.remember(other);
      if (liveItems().get(id)?.text === one) merged.push([one, other]);
    }
    expect(merged).toEqual([]);
  });
});
