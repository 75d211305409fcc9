import type { ApiEvents, EventName } from '../interfaces/http/events/hub.ts';

/** One event; `id` is what a client that lost its connection names to go on. */
export type ServerEvent = {
  [Name in EventName]: { readonly id: string | undefined; readonly name: Name; readonly data: ApiEvents[Name] };
}[EventName];

/** Reads a stream of server-sent events. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let lastId: string | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split(/\r?\n\r?\n/u);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const fields = parseFields(part);
        lastId = fields.get('id') ?? lastId;
        const name = fields.get('event');
        const data = fields.get('data');
        if (name !== undefined && data !== undefined) {
          yield { id: lastId, name, data: JSON.parse(data) as unknown } as ServerEvent;
        }
      }
    }
  } finally {
    await reader.cancel();
  }
}

function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/u)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/u.exec(line) ?? [];
    if (name !== '') fields.set(name, fields.has(name) ? `${fields.get(name) ?? ''}\n${value}` : value);
  }
  return fields;
}
