import path from 'node:path';
import { listArchive } from '../memory/archive/list-archive.ts';
import { findContradictions, type Contradiction } from '../memory/graph/contradictions.ts';
import { Graph } from '../memory/graph/graph.ts';
import { bareLink } from '../memory/graph/network.ts';
import { findWikilinks } from '../memory/graph/wikilinks.ts';
import type { EntityRegistry } from '../memory/stores/registry/registry.ts';
import { isEntityPath } from '../memory/stores/registry/entity-files.ts';
import { localTime } from '../model/time.ts';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { fileStem, placeOf, type Layout } from '../workspace/formats/layout.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Something that does not agree, found by `mneme check`. */
export interface CheckFinding {
  /** The checked area: files, git, audit, proposals, configuration, journal, graph, chain, erasure. */
  readonly area: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly hint: string;
  /** True when `--repair` can put it right without losing anything. */
  readonly isRepairable: boolean;
}

export interface CheckedGraph {
  readonly workspace: Workspace;
  readonly entities: EntityRegistry;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly config: { readonly time_zone: string };
}

/** Broken or ambiguous links; matters of opinion are left to `mneme graph contradictions`. */
const BROKEN: ReadonlySet<Contradiction['kind']> = new Set([
  'circle',
  'dangling-link',
  'same-id',
  'unknown-relation',
  'wrong-ends',
  'premise-ended',
]);

/** Whether entities, what links to them, and the table made of them agree. */
export async function checkGraph(checked: CheckedGraph): Promise<CheckFinding[]> {
  const { entities, workspace, clock, config } = checked;
  const disagreeing = (await entities.findDisagreements()).map((file) =>
    finding(`${file}: the graph's table has it otherwise than the file.`, 'The table is made from the files.', true),
  );
  const graph = new Graph(workspace.root, entities);
  const found = findContradictions(graph, { at: localTime(clock.now(), config.time_zone).date });
  const broken = found
    .filter(({ kind }) => BROKEN.has(kind))
    .map(({ path: file, line, message, hint }) => ({ file, line, message, hint }));
  const reported = new Set(broken.map(({ file, line }) => `${file}:${line}`));
  const links = (await findLostLinks(checked, graph)).filter(({ file, line }) => !reported.has(`${file}:${line}`));
  const places = [
    ...broken,
    ...findUnread(graph),
    ...findSelfLinks(graph),
    ...findLostMerges(graph),
    ...findSharedIds(graph),
    ...findLostSuccessors(graph, workspace.root),
    ...links,
  ];
  return [
    ...disagreeing,
    ...places.map(({ file, line, message, hint }) => finding(`${file}:${line}: ${message}`, hint, false)),
  ];
}

interface Place {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

function finding(message: string, hint: string, isRepairable: boolean): CheckFinding {
  return { area: 'graph', severity: 'warning', message, hint, isRepairable };
}

function findLostMerges(graph: Graph): Place[] {
  return graph.network.records().flatMap(({ path: file, name, mergedInto, scope }) => {
    if (mergedInto === undefined) return [];
    const into = graph.network.target(bareLink(mergedInto), scope);
    if (into !== undefined && into.path !== file) return [];
    return [
      {
        file,
        line: 1,
        message: `${name} was merged into ${mergedInto}, which ${into === undefined ? 'has no file' : 'is itself'}.`,
        hint: 'Restore that file from the history, or take `merged_into` out of this one.',
      },
    ];
  });
}

/** Nothing is part of itself; a walk leaves such an edge out, and nobody would hear of it. */
function findSelfLinks(graph: Graph): Place[] {
  return graph.network.records().flatMap(({ path: file, name, scope }) =>
    graph.network
      .written(file)
      .filter(({ target, isSuperseded }) => !isSuperseded && graph.network.target(target, scope)?.path === file)
      .map(({ line, relation }) => ({
        file,
        line,
        message: `${name} ${relation} itself.`,
        hint: 'Take the line out, or correct the link.',
      })),
  );
}

/** Finds files too large to read: only their names are searched and in the graph. */
function findUnread(graph: Graph): Place[] {
  return graph.network.records().flatMap(({ path: file, name, damage }) => {
    // Broken frontmatter and what is no text are found with the files.
    if (damage?.startsWith('it has ') !== true) return [];
    return [
      { file, line: 1, message: `${name}: ${damage}.`, hint: 'Split it by hand; until then only its name is known.' },
    ];
  });
}

function findSharedIds(graph: Graph): Place[] {
  const places = graph.registry.readRows((rows) => rows.sharedIds());
  return places.flatMap(({ id, path: file, line }, index) => {
    const before = places[index - 1];
    if (before?.id !== id) return [];
    return [
      {
        file,
        line,
        message: `^${id} stands at ${before.path}:${before.line} too.`,
        hint: 'Take the ^id off the newer line; it gets one of its own when it is next changed.',
      },
    ];
  });
}

/** One that was put away since is still what came after. */
function findLostSuccessors(graph: Graph, root: string): Place[] {
  const gone = graph.registry.readRows((rows) => rows.lostSuccessors());
  const archived = gone.length === 0 ? [] : listArchive(nodeFileSystem, root).files.map(({ item }) => item);
  const lost = gone.filter(({ successor }) => !archived.includes(successor));
  return lost.map(({ path: file, line, successor }) => ({
    file,
    line,
    message: `says that ^${successor} replaced it, which is nowhere in the graph.`,
    hint: 'Restore that line from the history, or take `superseded_by` out of this one.',
  }));
}

/** `person--ada`: what could only be an entity. */
const ENTITY_LINK = /^[\p{Ll}\p{N}-]+--\S/u;

/** Links in any file to an entity that has none; those of relations are known to the graph. */
async function findLostLinks({ workspace, layout }: CheckedGraph, graph: Graph): Promise<Place[]> {
  const names = await workspace.git.workspace.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const files = [...new Set(names)].filter((name) => /\.md(?:\.gz)?$/iu.test(name));
  const stems = new Set(files.map((name) => fileStem(name.replace(/\.gz$/iu, '')).toLowerCase()));
  const places: Place[] = [];
  for (const file of files) {
    const { kind } = placeOf(file, layout);
    // Proposals quote what is to be, and generated files follow by themselves.
    if (kind === 'proposal' || kind === 'generated' || !/\.md$/iu.test(file)) continue;
    const bytes = nodeFileSystem.read(path.join(workspace.root, file));
    const decoded = bytes === undefined ? undefined : decodeText(bytes);
    if (decoded === undefined || decoded.kind === 'binary' || !decoded.text.includes('[[')) continue;
    for (const { target, line } of findWikilinks(decoded.text)) {
      const stem = bareLink(target);
      const isKnown = stems.has(stem.toLowerCase()) || graph.registry.findById(stem) !== undefined;
      if (isKnown || !ENTITY_LINK.test(stem)) continue;
      const hint = isEntityPath(file, layout)
        ? 'Add it with `mneme graph add`, or correct the link.'
        : 'It may have been renamed by hand: correct the link, or add the entity with `mneme graph add`.';
      places.push({ file, line, message: `[[${target}]] leads to no entity.`, hint });
    }
  }
  return places;
}
