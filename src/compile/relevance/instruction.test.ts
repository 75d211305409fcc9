import { describe, expect, it } from 'vitest';
import { readInstruction } from './instruction.ts';

describe('readInstruction', () => {
  it.each([
    ['Shorten this: one two three four', 'Shorten this § '],
    ['make "the whole sentence here" kinder', 'make  §  kinder'],
  ])('%j says %j', (message, text) => {
    expect(readInstruction(message)).toEqual({ text, carries: true });
  });

  it.each([
    'plan it for 14:30 and call me',
    'error: the disk is full',
    'hazelnuts: how common is that?',
    'the "ring" is full',
  ])('%j carries nothing along', (message) => {
    expect(readInstruction(message)).toEqual({ text: message, carries: false });
  });
});
