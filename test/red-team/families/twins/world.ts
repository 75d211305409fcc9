import fs from 'node:fs';
import path from 'node:path';
import { Mneme } from '../../../../src/mneme.ts';
import { agentsPropose } from '../../../../src/operations/agents/propose.ts';
import type { OperationContext } from '../../../../src/operations/context.ts';
import { feedback } from '../../../../src/operations/control/feedback.ts';
import { runOperation } from '../../../../src/operations/operation.ts';
import { createBackup } from '../../../../src/operations/backup/create.ts';
import { newTopic } from '../../../../src/operations/topics/new.ts';
import { runJobNow } from '../../../../src/runtime/jobs/job-operations.ts';
import type { Clock } from '../../../../src/platform/clock.ts';
import { initTestHome, makeTemporaryFolder } from '../../../support/home.ts';
import { SeededRandom } from '../../../support/seeded-random.ts';

export const SCOPE = 'project:apollo';
/** Stand in the private scope, in no question that is asked, and in no answer to anybody outside. */
export const PRIVATE = /saffron|cloves|scopes\/project--apollo/iu;
export const COMPANY = 'Zanzibar Corporation';

const START_MS = Date.UTC(2026, 2, 2, 9);

/** When a file that everybody sees now belonged to the scope. */
const FORMER_HOUR = 5;
export const FORMER = {
  path: 'memory/reference/plans.md',
  at: new Date(START_MS + (FORMER_HOUR + 0.5) * 3_600_000).toISOString(),
  text: 'ship',
  since: '2026-03-01',
};

/** What both homes hold, and what only one of them does, by the names under which inputs ask for it. */
export interface Known {
  readonly shared: Readonly<Record<string, string>>;
  readonly hidden: Readonly<Record<string, string>>;
}

/** Two homes that hold the same, but for what is private in one of them: outside of its scope nothing may tell them apart. */
export interface TwinWorld {
  readonly plain: Mneme;
  readonly secret: Mneme;
  readonly known: Known;
}

/** Begins anew with every question, so that both homes draw the same ids for it. */
let chance = new SeededRandom(0);
export function drawAnew(seed: number): void {
  chance = new SeededRandom(seed);
}

function openAt(home: string, hour: number): Promise<Mneme> {
  // Stands still: how often the time was asked for is no difference between the two.
  const clock: Clock = { now: () => START_MS + hour * 3_600_000 };
  const random = { bytes: (length: number) => chance.bytes(length), number: () => chance.number() };
  drawAnew(hour);
  return Mneme.open({ home, actor: 'manual', scan: false, parts: { clock, random } });
}

export function contextOf(mneme: Mneme, actor: string, confinedTo?: OperationContext['confinedTo']): OperationContext {
  return { ...mneme.internals, actor, confinedTo };
}

async function fillShared(mneme: Mneme): Promise<Readonly<Record<string, string>>> {
  const item = await mneme.remember('The lighthouse of the harbour is white.', { store: 'episodic' });
  await mneme.remember('The ferry to the island leaves at nine.', { store: 'vault' });
  // Every word of what is asked is known outside too: which words are rare shows in scores (docs/threat-model.md).
  await mneme.remember('Apollo sent word from the island.', { store: 'episodic' });
  await mneme.graph.add({ name: 'Harbour Company', type: 'organization' });
  await mneme.graph.add({ name: 'Ferry Line', type: 'organization' });
  await mneme.graph.link('Ferry Line', 'part-of', 'Harbour Company', { loose: true });
  await mneme.edit({ path: 'memory/reference/piers.md', content: '# Piers\n\nThe first pier is made of stone.\n' });
  const person = contextOf(mneme, 'manual');
  await runOperation(newTopic, person, { name: 'ferries', description: 'When ferries leave', keywords: ['ferry'] });
  await mneme.remember('The ferry is painted green.', { scope: 'project:zeus', store: 'episodic' });
  const session = await mneme.session.start({ id: 'ses_shared', project: 'harbour' });
  await session.message('user', 'The ferry to the island leaves at nine.');
  await session.message('agent', 'I will keep that in mind.');
  await session.end();
  return {
    id: item.id,
    path: item.path,
    session: session.id,
    entity: 'Harbour Company',
    to: 'Ferry Line',
    name: 'ferries',
    text: 'the lighthouse of the harbour',
  };
}

