import { readElements } from '../../sources/json-elements.ts';
import { type SourceFile, openSource } from '../../sources/open-source.ts';
import { importDocuments } from '../documents.ts';
import type { ImportRun } from '../import-run.ts';
import { asRecord, type JsonRecord } from '../lines.ts';
import { Tally } from '../port.ts';
import {
  asSourceFile,
  kindOfRecord,
  ProjectFolders,
  readMemory,
  readProject,
  trustOf,
  type ExportedText,
} from './claude-projects.ts';
import { claudeExport } from './claude.ts';
import { importConversations } from './import-conversations.ts';

/** `projects.json`, or a file for each in a folder; the same for memories. Projects come first: they have the names. */
const PROJECTS = /(?:^|\/)projects(?:[-_]\d+)?(?:\.json|\/[^/]+\.json)$/u;
const MEMORIES = /(?:^|\/)memories(?:[-_]\d+)?(?:\.json|\/[^/]+\.json)$/u;
/** Every export lies elsewhere on the disk; what it holds is known again by its own ids. */
const SOURCE = { name: 'claude', target: 'memory/reference/claude' };

/** Claude's export: conversations, projects with what was uploaded, and what Claude noted about the person. */
export async function importClaude(run: ImportRun, paths: readonly string[]): Promise<void> {
  const folders = new ProjectFolders();
  for (const given of paths) {
    const { beside, isNamed } = await findBeside(given);
    run.expect(beside);
    for (const file of beside) {
      if (!run.isAborted) await importBeside(run, file, folders);
    }
    // A user who named one of these files meant it; and a part of an export may hold no conversations.
    const isDone = beside.length > 0 && (isNamed || !(await holdsConversations(given)));
    if (!isDone && !run.isAborted) await importConversations(run, claudeExport, [given]);
  }
}

async function holdsConversations(given: string): Promise<boolean> {
  const { files } = await openSource(given, new Tally(), (relative) => claudeExport.files.test(relative));
  return files.length > 0;
}

async function findBeside(
  given: string,
): Promise<{ readonly beside: readonly SourceFile[]; readonly isNamed: boolean }> {
  const isWanted = (relative: string): boolean => PROJECTS.test(relative) || MEMORIES.test(relative);
  const { files, isFile } = await openSource(given, new Tally(), isWanted);
  const [named] = files;
  // A file that was named may be called anything.
  if (isFile) return { beside: named !== undefined && (await beginsBeside(named)) ? [named] : [], isNamed: true };
  const memories = files.filter(({ relative }) => MEMORIES.test(relative));
  return { beside: [...files.filter(({ relative }) => PROJECTS.test(relative)), ...memories], isNamed: false };
}

async function beginsBeside(file: SourceFile): Promise<boolean> {
  for await (const { value } of readElements(file)) {
    const record = asRecord(value);
    return record !== undefined && kindOfRecord(record) !== undefined;
  }
  return false;
}

async function importBeside(run: ImportRun, file: SourceFile, folders: ProjectFolders): Promise<void> {
  for await (const { at, value, problem, isRecovered } of readElements(file)) {
    if (run.isAborted) return;
    const record = asRecord(value);
    const kind = record === undefined ? undefined : kindOfRecord(record);
    if (record !== undefined && kind !== undefined) {
      const texts = kind === 'project' ? readProject(await named(run, record), folders) : readMemory(record, folders);
      await takeTexts(run, file, texts);
    } else if (!isRecovered || problem !== undefined) {
      const what = MEMORIES.test(file.relative) ? 'memory' : 'project';
      run.tally.addDamage(what, problem ?? `not a ${what}`, { file: file.relative, at });
    }
  }
  run.finishFile(file.size);
}

/** Folders and files are called by these; shortened to a plain name no rule would know a secret in them. */
async function named(run: ImportRun, record: JsonRecord): Promise<JsonRecord> {
  const { redactor } = run.home.workspace;
  const clean = async (text: unknown): Promise<unknown> =>
    typeof text === 'string' ? (await redactor.redact(text)).text : text;
  const docs = Array.isArray(record['docs'])
    ? await Promise.all(
        record['docs'].map(async (doc: unknown) => {
          const fields = asRecord(doc);
          return fields === undefined ? doc : { ...fields, filename: await clean(fields['filename']) };
        }),
      )
    : record['docs'];
  return { ...record, name: await clean(record['name']), docs };
}

async function takeTexts(run: ImportRun, file: SourceFile, texts: readonly ExportedText[]): Promise<void> {
  const { workspace, actor, maxFileBytes } = run.home;
  for (const trust of new Set(texts.map((text) => trustOf(text, run.request.mine === true)))) {
    const alike = texts.filter((text) => trustOf(text, run.request.mine === true) === trust);
    const written = await importDocuments(asSourceFiles(alike, file.mtimeMs), SOURCE, {
      workspace,
      maxFileBytes,
      writer: run.writer,
      tally: run.tally,
      attribution: { actor, trigger: `import ${run.request.from}` },
      isDryRun: run.request.dryRun === true,
      sinceMs: run.request.sinceMs,
      signal: run.controls.signal,
      onDocument: () => undefined,
      trust,
    });
    run.countDocuments(written);
  }
}

/** Uploads may share a name; their ids tell them apart. */
function asSourceFiles(texts: readonly ExportedText[], fallbackMs: number): SourceFile[] {
  const taken = new Set<string>();
  return texts.map((text) => {
    const plain = text.folder === '.' ? text.name : `${text.folder}/${text.name}`;
    const relative = taken.has(plain.toLowerCase()) ? `${text.folder}/${taken.size}-${text.name}` : plain;
    taken.add(relative.toLowerCase());
    return asSourceFile(text, relative, fallbackMs);
  });
}
