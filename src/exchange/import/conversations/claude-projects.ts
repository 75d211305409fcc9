import type { Trust } from '../../../model/provenance.ts';
import { renderFrontmatter } from '../../../workspace/markdown/frontmatter.ts';
import { slugify } from '../../../workspace/safety/paths.ts';
import type { SourceFile } from '../../sources/open-source.ts';
import { asBlocks, asRecord, asText, asTimeMs, type JsonRecord } from '../lines.ts';

/** A text of an export that becomes a document: what it is called there stays its identity. */
export interface ExportedText {
  readonly id: string;
  readonly folder: string;
  readonly name: string;
  readonly title: string;
  readonly body: string;
  readonly changedMs: number | undefined;
  /** The source of the words: the person, the service's notes about the person, or an upload by anyone. */
  readonly origin: 'person' | 'service' | 'upload';
}

/** The kind of data that Claude keeps beside conversations, by the record's shape; undefined for anything else. */
export function kindOfRecord(value: JsonRecord): 'project' | 'memory' | undefined {
  if (value['conversations_memory'] !== undefined || asRecord(value['project_memories']) !== undefined) return 'memory';
  const isProject = asText(value['uuid']) !== undefined && asText(value['name']) !== undefined;
  return isProject && (Array.isArray(value['docs']) || 'prompt_template' in value) ? 'project' : undefined;
}

/** Two projects may have one name; each has a folder of its own. */
export class ProjectFolders {
  readonly #byId = new Map<string, string>();

  of(id: string, name?: string): string {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const plain = slugify(name ?? id);
    const isTaken = [...this.#byId.values()].includes(plain);
    const folder = isTaken ? `${plain}-${slugify(id).slice(0, 8)}` : plain;
    this.#byId.set(id, folder);
    return folder;
  }
}

/** A project: what it is for, what Claude was told to do in it, and what was uploaded. */
export function readProject(value: JsonRecord, folders: ProjectFolders): readonly ExportedText[] {
  const id = asText(value['uuid']) ?? '';
  const name = asText(value['name']) ?? id;
  const folder = `projects/${folders.of(id, name)}`;
  const changedMs = asTimeMs(value['updated_at']) ?? asTimeMs(value['created_at']);
  const description = asText(value['description'])?.trim() ?? '';
  const instructions = asText(value['prompt_template'])?.trim() ?? '';
  const parts = [description, instructions === '' ? '' : `## Instructions\n\n${instructions}`].filter(Boolean);
  const about: ExportedText = {
    id: `projects/${id}/about`,
    folder,
    name: 'about.md',
    title: name,
    body: parts.join('\n\n'),
    changedMs,
    origin: 'person',
  };
  const docs = asBlocks(value['docs']).map((doc, index): ExportedText => {
    const title = asText(doc['filename'])?.trim() || `document ${index + 1}`;
    return {
      id: `projects/${id}/docs/${asText(doc['uuid']) ?? index}`,
      folder: `${folder}/docs`,
      name: plainName(title) || `document ${index + 1}`,
      title,
      body: asText(doc['content']) ?? '',
      changedMs: asTimeMs(doc['created_at']) ?? changedMs,
      origin: 'upload',
    };
  });
  return [about, ...docs].filter(({ body }) => body.trim() !== '');
}

/** Reads Claude's notes about the person, over all conversations and within each project. */
export function readMemory(value: JsonRecord, folders: ProjectFolders): readonly ExportedText[] {
  const account = asText(value['account_uuid']) ?? 'account';
  const about = { changedMs: undefined, origin: 'service' as const };
  const texts: ExportedText[] = [
    {
      ...about,
      id: `memories/${account}`,
      folder: '.',
      name: 'memory.md',
      title: "Claude's memory",
      body: asText(value['conversations_memory']) ?? '',
    },
  ];
  for (const [id, text] of Object.entries(asRecord(value['project_memories']) ?? {})) {
    const folder = `projects/${folders.of(id)}`;
    const title = "Claude's memory of the project";
    texts.push({
      ...about,
      id: `memories/${account}/${id}`,
      folder,
      name: 'memory.md',
      title,
      body: asText(text) ?? '',
    });
  }
  for (const [index, file] of asBlocks(value['memory_files']).entries()) {
    const name = asText(file['path']) ?? asText(file['name']) ?? asText(file['filename']) ?? `file ${index + 1}`;
    const body = asText(file['content']) ?? asText(file['text']) ?? '';
    const plain = plainName(name) || `file ${index + 1}`;
    texts.push({ ...about, id: `memories/${account}/files/${name}`, folder: 'files', name: plain, title: plain, body });
  }
  return texts.filter(({ body }) => body.trim() !== '');
}

/** One name instead of a path, and none that begins with a dot: nobody would find it again. */
function plainName(name: string): string {
  return name.replaceAll(/[\\/]+/gu, '-').replace(/^[-.\s]+/u, '');
}

/** Uploads are external, and a service's notes are not the person's own words, even in a person's export. */
export function trustOf({ origin }: ExportedText, isMine: boolean): Trust {
  if (origin === 'upload') return 'external';
  return origin === 'person' && isMine ? 'user' : 'import';
}

export function asSourceFile(text: ExportedText, relative: string, fallbackMs: number): SourceFile {
  const { id, title, body, changedMs } = text;
  const date = changedMs === undefined ? {} : { date: new Date(changedMs).toISOString().slice(0, 10) };
  const head = renderFrontmatter({ title, ...date, source: 'claude' });
  const hasHeading = body.trimStart().startsWith('# ');
  const content = Buffer.from(
    `${head}\n${hasHeading ? '' : `# ${title.replaceAll(/\s+/gu, ' ')}\n\n`}${body.trimEnd()}\n`,
  );
  return {
    id,
    relative,
    name: relative.split('/').at(-1) ?? relative,
    size: content.length,
    mtimeMs: changedMs ?? fallbackMs,
    open: (from = 0) => oneChunk(content.subarray(from)),
  };
}

async function* oneChunk(content: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(content);
}
