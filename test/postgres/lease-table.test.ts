import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import type { OperationContext } from '../../src/operations/context.ts';
import { runOperation, type Operation } from '../../src/operations/operation.ts';
import { listArchive } from '../../src/memory/archive/list-archive.ts';
import { nodeFileSystem } from '../../src/platform/fs.ts';
import { confirmForget } from '../../src/operations/forget/confirm.ts';
import { remember } from '../../src/operations/remember.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';

type AnyOperation = Operation;

const REASON = 'Machine ana writes this memory now.';
const SOURCE = path.join(import.meta.dirname, '..', '..', 'src');

/** Nothing of these stands in the files that machines share, or it is this machine's own record, which merges. */
const OWN = [
  'backup create',
  'chain add',
  'chain anchor',
  'chain keep',
  'chain prove',
  'chain prove to-file',
  'chain sync',
  'compact',
  'explore prune',
  'export',
  'index namespace limit',
  'maintain',
  'pause',
  'procedure cancel',
  'procedure pause',
  'procedure resume',
  'procedure run',
  'procedure run due',
  'reasoner try',
  'reconstruct drop',
  'reconstruct start',
  'resume',
  'session attach',
  'session buffer',
  'session end',
  'session knowledge',
  'session message',
  'session processed',
  'session reset',
  'session start',
  'session tool',
  'sync',
  'tag days',
  'topics activate',
  'topics deactivate',
  'topics event',
  'triggers run',
  'working',
  'working clear',
  'working fact',
  'working flush',
  'working flush all',
  'working focus',
  'working note',
  'working save',
  'working task',
];

/** Ask by themselves; `samples` shows what comes of it. */
const ASKS = ['archive pack', 'jobs run', 'patterns', 'session wishes'];

// SPEC MACHINE-7
describe('what an agent may do where another machine writes', () => {
  let mneme: Mneme;
  let agent: OperationContext;
  let operations: readonly AnyOperation[];

  beforeAll(async () => {
    const home = makeTemporaryFolder('mneme-lease-');
    await initTestHome(home);
    mneme = await openMneme({ home, actor: 'manual' });
    await prepare(mneme);
    const writer = {
      whyNot: () => Promise.resolve(REASON),
      permit: () => undefined,
      close: () => Promise.resolve(),
    };
    agent = { ...mneme.internals, actor: 'bot:main', writer };
    operations = await listMutating();
  });
  afterAll(() => mneme.close());

  it('is decided for every operation that changes something', () => {
    const named = (wanted: string): string[] =>
      [...new Set(operations.filter((each) => each.withoutLease === wanted).map(({ name }) => name))].sort();
    expect(operations.length).toBeGreaterThan(90);
    expect(named('own')).toEqual(OWN);
    expect(named('asks')).toEqual(ASKS);
    // A new one that is said to propose needs a sample here that shows it.
    expect(named('proposes')).toEqual(Object.keys(SAMPLES).sort());
  });

  it('is nothing, and said so, for whatever does not say otherwise', async () => {
    const silent = operations.filter(({ withoutLease, by }) => withoutLease === undefined && by === undefined);
    expect(silent.length).toBeGreaterThan(25);
    for (const operation of silent) {
      let hasRun = false;
      const run = (): Promise<unknown> => Promise.resolve((hasRun = true));
      const probe = { ...operation, input: z.any(), reach: 'shared' as const, run };
      await expect(runOperation(probe, agent, {})).rejects.toMatchObject({
        code: 'locked',
        message: `bot:main may not run ${operation.name} here: ${REASON}`,
      });
      expect(hasRun).toBe(false);
      // People always write, and nothing is written on trial.
      await runOperation(probe, { ...agent, actor: 'manual' }, {});
      await runOperation(probe, agent, { dryRun: true });
    }
  });

  it('is a proposal, and not a byte of the files, for what can be proposed', async () => {
    for (const [name, sample] of Object.entries(SAMPLES)) {
      const operation = must(operations.find((each) => each.name === name && each.withoutLease === 'proposes'));
      const before = snapshot(mneme);
      await runOperation(operation, agent, await sample(mneme));
      expect({ name, files: snapshot(mneme) }).toEqual({ name, files: before });
    }
    const waiting = mneme.internals.proposals.list().proposals.filter(({ state }) => state === 'pending');
    expect(waiting.length).toBeGreaterThan(15);
  });

  it('is refused or left to the other machine by what asks for itself', async () => {
    const before = snapshot(mneme);
    const find = (name: string): AnyOperation => must(operations.find((each) => each.name === name));
    await expect(runOperation(find('patterns'), agent, { learn: true })).rejects.toMatchObject({ code: 'locked' });
    await runOperation(find('patterns'), agent, {});
    expect(await runOperation(find('archive pack'), agent, {})).toMatchObject({
      notes: [`${REASON} It packs the archive.`],
    });
    const { code } = await mneme.forget('The kettle is red', { limit: 1 });
    expect(await runOperation(confirmForget, agent, { code: must(code ?? undefined) })).toMatchObject({
      outcome: 'proposed',
    });
    expect(snapshot(mneme)).toEqual(before);
  });
});

const FACT_FILE = 'memory/reference/router.md';
/** What an agent has remembered: it may pin only that. */
let fenceId = '';

