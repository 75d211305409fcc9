import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../commands.ts';
import { withTodaysName } from './command-tree.ts';

const former = COMMANDS.flatMap(({ command: { path, formerly = [] } }) =>
  formerly.map((from): [string, string] => [from, path]),
);
const aliases = COMMANDS.flatMap(({ command: { path, aliases: names = [] } }) =>
  names.map((from): [string, string] => [from, path]),
);

describe('names of commands', () => {
  it.each(former)('%s was renamed to %s, and the user is told', (from, to) => {
    expect(withTodaysName(['--json', ...from.split(' '), '--home', 'x'], COMMANDS)).toEqual({
      args: ['--json', ...to.split(' '), '--home', 'x'],
      former: { from, to },
    });
  });

  it.each(aliases)('%s means %s without a note', (from, to) => {
    expect(withTodaysName([...from.split(' '), 'word'], COMMANDS)).toEqual({
      args: [...to.split(' '), 'word'],
      former: undefined,
    });
  });

  it('a command of today is no former name', () => {
    expect(withTodaysName(['serve', 'tokens'], COMMANDS)).toEqual({ args: ['serve', 'tokens'] });
  });
});
