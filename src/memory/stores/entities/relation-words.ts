import { relationName } from '../../../workspace/formats/entity-items.ts';
import { relationProblem, type Ontology } from '../../../workspace/formats/relations.ts';

/** An edge as the ontology allows it to be written. */
export interface FittedRelation {
  readonly relation: string;
  /** Why it is not written as it was said; undefined when it is. */
  readonly note: string | undefined;
  /** Why the ontology has no place for it; undefined when it has one. */
  readonly problem: string | undefined;
  /** The ontology's word for it, whether or not it is allowed here. */
  readonly named: string;
}

/** Connected, and no better word is known. */
const GENERAL = 'relates-to';

/** Common synonyms, each with the ontology's word, or where it lacks one, a wider word. */
const SYNONYMS: Readonly<Record<string, string>> = {
  'works-at': 'works-for',
  'works-in': 'works-for',
  'employed-by': 'works-for',
  'employed-at': 'works-for',
  'colleague-of': 'works-with',
  'collaborates-with': 'works-with',
  'friend-of': 'knows',
  'friends-with': 'knows',
  'married-to': 'family-of',
  'husband-of': 'married-to',
  'wife-of': 'married-to',
  'sister-of': 'sibling-of',
  'brother-of': 'sibling-of',
  'sibling-of': 'family-of',
  'mother-of': 'parent-of',
  'father-of': 'parent-of',
  'parent-of': 'family-of',
  'child-of': 'family-of',
  'partner-of': 'family-of',
  'related-to': GENERAL,
  'lives-in': 'located-in',
  'based-in': 'located-in',
  'located-at': 'located-in',
  builds: 'develops',
  maintains: 'develops',
  'works-on': 'develops',
  'built-by': 'developed-by',
  leads: 'manages',
  'boss-of': 'manages',
  'reports-to': 'managed-by',
  'belongs-to': 'part-of',
  'member-of': 'part-of',
  'runs-on': 'deployed-on',
  'hosted-on': 'deployed-on',
  includes: 'contains',
  requires: 'depends-on',
  needs: 'depends-on',
  likes: 'prefers',
  loves: 'prefers',
  dislikes: 'avoids',
  hates: 'avoids',
  replaces: 'supersedes',
  'replaced-by': 'superseded-by',
};

/** The relation in the ontology's words; what it has no word for, or does not allow here, becomes the general one. */
export function fitRelation(
  ontology: Ontology,
  said: string,
  fromType: string,
  toType: string | undefined,
): FittedRelation {
  const name = relationName(said);
  const known = nearestRelation(ontology, name);
  if (known === undefined) {
    const problem = `relations.md has no word for "${name}".`;
    const note = `${problem.replace(/\.$/u, '')}; it is kept as ${GENERAL}.`;
    return { relation: GENERAL, note, problem, named: name };
  }
  const problem = relationProblem(ontology, known, fromType, toType);
  if (problem !== undefined) {
    return { relation: GENERAL, note: `${problem} It is kept as ${GENERAL}.`, problem, named: known };
  }
  const note = known === name ? undefined : `"${name}" is written as ${known}.`;
  return { relation: known, note, problem: undefined, named: known };
}

function nearestRelation({ relations }: Ontology, name: string): string | undefined {
  if (relations.has(name)) return name;
  for (let synonym = SYNONYMS[name]; synonym !== undefined; synonym = SYNONYMS[synonym])
    if (relations.has(synonym)) return synonym;
  const stem = stemOf(name);
  const alike = [...relations.keys()].filter((known) => stemOf(known) === stem || isTypo(name, known));
  return alike.length === 1 ? alike[0] : undefined;
}

/** `develop`, `develops`, `developing` are one word; the rest tells relations apart (`uses`, `used-by`). */
function stemOf(relation: string): string {
  const [verb = '', ...rest] = relation.split('-');
  return [verb.replace(/(?:ing|s)$/u, '').replace(/e$/u, ''), ...rest].join('-');
}

/** One slip of the hand in a word long enough that no other word is that near. */
function isTypo(said: string, known: string): boolean {
  if (Math.min(said.length, known.length) < 6 || Math.abs(said.length - known.length) > 1) return false;
  let start = 0;
  while (start < said.length && said[start] === known[start]) start += 1;
  let end = 0;
  const room = Math.min(said.length, known.length) - start;
  while (end < room && said.at(-1 - end) === known.at(-1 - end)) end += 1;
  const rest = [said.slice(start, said.length - end), known.slice(start, known.length - end)];
  const isSwap = rest[0]?.length === 2 && rest[0] === [...(rest[1] ?? '')].reverse().join('');
  return isSwap || rest.every((part) => part.length <= 1);
}
