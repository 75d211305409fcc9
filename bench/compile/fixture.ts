import { CHARACTERS_PER_TOKEN } from '../../src/retrieve/fit.ts';
import { seededRandom } from '../logs/seeded.ts';

const SUBJECTS = 'The agent;Every answer;A reply;Work;A summary;The tone;A plan;Feedback'.split(';');
const VERBS = 'stays;remains;is kept;should be;is meant to be;has to be;is'.split(';');
const WAYS = 'short;calm;exact;friendly;honest;polite;useful;plain;careful;steady;patient'.split(';');
const ENDS =
  'when somebody is in a hurry;whatever the hour is;before anything is changed;as long as nothing else was agreed;also in long threads;and names its source;unless a person asks for more;even when the news is bad'.split(
    ';',
  );

/** Sentences that say nothing a question asks for, of this many tokens of four characters. */
export function fillerOf(tokens: number, seed: number, mark: string): string {
  const random = seededRandom(seed);
  const pick = (words: readonly string[]): string => words[random.below(words.length)] ?? '';
  const lines: string[] = [];
  let characters = 0;
  for (let number = 1; characters < tokens * CHARACTERS_PER_TOKEN; number += 1) {
    const line = `- ${mark} ${number}: ${pick(SUBJECTS)} ${pick(VERBS)} ${pick(WAYS)} and ${pick(WAYS)} ${pick(ENDS)}.`;
    lines.push(line);
    characters += line.length + 1;
  }
  return lines.join('\n');
}

/** What always stands in the prompt before anything is recalled: identity 800 and core 1 200 tokens at 8 K. */
export function fixtureFiles(share: number): Readonly<Record<string, string>> {
  const core = ['Identity', 'Active Context', 'Persona', 'Critical Facts'].map(
    (title, at) => `## ${title}\n\n${fillerOf(300 * share, 10 + at, 'Rule')}\n`,
  );
  return {
    'SOUL.md': `# Soul\n\n${fillerOf(800 * share, 1, 'Trait')}\n`,
    'MEMORY.md': `# Core Memory\n\n${core.join('\n')}`,
  };
}
