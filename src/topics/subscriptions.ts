import { scopeCanSee, type Scope } from '../model/provenance.ts';
import type { TopicSubscription } from '../model/schemas/topic.ts';
import { compileGlob, scopeOfPath } from '../workspace/formats/layout.ts';
import type { SubscribedPiece } from './port.ts';
import type { WatchedTopic } from './topic-file.ts';

/** Where subscriptions are looked up. */
export interface SubscriptionSources {
  /** All Markdown files of the workspace, as paths relative to it. */
  readonly listFiles: () => Promise<readonly string[]>;
  /** As far as the scope may see it; undefined where there is nothing. */
  readonly readFile: (path: string, scope: Scope) => Promise<string | undefined>;
  /** The path of an entity's file. */
  readonly findEntity: (id: string, scope: Scope) => string | undefined;
  readonly ask: (query: string, limit: number, scope: Scope) => Promise<readonly Answer[]>;
}

/** A hit, as far as a subscription needs it. */
export type Answer = Pick<SubscribedPiece, 'id' | 'path' | 'text' | 'trust' | 'scope' | 'time' | 'score'>;

export interface Resolved {
  readonly pieces: readonly SubscribedPiece[];
  /** The subscriptions that could not be found, in words. */
  readonly notes: readonly string[];
}

/** More would not fit into any prompt. */
const MAX_GLOB_FILES = 20;
const DEFAULT_QUERY_HITS = 5;

export async function resolveSubscriptions(
  topic: WatchedTopic,
  scope: Scope,
  sources: SubscriptionSources,
): Promise<Resolved> {
  const pieces: SubscribedPiece[] = [];
  const notes: string[] = [];
  for (const subscription of topic.subscriptions) {
    const found = await resolveOne(subscription, scope, sources);
    if (found.length === 0) notes.push(`Topic ${topic.name}: nothing was found for ${nameOf(subscription)}.`);
    pieces.push(...found);
  }
  const seen = new Set<string>();
  return { pieces: pieces.filter(({ id }) => !seen.has(id) && seen.add(id)), notes };
}

async function resolveOne(
  subscription: TopicSubscription,
  scope: Scope,
  sources: SubscriptionSources,
): Promise<SubscribedPiece[]> {
  const name = nameOf(subscription);
  if (typeof subscription !== 'string' && 'query' in subscription) {
    const limit = typeof subscription.limit === 'number' ? subscription.limit : DEFAULT_QUERY_HITS;
    const hits = await sources.ask(name, limit, scope);
    return hits.map((hit) => Object.assign({ subscription: name, kind: 'query' as const }, hit));
  }
  const isEntity = typeof subscription === 'string' ? isEntityId(name) : 'entity' in subscription;
  if (isEntity) {
    const file = sources.findEntity(name, scope);
    return file === undefined ? [] : readFiles([file], { subscription: name, kind: 'entity' }, scope, sources);
  }
  if (!/[*?[{]/u.test(name)) return readFiles([name], { subscription: name, kind: 'path' }, scope, sources);
  const glob = compileGlob(name);
  const files = (await sources.listFiles()).filter((file) => glob.test(file));
  return readFiles(files, { subscription: name, kind: 'glob' }, scope, sources);
}

async function readFiles(
  files: readonly string[],
  how: Pick<SubscribedPiece, 'subscription' | 'kind'>,
  scope: Scope,
  { readFile }: SubscriptionSources,
): Promise<SubscribedPiece[]> {
  const pieces: SubscribedPiece[] = [];
  for (const path of files) {
    if (pieces.length === MAX_GLOB_FILES) break;
    const owner = scopeOfPath(path);
    // A topic must not open what the conversation itself may not see, and the vault is for nobody's prompt.
    if (!scopeCanSee(scope, owner) || /(?:^|\/)memory\/vault\//iu.test(path)) continue;
    const text = await readFile(path, scope);
    if (text === undefined) continue;
    pieces.push({ ...how, id: path, path, text, trust: 'user', scope: owner, time: null, score: null });
  }
  return pieces;
}

/** `person--jana`: a kind, two hyphens, a name, and no folder. */
function isEntityId(text: string): boolean {
  return /^[a-z_]+--[^/\s*?]+$/u.test(text) && !text.endsWith('.md');
}

function nameOf(subscription: TopicSubscription): string {
  if (typeof subscription === 'string') return subscription;
  const { path, entity, query } = subscription as { path?: string; entity?: string; query?: string };
  return path ?? entity ?? query ?? '';
}