/** What the samples are about. */
async function prepare(mneme: Mneme): Promise<void> {
  await mneme.append(FACT_FILE, 'The router is in the hall.\n');
  await mneme.remember('The kettle is red.');
  await mneme.core.add('Drinks tea.', { block: 'Persona' });
  for (const name of ['Grace Hopper', 'Ada Byron']) await mneme.graph.add({ name, type: 'person' });
  await mneme.graph.add({ name: 'Atlas', type: 'project' });
  await mneme.graph.fact('Grace Hopper', 'Likes ships.');
  await mneme.graph.link('Ada Byron', 'works-on', 'Atlas', { loose: true });
  const agent = { ...mneme.internals, actor: 'bot:main' };
  ({ id: fenceId } = await runOperation(remember, agent, { text: 'The fence is green.' }));
  await mneme.remember('The ladder was lent to the neighbours.');
  const { code } = await mneme.forget('the ladder was lent', { limit: 1 });
  await mneme.confirmForget(code ?? '');
}

type Sample = (mneme: Mneme) => Promise<Record<string, unknown>> | Record<string, unknown>;

/** One call of everything that proposes. */
const SAMPLES: Readonly<Record<string, Sample>> = {
  'agents propose': () => ({ text: 'The boiler is loud.' }),
  append: () => ({ path: FACT_FILE, text: 'It is blue.' }),
  'archive restore': ({ internals }) => ({
    ids: [listArchive(nodeFileSystem, internals.workspace.root).files[0]?.path ?? ''],
  }),
  'core add': () => ({ text: 'Works at night.', block: 'Persona' }),
  'core edit': async (mneme) => ({ id: await bulletId(mneme), text: 'Drinks green tea.' }),
  'core pin': () => ({ id: fenceId }),
  'core remove': async (mneme) => ({ id: await bulletId(mneme) }),
  edit: () => ({ path: FACT_FILE, replace: 'hall', with: 'cellar' }),
  feedback: async (mneme) => ({ id: await factId(mneme), verdict: 'not-helpful' }),
  'files change': () => ({ changes: [{ kind: 'create', path: 'memory/reference/new.md', text: '# New' }] }),
  'graph add': () => ({ name: 'Marie Curie', type: 'person' }),
  'graph alias': () => ({ entity: 'Grace Hopper', alias: 'Amazing Grace' }),
  'graph decision': () => ({ entity: 'Atlas', text: 'Use SQLite.' }),
  'graph fact': () => ({ entity: 'Grace Hopper', text: 'Found a moth.' }),
  'graph link': () => ({ from: 'Grace Hopper', relation: 'works-on', to: 'Atlas', loose: true }),
  'graph merge': () => ({ from: 'Ada Byron', into: 'Grace Hopper' }),
  'graph set': () => ({ entity: 'Atlas', status: 'active' }),
  'graph split': async (mneme) => ({ entity: 'Grace Hopper', name: 'Grace Kelly', items: [await factId(mneme)] }),
  'graph task': () => ({ entity: 'Atlas', text: 'Write the report.' }),
  'graph unlink': () => ({ from: 'Ada Byron', to: 'Atlas' }),
  'graph verify': async (mneme) => ({ id: await factId(mneme) }),
  pin: () => ({ target: fenceId }),
  'procedure learn': () => ({}),
  'procedure refine': () => ({}),
  'proposals add': () => ({ path: 'memory/reference/added.md', after: '# Added', title: 'Added' }),
  'proposals withdraw': ({ internals }) => ({
    id: internals.proposals.list().proposals.find(({ state }) => state === 'pending')?.id ?? '',
  }),
  remember: () => ({ text: 'The kettle was bought in Lyon.' }),
  'remember propose': () => ({ text: 'The kettle was carried home by tram.' }),
  rollback: ({ internals }) => ({
    target: internals.audit.query({ limit: 100 }).find(({ file }) => file === FACT_FILE)?.reference ?? '',
  }),
  'topics tune': () => ({}),
};

async function bulletId(mneme: Mneme): Promise<string> {
  const { blocks } = await mneme.core.show();
  return blocks.flatMap(({ bullets }) => bullets).find(({ id }) => id !== null)?.id ?? '';
}

async function factId(mneme: Mneme): Promise<string> {
  return (await mneme.graph.show('Grace Hopper')).facts[0]?.id ?? '';
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('missing');
  return value;
}

/** All of them, also those nobody has written yet. */
async function listMutating(): Promise<AnyOperation[]> {
  const files = fs
    .globSync('{operations,runtime}/**/*.ts', { cwd: SOURCE })
    .map((file) => path.join(SOURCE, file))
    .filter(
      (file) => !file.endsWith('.test.ts') && /define(?:Operation|Verb)\(\{/u.test(fs.readFileSync(file, 'utf8')),
    );
  const found: AnyOperation[] = [];
  for (const file of files.sort()) {
    const exported = Object.values((await import(file)) as Record<string, unknown>);
    found.push(...exported.filter(isMutating));
  }
  return found;
}

function isMutating(value: unknown): value is AnyOperation {
  return typeof value === 'object' && value !== null && 'effect' in value && 'run' in value && value.effect !== 'read';
}

/** Every file of the memory but those of the proposals themselves. */
function snapshot({ internals }: Mneme): Record<string, string> {
  const { root } = internals.workspace;
  const files = fs.globSync('**/*.*', { cwd: root }).filter((file) => !/proposal|audit/u.test(file));
  return Object.fromEntries(
    files.sort().flatMap((file) => {
      const full = path.join(root, file);
      return fs.statSync(full).isFile() ? [[file, fs.readFileSync(full, 'utf8')]] : [];
    }),
  );
}
