/**
 * Every verb of the library, once. docs/library-verbs.md is made of this file (`npm run generate`): what begins with `// ##`
 * becomes a section there. CI checks its types and runs it in an empty folder.
 */
// ## A home to try it on
// `initHome` makes one, `openMneme` opens it. The blocks of this page are one program, in their order.
import assert from 'node:assert/strict';
import { initHome, openMneme } from '../src/index.ts';

await initHome({ home: './verbs', timeZone: 'Europe/Lisbon', isFull: false, command: ['mneme'] });
const m = await openMneme({ home: './verbs', actor: 'manual' });
const key = await m.remember('The spare key hangs behind the boiler', { importance: 0.7 });

// ## Finding and explaining
// `recall` answers a question, `similar` finds what is near a hit, `read` shows a file, an item or a session (also as it was),
// `why` says where a memory comes from, `status` what the home holds.
assert.ok((await m.recall('where is the spare key?', { limit: 3, explain: true })).hits.length > 0);
assert.ok((await m.similar(key.id, { limit: 3 })).hits.every((hit) => hit.id !== key.id));
assert.match((await m.read(key.path)).text, /behind the boiler/u);
assert.ok(await m.why(key.id));
assert.ok((await m.status()).home.endsWith('verbs'));

// ## Changing files, and taking it back
// `append` and `edit` change any file of the memory; `rollback` takes one change back and keeps every later one.
await m.append('memory/reference/house.md', '# House\n\n- The meter is read in March\n');
const edited = await m.edit({ path: 'memory/reference/house.md', replace: 'March', with: 'April' });
assert.ok(edited.mutation);
await m.rollback({ target: edited.mutation, isDryRun: true });
await m.rollback({ target: edited.mutation });
assert.match((await m.read('memory/reference/house.md')).text, /March/u);

// ## What was known when
// `history` on the command line; the library has its verbs by name: `log`, `blame`, `when`, `diff`, `tag` and `explore`.
assert.ok((await m.log({ path: 'memory/reference/house.md', limit: 5 })).entries.length > 0);
assert.ok((await m.blame('memory/reference/house.md')).lines.length > 0);
assert.equal((await m.when('behind the boiler')).first.actor, 'manual');
assert.ok((await m.diff({ from: 'today', stat: true })).files.length > 0);
await m.tag({ name: 'before/idea' });
assert.equal((await m.tag.list()).length, 1);
await m.tag.delete('before/idea');
await m.explore.start('idea');
assert.equal((await m.explore.list()).length, 1);
await m.explore.merge('idea');
await m.explore.start('another');
await m.explore.drop();
await m.explore.prune({ days: 0 });

// ## The record, and its alerts
// `audit` says who changed what; `audit.ack` answers for edits made outside.
assert.ok((await m.audit({ limit: 5 })).length > 0);
await m.audit.alerts();
await m.audit.ack();
await m.audit.rebuild();
await m.audit.prune({ isDryRun: true });

// ## Files in an editor
// `files` is for programs that show a file and save it: a save that somebody else's change came before is merged or refused.
assert.ok((await m.files.list({ under: 'memory/reference' })).length > 0);
const house = await m.files.read('memory/reference/house.md');
await m.files.measure(house.text);
await m.files.save({ path: house.path, text: `${house.text}- The stove is swept in May\n`, baseHash: house.hash });

// ## Conversations
// A session takes turns; `bootstrap` is what an agent is told at its beginning, `buffer` what has not been learned from yet,
// `processed` says how far somebody got, `knowledge` notes what changed on the way, `reset` ends it as a cleared window does.
const session = await m.session.start({ channel: 'terminal' });
await session.message('user', 'Lena moved to Porto in March.');
await session.tool('calendar.list', { day: '2031-05-04' }, 'nothing');
await session.knowledge([{ path: 'memory/entities/people/lena.md', action: 'fact', summary: 'Lena lives in Porto' }]);
assert.ok((await session.bootstrap({ budget: 1000 })).tokens <= 1000);
assert.ok((await session.buffer()) !== undefined);
assert.match((await session.attach('rooms.txt', Buffer.from('Kitchen above, hall below'))).path ?? '', /^attachments/u);
await session.processed(1);
await session.end();
const second = await m.session.start({ channel: 'terminal' });
await second.message('user', 'We decided to paint the shed green.');
await m.session.reset(second.id);
assert.ok((await m.extract({})).sessions.length >= 0);

