import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../../src/mneme.ts';
import { isMnemeError } from '../../../src/model/errors.ts';
import { agentsPropose } from '../../../src/operations/agents/propose.ts';
import { mergeExploration, startExploration } from '../../../src/operations/history/explore.ts';
import { runOperation } from '../../../src/operations/operation.ts';
import { type Proposal, waitingChanges } from '../../../src/proposals/proposal.ts';
import { isOpen } from '../../../src/proposals/state.ts';
import type { ProposalRequest } from '../../../src/proposals/request.ts';
import { initHome } from '../../../src/operations/home/init.ts';
import { makeTemporaryFolder, writeWorkspaceFile } from '../../support/home.ts';
import { readEverything } from '../../support/read-everything.ts';
import { attack, control, type Family, type RedTeamCase } from '../table.ts';

/** What a person erases; it stands in an item, and in whatever a case adds. */
export const WORDS = 'Alex keeps the heron key on Quillfeather lane behind the third lantern.';
const TRACE = 'quillfeather';
const ALEX = 'memory/graph/entities/person--alex.md';
const ALEX_TEXT = `---
id: person--alex
type: person
name: Alex
tags: [user]
---

# Alex

## Facts

- ${WORDS} <!-- category:fact trust:user importance:0.9 learned:2026-02-01 verified:3 --> ^fffffffffff01
- Alex prefers tea in the morning. <!-- category:preference trust:user importance:0.9 learned:2026-02-01 verified:3 --> ^fffffffffff02
`;
const LEXI = 'memory/graph/entities/person--lexi.md';
const LEXI_TEXT = '---\nid: person--lexi\ntype: person\nname: Lexi\n---\n\n# Lexi\n\n## Facts\n\n- Lexi rows.\n';
const PLACE = 'memory/reference/places.md';
const PLACE_TEXT = '# Places\n\n- The jetty is closed.\n- The bridge is open.\n';

/** A home with the item in it, to be copied for each case. */
export interface ErasureWorld {
  readonly template: string;
}

export async function makeErasureWorld(): Promise<ErasureWorld> {
  const template = path.join(makeTemporaryFolder(), 'home');
  await initHome({ home: template, timeZone: 'UTC', isFull: false, command: [] });
  writeWorkspaceFile(template, ALEX, ALEX_TEXT);
  writeWorkspaceFile(template, LEXI, LEXI_TEXT);
  writeWorkspaceFile(template, PLACE, PLACE_TEXT);
  await (await openMneme({ home: template, actor: 'manual' })).close();
  return { template };
}

export function copyHome({ template }: ErasureWorld): string {
  const home = path.join(makeTemporaryFolder(), 'home');
  fs.cpSync(template, home, { recursive: true });
  return home;
}

/** Puts the words somewhere; what it returns is done after the erasure. */
type Plant = (mneme: Mneme, home: string) => Promise<void | (() => Promise<unknown>)>;

function pending(name: string, plant: Plant): RedTeamCase<ErasureWorld> {
  return attack(name, async (world) => {
    const home = copyHome(world);
    const mneme = await openMneme({ home, actor: 'manual' });
    const after = await plant(mneme, home);
    const { workspace, proposals } = mneme.internals;
    await workspace.drain();
    const open = proposals.list().proposals.filter(({ state }) => isOpen(state));
    const { outcome, erased } = await eraseAsShown(mneme);
    if (outcome !== 'erased') return `it is ${outcome}: ${JSON.stringify(erased?.left)}`;
    const maimed = proposals
      .list()
      .proposals.filter((each) => isOpen(each.state) && wouldWrite(each).includes('erased'));
    if (maimed.length > 0) return `${maimed.length} proposals would write what is left of the words`;
    await after?.();
    const problem = await decideOn(
      mneme,
      open.map(({ id }) => id),
    );
    const problems = proposals.list().problems.map(({ path: file, message }) => `${file} ${message}`);
    await mneme.close();
    if (problem !== undefined || problems.length > 0) return problem ?? problems.join('; ');
    const everything = readEverything(home);
    const at = everything.indexOf(TRACE);
    if (at !== -1) return `the words are there: …${everything.slice(Math.max(0, at - 200), at + 100)}…`;
    return everything.includes('alex prefers tea') ? undefined : 'what was not to be erased is gone';
  });
}

