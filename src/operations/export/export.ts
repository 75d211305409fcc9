import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { currentFacts } from '../../memory/stores/entities/current-facts.ts';
import { MnemeError } from '../../model/errors.ts';
import { type Scope, isScope, scopeCanSee } from '../../model/provenance.ts';
import { EXPORT_MANIFEST, assertFree, openTarget, serializeExportManifest } from '../../exchange/export/target.ts';
import type { IndexView } from '../../search-index/port.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { plainName } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { openIndex } from '../decay/survey.ts';
import { graphExport } from '../graph/export.ts';
import { countOf, showBytes, showSeconds } from '../command-line/plain.ts';
import type { View } from '../command-line/style.ts';
import { momentOf } from '../graph/open-graph.ts';
import { runOperation } from '../operation.ts';
import { defineVerb } from '../verb.ts';
import { ownerOfFile } from '../visible-to.ts';
import { type CollectedFile, HomeCollector } from './collect.ts';

export const EXPORT_FORMATS = ['mneme', 'markdown', 'jsonl', 'json-ld', 'server-memory'] as const;
export type HomeExportFormat = (typeof EXPORT_FORMATS)[number];

const input = z.strictObject({
  path: z.string().min(1).describe('A new folder or a .zip; a file for jsonl, json-ld and server-memory.'),
  format: z
    .enum(EXPORT_FORMATS)
    .optional()
    .describe('Everything as it is (mneme) when not given; told by a file’s ending.'),
  scope: z
    .string()
    .refine(isScope, 'is shared, or user:NAME, project:NAME, channel:NAME, agent:NAME')
    .optional()
    .describe('Only what this scope sees; everything when not given.'),
  force: z.boolean().default(false).describe('Replace an earlier export.'),
});

export type ExportInput = z.input<typeof input>;

export interface ExportResult {
  readonly path: string;
  readonly format: HomeExportFormat;
  readonly scope: string | null;
  readonly files: number;
  readonly bytes: number;
  /** Of the list of contents, or of the one file: tells whether it is still what was exported. */
  readonly sha256: string;
  readonly notes: readonly string[];
  readonly tookMs: number;
}

export interface ExportControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((files: number, bytes: number) => void) | undefined;
}

export const exportOperation = defineVerb({
  name: 'export',
  summary: 'Export everything, to read, to keep or to move.',
  description:
    'Write the memory to a new folder or a .zip: files, conversations, proposals, records and settings, with a list of hashes. `mneme import` takes it in again. History stays behind; `mneme backup` takes that along.',
  examples: ['mneme export memory.zip', 'mneme export notes --format markdown --scope project:atlas'],
  input,
  args: ['path'],
  // It reads the whole memory, of every scope.
  effect: 'write',
  withoutLease: 'own',
  run: (context, given, controls?: ExportControls): Promise<ExportResult> => runExport(context, given, controls),
  http: false,
  cli: {
    section: 'setup',
    options: { format: { value: 'format' }, scope: { value: 'scope' } },
    controls: ({ signal, report }) => ({
      signal,
      onProgress: (files, bytes) => report(`exporting  ${countOf(files, 'file')} · ${showBytes(bytes)}`),
    }),
  },
  render,
});

function render({ style }: View, { path, files, bytes, format, notes, tookMs, sha256 }: ExportResult): string {
  const back = format === 'mneme' ? style.dim(`Take it in again anywhere: mneme import ${path}\n`) : '';
  return [
    `${style.green('Exported')} ${countOf(files, 'file')} (${showBytes(bytes)}) to ${path} in ${showSeconds(tookMs)}.\n`,
    style.dim(`sha256 ${sha256}\n`),
    ...notes.map((note) => `${style.yellow('note')}  ${note}\n`),
    back,
  ].join('');
}

async function runExport(
  context: OperationContext,
  given: z.output<typeof input>,
  controls: ExportControls = {},
): Promise<ExportResult> {
  const startedMs = context.clock.now();
  const format = given.format ?? formatOf(given.path);
  const destination = path.resolve(given.path);
  assertOutside(context, destination);
  const { scope } = given;
  const exporting = { context, scope, destination, isForced: given.force, controls };
  const written =
    format === 'mneme' || format === 'markdown'
      ? await writeFiles(exporting, format)
      : await writeText(exporting, format);
  return { path: destination, format, scope: scope ?? null, ...written, tookMs: context.clock.now() - startedMs };
}

interface Exporting {
  readonly context: OperationContext;
  readonly scope: Scope | undefined;
  readonly destination: string;
  readonly isForced: boolean;
  readonly controls: ExportControls;
}

type Written = Pick<ExportResult, 'files' | 'bytes' | 'sha256' | 'notes'>;

