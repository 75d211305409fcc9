import fs from 'node:fs';
import path from 'node:path';
import { foreignTables } from '../../platform/foreign-database.ts';
import { readElements } from '../sources/json-elements.ts';
import { type SourceFile, openSource, readStart } from '../sources/open-source.ts';
import { chatgpt } from './conversations/chatgpt.ts';
import { kindOfRecord } from './conversations/claude-projects.ts';
import { claudeExport } from './conversations/claude.ts';
import { type JsonRecord, asRecord, asText, kindOfSource } from './lines.ts';
import type { Detected } from './request.ts';
import { Tally } from './port.ts';

const START_BYTES = 64 * 1024;
/** Notes tell by a few of them what all are. */
const NOTES_READ = 40;

/** Detects the kind of a file, folder or archive by its content, not its name; undefined when unclear. */
export async function detectSource(given: string): Promise<Detected | undefined> {
  if (kindOfSource(given) === 'folder') {
    const byFolder = detectFolder(given);
    if (byFolder !== undefined) return byFolder;
  }
  const byTables = kindOfSource(given) === 'file' ? detectDatabase(given) : undefined;
  if (byTables !== undefined) return byTables;
  const { files, isFile } = await openSource(given, new Tally(), () => true);
  const [only] = files;
  if (isFile) return only === undefined ? undefined : detectFile(only);
  return detectFiles(files);
}

const SQLITE_START = 'SQLite format 3\0';

function detectDatabase(file: string): Detected | undefined {
  const start = Buffer.alloc(SQLITE_START.length);
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.readSync(descriptor, start, 0, start.length, 0);
  } finally {
    fs.closeSync(descriptor);
  }
  if (start.toString('latin1') !== SQLITE_START) return undefined;
  const tables = foreignTables(file) ?? new Set();
  if (tables.has('transcript_events')) return { from: 'openclaw', because: 'a database of an agent' };
  if (tables.has('message') && tables.has('part')) return { from: 'opencode', because: 'a database of sessions' };
  return undefined;
}

function detectFolder(folder: string): Detected | undefined {
  const has = (...parts: string[]): boolean => fs.existsSync(path.join(folder, ...parts));
  if (has('.obsidian')) return undefined;
  if (has('openclaw.json') || (has('agents') && has('workspace')))
    return { from: 'openclaw', because: 'agents/ and workspace/' };
  if (has('opencode.db')) return { from: 'opencode', because: 'opencode.db' };
  if (has('projects') && has('settings.json')) return { from: 'claude-code', because: 'projects/ and settings.json' };
  return undefined;
}

async function detectFiles(files: readonly SourceFile[]): Promise<Detected | undefined> {
  const find = (pattern: RegExp): SourceFile | undefined => files.find(({ relative }) => pattern.test(relative));
  const manifest = find(/^(?:[^/]+\/)?mneme-export\.json$/u);
  if (manifest !== undefined) return { from: 'mneme', because: manifest.relative };
  for (const pattern of [/(?:^|\/)conversations(?:[-_]\d+)?\.json$/u, /(?:^|\/)rollout-[^/]*\.jsonl?$/u, /\.jsonl$/u]) {
    const file = find(pattern);
    const found = file === undefined ? undefined : await detectFile(file);
    if (found !== undefined) return found;
  }
  const notes = files.filter(({ name }) => /\.(?:md|markdown)$/iu.test(name));
  if (notes.length > 0) return detectNotes(notes);
  const json = find(/\.json$/u);
  const byJson = json === undefined ? undefined : await detectFile(json);
  if (byJson !== undefined) return byJson;
  const page = find(/\.(?:pdf|html?|xhtml)$/iu);
  return page === undefined ? undefined : detectFile(page);
}

