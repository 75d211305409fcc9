import fs from 'node:fs';
import path from 'node:path';
import type { Briefing } from '../../src/compile/receipt.ts';
import { extractTerms } from '../../src/search-index/text/terms.ts';
import { SLOT_OF, TAGS, type Tag } from '../../src/compile/slots.ts';
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

const PROJECTS = ['atlas', 'beacon', 'comet', 'delta', 'ember', 'fjord'];
const PROCEDURES = 8;
const STEPS = 5;

/**
 * What is being worked on, and how things are done: none of it answers a question, all of it has a slot to stand in. The words
 * of the questions are what calls the procedures, so that nearly every prompt has as many as may stand in it.
 */
export function storeFiles(questions: readonly string[]): Readonly<Record<string, string>> {
  const words = [...new Set(questions.flatMap((text) => text.toLowerCase().match(/[a-z]{3,}/gu) ?? []))];
  const telling = words.filter((word) => extractTerms(word).length > 0);
  const projects = PROJECTS.map((name, at): [string, string] => [
    `memory/graph/entities/project--${name}.md`,
    `---\nid: project--${name}\ntype: project\nname: ${name}\nstatus: active\n---\n\n# ${name}\n\n## Summary\n\n${fillerOf(40, at, 'Goal').slice(2)}\n`,
  ]);
  const procedures = Array.from({ length: PROCEDURES }, (_, at): [string, string] => {
    const keywords = telling.filter((_word, index) => index % PROCEDURES === at);
    const steps = Array.from({ length: STEPS }, (_, step) => {
      const [line = ''] = fillerOf(1, 100 + at * STEPS + step, 'Step').split('\n');
      return `${step + 1}. ${line.replace(/^- Step 1: /u, '')}`;
    });
    return [
      `memory/procedures/way-${at}.md`,
      `---\ntype: procedure\nkind: skill\nname: Way ${at}\ntriggers:\n  keywords: ${JSON.stringify(keywords)}\n---\n# Way ${at}\n\n## Steps\n${steps.join('\n')}\n`,
    ];
  });
  return Object.fromEntries([...projects, ...procedures]);
}

/** Writes them into a workspace. */
export function writeFixture(workspace: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(workspace, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
}

/** How much of each part prompts had, on average, and in how many of them it stood. */
export class SlotFill {
  #prompts = 0;
  readonly #tokens = new Map<Tag, number>();
  readonly #present = new Map<Tag, number>();

  add({ receipt }: Briefing): void {
    this.#prompts += 1;
    for (const { tag, tokens } of receipt.slots?.parts ?? []) {
      if (tokens === 0) continue;
      this.#tokens.set(tag, (this.#tokens.get(tag) ?? 0) + tokens);
      this.#present.set(tag, (this.#present.get(tag) ?? 0) + 1);
    }
  }

  report(): Record<string, { readonly tokens: number; readonly inPercent: number }> {
    const share = (sum: number): number => sum / Math.max(1, this.#prompts);
    return Object.fromEntries(
      TAGS.filter((tag) => this.#present.has(tag)).map((tag) => [
        `${SLOT_OF[tag]} ${tag}`,
        {
          tokens: Math.round(share(this.#tokens.get(tag) ?? 0)),
          inPercent: Math.round(share(this.#present.get(tag) ?? 0) * 1000) / 10,
        },
      ]),
    );
  }
}
