import type { HomeEvents } from '../../../runtime/events/follow-home.ts';

/** Events that clients receive as they happen. */
export interface ApiEvents extends HomeEvents {
  readonly hello: { readonly resumed: boolean };
  readonly heartbeat: { readonly time: string };
}

export type EventName = keyof ApiEvents;

export interface ApiEvent<Name extends EventName = EventName> {
  readonly id: string;
  readonly name: Name;
  readonly data: ApiEvents[Name];
}

type Subscriber = (event: ApiEvent) => void;

/** Long enough for a laptop that was closed over a coffee. */
const KEPT_EVENTS = 2000;

/** Hands events to whoever listens, and keeps the last ones for whoever comes back. */
export class EventHub {
  /** Part of every id: numbers of another process mean nothing here. */
  #run: string;
  #restarts = 0;
  readonly #kept: ApiEvent[] = [];
  readonly #subscribers = new Set<Subscriber>();
  #last = 0;

  constructor(run: string) {
    this.#run = run;
  }

  get subscribers(): number {
    return this.#subscribers.size;
  }

  publish<Name extends EventName>(name: Name, data: ApiEvents[Name]): void {
    this.#last += 1;
    const event: ApiEvent = { id: `${this.#run}.${this.#last}`, name, data };
    this.#kept.push(event);
    if (this.#kept.length > KEPT_EVENTS) this.#kept.shift();
    for (const subscriber of this.#subscribers) subscriber(event);
  }

  /** From here on nothing is known of what was before: whoever comes back is told so. */
  restart(): void {
    this.#restarts += 1;
    this.#run = `${this.#run.split('-')[0] ?? ''}-${this.#restarts}`;
    this.#kept.length = 0;
    this.#last = 0;
  }

  /** The id from which on a client that connects now has heard everything. */
  get lastId(): string {
    return `${this.#run}.${this.#last}`;
  }

  /** The events after a given one; undefined when they are no longer known. */
  since(id: string): readonly ApiEvent[] | undefined {
    const [run, number] = id.split('.');
    const after = Number(number);
    if (run !== this.#run || !Number.isInteger(after) || after > this.#last) return undefined;
    const firstKept = this.#last - this.#kept.length + 1;
    return after + 1 < firstKept ? undefined : this.#kept.slice(after + 1 - firstKept);
  }

  subscribe(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }
}