/** Learning that ends meanwhile changes what was shown: a person looks once more. */
async function eraseAsShown(mneme: Mneme, tries = 2): Promise<Awaited<ReturnType<Mneme['confirmForget']>>> {
  const { code } = await mneme.forget('', { ids: ['fffffffffff01'], permanently: true });
  try {
    return await mneme.confirmForget(code ?? '');
  } catch (error) {
    if (tries === 0 || !isMnemeError(error) || error.code !== 'conflict') throw error;
    return eraseAsShown(mneme, tries - 1);
  }
}

function wouldWrite(proposal: Proposal): string {
  return [...waitingChanges(proposal).map(({ diff }) => diff), proposal.statement?.content ?? ''].join('\n');
}

/** Approves what waited before the erasure, and rejects it: it must happen, or be refused because it is withdrawn. */
async function decideOn({ internals }: Mneme, ids: readonly string[]): Promise<string | undefined> {
  const { proposals, actor } = internals;
  for (const id of ids) {
    for (const decide of [
      () => proposals.approve(id, { actor }),
      () => proposals.reject(id, { actor, why: 'not wanted' }),
    ]) {
      const { state, reason } = proposals.get(id);
      try {
        await decide();
        if (!isOpen(state)) return `${id} was ${state} and could be decided`;
      } catch (error) {
        if (!isMnemeError(error) || error.code !== 'conflict') throw error;
        if (state === 'withdrawn' && reason?.includes('erased permanently') !== true) return `${id} does not say why`;
      }
    }
  }
  return undefined;
}

const request = (more: Partial<ProposalRequest>): ProposalRequest => ({
  kind: 'memory',
  title: 'Something about a place',
  why: 'It was said.',
  evidence: [],
  actor: 'bot:main',
  trust: 'agent',
  changes: [{ path: 'memory/reference/other.md', after: '# Other\n' }],
  ...more,
});

const KINDS = [
  'memory', 'fact', 'merge', 'split', 'archive', 'refinement', 'retire', 'procedure', 'topic', 'tuning', 'question',
  'decision', 'conflict', 'consolidation', 'import', 'reconstruction',
]; // prettier-ignore

const file =
  (...requests: Partial<ProposalRequest>[]): Plant =>
  async (mneme) => {
    for (const one of requests) await mneme.internals.proposals.propose(request(one));
  };

const added = [{ path: PLACE, before: PLACE_TEXT, after: `${PLACE_TEXT}- ${WORDS}\n` }];

