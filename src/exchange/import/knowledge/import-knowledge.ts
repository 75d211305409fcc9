import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';
import { decodeText } from '../../../workspace/safety/limits.ts';
import { readElements } from '../../sources/json-elements.ts';
import { type SourceFile, openSource, readSmall } from '../../sources/open-source.ts';
import type { ImportRun } from '../import-run.ts';
import { type JsonRecord, asBlocks, asRecord, asText, asTimeMs, asWords } from '../lines.ts';
import { MARKDOWN_NAME } from '../documents.ts';
import type { Tally } from '../port.ts';
import type { ImportedEntity, ImportedFact, ImportedKnowledge, ImportedMemory, ImportedRelation } from './port.ts';
import { ServerMemoryReader, typeName } from './server-memory.ts';

interface KnowledgeReader {
  /** False when an object is nothing of this format. */
  read(value: JsonRecord): boolean;
  knowledge(): ImportedKnowledge;
}

const JSON_NAME = /\.jsonl?$/iu;
const MAX_NOTE_BYTES = 8 * 1024 * 1024;

/** Imports the knowledge that server-memory or mem0 keeps in JSON. */
export async function importKnowledge(run: ImportRun, paths: readonly string[]): Promise<void> {
  for (const given of paths) {
    const { files } = await openSource(given, run.tally, (relative) => JSON_NAME.test(relative));
    run.expect(files);
    let isAny = false;
    for (const file of files) {
      if (run.isAborted) return;
      const reader = run.request.from === 'mem0' ? new Mem0Reader(run.tally) : new ServerMemoryReader(run.tally);
      const isOfFormat = await readFile(run, file, reader);
      isAny ||= isOfFormat;
      if (isOfFormat) await take(run, reader.knowledge(), file.name);
      run.finishFile(file.size);
    }
    if (isAny) continue;
    throw new MnemeError('not-found', `${given} has nothing of ${run.request.from} in it.`, {
      hint: 'Name the JSON file that the program keeps or exported.',
    });
  }
}

async function readFile(run: ImportRun, file: SourceFile, reader: KnowledgeReader): Promise<boolean> {
  let isOfFormat = false;
  let hasDamage = false;
  for await (const { at, value, problem, isRecovered } of readElements(file)) {
    const record = asRecord(value);
    if (record !== undefined && reader.read(record)) {
      isOfFormat = true;
      hasDamage = false;
    } else if (!isRecovered || (problem !== undefined && !hasDamage)) {
      hasDamage = problem !== undefined;
      run.tally.addDamage('entry', problem ?? 'not of this format', { file: file.relative, at });
    }
  }
  return isOfFormat;
}

/** Imports the statements of a vault's notes into the graph; the notes themselves are copied like any others. */
export async function importVaultKnowledge(run: ImportRun, paths: readonly string[]): Promise<void> {
  for (const given of paths) {
    const { files } = await openSource(given, run.tally, (relative) => MARKDOWN_NAME.test(relative));
    const notes: VaultNote[] = [];
    for (const file of files) {
      const bytes = await readSmall(file, MAX_NOTE_BYTES);
      const decoded = bytes === undefined ? undefined : decodeText(bytes);
      if (decoded?.kind !== 'text') continue;
      const note = parseVaultNote(decoded.text, file.name.replace(MARKDOWN_NAME, ''));
      if (note !== undefined) notes.push(note);
    }
    const entities = notes.map(({ entity }) => entity);
    await take(run, { entities, relations: resolveTargets(notes), memories: [] }, path.basename(given));
  }
}

async function take(run: ImportRun, knowledge: ImportedKnowledge, name: string): Promise<void> {
  const { from, dryRun } = run.request;
  const sink = run.home.knowledge;
  if (sink === undefined) throw new MnemeError('failure', `This home takes no knowledge from ${from}.`);
  const taken = await sink(knowledge, {
    origin: `${from}:${name}`,
    trust: run.request.mine === true ? 'user' : 'import',
    isDryRun: dryRun === true,
    isKnown: run.writer.isKnown,
    signal: run.controls.signal,
    onSkipped: (what, why) => run.tally.add(what, why),
    onTaken: (keys) => run.writer.exclusively(() => run.writer.ledger.recordStatements(`${from}:${name}`, keys)),
  });
  run.countKnowledge(taken);
}

const LISTS = ['results', 'memories', 'data', 'items'] as const;

/** Gathers the memories of a mem0 export: a list, an object with one, or a line each; with relations where there is a graph. */
class Mem0Reader {
  readonly #memories = new Map<string, ImportedMemory>();
  readonly #relations: ImportedRelation[] = [];
  readonly #tally: Tally;

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  read(value: JsonRecord): boolean {
    const list = LISTS.find((name) => Array.isArray(value[name]));
    if (list === undefined && !Array.isArray(value['relations'])) return this.#readOne(value);
    if (list !== undefined) for (const memory of asBlocks(value[list])) this.#readOne(memory);
    for (const relation of asBlocks(value['relations'])) this.#readRelation(relation);
    return true;
  }

