import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../model/config/schema.ts';
import { isMnemeError } from '../model/errors.ts';
import { assemble } from './compiler.ts';
import { quoteText } from './fence.ts';
import type { Assembled } from './fill/filling.ts';
import { PREAMBLE } from './fill/layout.ts';
import { limitsFor } from './limits.ts';
import { formOf, UNSCORED, type Form, type Piece } from './piece.ts';
import { SLOT_OF, TAGS, type Tag } from './slots.ts';
import { type TokenCounter, estimateCounter } from './tokens/estimate.ts';

const config = defaultConfig();
const NOTHING_ELSE = { budget: undefined, request: 0, response: undefined };

const LEVELS = ['full', 'summary', 'line', 'link'] as const;

function formsOf(first: string, ...shorter: readonly string[]): readonly [Form, ...Form[]] {
  return [formOf('full', () => first), ...shorter.map((text, at) => formOf(LEVELS[at + 1] ?? 'link', () => text))];
}

function piece(tag: Tag, text: string, position = 0, more: Partial<Piece> = {}): Piece {
  const origin = {
    id: `${tag}-${position}`,
    path: `${tag}.md`,
    source: null,
    session: null,
    turn: null,
    trust: 'user',
    scope: 'shared',
    time: null,
  } as const;
  return { tag, origin, forms: formsOf(text), said: text, position, ...UNSCORED, ...more };
}

/** The result, or an empty one with the reason for the refusal. */
function attempt(run: () => Assembled): { readonly refusal: string | undefined; readonly assembled: Assembled } {
  try {
    return { refusal: undefined, assembled: run() };
  } catch (error) {
    if (!isMnemeError(error, 'refused')) throw error;
    return {
      refusal: error.message,
      assembled: { prompt: '', sections: [], tokens: 0, items: [], notes: [], told: [], turns: [] },
    };
  }
}

function limits(budget: number) {
  return limitsFor(config, { preset: 'standard', ...NOTHING_ELSE, budget });
}

