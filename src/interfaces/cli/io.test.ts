import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { endQuietlyWhenUnread } from './io.ts';

function failing(code: string): () => void {
  const stream = new EventEmitter();
  endQuietlyWhenUnread(stream);
  return () => void stream.emit('error', Object.assign(new Error(code), { code }));
}

test('a reader that has seen enough is no failure; anything else is', () => {
  expect(failing('EPIPE')).not.toThrow();
  expect(failing('EIO')).toThrow('EIO');
});
