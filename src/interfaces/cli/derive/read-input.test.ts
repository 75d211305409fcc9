import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { addArguments, readTyped } from './read-input.ts';

const source = {
  input: z.strictObject({
    ids: z.array(z.string()).describe('Which.'),
    only: z.array(z.number().int()).optional().describe('Only these.'),
  }),
  args: ['ids...'],
};

async function read(...args: readonly string[]): Promise<unknown> {
  const command = new Command().exitOverride();
  addArguments(command, source);
  command.parse(args, { from: 'user' });
  const { input } = await readTyped(source, [command.args], command.opts(), () => Promise.resolve(''));
  return input;
}

describe('readTyped', () => {
  it('reads a list of whole numbers, and refuses other words', async () => {
    expect(await read('a', '--only', '1,3')).toEqual({ ids: ['a'], only: [1, 3] });
    await expect(read('a', '--only', '1,x')).rejects.toThrow('only takes a whole number, not "x".');
  });
});