const PROPOSALS: readonly RedTeamCase<ErasureWorld>[] = [
  pending('a reflection that waits', async (mneme) => {
    const { outcome } = await mneme.reflect();
    if (outcome !== 'proposed') throw new Error(`the reflection is ${outcome}`);
  }),
  pending('a reflection that waits, and one more after the erasure', async (mneme) => {
    await mneme.reflect();
    return () => mneme.reflect();
  }),
  pending(
    'a proposal of every kind that adds the words',
    file(
      ...KINDS.map((kind) => ({
        kind,
        changes: [{ path: `memory/reference/${kind}.md`, after: `# ${kind}\n\n${WORDS}\n` }],
      })),
    ),
  ),
  pending('a proposal that adds the words beside others', file({ changes: added })),
  pending(
    'a proposal next to the words',
    file({ changes: [{ path: ALEX, before: ALEX_TEXT, after: `${ALEX_TEXT}- Alex rows.\n` }] }),
  ),
  pending('a proposal that deletes the file with the words', file({ changes: [{ path: ALEX, before: ALEX_TEXT }] })),
  pending(
    'a proposal that moves the file with the words',
    file({
      changes: [{ path: ALEX, before: ALEX_TEXT, after: ALEX_TEXT, renameTo: 'memory/archive/2026-02/alex.md' }],
    }),
  ),
  pending(
    'a proposal in which the words are only quoted, as title, reason and evidence',
    file({ title: `About: ${WORDS}`, why: `Somebody said "${WORDS}"\n\n> ${WORDS}`, evidence: [WORDS, '```'] }),
  ),
  pending('a proposal that was deferred', async (mneme) => {
    const { id } = await mneme.internals.proposals.propose(request({ changes: added }));
    await mneme.internals.proposals.defer(id, { actor: 'manual', why: WORDS });
  }),
  pending('a proposal that no longer fits', async (mneme, home) => {
    const { id } = await mneme.internals.proposals.propose(
      request({ changes: [{ path: PLACE, before: PLACE_TEXT, after: PLACE_TEXT.replace('open', `open. ${WORDS}`) }] }),
    );
    writeWorkspaceFile(home, PLACE, '# Places\n\n- All of it is another one now.\n');
    await mneme.internals.workspace.scan();
    await mneme.internals.proposals.approve(id, { actor: 'manual' }).catch((error: unknown) => {
      if (!isMnemeError(error)) throw error;
    });
  }),
  pending('a proposal of which a part was applied', async (mneme) => {
    const { id } = await mneme.internals.proposals.propose(
      request({ changes: [...added, { path: 'memory/reference/new.md', after: `# New\n\n${WORDS}\n` }] }),
    );
    await mneme.internals.proposals.approve(id, { actor: 'manual', only: [1] });
  }),
  pending('a proposal that was rejected', async (mneme) => {
    const { id } = await mneme.internals.proposals.propose(request({ changes: added }));
    await mneme.internals.proposals.reject(id, { actor: 'manual', why: WORDS });
  }),
  pending('a proposal that a person wrote into', async (mneme) => {
    const { path: where } = await mneme.internals.proposals.propose(request({}));
    fs.appendFileSync(path.join(mneme.internals.workspace.root, where), `\nI think: ${WORDS}\n`);
    await mneme.internals.workspace.scan();
  }),
  pending(
    'a proposal of a private scope',
    file({
      scope: 'user:alex',
      changes: [{ path: 'memory/scopes/user--alex/memory/reference/a.md', after: `${WORDS}\n` }],
    }),
  ),
  pending('a statement of a sub-agent', async (mneme) => {
    const context = { ...mneme.internals, actor: 'subagent:spy' };
    await runOperation(agentsPropose, context, { text: WORDS, confidence: 'high' });
    await runOperation(agentsPropose, context, { text: `Note that ${WORDS}`, confidence: 'low' });
  }),
  pending('an archiving that an agent proposed', async (mneme) => {
    const agent = await openMneme({ home: mneme.internals.home });
    const { code } = await agent.forget('', { ids: ['fffffffffff01'] });
    await agent.confirmForget(code ?? '');
    await agent.close();
  }),
  pending('a merge of two people that was proposed', async (mneme) => {
    await mneme.graph.merge('person--alex', 'person--lexi');
  }),
  pending('a conflict that a merge could not settle', async (mneme, home) => {
    writeWorkspaceFile(home, ALEX, ALEX_TEXT.replace('tea in the morning', 'coffee at night'));
    await mneme.internals.workspace.scan();
    const content = ALEX_TEXT.replace('tea in', `tea (${WORDS}) in`);
    const change = { path: ALEX, base: ALEX_TEXT, content };
    await mneme.internals.workspace.commit({ actor: 'manual', approval: '—', summary: 'places', changes: [change] });
    // The conflict is reported behind the acknowledgement.
    await mneme.internals.workspace.drain();
    await mneme.internals.proposals.settle();
    if (mneme.internals.proposals.list().proposals.length === 0) throw new Error('no conflict was filed');
  }),
];

