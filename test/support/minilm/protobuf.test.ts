import { expect, it } from 'vitest';
import { ProtobufMessage } from './onnx-format.ts';

// The first three are the examples of the format's own documentation.
it.each([
  ['an integer', new ProtobufMessage().integer(1, 150), '089601'],
  ['a text', new ProtobufMessage().text(2, 'testing'), '120774657374696e67'],
  ['a message in a message', new ProtobufMessage().message(3, new ProtobufMessage().integer(1, 150)), '1a03089601'],
  ['zero', new ProtobufMessage().integer(1, 0), '0800'],
  ['a negative number', new ProtobufMessage().integer(1, -1), '08ffffffffffffffffff01'],
  ['a field number above 15', new ProtobufMessage().integer(20, 7), 'a00107'],
  ['a float', new ProtobufMessage().float(2, 1), '150000803f'],
  ['nothing', new ProtobufMessage(), ''],
])('writes %s', (_what, message, hex) => {
  expect(message.serialize().toString('hex')).toBe(hex);
});
