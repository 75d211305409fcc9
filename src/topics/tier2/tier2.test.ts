import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { findModelFolder } from '../../encoder/model-files.ts';
import { MnemeError } from '../../model/errors.ts';
import { openBuiltinEmbedder } from '../../providers/embeddings/builtin.ts';
import { WATCHER_SENSES, topicOf } from '../testing/topics.ts';
import { Watchers } from '../watchers.ts';
import { NoteVectors } from './note-vectors.ts';

const boat = topicOf(
  'boat-care',
  'description: Looking after our sailing boat in the harbour.\ntriggers:\n  - {type: keywords, match: [boat, sails, hull]}',
  '- Varnish the hull in spring.\n- Wash the sails with fresh water.\n- Berth fees are due in May.',
);
const topics = [
  boat,
  topicOf('rust-style', "triggers:\n  - {type: glob, match: '**/*.rs', scope: both}", 'No unwrap in library code.'),
  topicOf('no-hype', 'triggers:\n  - {type: keywords, match: [synergy], scope: output}', 'Write plainly.'),
];
const watchers = new Watchers(topics, WATCHER_SENSES);

async function scoreOf(text: string, name = 'boat-care'): Promise<number> {
  const { sightings } = await watchers.watch({ text, role: 'user' });
  return sightings.find(({ topic }) => topic.name === name)?.score ?? 0;
}

// SPEC TOPIC-2
describe('tier 2', () => {
  it('scores what is asked above what is waved away or said in passing', async () => {
    const asked = await scoreOf('How do I varnish the hull of the boat before the season?');
    expect(asked).toBeGreaterThan(await scoreOf('This is not about the boat. What is the capital of Peru?'));
    expect(asked).toBeGreaterThan(await scoreOf('I am on the boat, so briefly: did the build pass?'));
  });

  it('finds a topic by what its playbook says, without a trigger', async () => {
    expect(await scoreOf('When do we pay the berth fees in the harbour?')).toBeGreaterThan(
      await scoreOf('When do we pay the electrician?'),
    );
  });

  it('never guesses at topics that wait for files, or at what the agent writes', async () => {
    const { sightings } = await watchers.watch({ text: 'library code without unwrap', role: 'user' });
    expect(sightings.map(({ topic }) => topic.name)).not.toContain('rust-style');
    const said = await watchers.watch({ text: 'I varnished the hull in plain words.', role: 'agent' });
    expect(said.sightings).toEqual([]);
  });

  it('says in words what speaks for a topic and what against it', async () => {
    const partsOf = async (text: string): Promise<string[]> =>
      (await watchers.watch({ text, role: 'user' })).sightings.flatMap(({ parts }) => parts.map(({ name }) => name));
    const asked = await partsOf('How do I varnish the hull of the boat before the season?');
    expect(asked).toEqual(
      expect.arrayContaining(['called for, says the model', 'a keyword or name', 'close in meaning']),
    );
    expect(await partsOf('The film with the boat was boring')).toContain('not called for, says the model');
  });

  it('is certain of a topic whose file was touched', async () => {
    const { sightings } = await watchers.watch({ text: '', role: 'agent', paths: ['src/a.rs'] });
    expect(sightings).toMatchObject([{ topic: { name: 'rust-style' }, score: 1 }]);
  });

  it('gives any message a number between 0 and 1', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.boolean(), async (text, isNamed) => {
        const { sightings } = await watchers.watch({ text: isNamed ? `boat ${text}` : text, role: 'user' });
        expect(sightings.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('believes triggers alone when the model cannot be read, and says so', async () => {
    const broken = new Watchers(topics, {
      ...WATCHER_SENSES,
      model: () => {
        throw new MnemeError('integrity', 'The model cannot use judge.bin: it is damaged.');
      },
    });
    const { sightings, notes } = await broken.watch({ text: 'Wash the sails', role: 'user' });
    expect(sightings.map(({ topic }) => topic.name)).toEqual(['boat-care']);
    expect(notes).toEqual(['Topics are found by their triggers alone: The model cannot use judge.bin: it is damaged.']);
  });
});

describe('vectors of notes', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mneme-notes-'));
  const file = path.join(folder, 'topic-vectors.json');
  const open = (present: readonly string[]): NoteVectors =>
    new NoteVectors(openBuiltinEmbedder(findModelFolder()), { file, present: () => new Set(present) });
  afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

  it('outlast the process, without those of topics that are gone', async () => {
    fs.mkdirSync(folder, { recursive: true });
    const [gone] = topics.slice(1);
    const first = open([boat.contentHash]);
    await first.make([boat, ...(gone === undefined ? [] : [gone])]);
    const second = open([boat.contentHash]);
    const [made, kept] = [first.find(boat), second.find(boat)];
    expect(kept?.lines).toHaveLength(3);
    expect(kept?.whole[0]).toBeCloseTo(made?.whole[0] ?? 0, 2);
    expect(gone === undefined ? undefined : second.find(gone)).toBeUndefined();
  });

  it('are made again when their file is damaged', async () => {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(file, '{"model": 7');
    const vectors = open([boat.contentHash]);
    expect(vectors.find(boat)).toBeUndefined();
    await vectors.make([boat]);
    expect(open([boat.contentHash]).find(boat)).toBeDefined();
  });
});
