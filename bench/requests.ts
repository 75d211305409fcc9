import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { wishesIn } from '../src/capture/triggers/detect.ts';
import { readRequests, type LabelledRequest } from './requests/labelled.ts';

/**
 * How often the product recognises what a message asks of the memory: `npm run bench:requests -- --data FILE_OR_FOLDER`.
 * Prints for each author and language the share of right answers, of false requests among messages that ask nothing, of
 * missed and mistaken requests, and how much of what a request is about is found. `--show 20` prints mistakes as well.
 */
const { values: given } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: ['training/data/requests'] },
    show: { type: 'string', default: '0' },
  },
});

interface Answered extends LabelledRequest {
  readonly author: string;
  readonly answers: readonly string[];
  readonly content: string | undefined;
}

const files = given.data.flatMap((place) =>
  fs.statSync(place).isDirectory()
    ? fs
        .readdirSync(place)
        .filter((name) => name.endsWith('.tsv'))
        .sort()
        .map((name) => path.join(place, name))
    : [place],
);

const startedMs = performance.now();
const answered = files.flatMap((file) => readRequests(file).map((request) => answer(path.parse(file).name, request)));
const perMessageMs = (performance.now() - startedMs) / Math.max(1, answered.length);

print('all', answered);
for (const by of ['author', 'language'] as const)
  for (const name of new Set(answered.map((request) => request[by])))
    print(
      `${by} ${name}`,
      answered.filter((request) => request[by] === name),
    );
console.log(`${perMessageMs.toFixed(1)} ms a message`);
for (const { label, language, answers, message } of answered
  .filter((each) => !isRight(each))
  .slice(0, Number(given.show)))
  console.log(`${label} -> ${answers.join('+') || 'none'} (${language}) ${message.slice(0, 200)}`);

function answer(author: string, request: LabelledRequest): Answered {
  const found = wishesIn(
    { role: 'user', name: undefined, parts: [{ kind: 'text', text: request.message }] },
    undefined,
  );
  return { ...request, author, answers: found.map(({ kind }) => kind), content: found[0]?.content };
}

/** A message has one label: whoever finds it and something else beside it is wrong. */
function isRight({ label, answers }: Answered): boolean {
  return new Set(answers).size <= 1 && (answers[0] ?? 'none') === label;
}

function print(name: string, requests: readonly Answered[]): void {
  const asking = requests.filter(({ label }) => label !== 'none');
  const others = requests.filter(({ label }) => label === 'none');
  const about = asking.filter((request) => request.what !== '-' && isRight(request));
  const columns = [
    `right ${share(requests, isRight)}`,
    `false ${share(others, ({ answers }) => answers.length > 0)}`,
    `missed ${share(asking, ({ answers }) => answers.length === 0)}`,
    `what ${mean(about.map(overlap)).toFixed(3)}`,
  ];
  console.log(`${name.padEnd(12)} ${String(requests.length).padStart(5)}  ${columns.join('  ')}`);
}

/** Words in common, as a share of the words of either. */
function overlap({ what, content }: Answered): number {
  const [one, other] = [wordsOf(what), wordsOf(content ?? '')];
  const common = [...one].filter((word) => other.has(word)).length;
  return common / Math.max(1, one.size + other.size - common);
}

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
}

function share<T>(items: readonly T[], holds: (item: T) => boolean): string {
  return mean(items.map((item) => (holds(item) ? 1 : 0))).toFixed(3);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
