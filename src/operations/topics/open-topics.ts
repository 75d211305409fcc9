import path from 'node:path';
import type { Scope } from '../../model/provenance.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { Gate } from '../../topics/gate.ts';
import { TopicRegistry } from '../../topics/registry.ts';
import { GateLog } from '../../topics/state/gate-log.ts';
import { SessionStates } from '../../topics/state/session-state.ts';
import type { SubscriptionSources } from '../../topics/subscriptions.ts';
import { findPaths } from '../../topics/tier1/addresses.ts';
import type { NoteVectorsPlace } from '../../topics/tier2/note-vectors.ts';
import type { WatchedTopic } from '../../topics/topic-file.ts';
import { Topics, type HeardOutput } from '../../topics/topics.ts';
import type { Watchers } from '../../topics/watchers.ts';
import type { OperationContext } from '../context.ts';
import { scopesOf } from '../../compile/gather.ts';
import { hideForeignItems, seesFile, visibleTo } from '../visible-to.ts';

/** The topics of one open home. */
export interface OpenTopics {
  readonly topics: Topics;
  readonly registry: TopicRegistry;
  readonly states: SessionStates;
  readonly log: GateLog;
}

/** Registers with the write path, so that a topic is known as soon as it is written. */
export function openTopics(context: OperationContext): OpenTopics {
  const { workspace, layout, config, clock } = context;
  const registry = new TopicRegistry({ root: workspace.root, layout });
  const states = new SessionStates(nodeFileSystem, workspace.paths.journal);
  const log = new GateLog(nodeFileSystem, workspace.paths.journal);
  const gate = new Gate(async () => (await context.parts.extraction()).reasoner);
  const topics = new Topics({
    registry,
    states,
    log,
    gate,
    clock,
    settings: config,
    sources: sourcesOf(context),
    watchersFor: rememberingWatchers(noteVectorsOf(context, registry)),
    outputsSince: (session, turn, scope) => outputsSince(context, session, turn, scope),
  });
  workspace.registries.indexers.push((written) => registry.takeOver(written));
  return { topics, registry, states, log };
}

/** Where the vectors of the home's notes are kept. */
function noteVectorsOf({ workspace }: OperationContext, registry: TopicRegistry): NoteVectorsPlace {
  return {
    file: path.join(workspace.paths.state, 'topic-vectors.json'),
    present: () => new Set(registry.known().map(({ contentHash }) => contentHash)),
  };
}

/** Preparing watchers reads every note: done once for a set of topics, and not at all without topics. */
function rememberingWatchers(place: NoteVectorsPlace): (topics: readonly WatchedTopic[]) => Promise<Watchers> {
  let last: { readonly topics: readonly WatchedTopic[]; readonly watchers: Watchers } | undefined;
  return async (topics) => {
    const isSame = last?.topics.length === topics.length && topics.every((topic, at) => topic === last?.topics[at]);
    if (last === undefined || !isSame) last = { topics, watchers: await makeWatchers(topics, place) };
    return last.watchers;
  };
}

async function makeWatchers(topics: readonly WatchedTopic[], place: NoteVectorsPlace): Promise<Watchers> {
  const isAsked = (type: string): boolean =>
    topics.some(({ triggers }) => triggers.some((trigger) => trigger.type === type));
  const [{ Watchers }, { openTopicModel }, { openStaticEmbedder }, vader, franc] = await Promise.all([
    import('../../topics/watchers.ts'),
    import('../../topics/tier2/packaged.ts'),
    import('../../providers/embeddings/static.ts'),
    isAsked('sentiment') ? import('vader-sentiment') : undefined,
    isAsked('language') ? import('franc-min') : undefined,
  ]);
  const dictionary = openStaticEmbedder();
  return new Watchers(topics, {
    valenceOf: (text) => vader?.SentimentIntensityAnalyzer.polarity_scores(text).compound ?? 0,
    languageOf: (text) => franc?.franc(text) ?? 'und',
    rarityOf: (word) => dictionary.rarity?.(word) ?? 1,
    model: openTopicModel(place),
  });
}

function sourcesOf(context: OperationContext): SubscriptionSources {
  const { workspace, entities, search } = context;
  return {
    listFiles: async () =>
      nodeFileSystem
        .listFiles(workspace.root)
        .map((file) => file.replaceAll(path.sep, '/'))
        .filter((file) => /\.md$/iu.test(file) && !file.startsWith('.git/'))
        .sort(),
    readFile: async (file, scope) => readSeen({ ...context, confinedTo: context.confinedTo ?? scope }, file),
    findEntity: (id, scope) => entities.findById(id, scope)?.path,
    ask: async (text, limit, scope) => {
      const { hits } = await search.ask({ text, filter: { scopes: scopesOf(scope) }, limit, tokens: undefined });
      return hits.map(({ id, path: file, text: said, trust, scope: owner, time, score }) => ({
        id,
        path: file,
        text: said,
        trust,
        scope: owner,
        time,
        score,
      }));
    },
  };
}

/** The conversation sees what is shared and its own scope, whoever has it. */
async function readSeen(context: OperationContext, file: string): Promise<string | undefined> {
  const text = context.homeIndex.files.read({ source: 'workspace', path: file })?.text;
  return text !== undefined && seesFile(context, file) ? hideForeignItems(visibleTo(context), text) : undefined;
}

/** More turns than this between two messages are looked at from their end. */
const MAX_TURNS = 60;

/** The words and actions of a session after a turn, from its live log. */
async function outputsSince(
  { homeIndex }: OperationContext,
  session: string,
  turn: number,
  scope: Scope,
): Promise<HeardOutput[]> {
  const { index } = await homeIndex.prepare();
  if (index === undefined) return [];
  const view = await index.view({ scopes: scopesOf(scope), sessions: [session] });
  const passages = await view.read(await view.findRecent(MAX_TURNS));
  return passages
    .flatMap((passage): HeardOutput[] => {
      const at = Number(/^t(\d+)/u.exec(passage.turn ?? '')?.[1] ?? Number.NaN);
      if (!Number.isInteger(at) || at <= turn) return [];
      if (passage.trust === 'user') return [{ turn: at, role: 'user', text: passage.text }];
      // Tool output has no speaker: only the files it touched count.
      if (passage.trust === 'agent') return [{ turn: at, role: 'agent', text: passage.text, paths: [] }];
      return [{ turn: at, role: 'agent', text: '', paths: findPaths(passage.text) }];
    })
    .sort((left, right) => left.turn - right.turn);
}
