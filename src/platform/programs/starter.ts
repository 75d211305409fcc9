/**
 * A process that does nothing but start programs for the one that started it. Starting one copies the page tables of
 * whoever does it and stops that process meanwhile: some milliseconds for a small one, fifty for one with a large
 * memory. This one stays small. It reads orders from its standard input and ends with it.
 */
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { encodeFrame, FrameReader, type Frame, type StartOrder } from './frames.ts';
import { startProgram } from './start.ts';

const children = new Map<number, ChildProcessWithoutNullStreams>();
const reader = new FrameReader();

// Ctrl-C reaches everything in the terminal; whoever started us still has work to finish, and says when it is over.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The reader is gone: running programs still complete.
process.stdout.on('error', () => undefined);
process.stdin.on('data', (piece: Buffer) => {
  for (const frame of reader.read(piece)) obey(frame);
});
// The other process is gone. Its programs see the end of their input, as if it had started them itself.
process.stdin.on('close', () => {
  for (const child of children.values()) child.stdin.end();
});

function obey({ kind, id, body }: Frame): void {
  if (kind === 'start') {
    try {
      begin(id, JSON.parse(body.toString('utf8')) as StartOrder);
    } catch (error) {
      fail(id, error as NodeJS.ErrnoException);
    }
    return;
  }
  const child = children.get(id);
  if (kind === 'input') child?.stdin.write(body);
  else if (kind === 'end') child?.stdin.end();
}

function begin(id: number, order: StartOrder): void {
  const child = startProgram(order);
  children.set(id, child);
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (bytes: Buffer) => tell('output', id, bytes));
  child.stderr.on('data', (bytes: Buffer) => tell('errors', id, bytes));
  child.on('error', (error: NodeJS.ErrnoException) => fail(id, error));
  child.on('close', (code, signal) => {
    children.delete(id);
    tell('closed', id, jsonOf({ code, signal }));
  });
}

function fail(id: number, { code, message }: NodeJS.ErrnoException): void {
  children.delete(id);
  tell('failed', id, jsonOf({ code, message }));
}

function tell(kind: Frame['kind'], id: number, body: Uint8Array): void {
  if (process.stdout.writable) process.stdout.write(encodeFrame(kind, id, body));
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value), 'utf8');
}