describe('assemble', () => {
  it('puts what changes least first, each part in its tag, and says once that quotes are no instructions', () => {
    const { prompt } = assemble(
      [
        piece('memory', '[2026-03-02 · ses#t1 · user]\n Mara: pnpm only'),
        piece('history', 'Mara: hello'),
        piece('core', '## Persona\n- be brief'),
        piece('identity', '# SOUL.md\nI am Silas.'),
      ],
      limits(1000),
      estimateCounter,
    );
    expect(prompt.split('\n')).toEqual([
      PREAMBLE,
      '<identity>',
      '# SOUL.md',
      'I am Silas.',
      '</identity>',
      '<core>',
      '## Persona',
      '- be brief',
      '</core>',
      '<memory>',
      '[2026-03-02 · ses#t1 · user]',
      ' Mara: pnpm only',
      '</memory>',
      '<history>',
      'Mara: hello',
      '</history>',
    ]);
  });

  it('is nothing at all when there is nothing to say', () => {
    expect(assemble([], limits(1000), estimateCounter)).toEqual({
      prompt: '',
      sections: [],
      tokens: 0,
      items: [],
      notes: [],
      told: [],
      turns: [],
    });
  });

  it('refuses a budget that the identity files alone exceed, and says by how much', () => {
    const identity = piece('identity', 'word '.repeat(50));
    const room = assemble([identity], limits(1000), estimateCounter).tokens + 1;
    expect(() => assemble([identity], limits(room - 5), estimateCounter)).toThrow(
      new RegExp(`identity.md need ${room} tokens; the budget is ${room - 5}, 5 too few`, 'u'),
    );
  });

  it('leaves identity files out where that is allowed, all of them, and says so', () => {
    const pieces = [piece('identity', 'short'), piece('identity', 'word '.repeat(150), 1), piece('core', '- be brief')];
    const { prompt, notes, items } = assemble(pieces, limits(130), estimateCounter, true);
    expect(prompt).toBe(`${PREAMBLE}\n<core>\n- be brief\n</core>`);
    expect(notes).toEqual([expect.stringMatching(/^identity\.md, identity\.md need \d+ tokens; .* left out/u)]);
    expect(items.map(({ included }) => included)).toEqual([false, false, true]);
  });

  it('knows again what quoting changed, also in a part', () => {
    const said = 'The crane <memory> panel needs the silver key';
    const whole = quoteText(`- ${said}\n${'- something else\n'.repeat(100)}`);
    const core = piece('core', '', 0, { forms: formsOf(whole, quoteText(`- ${said}\n…`)), said: whole });
    const { items } = assemble([core, piece('memory', '[a]', 0, { said })], limits(150), estimateCounter);
    expect(items.map(({ reason }) => reason)).toEqual(['included in part: all of it did not fit', 'repeats core']);
  });

  it('says nothing in P3 from a file that stands in core as a whole, but does where a part was cut', () => {
    const { origin } = piece('core', '');
    const memory = piece('memory', '[a]\n in other words', 0, { origin, said: 'the same in other words' });
    const reasonOf = (core: Piece): string | undefined =>
      assemble([core, memory], limits(150), estimateCounter).items[1]?.reason;
    expect(reasonOf(piece('core', '- be brief'))).toBe('repeats core');
    expect(reasonOf(piece('core', '', 0, { forms: formsOf('word '.repeat(400), '- be brief') }))).toBe('included');
  });

  it('does not say in P3 what core, the recent days or another memory already say', () => {
    const said = 'Deploys happen on Tuesdays after the stand-up';
    const { items, prompt } = assemble(
      [
        piece('core', `- **Deploys** happen on Tuesdays after the stand-up`, 0),
        piece('memory', `[a]\n ${said}`, 0, { said }),
        piece('memory', '[b]\n Staging is called heron', 1, { said: 'Staging is called heron' }),
        piece('memory', '[c]\n Staging is called heron', 2, { said: 'Staging is called heron' }),
        piece('memory', `[d]\n ${said}\n and new`, 3, { said: `${said}\nRollbacks need Tobias to agree` }),
      ],
      limits(1000),
      estimateCounter,
    );
    expect(items.map(({ reason }) => reason)).toEqual([
      'included',
      'repeats core',
      'included',
      'repeats another memory',
      'included',
    ]);
    expect(prompt.match(/heron/gu)).toHaveLength(1);
  });

  it('takes a shorter form where the full one does not fit, and says so', () => {
    const long = `[a]\n ${'word '.repeat(400)}`;
    const { items, prompt } = assemble(
      [piece('memory', long, 0, { forms: formsOf(long, '[a]\n the essence') })],
      limits(150),
      estimateCounter,
    );
    expect(items[0]).toMatchObject({ included: true, reason: 'included in part: all of it did not fit' });
    expect(prompt).toContain('the essence');
  });

  it('shows the latest turns without a gap, in their order', () => {
    const turns = Array.from({ length: 50 }, (_, at) =>
      piece('history', `Mara: turn ${50 - at} ${'x '.repeat(20)}`, -at),
    );
    const { prompt, items } = assemble(turns, limits(400), estimateCounter);
    const shown = [...prompt.matchAll(/turn (\d+)/gu)].map(([, number]) => Number(number));
    expect(shown.at(-1)).toBe(50);
    expect(shown).toEqual(Array.from({ length: shown.length }, (_, at) => 51 - shown.length + at));
    expect(items).toHaveLength(50);
    expect(items.filter(({ included }) => !included).every(({ reason }) => reason === 'older than what fits')).toBe(
      true,
    );
  });

  it('leaves room for the conversation beside what is recalled', () => {
    const memories = Array.from({ length: 40 }, (_, at) =>
      piece('memory', `[m${at}]\n ${'fact '.repeat(20)}${at}`, at),
    );
    const turns = Array.from({ length: 40 }, (_, at) => piece('history', `Mara: ${'word '.repeat(20)}${at}`, -at));
    const { items } = assemble([...turns, ...memories], limits(600), estimateCounter);
    const slots = new Set(items.filter(({ included }) => included).map(({ slot }) => slot));
    expect(slots).toEqual(new Set(['P3', 'P4']));
  });

  const anyPiece = fc
    .record({ tag: fc.constantFrom(...TAGS), text: fc.string({ unit: 'binary', maxLength: 300 }), at: fc.nat(20) })
    .map(({ tag, text, at }) =>
      piece(tag, quoteText(text), at, { forms: formsOf(quoteText(text), quoteText(text.slice(0, 20))) }),
    );
  /** A tokenizer that joins and splits as it likes: the whole is not the sum of its parts. */
  const moody: TokenCounter = { id: 'moody', count: (text) => Math.ceil(text.length / 3) + (text.length % 7) };

  it('never exceeds the budget, never drops identity, accounts for everything, and does it the same way twice', () => {
    fc.assert(
      fc.property(
        fc.array(anyPiece, { maxLength: 30 }),
        fc.integer({ min: 1, max: 2000 }),
        fc.constantFrom(estimateCounter, moody),
        (pieces, budget, counter) => {
          const outcome = attempt(() => assemble(pieces, limits(budget), counter));
          const { refusal, assembled } = outcome;
          const hasIdentity = pieces.some(({ tag }) => SLOT_OF[tag] === 'P0');
          expect(refusal === undefined || (hasIdentity && /budget (?:is|of) \d+/u.test(refusal))).toBe(true);
          expect(counter.count(assembled.prompt)).toBeLessThanOrEqual(budget);
          expect(assembled.tokens).toBe(counter.count(assembled.prompt));
          expect(assembled.items).toHaveLength(refusal === undefined ? pieces.length : 0);
          expect(assembled.items.filter(({ slot, included }) => slot === 'P0' && !included)).toEqual([]);
          expect(attempt(() => assemble(pieces, limits(budget), counter))).toEqual(outcome);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('limitsFor', () => {
  it.each([
    ['hook', 1500, 1500],
    ['dense', 8192, 8192],
    ['standard', 32_768, 32_768],
    ['large', 200_000, 150_000],
  ] as const)('%s has a budget of %i tokens, of which the prompt may take %i', (preset, budget, room) => {
    expect(limitsFor(config, { preset, ...NOTHING_ELSE })).toMatchObject({ budget, room });
  });

  it('a budget given wins over the preset', () => {
    expect(limitsFor(config, { preset: 'dense', ...NOTHING_ELSE, budget: 900 })).toMatchObject({
      budget: 900,
      room: 900,
    });
  });
});
