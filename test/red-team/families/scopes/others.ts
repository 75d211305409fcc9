import fs from 'node:fs';
import path from 'node:path';
import { briefing } from '../../../../src/operations/briefing.ts';
import { graphAlias } from '../../../../src/operations/graph/alias.ts';
import { graphFact } from '../../../../src/operations/graph/fact.ts';
import { graphInfer } from '../../../../src/operations/graph/infer.ts';
import { graphLink } from '../../../../src/operations/graph/link.ts';
import { graphRename } from '../../../../src/operations/graph/rename.ts';
import { graphSet } from '../../../../src/operations/graph/set.ts';
import { graphShow } from '../../../../src/operations/graph/show.ts';
import { graphDecision, graphTask } from '../../../../src/operations/graph/tasks.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import { runOperation } from '../../../../src/operations/operation.ts';
import { makeTemporaryFolder } from '../../../support/home.ts';
import { attack, control, type RedTeamCase } from '../../table.ts';
import { contextAs, everyByte, mustBeRefused, mustGoThrough } from '../../world.ts';
import { leaks, PRIVATE, SCOPE, type ScopeWorld } from './world.ts';

/** A shared thing that lies in one of the scope, which is part of another shared one. */
async function makePremises(world: ScopeWorld): Promise<void> {
  const { graph } = world.server.mneme;
  const holding = `${PRIVATE} Holding`;
  await graph.add({ name: 'Quay Lamp', type: 'tool' });
  await graph.add({ name: holding, type: 'organization', scope: SCOPE });
  await graph.link(holding, 'contains', 'Quay Lamp', { scope: SCOPE, loose: true });
  await graph.link(holding, 'part-of', 'Harbour Company', { scope: SCOPE, loose: true });
}

function sharedGraph({ workspace }: ScopeWorld): string {
  return everyByte(path.join(workspace, 'memory/graph'));
}

type Say = (context: OperationContext, where: { readonly scope?: string }) => Promise<unknown>;

const COMPANY = { entity: 'Harbour Company' } as const;

/** Each would put its words into the shared file of the company. */
const SAID_IN_SCOPE: Readonly<Record<string, Say>> = {
  'graph fact': (context, where) => runOperation(graphFact, context, { ...COMPANY, text: 'Owes us money.', ...where }),
  'graph link': (context, where) =>
    runOperation(graphLink, context, { from: 'Harbour Company', relation: 'relates-to', to: 'Pier', ...where }),
  'graph set': (context, where) =>
    runOperation(graphSet, context, { ...COMPANY, properties: { industry: 'debts' }, ...where }),
  'graph alias': (context, where) => runOperation(graphAlias, context, { ...COMPANY, alias: 'The debtors', ...where }),
  'graph task': (context, where) => runOperation(graphTask, context, { ...COMPANY, text: 'Collect it.', ...where }),
  'graph decision': (context, where) => runOperation(graphDecision, context, { ...COMPANY, text: 'To sue.', ...where }),
  'graph rename': (context, where) =>
    runOperation(graphRename, context, { entity: 'Pier', name: 'The debtors’ pier', ...where }),
};