// ## Conversations that were held
// `session.list` and `session.history` find them, `session.show` and `session.transcript` read one.
assert.ok((await m.session.list()).length > 0);
await m.session.history();
assert.equal((await m.session.show(session.id)).session, session.id);
assert.ok((await m.session.transcript(session.id)).total > 0);

// ## Briefings and the window
// `context` compiles what to tell a model within a budget, and leaves a receipt; `flush` saves what matters when a window fills
// up, `compact` shortens it; `saveContext` and `loadContext` keep what an agent holds in mind.
await m.context('Where does Lena live?', { budget: 800 });
const first = await m.receipts.show('last');
await m.context('What colour is the shed?', { budget: 800 });
const last = await m.receipts.show('last');
assert.ok(await m.receipts.diff(first.stored.receipt.id, last.stored.receipt.id));
await m.receipts.list();
await m.flush(session.id, { now: true });
await m.compact({ messages: [{ role: 'user', content: 'Hello' }], window: 8000, dryRun: true });
await m.saveContext({ agent: 'main', session: 'desk', working: { task: { name: 'Paint', state: 'active' } } });
assert.equal((await m.loadContext({ agent: 'main', session: 'desk' })).working.task?.name, 'Paint');
assert.ok((await m.working.list()).contexts.length > 0);
await m.working.clear({ agent: 'main', session: 'desk' });

// ## Core memory, episodes, pins
// Core memory is told in every session; episodes are what happened on a day, `timeline` and `growth` what came in on each; what is
// pinned never fades.
const penicillin = await m.core.add('Allergic to penicillin');
await m.core.edit(penicillin.id, 'Allergic to penicillin and nuts');
await m.core.pin(penicillin.id);
assert.ok((await m.core.show()).blocks.length > 0);
await m.core.remove(penicillin.id);
await m.remember('The roof was painted today', { store: 'episodic' });
assert.ok((await m.episodes({ limit: 5 })).episodes.length > 0);
await m.timeline({ days: 7 });
await m.growth({ days: 7 });
await m.pin({ target: key.id });
await m.pin({ target: key.id, off: true });

// ## Control
// Keep a subject out of what is learned, and say what was wrong or did not help in a prompt.
await m.control.ignore('the lottery');
assert.equal((await m.control.ignored()).rules.length, 1);
await m.control.unignore('the lottery');
await m.control.feedback({ id: key.id, verdict: 'always' });
assert.equal((await m.control.feedbackGiven()).feedback.length, 1);

// ## The graph
// People and things with facts, tasks, decisions and relations, each with the time it held.
const mia = await m.graph.add({ name: 'Mia Torres', type: 'person' });
await m.graph.add({ name: 'Harbour', type: 'project' });
await m.graph.add({ name: 'Quay', type: 'project', distinct: true });
const bees = await m.graph.fact('Mia Torres', 'Keeps bees on the roof');
await m.graph.task('Harbour', { text: 'Order the glass', due: '2031-05-04' });
await m.graph.decision('Harbour', { text: 'Paint it green', rationale: 'It is cheaper' });
await m.graph.alias('Mia Torres', 'Mimi');
await m.graph.set({ entity: 'Harbour', status: 'active' });
await m.graph.link('Mia Torres', 'develops', 'Harbour', { since: '2024-01-01' });
await m.graph.link('Mia Torres', 'develops', 'Quay');
assert.equal((await m.graph.path('Mia Torres', 'Harbour')).steps?.length, 1);
await m.graph.unlink('Mia Torres', 'Quay', { relation: 'develops', mistake: true });
await m.graph.rename('Quay', 'Pier');
assert.ok((await m.graph.show('Mimi')).facts.length > 0);
assert.ok((await m.graph.list({ type: 'project' })).entities.length >= 2);
assert.ok(await m.graph.neighbours('Mia Torres', { depth: 1 }));
assert.ok(await m.graph.timeline('Mia Torres'));
assert.ok(await m.graph.query({ from: 'Mia Torres', relation: 'develops' }));
await m.graph.infer({ entity: 'Mia Torres' });
await m.graph.verify(bees.id, { method: 'user', answer: 'yes' });
await m.graph.contradictions();
await m.graph.duplicates();
await m.graph.index({ check: true });
assert.match((await m.graph.export({ format: 'json-ld' })).text, /Mia Torres/u);
assert.equal(mia.outcome, 'added');

