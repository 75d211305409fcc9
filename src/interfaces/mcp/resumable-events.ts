import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

/** Enough for what a client misses while its connection is gone; a long answer it has to ask for again. */
const MAX_EVENTS = 200;
const MAX_CHARS = 256 * 1024;

interface KeptEvent {
  readonly number: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage | undefined;
  readonly chars: number;
}

/**
 * The messages sent in one session, so that a client whose connection broke receives the rest. In memory and bounded: the oldest
 * goes first. An event's id says its stream, so that one that is gone is told from one that never was.
 */
export class ResumableEvents implements EventStore {
  #kept: KeptEvent[] = [];
  #chars = 0;
  #count = 0;

  get chars(): number {
    return this.#chars;
  }

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const text = JSON.stringify(message);
    this.#count += 1;
    // The transport marks a stream's beginning with an empty message that nobody needs to hear again.
    const isMark = text === '{}';
    this.#kept.push({
      number: this.#count,
      streamId,
      message: isMark ? undefined : message,
      chars: text.length,
    });
    this.#chars += text.length;
    while (this.#kept.length > MAX_EVENTS || this.#chars > MAX_CHARS) this.#chars -= this.#kept.shift()?.chars ?? 0;
    return Promise.resolve(`${streamId}.${this.#count}`);
  }

  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return Promise.resolve(parseEventId(eventId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = parseEventId(lastEventId);
    if (last === undefined) throw new Error('The event to go on after is none of this session.');
    const missed = this.#kept.filter(({ streamId, number }) => streamId === last.streamId && number > last.number);
    for (const { streamId, number, message } of missed) {
      if (message !== undefined) await send(`${streamId}.${number}`, message);
    }
    return last.streamId;
  }
}

function parseEventId(eventId: string): { readonly streamId: string; readonly number: number } | undefined {
  const match = /^([\w-]+)\.(\d{1,15})$/u.exec(eventId);
  if (match === null) return undefined;
  return { streamId: match[1] ?? '', number: Number(match[2]) };
}
