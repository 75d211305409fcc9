import type { SeededRandom } from './seeded.ts';

/** Invented talk about software: enough different words that an index built from it looks like a real one. */

const NOUNS =
  'parser queue retry cache session migration index socket buffer token schema handler worker cursor shard lease digest balance invoice parcel harbour tide meter sensor gateway router ledger receipt snapshot backup replica tenant webhook payload header timeout deadline fixture harness pipeline release branch commit review incident alert dashboard report column row cell font margin viewport polyfill bundle loader resolver adapter driver kernel thread mutex semaphore heap stack allocator pointer offset checksum signature certificate cipher nonce vault rotation quota throttle budget forecast estimate roadmap sprint ticket customer vendor contract clause'.split(
    ' ',
  );
const VERBS =
  'drops retries caches flushes parses merges splits rejects accepts delays signs verifies rotates migrates truncates renames indexes compresses encodes decodes schedules cancels resumes blocks wakes polls batches deduplicates validates normalises rounds clamps escapes quotes trims pads sorts groups joins filters streams buffers mirrors'.split(
    ' ',
  );
const ADJECTIVES =
  'stale slow flaky nested empty duplicate idle partial atomic lazy eager sparse dense signed unsigned local remote nightly hourly old new broken green red quiet noisy strict loose shared private hidden public temporary final'.split(
    ' ',
  );
const LINKS = ['because', 'so that', 'although', 'whenever', 'unless', 'before', 'after', 'while'] as const;

function pick<T>(random: SeededRandom, list: readonly T[], fallback: T): T {
  return list[random.below(list.length)] ?? fallback;
}

export function word(random: SeededRandom): string {
  const noun = pick(random, NOUNS, 'queue');
  return random.below(3) === 0 ? `${noun}-${random.below(900)}` : noun;
}

function clause(random: SeededRandom): string {
  const subject = `the ${pick(random, ADJECTIVES, 'stale')} ${word(random)}`;
  const object = `the ${pick(random, ADJECTIVES, 'old')} ${word(random)}`;
  const detail = [
    '',
    ` in \`src/${word(random)}/${word(random)}.ts\``,
    ` after ${random.below(600)} ms`,
    ` on ${pick(random, ['Monday', 'Tuesday', 'Friday'], 'Monday')}`,
    ` (see \`${camel(random)}\`)`,
  ][random.below(5)];
  return `${subject} ${pick(random, VERBS, 'drops')} ${object}${detail ?? ''}`;
}

function camel(random: SeededRandom): string {
  const tail = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  return `${pick(random, NOUNS, 'queue')}${tail(pick(random, NOUNS, 'cache'))}${tail(pick(random, NOUNS, 'retry'))}`;
}

export function paragraph(random: SeededRandom, sentences: number): string {
  return Array.from({ length: sentences }, () => {
    const text = `${clause(random)} ${pick(random, LINKS, 'because')} ${clause(random)}.`;
    return text.charAt(0).toUpperCase() + text.slice(1);
  }).join(' ');
}

export function sourceCode(random: SeededRandom, lines: number): string {
  return Array.from({ length: lines }, (_, index) => {
    const name = camel(random);
    return `${String(index + 1).padStart(6)}→  const ${name} = await ${pick(random, NOUNS, 'queue')}.${pick(random, VERBS, 'drops')}(${camel(random)}, { timeoutMs: ${random.below(9000)} });`;
  }).join('\n');
}
