import fs from 'node:fs';
import path from 'node:path';
import { briefing } from '../../../../src/operations/briefing.ts';
import { graphFact } from '../../../../src/operations/graph/fact.ts';
import { graphInfer } from '../../../../src/operations/graph/infer.ts';
import { graphShow } from '../../../../src/operations/graph/show.ts';
import { runOperation } from '../../../../src/operations/operation.ts';
import { makeTemporaryFolder } from '../../../support/home.ts';
import { attack, control, type RedTeamCase } from '../../table.ts';
import { contextAs, everyByte, mustBeRefused } from '../../world.ts';
import { leaks, PRIVATE, SCOPE, type ScopeWorld } from './world.ts';

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
    await runOperation(graphInfer, contextAs(world, 'bot:main'), { scope: SCOPE, keep: true });
    return leaks(everyByte(path.join(world.workspace, 'memory/graph')), []);
  }),
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
