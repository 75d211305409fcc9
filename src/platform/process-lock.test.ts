import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { ProcessLock } from './process-lock.ts';

const file = (): string => path.join(makeTemporaryFolder(), 'state', 'some.lock');

// SPEC JOB-3
it('is had by one at a time, and says who has it', () => {
  const lock = file();
  expect(ProcessLock.isHeld(lock)).toBe(false);
  const first = ProcessLock.tryTake(lock);
  expect(first?.isValid()).toBe(true);
  expect(ProcessLock.tryTake(lock)).toBeUndefined();
  expect(ProcessLock.isHeld(lock)).toBe(true);
  expect(ProcessLock.findHolder(lock)).toBe(process.pid);
  first?.release();
  first?.release();
  expect(ProcessLock.isHeld(lock)).toBe(false);
  const second = ProcessLock.tryTake(lock);
  expect(second).toBeDefined();
  second?.release();
});

it('keeps nobody out once its file is gone, and knows it', () => {
  const lock = file();
  const first = ProcessLock.tryTake(lock);
  fs.rmSync(path.dirname(lock), { recursive: true });
  expect(first?.isValid()).toBe(false);
  const second = ProcessLock.tryTake(lock);
  expect(second?.isValid()).toBe(true);
  expect(first?.isValid()).toBe(false);
  first?.release();
  expect(ProcessLock.isHeld(lock)).toBe(true);
  second?.release();
});

it('is free as soon as its holder was killed', async () => {
  const lock = file();
  const source = `
    const { ProcessLock } = await import(${JSON.stringify(path.join(import.meta.dirname, 'process-lock.ts'))});
    // Kept in sight: a lock that nothing refers to any more is let go by the garbage collector.
    globalThis.held = ProcessLock.tryTake(${JSON.stringify(lock)});
    console.log('taken');
    setInterval(() => undefined, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  expect(ProcessLock.tryTake(lock)).toBeUndefined();
  expect(ProcessLock.findHolder(lock)).toBe(child.pid);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  const taken = ProcessLock.tryTake(lock);
  expect(taken).toBeDefined();
  taken?.release();
});

it('a folder in its place is an error, not a lock that somebody has', () => {
  const lock = file();
  fs.mkdirSync(lock, { recursive: true });
  expect(() => ProcessLock.tryTake(lock)).toThrow('is a folder where a file is expected');
});

it('garbage in its place is held by nobody, and makes way', () => {
  const lock = file();
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  fs.writeFileSync(lock, 'no lock at all '.repeat(100));
  fs.writeFileSync(`${lock}.holder`, '-1; rm -rf /');
  expect(ProcessLock.isHeld(lock)).toBe(false);
  expect(ProcessLock.findHolder(lock)).toBeUndefined();
  const taken = ProcessLock.tryTake(lock);
  expect(taken?.isValid()).toBe(true);
  expect(ProcessLock.tryTake(lock)).toBeUndefined();
  taken?.release();
});

it('is never written through a link', () => {
  const lock = file();
  const precious = path.join(makeTemporaryFolder(), 'precious');
  fs.writeFileSync(precious, 'kept');
  fs.mkdirSync(path.dirname(lock), { recursive: true });
  fs.symlinkSync(precious, `${lock}.holder`);
  ProcessLock.tryTake(lock)?.release();
  fs.rmSync(lock);
  fs.symlinkSync(precious, lock);
  expect(() => ProcessLock.tryTake(lock)).toThrow('is a link');
  expect(() => ProcessLock.isHeld(lock)).toThrow('is a link');
  expect(fs.readFileSync(precious, 'utf8')).toBe('kept');
});
