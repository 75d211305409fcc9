import { describe, expect, test } from 'vitest';
import { StoreHome } from '../stores/testing/store-home.ts';
import { findContradictions } from './contradictions.ts';
import { Graph } from './graph.ts';

const FOLDER = 'memory/graph/entities';
const MOMENT = { at: '2026-11-15' };

class GraphHome extends StoreHome {
  readonly graph = new Graph(this.root, this.registry);

  make(id: string, body = '', more = ''): this {
    const [type = '', name = ''] = id.split('--');
    const words = name.charAt(0).toUpperCase() + name.slice(1);
    this.write(
      `${FOLDER}/${id}.md`,
      `---\nid: ${id}\ntype: ${type}\nname: ${words}\n${more}---\n\n# ${words}\n${body}`,
    );
    return this;
  }

  links(id: string): string[] {
    return this.graph.network
      .links(`${FOLDER}/${id}.md`)
      .map(({ edge, direction, other }) => `${direction} ${edge.relation} ${other.slice(FOLDER.length + 1, -3)}`);
  }

  findings(): string[] {
    return findContradictions(this.graph, MOMENT).map(({ kind, message }) => `${kind}: ${message}`);
  }
}

function relations(...lines: readonly string[]): string {
  return `\n## Relations\n\n${lines.map((line) => `- ${line}\n`).join('')}`;
}

describe('links', () => {
  test('are seen from both ends, by id, by file name and in any case', () => {
    const home = new GraphHome();
    home.make('person--ada', relations('develops [[Project--X|X]]', 'knows [[bo-file]]', 'knows [[person--nobody]]'));
    home.make('project--x');
    home.write(`${FOLDER}/bo-file.md`, '---\nid: person--bo\ntype: person\nname: Bo\n---\n');
    expect(home.links('person--ada')).toEqual(['out develops project--x', 'out knows bo-file']);
    expect(home.links('project--x')).toEqual(['in develops person--ada']);
  });

  test('lead on to what an entity was merged into, and its own count as the other’s', () => {
    const home = new GraphHome();
    home.make('person--ada', relations('knows [[person--old]]'));
    home.make('person--bo').make('person--cy');
    home.make('person--old', relations('knows [[person--cy]]'), 'status: merged\nmerged_into: person--bo\n');
    expect(home.links('person--bo')).toEqual(['out knows person--cy', 'in knows person--ada']);
    expect(home.links('person--cy')).toEqual(['in knows person--bo']);
  });

  test('follow every write, appearance and disappearance of a file', () => {
    const home = new GraphHome();
    home.make('person--ada', relations('knows [[person--bo]]'));
    expect(home.links('person--ada')).toEqual([]);
    home.make('person--bo');
    expect(home.links('person--bo')).toEqual(['in knows person--ada']);
    home.make('person--ada', relations('family-of [[person--bo]]'));
    expect(home.links('person--bo')).toEqual(['in family-of person--ada']);
    home.make('person--ada');
    expect(home.links('person--bo')).toEqual([]);
  });

  test('do not leave a private scope', () => {
    const home = new GraphHome();
    home.make('person--ada', relations('knows [[person--bo]]'));
    home.write(
      `memory/scopes/project--x/${FOLDER}/person--bo.md`,
      '---\nid: person--bo\ntype: person\nname: Bo\n---\n',
    );
    expect(home.links('person--ada')).toEqual([]);
  });
});

describe('ways', () => {
  const home = new GraphHome();
  home.make('person--a', relations('knows [[person--b]]', 'knows [[person--x]]'));
  home.make('person--b', relations('knows [[person--c]] <!-- until:2025 -->'));
  home.make('person--c', relations('knows [[person--d]]')).make('person--d');
  home.make('person--x', relations('knows [[person--y]]')).make('person--y', relations('knows [[person--d]]'));
  home.make('person--alone');
  const at = (name: string): string => `${FOLDER}/person--${name}.md`;
  const path = (from: string, to: string, when = '2026-11-15'): string[] | undefined =>
    home.graph.path(at(from), at(to), { moment: { at: when }, maxSteps: 10 })?.map(({ other }) => other.slice(-4, -3));

  test('the shortest of what holds at the time', () => {
    expect(path('a', 'd')).toEqual(['x', 'y', 'd']);
    expect(path('a', 'c', '2024-01-01')).toEqual(['b', 'c']);
    expect(path('d', 'a')).toEqual(['y', 'x', 'a']);
    expect(path('a', 'a')).toEqual([]);
    expect(path('a', 'alone')).toBeUndefined();
  });

  test('a neighbourhood grows step by step and says when it was cut', () => {
    const around = (depth: number, maxReached = 100): [string[], boolean] => {
      const { reached, isCut } = home.graph.neighbours(at('a'), {
        moment: MOMENT,
        depth,
        maxNeighbours: 50,
        maxReached,
      });
      return [[...reached.keys()].map((found) => found.slice(-4, -3)), isCut];
    };
    expect(around(1)).toEqual([['a', 'b', 'x'], false]);
    expect(around(2)).toEqual([['a', 'b', 'x', 'y'], false]);
    expect(around(6, 3)).toEqual([['a', 'b', 'x'], true]);
  });
});