  knowledge(): ImportedKnowledge {
    const names = new Set(this.#relations.flatMap(({ from, to }) => [from, to]));
    const entities: ImportedEntity[] = [...names].map((name) => ({ name, type: 'concept', facts: [] }));
    return { entities, relations: this.#relations, memories: [...this.#memories.values()] };
  }

  #readOne(value: JsonRecord): boolean {
    const text = (asText(value['memory']) ?? asText(value['text']) ?? asText(value['data']) ?? '').trim();
    if (text === '') {
      if (asText(value['id']) === undefined) return false;
      this.#tally.add('memory', 'it has no text');
      return true;
    }
    const id = asText(value['id']) ?? text;
    const who = [asText(value['user_id']), asText(value['agent_id']), asText(value['app_id'])].flatMap(
      (one) => one ?? [],
    );
    const categories = Array.isArray(value['categories']) ? (value['categories'] as readonly unknown[]) : [];
    const tags = [...who, ...categories.flatMap((one) => asText(one) ?? [])].map(tagName).filter((tag) => tag !== '');
    const timeMs = asTimeMs(value['created_at']) ?? asTimeMs(value['updated_at']);
    this.#memories.set(`${id}\0${text}`, { id, text, timeMs, tags: [...new Set(tags)] });
    return true;
  }

  #readRelation(value: JsonRecord): void {
    const [from, to] = [asText(value['source']), asText(value['target']) ?? asText(value['destination'])];
    const relation = asText(value['relationship']) ?? asText(value['relation']);
    if (!from || !to || !relation) this.#tally.add('relation', 'it lacks an end or its name');
    else this.#relations.push({ from: plainName(from), relation, to: plainName(to) });
  }
}

/** Names in its graph are written with underscores. */
function plainName(name: string): string {
  return name.replaceAll('_', ' ').trim();
}

function tagName(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}-]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 40);
}

/** The statements of a note in a basic-memory vault: observations about its subject, and its relations. */
interface VaultNote {
  readonly entity: ImportedEntity;
  readonly permalink: string | undefined;
  readonly relations: readonly ImportedRelation[];
}

/** `- [category] text`; a box to tick, or a link, is none. */
const OBSERVATION = /^\s*[-*+]\s+\[([^[\]()]{2,60})\]\s+(\S.*)$/u;
/** `- relation [[Target]]`, with nothing but a remark behind it. */
const RELATION = /^\s*[-*+]\s+([\p{L}\p{N}_ -]{2,50}?)\s*\[\[([^[\]]+)\]\]\s*(?:\([^)]*\))?\s*$/u;
const TAG = /(?:^|\s)#([\p{L}\p{N}_/-]+)/gu;
const FENCE = /^\s*(?:```|~~~)/u;

/** Notes without observations, and without the address such a vault gives each, state nothing in this way. */
function parseVaultNote(text: string, stem: string): VaultNote | undefined {
  const document = parseDocument(text);
  const values = document.frontmatter?.values ?? {};
  const title = asWords(values['title']) ?? stem;
  const facts: ImportedFact[] = [];
  const relations: ImportedRelation[] = [];
  let isCode = false;
  for (const line of text.split(/\r?\n/u)) {
    if (FENCE.test(line)) isCode = !isCode;
    if (isCode) continue;
    const observation = OBSERVATION.exec(line);
    if (observation !== null) facts.push(factOf(observation[1] ?? '', observation[2] ?? ''));
    const relation = observation === null ? RELATION.exec(line) : null;
    if (relation !== null) {
      relations.push({ from: title, relation: (relation[1] ?? '').trim(), to: targetOf(relation[2] ?? '') });
    }
  }
  const permalink = asWords(values['permalink']);
  if (facts.length === 0 && (permalink === undefined || relations.length === 0)) return undefined;
  const tags = Array.isArray(values['tags']) ? values['tags'].map(String) : [];
  return { entity: { name: title, type: typeName(asWords(values['type'])), tags, facts }, permalink, relations };
}

function factOf(category: string, text: string): ImportedFact {
  const tags = [...text.matchAll(TAG)].map((match) => match[1] ?? '');
  const words = text.replaceAll(TAG, '').replaceAll(/\s+/gu, ' ').trim();
  return { text: words === '' ? text : words, category: category.trim().toLowerCase(), tags };
}

/** `folder/Note#heading|shown` means the note. */
function targetOf(link: string): string {
  return link.split('|', 1)[0]?.split('#', 1)[0]?.trim() ?? link;
}

/** Targets named by their address become the titles of the notes that are meant. */
function resolveTargets(notes: readonly VaultNote[]): ImportedRelation[] {
  const titles = new Map<string, string>();
  for (const { entity, permalink } of notes) {
    titles.set(entity.name.toLowerCase(), entity.name);
    if (permalink !== undefined) titles.set(permalink.toLowerCase(), entity.name);
  }
  const find = (target: string): string =>
    titles.get(target.toLowerCase()) ?? titles.get(lastName(target).toLowerCase()) ?? lastName(target);
  return notes.flatMap(({ relations }) => relations.map((relation) => ({ ...relation, to: find(relation.to) })));
}

function lastName(target: string): string {
  return target.split('/').at(-1) ?? target;
}
