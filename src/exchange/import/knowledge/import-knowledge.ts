import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { decodeText } from '../../../workspace/safety/limits.ts';
import { readElements } from '../../sources/json-elements.ts';
import { openSource } from '../../sources/open-source.ts';
import { readSmall, type SourceFile } from '../../sources/source-file.ts';
import type { ImportRun } from '../import-run.ts';
import { asRecord, type JsonRecord } from '../json.ts';
import { MARKDOWN_NAME } from '../documents.ts';
import { Mem0Reader } from './mem0.ts';
import type { ImportedKnowledge } from './port.ts';
import { ServerMemoryReader } from './server-memory.ts';
import { parseVaultNote, resolveTargets, type VaultNote } from './vault-note.ts';

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