const OTHERS: readonly RedTeamCase<ErasureWorld>[] = [
  pending('pages that Mneme generates', async (mneme) => {
    for (const page of ['memory/meta/pending-consolidation.md', 'memory/graph/index.md']) {
      const change = { path: page, edit: () => `# Page\n\n${WORDS}\n` };
      const line = { actor: 'system:test', approval: 'auto', summary: 'a page' } as const;
      await mneme.internals.workspace.commit({ ...line, changes: [change] });
    }
  }),
  pending('a conversation that goes on and ends after the erasure', async (mneme) => {
    const session = await mneme.session.start({ id: 'ses_live', topic: WORDS });
    await session.message('user', WORDS);
    return async () => {
      await session.message('user', 'And the weather is fine.');
      await session.end();
    };
  }),
  pending('a conversation that waits to be learned from', async (mneme) => {
    const session = await mneme.session.start({ id: 'ses_done' });
    await session.message('user', WORDS);
    await session.end();
    return () => mneme.extract();
  }),
  pending('an exploration that is merged after the erasure', async (mneme) => {
    await runOperation(startExploration, mneme.internals, { name: 'what-if' });
    await mneme.append(PLACE, `- ${WORDS}\n`);
    return () => runOperation(mergeExploration, mneme.internals, {});
  }),
  pending('a write that is held back in memory', async (mneme) => {
    const change = { path: PLACE, edit: (text = '') => `${text}- ${WORDS}\n` };
    const line = { actor: 'manual', approval: '—', summary: WORDS } as const;
    void mneme.internals.writes.write({ ...line, changes: [change] }, { strategy: 'deferred' });
    return Promise.resolve();
  }),
  pending('working memory, prompts and their receipts', async (mneme) => {
    await mneme.saveContext({ working: { scratchpad: { key: WORDS }, focus: { topic: WORDS } } });
    await mneme.context(WORDS);
    await mneme.recall(WORDS);
  }),
  pending('another list that waits for a yes', async (mneme) => {
    await mneme.forget(WORDS, { permanently: true });
  }),
  pending('what is to be entered into the chain', async (mneme) => {
    await mneme.chain.add(WORDS);
  }),
  pending('an import', async (mneme, home) => {
    const log = path.join(home, 'import.jsonl');
    fs.writeFileSync(log, JSON.stringify({ session: 'a', time: '2026-02-16T10:00:00Z', role: 'user', text: WORDS }));
    await mneme.import({ from: 'transcript', path: log });
  }),
  pending('a file that is no text, one that git ignores, the settings and a log', async (mneme, home) => {
    const { workspace } = mneme.internals;
    writeWorkspaceFile(home, 'attachments/a.bin', `\0${WORDS}\0`);
    writeWorkspaceFile(home, 'memory/reference/nul.md', `\0${WORDS}\0`);
    writeWorkspaceFile(home, 'scratch/note.md', WORDS);
    await workspace.scan();
    fs.appendFileSync(workspace.paths.configFile, `# ${WORDS}\n`);
    fs.mkdirSync(workspace.paths.logs, { recursive: true });
    fs.writeFileSync(path.join(workspace.paths.logs, 'daemon.log'), WORDS);
  }),
  pending(
    'a file that breaks its own rules without the words, and one above the limit of size',
    async (mneme, home) => {
      const person = `---\nid: person--kim\ntype: person\nname: ${WORDS}\n---\n\n# ${WORDS}\n`;
      writeWorkspaceFile(home, 'memory/graph/entities/person--kim.md', person);
      writeWorkspaceFile(home, 'memory/reference/large.md', `${WORDS}\n`.repeat(60_000));
      await mneme.internals.workspace.scan();
    },
  ),
  pending('a backup with a proposal in it', async (mneme) => {
    await mneme.internals.proposals.propose(request({ changes: added }));
    await mneme.backup.create();
  }),
];

export const ERASURES: Family<ErasureWorld> = {
  title: 'Words that come back after an erasure',
  cases: [
    ...PROPOSALS,
    ...OTHERS,
    control('a proposal without the words stays open and can be approved', async (world) => {
      const mneme = await openMneme({ home: copyHome(world), actor: 'manual' });
      const { proposals } = mneme.internals;
      const { id } = await proposals.propose(request({ title: `Not "${WORDS}"` }));
      const before = proposals.get(id);
      await mneme.erase(WORDS);
      const after = proposals.get(id);
      await proposals.approve(id, { actor: 'manual' });
      await mneme.close();
      if (after.state !== 'pending' || after.title !== 'Not "erased"') return `it is ${after.state}: ${after.title}`;
      return after.changes[0]?.diff === before.changes[0]?.diff ? undefined : 'its change is another one';
    }),
  ],
};
