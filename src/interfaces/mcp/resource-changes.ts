import {
  ResourceNotFoundError,
  type McpServer,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import type { FolderWatcher } from '../../platform/folder-watcher.ts';
import { errorMessage } from '../../model/errors.ts';
import type { OperationContext } from '../../operations/context.ts';
import { seesFile, visibleTo } from '../../operations/visible-to.ts';
import { watchFiles } from '../../runtime/events/watch-files.ts';
import type { DocumentSource } from '../../search-index/passage.ts';
import type { Access } from './access.ts';
import type { OpenHome } from './open-home.ts';
import type { ToolCall } from './tool.ts';
import { toReadTarget, urisOf } from './uris.ts';

type OnUpdated = (uri: string) => void;

interface Listener {
  readonly access: Access;
  readonly onUpdated: OnUpdated;
}

/** A save is several steps for the file system and one for whoever listens. */
const SETTLE_MS = 150;

/**
 * Tells who subscribed which resources changed, whichever process or person changed them. Files are watched only while
 * somebody listens.
 */
export class ResourceChanges {
  readonly #home: OpenHome;
  readonly #onProblem: (message: string) => void;
  readonly #listeners = new Set<Listener>();
  readonly #changed = new Map<string, { readonly source: DocumentSource; readonly path: string }>();
  #watchers: FolderWatcher[] = [];
  #context: OperationContext | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(home: OpenHome, onProblem: (message: string) => void) {
    this.#home = home;
    this.#onProblem = onProblem;
  }

  /** Resolves when changes are noticed from now on; call what it resolves to when nobody listens any more. */
  async listen(access: Access, onUpdated: OnUpdated): Promise<() => void> {
    const listener = { access, onUpdated };
    this.#listeners.add(listener);
    const { internals } = await this.#home.get();
    this.#context = internals;
    if (this.#watchers.length === 0 && this.#listeners.size > 0)
      this.#watchers = watchFiles(internals, (source, path) => this.#note(source, path), this.#onProblem);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  /** The same for who cannot wait: what fails is reported, and the client hears of nothing. */
  listenSoon(access: Access, onUpdated: OnUpdated): () => void {
    const listening = this.listen(access, onUpdated).catch((error: unknown) => {
      this.#onProblem(`Nobody hears of changed resources: ${errorMessage(error)}`);
      return () => undefined;
    });
    return () => void listening.then((stop) => stop());
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
    clearTimeout(this.#settling);
    this.#changed.clear();
  }

  #note(source: DocumentSource, path: string): void {
    this.#changed.set(`${source}:${path}`, { source, path });
    this.#settling ??= setTimeout(() => this.#tell(), SETTLE_MS);
  }

  #tell(): void {
    this.#settling = undefined;
    const changes = [...this.#changed.values()];
    this.#changed.clear();
    for (const { source, path } of changes) {
      for (const { access, onUpdated } of this.#listeners) {
        if (this.#isSeen(access, source, path)) for (const uri of urisOf(source, path)) onUpdated(uri);
      }
    }
  }

  #isSeen({ actor, scope }: Access, source: DocumentSource, path: string): boolean {
    if (this.#context === undefined) return false;
    const context = { ...this.#context, actor, confinedTo: scope };
    return source === 'workspace' ? seesFile(context, path) : visibleTo(context).seesHome;
  }
}

/** More than anybody reads; a client that asks for ever more is told so. */
const MAX_SUBSCRIBED = 1000;

interface SubscriptionParts {
  readonly access: Access;
  readonly changes: ResourceChanges;
  readonly openCall: () => Promise<ToolCall>;
  /** Resources that are no part of the memory. */
  readonly isOther: (uri: string) => boolean;
  readonly onProblem: (message: string) => void;
}

/** `resources/subscribe` as the protocol had it until 2026: the server remembers what its one client asked for. */
export function registerSubscriptions(server: McpServer, parts: SubscriptionParts): void {
  const { access, changes, openCall, isOther, onProblem } = parts;
  const subscribed = new Set<string>();
  let listening: Promise<() => void> | undefined;
  const tell = (uri: string): void => {
    if (!subscribed.has(uri)) return;
    server.server.sendResourceUpdated({ uri }).catch((error: unknown) => onProblem(errorMessage(error)));
  };
  server.server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!isOther(uri)) await assertSeen(await openCall(), uri);
    if (subscribed.size >= MAX_SUBSCRIBED) throw new Error(`More than ${MAX_SUBSCRIBED} resources cannot be watched.`);
    subscribed.add(uri);
    listening ??= changes.listen(access, tell);
    await listening;
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
  const closed = server.server.onclose;
  server.server.onclose = () => {
    closed?.();
    void listening?.then((stop) => stop());
  };
}

async function assertSeen({ context }: ToolCall, uri: string): Promise<void> {
  const isKnown = /^mneme:\/\/(?:core$|file\/.|session\/.)/u.test(uri);
  const target = toReadTarget(uri);
  const isSession = uri.startsWith('mneme://session/');
  const isSeen = isSession ? visibleTo(context).seesHome : seesFile(context, target);
  if (!isKnown || !isSeen) throw new ResourceNotFoundError(uri);
}

/** The event bus of the 2026 protocol over HTTP; each stream filters by the addresses it named. */
export class ResourceBus implements ServerEventBus {
  readonly #changes: ResourceChanges;
  readonly #access: Access;
  readonly #others = new Set<(event: ServerEvent) => void>();

  constructor(changes: ResourceChanges, access: Access) {
    this.#changes = changes;
    this.#access = access;
  }

  publish(event: ServerEvent): void {
    for (const listener of this.#others) listener(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    this.#others.add(listener);
    const stop = this.#changes.listenSoon(this.#access, (uri) => listener({ kind: 'resource_updated', uri }));
    return () => {
      this.#others.delete(listener);
      stop();
    };
  }
}
