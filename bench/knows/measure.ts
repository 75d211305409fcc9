import type { MustNot, Need } from './person.ts';

/** Lines with at most one space before them begin a block; what is indented further belongs to it. */
const BEGINS_BLOCK = /^ ?\S/u;
const TAG = /^<\/?[a-z-]+>$/u;

/** Words that show that a line is not told as current. */
const IS_OVER =
  /~~|\b(?:formerly|previously|no longer|superseded|replaced|outdated|used to be|changed from|moved from|declined|rejected)\b/iu;

/** The pieces of an injected text: a heading with its lines, or a bullet. */
export function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || TAG.test(line)) continue;
    const last = blocks.at(-1);
    if (BEGINS_BLOCK.test(line) || last === undefined) blocks.push(line);
    else blocks[blocks.length - 1] = `${last}\n${line}`;
  }
  return blocks;
}

export function isTold({ allOf, anyOf }: Need, blocks: readonly string[]): boolean {
  return blocks.some((block) => {
    const said = block.toLowerCase();
    return (
      allOf.every((part) => said.includes(part)) && anyOf.every((group) => group.some((part) => said.includes(part)))
    );
  });
}

export function isStale({ allOf, unless }: MustNot, text: string): boolean {
  return text.split('\n').some((line) => {
    const said = line.toLowerCase();
    return (
      allOf.every((part) => said.includes(part)) && !unless.some((part) => said.includes(part)) && !IS_OVER.test(line)
    );
  });
}

const SAME = 0.8;
const FEWEST_WORDS = 4;

/** Whether two lines of an injected text say the same in nearly the same words. */
export function isToldTwice(blocks: readonly string[]): boolean {
  const lines = blocks.flatMap((block) => block.split('\n')).filter((line) => !/^[[#<]/u.test(line));
  const said = lines
    .map((line) => new Set(line.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu)))
    .filter(({ size }) => size >= FEWEST_WORDS);
  return said.some((one, at) =>
    said.slice(at + 1).some((other) => one.intersection(other).size / Math.min(one.size, other.size) >= SAME),
  );
}

const CHARACTERS_PER_TOKEN = 4;

export function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
