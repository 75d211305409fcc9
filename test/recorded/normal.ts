import os from 'node:os';
import { systemClock } from '../../src/platform/clock.ts';
import { systemRandom } from '../../src/platform/random.ts';

/** Wednesday morning: nothing that is recorded within an hour crosses a day. */
const START_MS = Date.UTC(2026, 10, 18, 10);

/** So that everything happens within the same second, on a slow machine too. */
const SLOWER = 60;

/** Every recording happens at the same time of the same day, with the same chance; returns what ends that. */
export function atFixedTime(): () => void {
  const clock = systemClock as { now: () => number };
  const random = systemRandom as { bytes: (length: number) => Uint8Array };
  const { now } = clock;
  const { bytes } = random;
  const startedMs = Date.now();
  let count = 0;
  clock.now = () => START_MS + Math.floor((Date.now() - startedMs) / SLOWER);
  // Each greater than the one before: where ids break a tie, what was made first comes first.
  random.bytes = (length) => {
    count += 1;
    return Uint8Array.from({ length }, (_, at) =>
      at < 4 ? (count >> (8 * (3 - at))) & 255 : (count * (at + 7)) & 255,
    );
  };
  return () => {
    Object.assign(clock, { now });
    Object.assign(random, { bytes });
  };
}

/** What differs from run to run and from machine to machine, each by a name of its kind. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/\/(?:[\w.-]+\/)+mneme-(?:test|http)-\w+/gu, '<folder>'],
  // Where compiled code is kept depends on the checkout.
  [/(?<=kept in )\/\S+?(?=["\s]|$)/gmu, '<folder>'],
  [new RegExp(String.raw`(?<![\w-])${os.hostname()}(?![\w-])`, 'gu'), '<host>'],
  [/-?\b\d+\.\d{3,}(?:e-?\d+)?/gu, '<number>'],
  [/127\.0\.0\.1:\d+/gu, '<address>'],
  [/\bage1[a-z0-9]{20,}/gu, '<key>'],
  [/[A-Za-z0-9+/]{40,}=+|[A-Za-z0-9+_-]{43,}/gu, '<hash>'],
  [/(?:sha256:)?\b[0-9a-f]{12,}\b/gu, '<hash>'],
  [/(?<=index |\.\.|mneme-|commit |main at |[{,] "(?:commit|hash)": ")[0-9a-f]{7,12}\b/gu, '<hash>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8}\b/gu, '<hash>'],
  // Ids of items; the alphabet lacks letters that any English word of this length has.
  [/(?<![a-z0-9])[0-9a-hjkmnp-tv-z]{13}(?![a-z0-9])/gu, '<id>'],
  [/(?<=wrote:\[)[0-9a-z, ]+(?=\])/gu, '<ids>'],
  [/(?<=-)[0-9a-hjkmnp-tv-z]{5}(?=\.md)/gu, '<id>'],
  [/\b[0-9A-HJKMNP-TV-Z]{26}\b/gu, '<id>'],
  [/(?<=Code |"code": "|confirm |code )[0-9A-HJKMNP-TV-Z]{6}\b/gu, '<code>'],
  [/(?<= )[0-9A-HJKMNP-TV-Z]{8}(?= )/gu, '<id>'],
  [/(?<=rollback |approve |show |reject )[0-9A-HJKMNP-TV-Z]{8}\b/gu, '<id>'],
  [/\b20\d{6}T\d{6}Z/gu, '<time>'],
  [/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/gu, '<time>'],
  [/\b\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/gu, '<clock>'],
  [
    /(\w*(?:[mM]s|[bB]ytes|size|pid|port|latency|seconds|history|transcripts|freeBytes|load)\\?"?: ?)-?[\d.]+/gu,
    '$1<number>',
  ],
  [/\b\d+(?:\.\d+)? ?(?:ms|s|k|kB|KB|MB|GB|B|KiB|MiB|GiB|bytes)\b/gu, '<amount>'],
  // Writes that come close together become one or two commits, and the write-ahead log is as long as the time since.
  [/(?<="changes": |^ *20\d\d-\d\d-\d\d +)\d{2,}(?=,?$| +▇)/gmu, '<number>'],
  [/(?<="journalEnd": ")\d+:\d+/gu, '<place>'],
  [/(?<=: )\d{4,}(?=,?$)/gmu, '<number>'],
];

/** Text without what no two runs share. */
export function withoutChance(text: string): string {
  return MASKS.reduce((masked, [pattern, name]) => masked.replaceAll(pattern, name), text).trimEnd();
}

/** JSON for a reader: what a text breaks into lines stays lines. */
export function asText(value: unknown): string {
  return withoutChance((JSON.stringify(value, undefined, 1) ?? 'null').replaceAll(/(?<!\\)\\n/gu, '\n  | '));
}
