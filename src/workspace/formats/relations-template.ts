/** The ontology a new home starts with: people add types and relations as their world needs them. */
export const RELATIONS_TEMPLATE = `---
type: relations
entity_types:
  person:
    description: Someone, the user included.
    properties: {role: text, email: text, timezone: text, birthday: date, pronouns: text, languages: list}
  organization:
    description: A company, team, club or authority.
    properties: {website: text, industry: text, location: text}
  project:
    description: Work with a goal.
    properties: {repository: text, deadline: date, priority: text, stack: list}
  place:
    description: Somewhere.
    properties: {address: text, country: text}
  tool:
    description: A program, library or device.
    properties: {version: text, website: text, license: text}
  service:
    description: A system somebody else runs.
    properties: {rate_limit: text, auth_method: text, capabilities: list, website: text}
  concept:
    description: An idea, method or field.
  event:
    description: Something that has a date.
    properties: {date: date, location: text}
  document:
    description: A text, book, page or file.
    properties: {author: text, url: text, published: date}
---

# Relations

The words an entity file may use under *Relations*. A bullet gives the relation, its inverse after the slash, its
nature in parentheses, and which types it connects. Add your own; an edge with a word that is not listed here is kept
and reported.

## Structure

- \`develops\` / \`developed-by\` — person, organization → project, tool
- \`works-for\` / \`employs\` — person → organization
- \`works-with\` (symmetric) — person → person
- \`knows\` (symmetric) — person → person
- \`family-of\` (symmetric) — person → person
- \`married-to\` (symmetric) — person → person
- \`parent-of\` / \`child-of\` — person → person
- \`sibling-of\` (symmetric) — person → person
- \`member-of\` / \`has-member\` — person, organization → organization, project, concept: a club, band, team or board
- \`founded\` / \`founded-by\` — person, organization → any
- \`manages\` / \`managed-by\` — person → person, project, organization
- \`owns\` / \`owned-by\` — person, organization → any
- \`uses\` / \`used-by\` — any → tool, service, concept
- \`part-of\` / \`contains\` (transitive) — any → any: one thing sits inside another
- \`depends-on\` / \`required-by\` (transitive) — project, tool, service → project, tool, service
- \`deployed-on\` / \`hosts\` — project, tool, service, concept → any: where a program runs
- \`located-in\` / \`location-of\` (transitive) — any → place
- \`lives-in\` / \`home-of\` — any → place: people and animals

## Time

- \`decided-on\` / \`decided-by\` — person, project, organization → any: a choice; its date stands in the metadata
- \`supersedes\` / \`superseded-by\` (transitive) — any → any: the newer replaces the older
- \`preceded-by\` / \`followed-by\` (transitive) — any → any: order in time
- \`triggers\` / \`triggered-by\` — event, concept → event, project, concept
- \`attended\` / \`attended-by\` — person → event

## Stance

- \`prefers\` / \`preferred-by\` — person → any
- \`avoids\` / \`avoided-by\` — person → any
- \`confident-about\` — person → any: they are sure of it
- \`uncertain-about\` — person → any: they are not
- \`inspired-by\` / \`inspires\` — any → any
- \`contradicts\` (symmetric) — any → any
- \`relates-to\` (symmetric) — any → any: connected, and no better word is known

## Rules

What follows when two relations meet; \`mneme graph infer\` shows it, always with its premises.

- \`part-of\` + \`located-in\` → \`located-in\`: what is part of something is where that is
- \`lives-in\` + \`located-in\` → \`lives-in\`: who lives in a town lives in its country
- \`works-for\` + \`part-of\` → \`works-for\`: who works for a part works for the whole
`;
