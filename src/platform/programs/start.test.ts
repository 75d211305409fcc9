import { describe, expect, it } from 'vitest';
import { splitCommand } from './start.ts';

describe('a command line', () => {
  it.each([
    ['vi', ['vi']],
    ['  code   --wait ', ['code', '--wait']],
    [String.raw`'/opt/my editor/bin' "-n" a\ b`, ['/opt/my editor/bin', '-n', 'a b']],
    [String.raw`"a \"b\" \\ \n"`, [String.raw`a "b" \ \n`]],
    [`ed''it "" it's more'`, ['edit', '', 'its more']],
    ['', []],
  ])('%j is split at blanks outside quotes', (text, words) => {
    expect(splitCommand(text, 'linux')).toEqual({ words, needsShell: false });
  });

  it.each([
    [String.raw`"C:\Program Files\x.exe" -n`, [String.raw`C:\Program Files\x.exe`, '-n']],
    [String.raw`C:\O'Brien\x.exe 'a b'`, [String.raw`C:\O'Brien\x.exe`, 'a b']],
    [String.raw`"C:\x\" y`, ['C:\\x\\', 'y']],
  ])('%j keeps its backslashes on Windows', (text, words) => {
    expect(splitCommand(text, 'win32').words).toEqual(words);
  });

  it.each(['a; b', 'a && b', 'a | b', 'a > b', 'a $B', 'a "$B"', 'a "`b`"', 'a\nb', 'a *', '~/a', '(a)'])(
    '%j is one that only a shell understands',
    (text) => {
      expect(splitCommand(text, 'linux').needsShell).toBe(true);
    },
  );

  it.each([`'a`, '"a', 'a\\'])('%j is refused, because it does not end', (text) => {
    expect(() => splitCommand(text, 'linux')).toThrow('does not close it');
  });
});