describe('names', () => {
  const home = new GraphHome();
  home.make('person--kowalski', '', 'aliases: ["Vera Kowalski", Verena]\n');
  home.make('project--atlas').make('project--atlantis');
  const find = (name: string): string[] =>
    home.graph.findByName(name).map(({ path }) => path.slice(FOLDER.length + 1, -3));

  test.each([
    ['Vera Kowalski', 'person--kowalski'],
    ['vera kowalsky', 'person--kowalski'],
    ['Kowalski, Vera', 'person--kowalski'],
    ['Vreena', 'person--kowalski'],
    ['Altas', 'project--atlas'],
  ])('%s', (said, id) => {
    expect(find(said)[0]).toBe(id);
  });

  test('nothing for what nobody is called, and names follow their files', () => {
    expect(find('Zzyzx Qwerty')).toEqual([]);
    home.make('person--new', '', 'aliases: [Quentin]\n');
    expect(find('Quentn')).toEqual(['person--new']);
    home.make('person--new');
    expect(find('Quentn')).toEqual([]);
  });
});

describe('contradictions', () => {
  test('two values of one property at a time, and not one after the other', () => {
    const home = new GraphHome();
    const facts =
      '\n## Facts\n\n- Lives in Graz. <!-- attribute:residence value:Graz from:2026 --> ^aaaaaaaaaaaaa\n- Lives in Rome. <!-- attribute:residence value:Rome until:2025 --> ^bbbbbbbbbbbbb\n';
    home.make('person--ada', facts);
    expect(home.findings()).toEqual([]);
    home.make('person--ada', `${facts}- Lives in Wien. <!-- attribute:Residence value:Wien --> ^ccccccccccccc\n`);
    expect(home.findings()).toEqual([
      'two-values: Ada has more than one residence at a time: "Graz" (^aaaaaaaaaaaaa) and "Wien" (^ccccccccccccc).',
    ]);
  });

  test('the same property of two things in one file is no contradiction', () => {
    const home = new GraphHome();
    const facts =
      '\n## Facts\n\n- The crane database listens on port 4100. <!-- attribute:port value:4100 --> ^aaaaaaaaaaaaa\n- Redis listens on port 6379. <!-- attribute:port value:6379 --> ^bbbbbbbbbbbbb\n';
    home.make('person--ada', facts);
    expect(home.findings()).toEqual([]);
    home.make('person--ada', `${facts}- redis runs on port 6400. <!-- attribute:port value:6400 --> ^ccccccccccccc\n`);
    expect(home.findings()).toEqual([
      'two-values: Ada has more than one port at a time: "6379" (^bbbbbbbbbbbbb) and "6400" (^ccccccccccccc).',
    ]);
  });

  test('circles, opposites, wrong ends, unknown words, dangling links, dates, properties', () => {
    const home = new GraphHome();
    home
      .make('project--a', relations('part-of [[project--b]]'))
      .make('project--b', relations('part-of [[project--a]]'));
    home.make(
      'person--ada',
      relations(
        'prefers [[project--a]]',
        'avoids [[project--a]]',
        'employs [[project--a]]',
        'eats [[project--b]]',
        'knows [[person--gone]]',
        'owns [[project--b]] <!-- from:2026-05 until:2025 -->',
      ),
      'properties: {birthday: soon}\n',
    );
    expect(home.findings().map((finding) => finding.slice(0, finding.indexOf(':')))).toEqual([
      'wrong-property',
      'stance',
      'wrong-ends',
      'unknown-relation',
      'dangling-link',
      'dates',
      'circle',
    ]);
  });

  test('what was concluded from something that has ended', () => {
    const home = new GraphHome();
    home.make(
      'project--a',
      relations(
        'part-of [[project--b]] ^aaaaaaaaaaaaa',
        'part-of [[project--c]] <!-- source:inferred premises:[aaaaaaaaaaaaa, bbbbbbbbbbbbb] --> ^ccccccccccccc',
      ),
    );
    home.make('project--b', relations('part-of [[project--c]] ^bbbbbbbbbbbbb')).make('project--c');
    expect(home.findings()).toEqual([]);
    home.make('project--b', relations('~~part-of [[project--c]]~~ (until 2026-01) ^bbbbbbbbbbbbb'));
    expect(home.findings()).toHaveLength(1);
    expect(home.findings()[0]).toMatch(/^premise-ended: .*\^bbbbbbbbbbbbb, which no longer holds/u);
  });

  test('a file of ten megabytes and one that is broken are found by name, told, and left alone', () => {
    const home = new GraphHome();
    const large = `---\nid: person--large\ntype: person\nname: Large\n---\n\n## Facts\n\n${'- A fact that is long enough.\n'.repeat(345_000)}`;
    home.write(`${FOLDER}/person--large.md`, large);
    home.write(`${FOLDER}/person--broken.md`, '---\nname: [Broken\n---\n\n# Broken\n');
    expect(home.graph.get('Large').id).toBe('person--large');
    expect(home.findings().map((finding) => finding.slice(0, 40))).toEqual([
      'damaged-file: Broken: its frontmatter is',
      'damaged-file: Large: it has 10 MB, more ',
    ]);
    expect(home.read(`${FOLDER}/person--large.md`)).toBe(large);
  });
});
