import { z } from 'zod';
import { isMnemeError, MnemeError } from '../../../model/errors.ts';
import { graphQuery, type QueryResult } from '../../../operations/graph/query.ts';
import { graphShow, type ShownEntity } from '../../../operations/graph/show.ts';
import { graphTimeline } from '../../../operations/graph/timeline.ts';
import { graphNeighbours, graphPath, type ShownStep } from '../../../operations/graph/walk.ts';
import { runOperation } from '../../../operations/operation.ts';
import { scopeFor } from '../access.ts';
import { NOTICE, type ToolAnswer, type ToolCall, defineTool, fence, tell } from '../tool.ts';

const text = z.string();

const input = z.object({
  entity: text.trim().min(1).optional(),
  query: text.trim().min(1).optional(),
  to: text.trim().min(1).optional(),
  relation: text.trim().min(1).optional(),
  view: z.enum(['facts', 'neighbours', 'timeline']).default('facts'),
  depth: z.number().int().min(1).max(6).optional(),
  at: text.optional(),
  limit: z.number().int().min(1).max(200).default(20),
  scope: text.optional(),
});

type Given = z.output<typeof input> & { readonly scope?: string | undefined };

export const memoryGraph = defineTool({
  name: 'memory_graph',
  title: 'People and things',
  description:
    'What is known of a person, project or thing, and how things are connected. entity: its facts and relations; with to: the path between two; query and relation: find.',
  effect: 'read',
  input,
  listed: {
    entity: 'A name or id.',
    to: '',
    query: '',
    relation: '',
    view: '',
    at: 'What held on this day.',
  },
  aliases: {
    entity: ['name', 'id', 'node', 'from', 'subject', 'person'],
    to: ['target', 'object'],
    query: ['q', 'text', 'search'],
    relation: ['relation_type', 'predicate', 'edge'],
    view: ['kind'],
    depth: ['hops', 'max_depth'],
    at: ['as_of', 'date'],
    limit: ['max_results', 'n', 'k'],
    scope: ['namespace'],
  },
  async run(call, given) {
    const asked: Given = { ...given, scope: scopeFor(call.access, given.scope) };
    try {
      return await show(call, asked);
    } catch (error) {
      // That nothing is known is an answer; a model that is told of an error tries again or gives up.
      if (!isMnemeError(error, 'not-found')) throw error;
      return answer([], call.conceal(error.message));
    }
  },
});

async function show(call: ToolCall, asked: Given): Promise<ToolAnswer> {
  const { entity, to, view } = asked;
  if (entity !== undefined && to !== undefined) return showPath(call, asked, entity, to);
  if (entity !== undefined && view === 'timeline') return showTimeline(call, asked, entity);
  if (entity !== undefined && view === 'neighbours') return showNeighbours(call, asked, entity);
  if (entity !== undefined && asked.query === undefined && asked.relation === undefined) {
    const { at, scope } = asked;
    return showEntity(await runOperation(graphShow, call.context, { entity, at, scope }));
  }
  return showFound(call, asked);
}

function answer(lines: readonly string[], head = ''): ToolAnswer {
  const isEmpty = lines.length === 0;
  const message = isEmpty ? head.trim() || 'Nothing is known of this.' : `${head}${NOTICE}`;
  const quoted = fence({}, lines.join('\n'));
  return isEmpty ? tell([message]) : { text: `${message}\n\n${quoted}`, structured: { message, text: quoted } };
}

function showEntity({ entity, aliases, status, summary, facts, relations, tasks, decisions }: ShownEntity): ToolAnswer {
  const lines = [
    `${entity.name} (${entity.type}${status === null ? '' : `, ${status}`}), ${entity.path}`,
    ...(aliases.length === 0 ? [] : [`also: ${aliases.join(', ')}`]),
    ...(summary === '' ? [] : [summary]),
    ...facts.map(
      ({ id, text: fact, from, trust }) => `- ${fact} [${id ?? ''}, ${trust}${from === null ? '' : `, since ${from}`}]`,
    ),
    ...relations.map(({ relation, written, direction, other }) =>
      direction === 'out' || relation !== null
        ? `- ${entity.name} ${relation ?? written} ${other.name}`
        : `- ${other.name} ${written} ${entity.name}`,
    ),
    ...tasks.map(
      ({ text: task, status: state, due }) => `- task (${state}${due === null ? '' : `, due ${due}`}): ${task}`,
    ),
    ...decisions.map(({ text: decision, date }) => `- decided${date === null ? '' : ` ${date}`}: ${decision}`),
  ];
  return answer(lines);
}

function stepLine({ from, relation, written, direction, to, since, until }: ShownStep): string {
  const time = [since === null ? '' : `since ${since}`, until === null ? '' : `until ${until}`]
    .filter(Boolean)
    .join(', ');
  const words =
    relation === null && direction === 'in'
      ? `${to.name} ${written} ${from.name}`
      : `${from.name} ${relation ?? written} ${to.name}`;
  return time === '' ? words : `${words} (${time})`;
}

async function showPath({ context }: ToolCall, { at, scope }: Given, from: string, to: string): Promise<ToolAnswer> {
  const path = await runOperation(graphPath, context, { from, to, at, scope });
  const head = path.steps === null ? 'Nothing that is known connects them. ' : '';
  return answer((path.steps ?? []).map(stepLine), head);
}

async function showTimeline({ context }: ToolCall, { scope }: Given, entity: string): Promise<ToolAnswer> {
  const found = await runOperation(graphTimeline, context, { entity, scope });
  return answer(found.entries.map(({ date, kind, text: words }) => `${date} ${kind}: ${words}`));
}

async function showNeighbours({ context }: ToolCall, given: Given, entity: string): Promise<ToolAnswer> {
  const { depth, relation, limit, at, scope } = given;
  const found = await runOperation(graphNeighbours, context, { entity, depth, relation, limit, at, scope });
  return answer(found.links.map(stepLine), found.isCut ? 'There is more. ' : '');
}

async function showFound({ context, conceal }: ToolCall, given: Given): Promise<ToolAnswer> {
  const { query, entity, relation, to, at, limit, scope } = given;
  if (query === undefined && entity === undefined && relation === undefined && to === undefined) {
    throw new MnemeError('usage', 'memory_graph: whom or what?', {
      hint: 'Name it: {"entity": "Alex"}, or look for it: {"query": "who works on the billing"}.',
    });
  }
  const asked = { text: query, from: entity, relation, to, at, limit, scope };
  const { entities, relations, isCut, notes }: QueryResult = await runOperation(graphQuery, context, asked);
  const lines = [
    ...entities.map(({ name, type, path, matched }) => `${name} (${type}), ${path}: ${matched}`),
    ...relations.map(({ from, relation: word, to: end }) => `${from.name} ${word} ${end.name}`),
    ...notes.map((note) => `Note: ${conceal(note)}`),
  ];
  return answer(lines, isCut ? 'There is more. ' : '');
}
