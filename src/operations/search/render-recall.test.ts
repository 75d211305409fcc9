import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStyle } from '../command-line/style.ts';
import { snippetLines } from './render-recall.ts';

const plainStyle = createStyle(false);
const colours = createStyle(true);

describe('snippetLines', () => {
  it('marks the words asked for, and only them', () => {
    const [line] = snippetLines(colours, 'We deploy on Tuesdays', [[3, 9]], { width: 80, maxLines: 3 });
    expect(line).toBe('We \u001B[1m\u001B[33mdeploy\u001B[39m\u001B[22m on Tuesdays');
  });

  it('marks a word on both sides of a line break', () => {
    const lines = snippetLines(colours, 'aaaa bbbb', [[3, 7]], { width: 5, maxLines: 3 });
    expect(lines).toEqual([
      'aaa\u001B[1m\u001B[33ma\u001B[39m\u001B[22m',
      '\u001B[1m\u001B[33mbb\u001B[39m\u001B[22mbb',
    ]);
  });

  it('shows the lines around the marks of a long text and says that there is more', () => {
    const text = ['one', 'two', 'three', 'four match', 'five', 'six'].join('\n');
    const lines = snippetLines(plainStyle, text, [[19, 24]], { width: 80, maxLines: 3 });
    expect(lines).toEqual(['… three', 'four match', 'five …']);
  });

  it('leaves out a day that only repeats the headline', () => {
    expect(snippetLines(plainStyle, '31 January 2026\nuser: hi', [], { width: 80, maxLines: 3 })).toEqual(['user: hi']);
  });

  it('breaks scripts without spaces by the columns they take', () => {
    expect(snippetLines(plainStyle, '東京の会議', [], { width: 4, maxLines: 9 })).toEqual(['東京', 'の会', '議']);
  });

  it('ends for every text and width, and loses no letter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (text, width) => {
        const lines = snippetLines(plainStyle, text, [], { width, maxLines: 1000 });
        const letters = (given: string): string => given.replaceAll(/\s/gu, '');
        expect(letters(lines.join(''))).toBe(letters(text));
      }),
    );
  });
});
