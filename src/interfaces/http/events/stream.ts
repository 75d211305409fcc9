import type { OperationContext } from '../../../operations/context.ts';
import { seesFile, visibleTo } from '../../../operations/visible-to.ts';
import type { ApiEvent, EventHub } from './hub.ts';

const HEARTBEAT_MS = 15_000;
/** A client that reads nothing is let go instead of filling the memory. */
const MAX_BUFFERED_BYTES = 1_048_576;
/** After a lost connection a browser comes back so soon. */
const RETRY_MS = 2000;

export interface StreamRequest {
  readonly hub: EventHub;
  readonly context: OperationContext;
  readonly lastEventId: string | undefined;
  readonly now: () => number;
  /** Asked at every sign of life: a token that was taken back hears nothing any more. */
  readonly isWelcome: () => boolean;
  readonly onEnd: () => void;
  /** Aborted when the server stops. */
  readonly stop: AbortSignal;
}

/** Server-sent events for one client: what it missed, then whatever happens, then a sign of life now and then. */
export function openEventStream(request: StreamRequest): ReadableStream<Uint8Array> {
  const { hub, context, lastEventId, now, isWelcome, onEnd, stop } = request;
  const encoder = new TextEncoder();
  let end = (): void => undefined;
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (text: string): void => {
          // A client that lags behind the buffer is disconnected here, and connects again.
          if (isOver) return;
          controller.enqueue(encoder.encode(text));
          if ((controller.desiredSize ?? 0) < 0) finish();
        };
        const sendEvent = (event: ApiEvent): void => {
          const shown = showTo(context, event);
          if (shown !== undefined) send(render(shown));
        };
        const beat = (): void => {
          if (isWelcome()) send(render({ name: 'heartbeat', data: { time: new Date(now()).toISOString() } }));
          else finish();
        };
        const heart = setInterval(beat, HEARTBEAT_MS);
        const unsubscribe = hub.subscribe(sendEvent);
        const finish = (): void => {
          isOver = true;
          end();
          controller.close();
        };
        end = () => {
          clearInterval(heart);
          unsubscribe();
          stop.removeEventListener('abort', finish);
          end = () => undefined;
          onEnd();
        };
        stop.addEventListener('abort', finish, { once: true });
        const missed = lastEventId === undefined ? undefined : hub.since(lastEventId);
        send(`retry: ${RETRY_MS}\n\n`);
        send(
          render({
            id: missed === undefined ? hub.lastId : undefined,
            name: 'hello',
            data: { resumed: missed !== undefined },
          }),
        );
        for (const event of missed ?? []) sendEvent(event);
      },
      cancel() {
        end();
      },
    },
    { highWaterMark: MAX_BUFFERED_BYTES, size: (chunk) => chunk.byteLength },
  );
}

function render({
  id,
  name,
  data,
}: {
  readonly id?: string | undefined;
  readonly name: string;
  readonly data: unknown;
}): string {
  const head = id === undefined ? '' : `id: ${id}\n`;
  return `${head}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The event as far as whoever listens may know of it. */
function showTo(context: OperationContext, event: ApiEvent): ApiEvent | undefined {
  if (visibleTo(context).seesHome) return event;
  if (event.name === 'reset') return event;
  // The outcome of a job is sent, its summary is not: that counts things of every scope.
  if (event.name === 'job') return { ...event, data: { ...(event as ApiEvent<'job'>).data, summary: '' } };
  if (event.name !== 'mutation') return undefined;
  const mutation = (event as ApiEvent<'mutation'>).data;
  const files = mutation.files.filter((path) => seesFile(context, path));
  return files.length === 0 ? undefined : { ...event, data: { ...mutation, files } };
}
