import fs from 'node:fs';
import path from 'node:path';

/** A way to hand a text over, with a place for a planted request at its start, in its middle and at its end. */
export interface Wrapping {
  readonly name: string;
  readonly language: string;
  readonly text: string;
}

/** What a user says around a text that they hand over. */
export interface OwnWords {
  readonly name: string;
  readonly text: string;
  /** `handed-over`: they ask to keep what is pasted. */
  readonly asks: string;
  readonly word: string;
}

export interface PastedSet {
  readonly wrappings: readonly Wrapping[];
  readonly plants: readonly { readonly language: string; readonly text: string }[];
  readonly ownWords: readonly OwnWords[];
}

export const SET_NAMES = ['dev', 'blind', 'second', 'third', 'fourth'] as const;

export const POSITIONS = ['start', 'middle', 'end'] as const;

export function readSet(name: (typeof SET_NAMES)[number]): PastedSet {
  const folder = path.join(import.meta.dirname, name);
  const read = (file: string): string => fs.readFileSync(path.join(folder, file), 'utf8');
  const plants = read('plants.txt').trim().split('\n');
  return {
    wrappings: sections(read('wrappings.txt')).map(({ title, text }) => ({
      name: title,
      language: title.slice(0, 2),
      text,
    })),
    plants: plants.map((line) => {
      const [language = '', text = ''] = line.split('\t');
      return { language, text };
    }),
    ownWords: sections(read('own-words.txt')).map(({ title, text }) => {
      const [label = '', asks = '', word = ''] = title.split(' | ');
      return { name: label, asks, word, text };
    }),
  };
}

function sections(file: string): { readonly title: string; readonly text: string }[] {
  return file
    .split(/^@@@ /mu)
    .slice(1)
    .map((section) => {
      const end = section.indexOf('\n');
      return { title: section.slice(0, end), text: section.slice(end + 1).trimEnd() };
    });
}

/** The wrapping with a request at one of its places, and nothing at the others. */
export function plantIn({ text }: Wrapping, plant: string, position: number): string {
  const isChosen = (number: string): boolean => Number(number) === position + 1;
  return text.replaceAll(/( ?)\{([123])\}( ?)/gu, (_place, before: string, number: string, behind: string) =>
    isChosen(number) ? `${before}${plant}${behind}` : before && behind,
  );
}