// ## Proposals
// Merging and splitting, and whatever a sub-agent writes, wait until somebody decides.
const merged = await m.graph.merge('Pier', 'Harbour', { why: 'They are one' });
await m.reject({ ids: [merged.proposal], why: 'They are two' });
const split = await m.graph.split({ entity: 'Mia Torres', name: 'Mia Torres (baker)', items: [bees.id] });
await m.approve({ ids: [split.proposal] });
const meter = await m.proposals.add({ path: 'memory/reference/meter.md', after: '# Meter\n', title: 'The meter' });
assert.ok((await m.proposals.list()).proposals.some(({ id }) => id === meter.id));
assert.equal((await m.proposals.count()).proposals, 1);
await m.proposals.show(meter.id);
await m.proposals.defer(meter.id);
await m.proposals.rebase(meter.id);
await m.proposals.withdraw(meter.id);

// ## Agents
// Sub-agents propose statements; whoever may decides on them.
const helper = await openMneme({ home: './verbs', actor: 'subagent:scout' });
const bread = await helper.agents.propose({ text: 'The bakery opens at seven' });
const milk = await helper.agents.propose({ text: 'The dairy opens at eight' });
const eggs = await helper.agents.propose({ text: 'The farm sells eggs on Fridays' });
const jam = await helper.agents.propose({ text: 'The market sells jam on Sundays' });
await helper.close();
assert.ok(await m.agents.review());
await m.agents.commit({ ids: [bread.id] });
await m.agents.override(milk.id, { content: 'The dairy opens at nine' });
await m.agents.defer({ ids: [eggs.id], why: 'Not now' });
await m.agents.reject({ ids: [jam.id], why: 'Nobody needs it' });
await m.agents.trust('scout');
await m.agents.scope('scout', 'project:harbour');
assert.ok((await m.agents.instructions('scout')).markdown.length > 0);
assert.ok((await m.agents.list()).length > 0);

// ## Topics
// A playbook that comes when it is needed.
await m.topics.new('gardening', { keywords: ['compost'], instructions: 'Water in the evening.' });
assert.ok((await m.topics.list()).length > 0);
assert.ok(await m.topics.show('gardening'));
assert.ok(await m.topics.test('Where does the compost go?'));
await m.topics.activate('gardening', { session: second.id });
await m.topics.deactivate('gardening', { session: second.id });
await m.topics.event({ kind: 'webhook', source: 'shop', event: 'delivered' });
await m.topics.log({ limit: 5 });
await m.topics.tune({ dryRun: true });

// ## Procedures
// How things are done. A workflow runs only actions that were registered; one that asks can be resumed, paused and cancelled.
m.registerAction('greet', undefined, () => ({ said: 'hello' }), { isIdempotent: true });
const GREET = `---
type: procedure
kind: workflow
name: Greet
---
# Greet

## Steps
1. Say hello
   - action: greet
2. Was it heard?
   - ask: Was it heard?
`;
await m.append('memory/procedures/greet.md', GREET);
assert.ok((await m.procedures.list()).length > 0);
assert.ok(await m.procedures.show('greet'));
await m.procedures.match('please greet the guests');
const run = await m.procedures.run('greet', { answer: () => Promise.resolve(undefined) });
if (run.status === 'waiting') await m.procedures.resume(run.run, { answer: 'yes' });
const again = await m.procedures.run('greet', { answer: () => Promise.resolve(undefined) });
if (again.status === 'waiting') {
  await m.procedures.pause(again.run);
  await m.procedures.cancel(again.run, 'Nobody is there');
}
await m.procedures.runDue();
assert.ok((await m.procedures.runs({ procedure: 'greet' })).runs.length > 0);
await m.procedures.stats('greet');
await m.procedures.refine({ name: 'greet', dryRun: true });
await m.procedures.learn({ dryRun: true });

// ## An extractor of your own
// It finds statements and never writes; see [the library](library.md) for one that finds something.
m.registerExtractor({
  name: 'nothing',
  version: 1,
  find: () => Promise.resolve({ candidates: [], by: 'nothing', notes: [] }),
});

