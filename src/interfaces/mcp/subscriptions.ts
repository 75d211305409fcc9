import {
  ResourceNotFoundError,
  type McpServer,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { errorMessage } from '../../model/errors.ts';
import { seesFile, visibleTo } from '../../operations/visible-to.ts';
import type { Access } from './access.ts';
import type { ResourceChanges } from './resource-changes.ts';
import type { ToolCall } from './tool.ts';
import { toReadTarget } from './uris.ts';

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