export const OTHERS: readonly RedTeamCase<ScopeWorld>[] = [
  attack('the main agent, outside of the scope, by graph show', async (world) => {
    const shown = await runOperation(graphShow, contextAs(world, 'bot:main'), { entity: 'Harbour Company', all: true });
    return leaks(JSON.stringify(shown), []);
  }),
  attack('the briefing of a hook in another project', async (world) => {
    const input = { event: 'session-start' as const, project: 'zeus', scope: 'project:zeus' };
    return leaks(JSON.stringify(await runOperation(briefing, contextAs(world, 'bot:main'), input)), []);
  }),
  attack('the export of another scope', async (world) => {
    const target = path.join(makeTemporaryFolder(), 'export');
    await world.server.mneme.export(target, { scope: 'project:zeus' });
    return leaks(everyByte(target), []);
  }),
  attack('the export of what is shared', async (world) => {
    const target = path.join(makeTemporaryFolder(), 'export.jsonl');
    await world.server.mneme.export(target, { scope: 'shared', format: 'jsonl' });
    return leaks(fs.readFileSync(target, 'utf8'), []);
  }),
  attack('a conclusion from private premises, kept in a shared file', async (world) => {
    await makePremises(world);
    const { notes } = await runOperation(graphInfer, contextAs(world, 'bot:main'), { scope: SCOPE, keep: true });
    const shared = sharedGraph(world);
    if (shared.includes('inferred')) return shared.slice(0, 300);
    return notes.some((note) => note.includes('Quay Lamp')) ? leaks(shared, []) : 'nothing was concluded';
  }),
  attack('premises of a scope shown to a model whose conclusion is kept in a shared file', async (world) => {
    await makePremises(world);
    const shown: string[] = [];
    const reasoner = {
      ask: (_task: string, { premises }: { readonly premises: readonly { readonly text: string }[] }) => {
        shown.push(...premises.map(({ text }) => text));
        return Promise.resolve({ output: [], by: 'a model', notes: [] });
      },
    };
    const context = contextAs(world, 'bot:main');
    const parts = { graph: () => context.parts.graph(), extraction: () => Promise.resolve({ reasoner }) };
    const asking = { entity: 'Quay Lamp', scope: SCOPE, ask: true };
    await runOperation(graphInfer, { ...context, parts } as never, { ...asking, keep: true });
    const leaked = leaks(shown.join('\n'), []);
    if (leaked !== undefined) return leaked;
    await runOperation(graphInfer, { ...context, parts } as never, asking);
    return shown.some((text) => text.includes(PRIVATE))
      ? undefined
      : 'they are never shown, so that nothing was tested';
  }),
  ...Object.entries(SAID_IN_SCOPE).map(([verb, say]) =>
    attack<ScopeWorld>(`what is said within a scope about what is shared, by ${verb}`, async (world) => {
      const before = sharedGraph(world);
      const said = await mustBeRefused(() => say(contextAs(world, 'manual'), { scope: SCOPE }));
      const proposed = await mustBeRefused(() => say(contextAs(world, 'bot:main'), { scope: SCOPE }));
      return said ?? proposed ?? (sharedGraph(world) === before ? undefined : 'the shared files changed');
    }),
  ),
  ...Object.entries(SAID_IN_SCOPE).map(([verb, say]) =>
    control<ScopeWorld>(`the same without a scope, by ${verb}`, (world) =>
      mustGoThrough(() => say(contextAs(world, 'manual'), {})),
    ),
  ),
  attack('an agent of another scope replacing a fact by its id', async (world) =>
    mustBeRefused(() =>
      runOperation(graphFact, contextAs(world, 'bot:main', 'project:zeus'), {
        entity: 'Harbour Company',
        text: 'Sells nothing.',
        replaces: world.fact,
      }),
    ),
  ),
  attack('an agent of a scope changing what is shared through the graph', async (world) =>
    mustBeRefused(() =>
      runOperation(graphFact, contextAs(world, 'bot:main', 'project:zeus'), {
        entity: 'Harbour Company',
        text: 'Belongs to zeus.',
      }),
    ),
  ),
  attack('the words of the scope in the history’s summaries', async ({ server }) => {
    const entries = JSON.stringify(server.mneme.internals.audit.query({}).map(({ summary }) => summary));
    return entries.toLowerCase().includes(PRIVATE) ? entries.slice(0, 300) : undefined;
  }),
  attack('the words of the scope in the entries of the chain', async ({ server }) => {
    const folder = path.join(server.home, 'chain');
    const entries = fs.existsSync(path.join(folder, 'chain.jsonl'))
      ? fs.readFileSync(path.join(folder, 'chain.jsonl'), 'utf8')
      : '';
    return entries.toLowerCase().includes(PRIVATE) ? entries.slice(0, 300) : undefined;
  }),
  control('an agent of the scope finds what is private there', async ({ clients }) => {
    const { hits } = await clients.apollo.call('recall', { query: 'the word of Apollo' });
    return hits.some(({ text }) => text.includes(PRIVATE)) ? undefined : JSON.stringify(hits);
  }),
  control('an agent of the scope reads its file', async ({ clients, item }) => {
    const { text } = await clients.apollo.call('read', { target: item.path });
    return text.includes(PRIVATE) ? undefined : text;
  }),
  control('an agent of the scope sees its part of the graph', async ({ clients }) => {
    const shown = await clients.apollo.call('graph show', { entity: 'Harbour Company', scope: SCOPE });
    return shown.relations.some(({ other }) => other.name.includes(PRIVATE)) ? undefined : JSON.stringify(shown);
  }),
  control('an agent of the scope states a fact there', async (world) => {
    const as = contextAs(world, 'bot:main', SCOPE);
    const { outcome } = await runOperation(graphFact, as, { entity: `${PRIVATE} Corporation`, text: 'Has a pier.' });
    return outcome === 'added' ? undefined : outcome;
  }),
  control('a person exports the scope with its words', async ({ server }) => {
    const target = path.join(makeTemporaryFolder(), 'export');
    await server.mneme.export(target, { scope: SCOPE });
    return everyByte(target).includes(PRIVATE) ? undefined : 'they are missing';
  }),
];
