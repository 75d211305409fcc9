import fs from 'node:fs';
import path from 'node:path';
import { findContradictions } from '../../memory/graph/contradictions.ts';
import type { Graph } from '../../memory/graph/graph.ts';
import { readEpisodes } from '../../memory/episodes/read-episodes.ts';
import { parseEntityWithIds } from '../../memory/stores/entities/entity-edit.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { numberOfReflection, parseReflectionLog, REFLECTION_LOG } from '../../maintain/reflect/log.ts';
import type { LookedAt, Survey } from '../../maintain/reflect/survey.ts';
import { localTime } from '../../model/time.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { type Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import { momentOf } from '../graph/open-graph.ts';
import { reflectionsOf } from '../proposals/find.ts';

/** The newest of them; a life has more than can be read at one sitting. */
const MAX_ENTITIES = 200;

/** Reads everything that is new since the last reflection that anybody could decide on. */
export function takeSurvey(context: OperationContext, graph: Graph): Survey {
  const { workspace, config, clock } = context;
  const reflections = reflectionsOf(context);
  const decided = reflections.filter(({ state }) => !isOpen(state) && state !== 'withdrawn');
  const since = decided.at(-1)?.created;
  const sinceLocal = since === undefined ? undefined : localTime(Date.parse(since), config.time_zone);
  const { date: sinceDay = '', time: sinceTime = '' } = sinceLocal ?? {};
  const log = readText(context, REFLECTION_LOG);
  const past = log === undefined ? [] : parseReflectionLog(log);
  const moment = momentOf(context, {});
  return {
    number: nextNumber(
      reflections,
      past.map(({ number }) => number),
    ),
    today: localTime(clock.now(), config.time_zone).date,
    since: sinceDay,
    episodes: readEpisodes(workspace.root, { since: sinceDay }).filter(
      ({ date, time }) => date > sinceDay || (time ?? '') >= sinceTime,
    ),
    entities: lookAt(workspace.root, findChanged(graph, since), since),
    connections: newEdges(graph, sinceDay),
    contradictions: findContradictions(graph, moment).filter(
      ({ path: file }) => graph.network.record(file)?.scope === 'shared',
    ),
    past,
  };
}

/** One that still waits is made anew under its own number. */
function nextNumber(reflections: readonly Proposal[], logged: readonly number[]): number {
  const waiting = reflections.findLast(({ state }) => isOpen(state));
  if (waiting !== undefined) return numberOfReflection(waiting);
  const used = [...reflections.filter(({ state }) => state !== 'withdrawn').map(numberOfReflection), ...logged];
  return Math.max(0, ...used) + 1;
}

function findChanged(graph: Graph, since: string | undefined): EntityRecord[] {
  return graph.network
    .records()
    .filter((record) => record.scope === 'shared' && record.mergedInto === undefined)
    .filter((record) => record.isUser || hasChanged(record, since))
    .toSorted(
      (one, other) =>
        Number(other.isUser) - Number(one.isUser) || (other.updated ?? '').localeCompare(one.updated ?? ''),
    )
    .slice(0, MAX_ENTITIES);
}

function hasChanged({ updated, created }: EntityRecord, since: string | undefined): boolean {
  return since === undefined || (updated ?? created ?? '9') >= since;
}

/** Their files, read; one that a person has to mend first is left to them. */
export function lookAt(root: string, records: readonly EntityRecord[], since?: string): LookedAt[] {
  return records.flatMap((record) => {
    const full = path.join(root, record.path);
    if (record.damage !== undefined || !fs.existsSync(full)) return [];
    const entity = parseEntityWithIds(parseDocument(fs.readFileSync(full, 'utf8')), record.path);
    return [{ record, entity, isChanged: hasChanged(record, since) }];
  });
}

function newEdges(graph: Graph, since: string): string[] {
  const nameOf = (file: string): string => graph.network.record(file)?.name ?? file;
  return [...graph.triples()]
    .filter(
      ({ edge, from }) =>
        !edge.isSuperseded && (edge.meta.learned ?? '') >= since && graph.network.record(from)?.scope === 'shared',
    )
    .map(({ from, relation, to }) => `${nameOf(from)} → ${relation} → ${nameOf(to)}`);
}

export function readText({ workspace }: OperationContext, file: string): string | undefined {
  return nodeFileSystem.read(path.join(workspace.root, file))?.toString('utf8');
}