async function detectNotes(notes: readonly SourceFile[]): Promise<Detected> {
  if (
    notes.some(({ relative }) => relative === 'MEMORY.md') &&
    notes.some(({ relative }) => relative.startsWith('memory/'))
  ) {
    return { from: 'openclaw', because: 'MEMORY.md and memory/' };
  }
  for (const note of notes.slice(0, NOTES_READ)) {
    const text = (await readStart(note, START_BYTES)).toString('utf8');
    if (/^permalink:/mu.test(text) || /^\s*- \[[a-z][\w -]+\] \S/mu.test(text)) {
      return { from: 'basic-memory', because: `observations in ${note.relative}` };
    }
  }
  for (const note of notes.slice(0, NOTES_READ)) {
    if (/\[\[[^\]\n]+\]\]/u.test((await readStart(note, START_BYTES)).toString('utf8'))) {
      return { from: 'obsidian', because: `wikilinks in ${note.relative}` };
    }
  }
  return { from: 'markdown', because: notes.length === 1 ? 'a Markdown file' : `${notes.length} Markdown files` };
}

async function detectFile(file: SourceFile): Promise<Detected | undefined> {
  const start = await readStart(file, START_BYTES);
  if (start.subarray(0, 5).toString('latin1') === '%PDF-') return { from: 'pdf', because: 'it begins as PDF files do' };
  const text = start
    .toString('utf8')
    .replace(/^\uFEFF/u, '')
    .trimStart();
  if (/^(?:<!doctype html|<html|<!--[\s\S]{0,500}-->\s*<(?:!doctype )?html)/iu.test(text)) {
    return { from: 'html', because: 'it begins as web pages do' };
  }
  if (text.startsWith('{') || text.startsWith('[')) return detectJson(file);
  if (!/\.(?:md|markdown)$/iu.test(file.name)) return undefined;
  if (/^session_id:/mu.test(text)) return { from: 'transcript', because: 'it has a session_id' };
  return detectNotes([file]);
}

const ELEMENTS_READ = 20;

async function detectJson(file: SourceFile): Promise<Detected | undefined> {
  let count = 0;
  for await (const { value } of readElements(file)) {
    const record = asRecord(value);
    const found = record === undefined ? undefined : detectRecord(record);
    if (found !== undefined) return { ...found, because: `${found.because} in ${file.name}` };
    count += 1;
    if (count >= ELEMENTS_READ) break;
  }
  return undefined;
}

function detectRecord(value: JsonRecord): Detected | undefined {
  const has = (...keys: string[]): boolean => keys.every((key) => value[key] !== undefined);
  const type = asText(value['type']);
  if (chatgpt.parse(value) !== undefined) return { from: 'chatgpt', because: 'conversations with a mapping' };
  if (claudeExport.parse(value) !== undefined) return { from: 'claude', because: 'conversations with chat_messages' };
  const beside = kindOfRecord(value);
  if (beside !== undefined) return { from: 'claude', because: `a ${beside} of Claude` };
  if (value['format'] === 'mneme-export') return { from: 'mneme', because: 'a list of contents' };
  if (has('entityType') || has('relationType') || (Array.isArray(value['entities']) && has('relations'))) {
    return { from: 'server-memory', because: 'entities with observations' };
  }
  if (has('memory', 'id') || Array.isArray(value['results']) || Array.isArray(value['memories'])) {
    return { from: 'mem0', because: 'memories' };
  }
  if (has('sessionId', 'uuid') || (type === 'summary' && has('leafUuid'))) {
    return { from: 'claude-code', because: 'messages with a sessionId' };
  }
  if (has('sessionId', 'projectHash')) return { from: 'gemini', because: 'a session of a project' };
  if (type === 'session_meta' || type === 'response_item' || (has('session', 'items') && !has('role'))) {
    return { from: 'codex', because: 'items of a session' };
  }
  if (type === 'session' && has('version', 'cwd')) return { from: 'openclaw', because: 'a session of an agent' };
  const isTurn = has('role') && (has('text') || has('content')) && (has('session') || has('time') || has('timestamp'));
  return isTurn ? { from: 'transcript', because: 'turns with a role' } : undefined;
}