async function writeFiles(exporting: Exporting, format: 'mneme' | 'markdown'): Promise<Written> {
  const { context, scope, destination, isForced, controls } = exporting;
  const collector = new HomeCollector(context, scope);
  const target = openTarget(destination, isForced);
  try {
    let bytes = 0;
    for await (const file of collector.all()) {
      if (controls.signal?.aborted === true) throw stopped();
      const shown = format === 'mneme' ? file : asMarkdown(file);
      if (shown === undefined) continue;
      target.add(shown.path, shown.bytes, shown.mtimeMs);
      bytes += shown.bytes.length;
      controls.onProgress?.(target.files.length, bytes);
    }
    const files = target.files.length;
    const made = new Date(context.clock.now()).toISOString();
    const manifest = Buffer.from(serializeExportManifest({ made, scope: scope ?? null, files: target.files }), 'utf8');
    if (format === 'mneme') target.add(EXPORT_MANIFEST, manifest, context.clock.now());
    target.finish();
    return { files, bytes, sha256: createHash('sha256').update(manifest).digest('hex'), notes: collector.notes };
  } catch (error) {
    target.abandon();
    throw error;
  }
}

/** Only what people read: Markdown, with packed conversations unpacked. */
function asMarkdown(file: CollectedFile): CollectedFile | undefined {
  if (!/^(?:workspace|raw)\/.*\.md(?:\.gz)?$/u.test(file.path)) return undefined;
  const text = transcriptText(file);
  if (text === undefined) return undefined;
  const bare = plainName(file.path)
    .replace(/^workspace\//u, '')
    .replace(/^raw\//u, '');
  return { ...file, path: bare, bytes: Buffer.from(text, 'utf8') };
}

async function writeText(
  exporting: Exporting,
  format: Exclude<HomeExportFormat, 'mneme' | 'markdown'>,
): Promise<Written> {
  const { destination, isForced, controls, context, scope } = exporting;
  assertFree(destination, isForced);
  const collector = new HomeCollector(context, scope);
  fs.mkdirSync(path.dirname(destination), { recursive: true });
  const partial = `${destination}.partial`;
  const descriptor = fs.openSync(partial, 'w', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const text of textOf(exporting, format, collector)) {
      if (controls.signal?.aborted === true) throw stopped();
      const piece = Buffer.from(text, 'utf8');
      fs.writeSync(descriptor, piece);
      hash.update(piece);
      bytes += piece.length;
      controls.onProgress?.(1, bytes);
    }
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(partial, destination);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
  return { files: 1, bytes, sha256: hash.digest('hex'), notes: collector.notes };
}

async function* textOf(
  { context, scope }: Exporting,
  format: Exclude<HomeExportFormat, 'mneme' | 'markdown'>,
  collector: HomeCollector,
): AsyncGenerator<string> {
  if (format === 'jsonl') yield* toJsonLines(context, collector, scope);
  else if (format === 'server-memory') yield* toServerMemory(context, scope);
  else yield (await runOperation(graphExport, context, { format, ...(scope === undefined ? {} : { scope }) })).text;
}

function formatOf(given: string): HomeExportFormat {
  if (/\.jsonl$/iu.test(given)) return 'jsonl';
  return /\.jsonld$/iu.test(given) ? 'json-ld' : 'mneme';
}

/** An export inside the memory would be part of the next one, and of everything else. */
function assertOutside({ workspace }: OperationContext, destination: string): void {
  const { home, repositories } = workspace.paths;
  const isInside = [home, repositories.workspace.workTree].some((folder) => {
    const relative = path.relative(path.resolve(folder), destination);
    return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative));
  });
  if (!isInside) return;
  throw new MnemeError('refused', `${destination} lies in the memory itself.`, {
    hint: 'Choose a place outside of the home.',
  });
}

function stopped(): MnemeError {
  return new MnemeError('failure', 'The export was stopped; nothing is left of it.', { hint: 'Run it again.' });
}

/** A transcript's text, packed or not; undefined for what is none. */
function transcriptText({ path, bytes }: Pick<CollectedFile, 'path' | 'bytes'>): string | undefined {
  if (path.endsWith('.md')) return bytes.toString('utf8');
  return path.endsWith('.md.gz') ? gunzipSync(bytes).toString('utf8') : undefined;
}

/** One line for each turn and each memory: turns as `import transcript` takes them, memories with where they stand. */
async function* toJsonLines(
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
async function* toServerMemory(context: OperationContext, scope: Scope | undefined): AsyncGenerator<string> {
  const { graph } = await context.parts.graph({ isThorough: true });
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
    // In the words of whoever said it, where these had to be fitted to the ontology.
    const [said = relation] = edge.said;
    const relationType = relation === 'relates-to' ? said : relation;
    yield line({ type: 'relation', from: fromName, to: toName, relationType: relationType.replaceAll('-', '_') });
  }
}

function line(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value)}\n`;
}