/** As much as an agent of the scope leaves behind in a day, in every store. */
async function fillHidden(mneme: Mneme): Promise<Readonly<Record<string, string>>> {
  const scope = SCOPE;
  const item = await mneme.remember('The word of Apollo is saffron.', { scope, store: 'episodic' });
  await mneme.remember('Never forget the zanzibar cloves.', { scope, store: 'vault' });
  await mneme.remember('To load cloves: 1. open the hatch, 2. call Zanzibar, 3. close it.', { scope });
  await mneme.graph.add({ name: COMPANY, type: 'organization', aliases: ['Saffron Ltd'], scope });
  await mneme.graph.add({ name: 'Clove Pier', type: 'place', scope });
  await mneme.graph.link(COMPANY, 'part-of', 'Harbour Company', { scope, loose: true });
  await mneme.graph.link('Clove Pier', 'part-of', 'Ferry Line', { scope, loose: true });
  const agent = contextOf(mneme, 'bot:main', SCOPE);
  await runOperation(newTopic, agent, { name: 'zanzibar-runs', description: 'Trips for cloves', keywords: ['cloves'] });
  await runOperation(agentsPropose, contextOf(mneme, 'subagent:insider', SCOPE), { text: 'The cloves budget is 40.' });
  await mneme.edit({
    path: 'memory/scopes/project--apollo/memory/reference/piers.md',
    content: '# Piers\n\nThe pier of Zanzibar is made of cloves.\n',
  });
  const session = await mneme.session.start({ id: 'ses_hidden', scope, project: 'apollo', user: 'Zanzibar Joe' });
  await session.message(
    'user',
    'We decided that the zanzibar harbour opens in May. Remember that the cloves are late.',
  );
  await session.message('agent', 'I will call Zanzibar Corporation about the lighthouse.');
  await session.end();
  await mneme.session.start({ id: 'ses_waits', scope });
  await mneme.extract({});
  await mneme.recall('lighthouse of zanzibar', { scope });
  await mneme.context('Is the lighthouse of saffron white?', { scope });
  await runOperation(feedback, agent, { id: item.id, verdict: 'always' });
  const other = await mneme.remember('The cloves were wet on Monday.', { scope, store: 'episodic' });
  const { code } = await mneme.forget('', { ids: [other.id], scope });
  await mneme.confirmForget(code ?? '');
  return {
    id: item.id,
    path: item.path,
    session: session.id,
    entity: COMPANY,
    to: 'Clove Pier',
    name: 'zanzibar-runs',
    text: 'the word of Apollo',
    receipt: 'last',
  };
}

async function addMarked(home: string, lines: readonly string[]): Promise<void> {
  const mneme = await openAt(home, 4);
  const text = lines.map((line) => `${line} <!-- scope:project:apollo -->`).join('\n');
  await mneme.append('memory/reference/piers.md', text);
  // As many lines in both: those below are numbered as they are in the file (docs/threat-model.md).
  await mneme.append('MEMORY.md', `- ${lines.join(' And ').replaceAll('- ', '')} <!-- scope:project:apollo -->`);
  await mneme.internals.workspace.drain();
  await mneme.close();
}

/** A file that said at its top that it belongs to the scope, and later was opened to everybody. */
async function addFormer(home: string, lines: readonly string[]): Promise<void> {
  const { path: file } = FORMER;
  const before = await openAt(home, FORMER_HOUR);
  const text = `---\nscope: project:apollo\n---\n\n# Plans\n\n${lines.join('\n')}\n`;
  await before.edit({ path: file, content: text, summary: lines.join(' ') });
  await before.internals.workspace.drain();
  await before.close();
  const after = await openAt(home, FORMER_HOUR + 1);
  await after.edit({ path: file, base: text, content: '# Plans\n\n- Nothing is planned.\n' });
  await after.internals.workspace.drain();
  await after.close();
}

/** What is done in every home, and says how much there is. */
async function runUpkeep(home: string): Promise<void> {
  const mneme = await openAt(home, FORMER_HOUR + 2);
  await runOperation(runJobNow, contextOf(mneme, 'manual'), { job: 'decay' });
  await runOperation(createBackup, contextOf(mneme, 'manual'), {});
  await mneme.close();
}

export async function makeTwins(): Promise<TwinWorld> {
  const home = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(home);
  const first = await openAt(home, 1);
  const shared = await fillShared(first);
  await first.internals.workspace.drain();
  await first.close();
  const copy = path.join(makeTemporaryFolder(), 'home');
  fs.cpSync(home, copy, { recursive: true, preserveTimestamps: true });
  // Marked lines of a shared file: that it was changed is seen from outside, but not what they say, nor how many they are.
  await addMarked(home, ['- The second pier belongs to nobody.']);
  await addMarked(copy, [
    '- The second pier belongs to zanzibar.',
    '- The third pier holds cloves.',
    '- So does the fourth.',
  ]);
  const filled = await openAt(copy, 2);
  const hidden = await fillHidden(filled);
  await filled.internals.workspace.drain();
  await filled.close();
  await addFormer(home, ['- The second ship belongs to nobody.']);
  await addFormer(copy, ['- The second ship belongs to zanzibar.', '- The third ship holds cloves.']);
  for (const each of [home, copy]) await runUpkeep(each);
  const now = FORMER_HOUR + 3;
  return { plain: await openAt(home, now), secret: await openAt(copy, now), known: { shared, hidden } };
}

export async function closeTwins({ plain, secret }: TwinWorld): Promise<void> {
  await plain.close();
  await secret.close();
}