// ## Keeping it in shape
// `consolidate` and `reflect` tidy and propose, `patterns` shows habits, `decay` what fades, `forget` lists what would go and
// `confirmForget` archives it, from where `archive` brings it back.
await m.consolidate({ period: 'day', dryRun: true });
await m.reflect({ dryRun: true });
await m.patterns();
await m.decay.status();
await m.decay.explain(key.id);
await m.decay.next({ limit: 5 });
await m.decay.run({ dryRun: true });
await m.forgetByStrategy({ strategy: 'age', dryRun: true });
const bicycle = await m.remember('The blue bicycle was sold to Anton', { store: 'episodic' });
const plan = await m.forget('The blue bicycle was sold to Anton');
assert.ok(plan.code);
await m.confirmForget(plan.code);
assert.equal((await m.archive.list()).entries.length, 1);
await m.archive.search('bicycle');
await m.archive.restore(bicycle.id);
await m.archive.pack({ dryRun: true });

// ## Provable history
// Signed entries that anybody can check; keys can be kept elsewhere and replaced.
const noted = await m.chain.add('The will is in the safe', { type: 'milestone' });
assert.ok((await m.chain.verify()).isWhole);
await m.chain.stats();
await m.chain.show({ limit: 3 });
const proof = await m.chain.prove(noted.seq);
assert.ok((await m.chain.verifyProof(proof)).isValid);
// Needs somewhere to go: git.chain_remote.
await assert.rejects(m.chain.sync(), /chain_remote/u);
await m.chain.anchor({ kind: 'file', place: './anchors.txt' });
await m.chain.keys();
await m.chain.backupKey('./key.backup', 'a long enough phrase');
await m.chain.rotateKey();
await m.chain.backupKey('./key-2.backup', 'a long enough phrase');
await m.chain.restoreKey('./key-2.backup', 'a long enough phrase');
// Only where the key is lost.
await assert.rejects(m.chain.replaceKey(), /not lost/u);

// ## Made anew from the conversations
// A second memory beside the present one, to compare and merge.
await m.reconstruct.start({ name: 'trial' });
assert.equal((await m.reconstruct.list()).length, 1);
await m.reconstruct.compare('trial');
await m.reconstruct.merge('trial');
await m.reconstruct.drop('trial');

// ## Jobs, backups, the index
// `index.migrate` moves the index between engines, `index.namespaces` lists the homes that share one.
assert.ok((await m.jobs.list()).jobs.length > 0);
await m.jobs.run('index');
assert.ok((await m.jobs.history({ limit: 3 })).length > 0);
const saved = await m.backup.create();
assert.ok(saved.isVerified);
assert.ok((await m.backup.list()).length > 0);
assert.ok((await m.backup.verify(saved.file)).files > 0);
// Only an index in PostgreSQL is shared.
await assert.rejects(m.index.namespaces(), /PostgreSQL/u);
await m.index.migrate('sqlite');
assert.ok((await m.index.status()).documents > 0);
await m.index.sync();
await m.index.rebuild();
assert.deepEqual((await m.index.verify()).findings, []);

// ## Checks, settings, what learning costs
// `check` looks at everything that can be looked at, `config` reads and changes mneme.yaml, `reasoner` judges what is learned.
await m.check();
assert.equal((await m.config.get('time_zone')).values[0]?.value, 'Europe/Lisbon');
await m.config.set('search.rerank', 'false');
await m.config.unset('search.rerank');
await m.costs();
await m.reasoner.status();
await m.graph.page();

// ## Keys that seal what leaves this machine
// For remotes and encrypted backups; the secret half stays in the home's folder of keys.
await m.keys.create();
const old = await m.keys.show();
const present = await m.keys.rotate();
assert.equal(present.older, 1);
await m.keys.add(old.recipient ?? '', { name: 'laptop' });
await m.keys.remove('laptop');
// Nothing is sent anywhere.
await assert.rejects(m.keys.reseal(), /encrypted content/u);

// ## In and out, and for good
// `export` and `import` lose nothing; `erase` removes a text everywhere, history and backups included.
await m.export('./verbs.zip');
await initHome({ home: './other', timeZone: 'Europe/Lisbon', isFull: false, command: ['mneme'] });
const other = await openMneme({ home: './other', actor: 'manual' });
assert.equal((await other.import({ path: './verbs.zip' })).from, 'mneme');
await other.close();
await m.erase('The spare key hangs behind the boiler');
assert.equal((await m.recall('spare key boiler')).hits.filter(({ text }) => text.includes('boiler')).length, 0);
await m.close();
