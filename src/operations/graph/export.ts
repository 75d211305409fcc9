import fs from 'node:fs';
import { z } from 'zod';
import { errorMessage, MnemeError } from '../../model/errors.ts';
import { scopeCanSee } from '../../model/provenance.ts';
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type Picture,
  toDot,
  toGraphml,
  toJsonLd,
  toMermaid,
} from '../../memory/graph/export-formats.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import { currentFacts, type Moment } from '../../memory/stores/entities/current-facts.ts';
import { defineVerb } from '../verb.ts';
import { entityField, momentOf, momentShape, scopeField } from './open-graph.ts';
import { isVisible } from './walk.ts';

const input = z.strictObject({
  format: z.enum(EXPORT_FORMATS).default('mermaid'),
  entity: entityField.optional().describe('Only this entity and its neighbourhood.'),
  depth: z.number().int().min(1).max(6).default(2).describe('With an entity: how many steps.'),
  ...momentShape,
  scope: scopeField,
});

export type GraphExportInput = z.input<typeof input>;

export interface GraphExport {
  readonly format: ExportFormat;
  readonly entities: number;
  readonly relations: number;
  readonly text: string;
  /** The file it was written to, on the command line. */
  readonly writtenTo?: string | undefined;
}

function writeExport(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text);
  } catch (error) {
    throw new MnemeError('failure', `${file} could not be written: ${errorMessage(error)}.`, { cause: error });
  }
}

const WRITERS: Readonly<Record<ExportFormat, (picture: Picture) => string>> = {
  mermaid: toMermaid,
  dot: toDot,
  graphml: toGraphml,
  'json-ld': toJsonLd,
};

const MAX_REACHED = 100_000;

export const graphExport = defineVerb({
  name: 'graph export',
  summary: 'Export the graph as Mermaid, DOT, GraphML or JSON-LD.',
  examples: ['mneme graph export --about Vera --depth 2', 'mneme graph export --format graphml --output graph.xml'],
  input,
  effect: 'read',
  async run(context, { format, entity: named, depth, scope, ...given }): Promise<GraphExport> {
    const { graph } = await context.parts.graph({ isThorough: true });
    const moment = momentOf(context, given);
    const about = named === undefined ? undefined : graph.get(named, { scope });
    const reached =
      about === undefined
        ? undefined
        : graph.neighbours(about.path, {
            moment,
            depth,
            maxNeighbours: MAX_REACHED,
            maxReached: MAX_REACHED,
            accepts: (link) => isVisible(graph, scope, link),
          }).reached;
    const isWanted = (path: string): boolean => {
      const record = graph.network.record(path);
      return (
        record !== undefined &&
        scopeCanSee(scope, record.scope) &&
        (reached?.has(path) ?? record.mergedInto === undefined)
      );
    };
    const picture = pictureOf(graph, moment, isWanted);
    const { entities, relations } = picture;
    return { format, entities: entities.length, relations: relations.length, text: WRITERS[format](picture) };
  },
  cli: {
    options: {
      entity: { flag: 'about', value: 'name' },
      format: { value: 'format' },
      at: { value: 'date' },
      knownAt: { value: 'date' },
      scope: { value: 'scope' },
    },
    extra: { output: { flags: '--output <file>', help: 'write it to this file instead of standard output' } },
    async around({ input: typed, extra: { output } }, { run }) {
      const result = await run(typed);
      if (typeof output !== 'string') return result;
      writeExport(output, result.text);
      return { ...result, writtenTo: output };
    },
  },
  render: async (view, output) => (await import('./render-answers.ts')).renderExport(view, output),
});

function pictureOf(graph: Graph, moment: Moment, isWanted: (path: string) => boolean): Picture {
  const records = graph.network.records().filter(({ path }) => isWanted(path));
  const ids = uniqueIds(records);
  const relations = [...graph.triples(moment)]
    .filter(({ from, to }) => ids.has(from) && ids.has(to))
    .map(({ from, relation, to, edge }) => ({
      id: edge.id,
      from: ids.get(from) ?? from,
      to: ids.get(to) ?? to,
      relation,
      since: edge.meta.from,
      until: edge.meta.until,
      isInferred: edge.source === 'inferred',
    }));
  return {
    entities: records.map((record) => ({
      id: ids.get(record.path) ?? record.id,
      type: record.type,
      name: record.name,
      aliases: record.aliases,
      status: record.status,
      scope: record.scope,
      path: record.path,
      properties: record.properties,
      created: record.created,
      updated: record.updated,
      facts: currentFacts(graph.facts(record.path), moment).map(({ text }) => text),
    })),
    relations,
  };
}

/** Ids are told apart by their scope where two have the same. */
function uniqueIds(
  records: readonly { readonly path: string; readonly id: string; readonly scope: string }[],
): Map<string, string> {
  const taken = new Set<string>();
  return new Map(
    records.map(({ path, id, scope }) => {
      const own = taken.has(id) ? (taken.has(`${id}@${scope}`) ? path : `${id}@${scope}`) : id;
      taken.add(own);
      return [path, own];
    }),
  );
}
