import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageLines, type Line } from './stdio-transport.ts';

function cut(lines: MessageLines, ...chunks: readonly (string | Buffer)[]): Line[] {
  const found = chunks.flatMap((chunk) => [...lines.take(Buffer.from(chunk))]);
  const rest = lines.rest();
  return rest === undefined ? found : [...found, rest];
}

const line = (text: string): Line => ({ kind: 'line', text });

describe('message lines', () => {
  it('come out whole however the bytes arrive', () => {
    const bytes = Buffer.from('{"a":"ü🎂"}\r\n\nlast');
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (places) => {
        const borders = [0, ...places.sort((a, b) => a - b), bytes.length];
        const chunks = borders.slice(1).map((end, at) => bytes.subarray(borders[at], end));
        expect(cut(new MessageLines(100), ...chunks)).toEqual([line('{"a":"ü🎂"}'), line(''), line('last')]);
      }),
    );
  });

  it('that are too long are passed over, and what follows is read', () => {
    const long = `{"jsonrpc":"2.0","id":7,"method":"m","params":{"t":"${'x'.repeat(5000)}"}}`;
    const found = cut(new MessageLines(1000), long.slice(0, 900), long.slice(900), '\nnext\n');
    expect(found).toEqual([{ kind: 'too-long', bytes: long.length, id: 7 }, line('next')]);
  });

  it('that are too long are known by an id at their end as well', () => {
    const long = `{"method":"m","params":{"id":1,"t":"${'x'.repeat(5000)}"},"jsonrpc":"2.0","id":"a-9"}`;
    expect(cut(new MessageLines(1000), `${long}\n`)).toEqual([{ kind: 'too-long', bytes: long.length, id: 'a-9' }]);
  });

  it('that are too long and have no id at either end have none', () => {
    const long = `{"params":{"id":1,"t":"${'x'.repeat(5000)}"},"method":"m"}`;
    expect(cut(new MessageLines(1000), long)).toEqual([{ kind: 'too-long', bytes: long.length, id: undefined }]);
  });
});
