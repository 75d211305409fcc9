import { describe, expect, test } from 'vitest';
import { parseDocument } from '../markdown/document.ts';
import { parseOntology, propertyProblems, relationProblem } from './relations.ts';
import { RELATIONS_TEMPLATE } from './relations-template.ts';

const standard = parseOntology(parseDocument(RELATIONS_TEMPLATE));

describe('ontology', () => {
  test('a bullet gives name, inverse, nature, ends and meaning', () => {
    const bullet = '- `part-of` / `contains` (transitive) — project, tool → organization: sits inside\n';
    expect(parseOntology(parseDocument(bullet)).relations.get('part-of')).toEqual({
      name: 'part-of',
      inverse: 'contains',
      domain: ['project', 'tool'],
      range: ['organization'],
      isTransitive: true,
      isSymmetric: false,
      description: 'sits inside',
    });
  });

  test('the inverse exists too, with its ends exchanged', () => {
    expect(standard.relations.get('developed-by')).toMatchObject({
      inverse: 'develops',
      domain: ['project', 'tool'],
      range: ['person', 'organization'],
    });
  });

  test('the plain vocabulary of a person is enough', () => {
    const { relations } = parseOntology(parseDocument('- `uses` / `used-by` — project ↔ tool/concept\n- `likes`\n'));
    expect(relations.get('uses')).toMatchObject({ domain: ['project'], range: ['tool', 'concept'] });
    expect(relations.get('likes')).toMatchObject({ domain: [], range: [] });
  });

  test('frontmatter in the older notation is understood', () => {
    const text = [
      '---',
      'entity_types:',
      '  Loop:',
      '    properties: [frequency]',
      '    relations: [queries]',
      'relations:',
      '  uses: {domain: [Person], range: [Service]}',
      '---',
    ].join('\n');
    const ontology = parseOntology(parseDocument(text));
    expect(ontology.relations.get('uses')).toMatchObject({ domain: ['person'], range: ['service'] });
    expect([...(ontology.entityTypes.get('loop')?.properties.keys() ?? [])]).toEqual(['frequency']);
    expect(relationProblem(ontology, 'uses', 'loop', 'service')).toBe('A loop does not have the relation "uses".');
  });
});

describe('checking against the ontology', () => {
  test.each([
    ['develops', 'person', 'project', undefined],
    ['uses', 'project', 'tool', undefined],
    ['develops', 'person', undefined, undefined],
    ['adores', 'person', 'tool', 'relations.md does not define "adores".'],
    ['develops', 'place', 'project', '"develops" starts from person or organization, not from place.'],
    ['develops', 'person', 'place', '"develops" leads to project or tool, not to place.'],
  ])('%s from %s to %s', (relation, from, to, problem) => {
    expect(relationProblem(standard, relation, from, to)).toBe(problem);
  });

  test('properties are known and of their type', () => {
    expect(propertyProblems(standard, 'person', { birthday: '1990-05-01', languages: ['de'] })).toEqual([]);
    expect(propertyProblems(standard, 'person', { birthday: 'spring', shoe_size: 43 })).toEqual([
      'The property "birthday" of a person must be a date.',
      'A person has no property "shoe_size".',
    ]);
    expect(propertyProblems(standard, 'concept', { anything: 1 })).toEqual([]);
    expect(propertyProblems(standard, 'unheard-of', { anything: 1 })).toEqual([]);
  });
});
