import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { SeededRandom } from '../../test/support/seeded-random.ts';

/** A graph as large as the benchmark asks for: names of people and things, facts with dates, and edges with hubs among them. */
export interface Sizes {
  readonly entities: number;
  readonly relations: number;
  readonly facts: number;
}

export interface MadeEntity {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

const SYLLABLES =
  'ba be bo da de do fa fe ga go ha ho ja jo ka ko la le lo ma me mo na ne no pa po ra re ro sa so ta te to va ve wa za zo'.split(
    ' ',
  );
const ENDS = 'n r s l k m nd rt lf st x'.split(' ');
const TYPES = ['person', 'person', 'person', 'organization', 'project', 'place', 'tool', 'concept'];
const RELATIONS: Readonly<Record<string, readonly string[]>> = {
  person: ['knows', 'works-with', 'relates-to', 'prefers', 'family-of'],
  organization: ['owns', 'part-of', 'relates-to'],
  project: ['uses', 'depends-on', 'relates-to'],
  place: ['part-of', 'relates-to'],
  tool: ['depends-on', 'relates-to'],
  concept: ['relates-to', 'inspired-by'],
};
const TOPICS =
  'harbour garden invoice tile cache violin bakery glacier parser clinic tram orchard budget sensor archive recipe'.split(
    ' ',
  );

/** Writes the files of a graph into a workspace and commits them, as an import would have left them. */
export function fillGraph(root: string, { entities, relations, facts }: Sizes): MadeEntity[] {
  const random = new SeededRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random.number() * list.length)] as T;
  const word = (): string => {
    const text =
      Array.from({ length: 2 + Math.floor(random.number() * 2) }, () => pick(SYLLABLES)).join('') + pick(ENDS);
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const made: MadeEntity[] = [];
  for (let index = 0; index < entities; index += 1) {
    const type = pick(TYPES);
    const name =
      type === 'person' ? `${word()} ${word()}` : `${word()} ${word()}${index % 3 === 0 ? ` ${word()}` : ''}`;
    made.push({ id: `${type}--e${index}-${name.toLowerCase().replaceAll(' ', '-')}`, name, type });
  }
  const folder = path.join(root, 'memory/graph/entities');
  fs.mkdirSync(folder, { recursive: true });
  const perEntity = { relations: relations / entities, facts: facts / entities };
  let item = 0;
  const anchor = (): string =>
    (item += 1)
      .toString(36)
      .padStart(13, '0')
      .replaceAll(/[ilou]/gu, 'z');
  for (const { id, name, type } of made) {
    const factLines = Array.from({ length: perEntity.facts }, (_, at) => {
      const year = 2018 + Math.floor(random.number() * 8);
      return `- ${name} ${pick(['keeps', 'visited', 'wrote', 'likes', 'repaired'])} the ${pick(TOPICS)} ${pick(TOPICS)} number ${at}. <!-- from:${year} learned:2026-0${1 + (at % 9)}-11 --> ^${anchor()}`;
    });
    // A few are known to everybody, as in life: the square makes the first of them hubs.
    const edgeLines = Array.from({ length: perEntity.relations }, () => {
      const other = made[Math.floor(random.number() ** 2 * made.length)] ?? made[0];
      return `- ${pick(RELATIONS[type] ?? ['relates-to'])} [[${other?.id ?? ''}]] <!-- learned:2026-03-01 --> ^${anchor()}`;
    });
    const head = `---\nid: ${id}\ntype: ${type}\nname: ${name}\naliases: []\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n\n# ${name}\n`;
    fs.writeFileSync(
      path.join(folder, `${id}.md`),
      `${head}\n## Facts\n\n${factLines.join('\n')}\n\n## Relations\n\n${edgeLines.join('\n')}\n`,
    );
  }
  execFileSync('git', ['add', '-A'], { cwd: root });
  execFileSync('git', ['commit', '-q', '-m', 'graph'], { cwd: root });
  return made;
}
