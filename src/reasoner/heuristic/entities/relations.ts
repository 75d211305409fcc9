import type { EntityMention, RelationMention } from '../../../model/knowledge.ts';

interface Rule {
  readonly relation: string;
  /** Stands between the two names. */
  readonly pattern: RegExp;
  readonly objects?: readonly string[];
}

/** What connects two names, in the ontology's words. */
const RULES: readonly Rule[] = [
  {
    relation: 'located-in',
    pattern: /\b(?:lives?|living|moved|is based|are based|is|sits|stays) (?:\w+ )?(?:in|to|at)\b/u,
    objects: ['place'],
  },
  {
    relation: 'works-for',
    pattern: /\b(?:works? (?:for|at)|is employed (?:by|at)|joined|joins|is with)\b/u,
    objects: ['organization', 'concept'],
  },
  { relation: 'works-with', pattern: /\b(?:works? with|collaborates? with|pairs? with)\b/u, objects: ['person'] },
  { relation: 'manages', pattern: /\b(?:manages?|leads?|runs|heads|is (?:the )?(?:boss|lead|head|manager) of)\b/u },
  { relation: 'develops', pattern: /\b(?:develops?|builds?|wrote|maintains?)\b/u, objects: ['project', 'tool'] },
  {
    relation: 'depends-on',
    pattern: /\b(?:depends? on|needs|requires?)\b/u,
    objects: ['project', 'tool', 'service', 'concept'],
  },
  {
    relation: 'uses',
    pattern: /\b(?:uses?|runs on|switched to|moved to|is on)\b/u,
    objects: ['tool', 'service', 'concept', 'project'],
  },
  { relation: 'part-of', pattern: /\b(?:is part of|belongs to)\b/u },
  {
    relation: 'family-of',
    pattern:
      /(?:'s|is (?:the|a)?) ?(?:\w+ )?(?:sister|brother|mother|mum|mom|father|dad|wife|husband|daughter|son|cousin|aunt|uncle|nephew|niece|grandmother|grandfather|partner)\b/u,
    objects: ['person'],
  },
  { relation: 'owns', pattern: /\b(?:owns?|has an?|bought)\b/u, objects: ['tool', 'place', 'project'] },
  { relation: 'avoids', pattern: /\b(?:hates?|dislikes?|avoids?|can't stand|doesn't (?:like|want|eat|drink))\b/u },
  { relation: 'prefers', pattern: /\b(?:prefers?|loves?|likes?|favou?rite)\b/u },
];

/** Pairs of entities with a relation's words between them; nearer pairs first, one relation per pair. */
export function relationsIn(text: string, entities: readonly EntityMention[]): RelationMention[] {
  const lower = text.toLowerCase();
  const placed = entities
    .map((entity) => ({ entity, at: lower.indexOf(entity.name.toLowerCase()) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  const relations: RelationMention[] = [];
  for (const [index, { entity: subject, at }] of placed.entries()) {
    const next = placed[index + 1];
    if (next === undefined) break;
    const between = lower.slice(at + subject.name.length, next.at);
    const rule = RULES.find(
      ({ pattern, objects }) => pattern.test(between) && (objects === undefined || objects.includes(next.entity.type)),
    );
    if (rule !== undefined && !/\b(?:not|never|no longer)\b/u.test(between))
      relations.push({ subject, relation: rule.relation, object: next.entity });
  }
  return relations;
}
