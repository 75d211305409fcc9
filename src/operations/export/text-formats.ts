import { gunzipSync } from 'node:zlib';
import { scopeCanSee, type Scope } from '../../model/provenance.ts';
import type { IndexView } from '../../search-index/port.ts';
import { currentFacts } from '../../memory/stores/entities/current-facts.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import type { OperationContext } from '../context.ts';
import { openIndex } from '../decay/survey.ts';
import { momentOf } from '../graph/open-graph.ts';
import { ownerOfFile } from '../visible-to.ts';
import type { CollectedFile, HomeCollector } from './collect.ts';

/** A transcript's text, packed or not; undefined for what is none. */
export function transcriptText({ path, bytes }: Pick<CollectedFile, 'path' | 'bytes'>): string | undefined {
  if (path.endsWith('.md')) return bytes.toString('utf8');
  return path.endsWith('.md.gz') ? gunzipSync(bytes).toString('utf8') : undefined;
}

/** One line for each turn and each memory: turns as `import transcript` takes them, memories with where they stand. */
export async function* toJsonLines(
  context: OperationContext,
  collector: HomeCollector,
  scope: Scope | undefined,
): AsyncGenerator<string> {
  for (const file of collector.transcripts()) {
    const text = transcriptText(file);
    if (text === undefined) continue;
    const { frontmatter, turns } = parseTranscript(parseDocument(text));
    const session = frontmatter.session_id ?? file.path;
    for (const { id, date, time, role, name, parts } of turns) {
      const words = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
      if (words === '') continue;
      const speaker = name === undefined ? {} : { name };
      yield line({
        kind: 'turn',
        session,
        time: `${date}T${time}`,
        role,
        ...speaker,
        text: words,
        id,
        path: file.path,
      });
    }
  }
  yield* memoryLines(context, scope);
}

async function* memoryLines(context: OperationContext, scope: Scope | undefined): AsyncGenerator<string> {
  const index = await openIndex(context);
  const views = new Map<Scope, IndexView>();
  for (const key of await index.listDocuments()) {
    const owner = ownerOfFile(context, key.path);
    if (key.source !== 'workspace' || (scope !== undefined && !scopeCanSee(scope, owner))) continue;
    const view = views.get(owner) ?? (await index.view({ scopes: [owner], withArchived: true }));
    views.set(owner, view);
    for (const passage of await view.readDocument(key)) {
      const { id, text, timeMs, source, trust, type, importance, confidence, tags, startLine, endLine, document } =
        passage;
      const time = timeMs === undefined ? {} : { time: new Date(timeMs).toISOString() };
      const place = { path: document.path, startLine, endLine, store: document.store, scope: document.scope };
      yield line({ kind: 'memory', id, text, ...time, type, source, trust, importance, confidence, tags, ...place });
    }
  }
}

/** The graph as server-memory keeps it: entities with observations, then relations. */
export async function* toServerMemory(context: OperationContext, scope: Scope | undefined): AsyncGenerator<string> {
  const { graph, entities } = await context.parts.graph({ isThorough: true });
  const moment = momentOf(context, {});
  const isWanted = (owner: Scope): boolean => scope === undefined || scopeCanSee(scope, owner);
  const records = graph.network.records().filter((one) => isWanted(one.scope) && one.mergedInto === undefined);
  for (const record of records) {
    const observations = currentFacts(graph.facts(record.path), moment).map(({ text }) => text);
    yield line({ type: 'entity', name: record.name, entityType: record.type, observations });
  }
  const names = new Map(records.map(({ path, name }) => [path, name]));
  for (const { from, relation, to, edge } of graph.triples(moment)) {
    const [fromName, toName] = [names.get(from), names.get(to)];
    if (fromName === undefined || toName === undefined || edge.source === 'inferred') continue;
    const record = graph.network.record(edge.path);
    const written = record === undefined ? undefined : entities.read(record).relations.find(({ id }) => id === edge.id);
    // In the words of whoever said it, where these had to be fitted to the ontology.
    const said = written?.meta['said'];
    const relationType = typeof said === 'string' && relation === 'relates-to' ? said : relation;
    yield line({ type: 'relation', from: fromName, to: toName, relationType: relationType.replaceAll('-', '_') });
  }
}

function line(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value)}\n`;
}
