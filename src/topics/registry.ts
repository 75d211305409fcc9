import fs from 'node:fs';
import path from 'node:path';
import { placeOf, type Layout } from '../workspace/formats/layout.ts';
import { isWorkspace, type Indexable } from '../workspace/registries.ts';
import type { WatchedTopic } from './topic-file.ts';
import { entriesOf, ignoringMissing } from '../platform/walk-tree.ts';

export interface TopicRegistryParts {
  /** The folder of the workspace's files. */
  readonly root: string;
  readonly layout: Layout;
}

interface Known {
  readonly stamp: string;
  readonly topic: WatchedTopic;
}

/** Folders that hold topics: the shared one, and each scope's. */
const TOPICS = 'topics';
const SCOPES = 'memory/scopes';

/**
 * Every topic of the workspace. Files are read again when their stamp differs or the write path says they were written, and
 * a topic whose bytes did not change stays the same object, so that what was prepared for it is kept.
 */
export class TopicRegistry {
  readonly #parts: TopicRegistryParts;
  readonly #known = new Map<string, Known>();
  #topics: readonly WatchedTopic[] = [];

  constructor(parts: TopicRegistryParts) {
    this.#parts = parts;
  }

  /** For the write path's indexers: a stamp may not tell two writes of one moment apart. */
  takeOver({ acknowledged, selfCommitted }: Indexable): void {
    const written = acknowledged.filter(({ record }) => isWorkspace(record)).flatMap(({ record }) => record.files);
    for (const file of [...written.map(({ path: file }) => file), ...selfCommitted]) this.#known.delete(file);
  }

  /** Whether there is any topic file, without reading one: most homes of a hook have none. */
  isEmpty(): boolean {
    return this.#list().length === 0;
  }

  /** All topics as the files are now, by path. */
  async sync(): Promise<readonly WatchedTopic[]> {
    const files = this.#list();
    const { readTopic } = await import('./topic-file.ts');
    for (const file of files) {
      const known = this.#known.get(file);
      const stamp = stampOf(path.join(this.#parts.root, file));
      if (stamp === undefined || known?.stamp === stamp) continue;
      const text = readText(path.join(this.#parts.root, file));
      if (text === undefined) continue;
      const topic = readTopic(file, text, this.#parts.layout);
      const isSame = known?.topic.contentHash === topic.contentHash;
      this.#known.set(file, { stamp, topic: isSame ? known.topic : topic });
    }
    const present = new Set(files);
    for (const file of this.#known.keys()) if (!present.has(file)) this.#known.delete(file);
    const topics = files.flatMap((file) => this.#known.get(file)?.topic ?? []);
    const isSame = topics.length === this.#topics.length && topics.every((topic, at) => topic === this.#topics[at]);
    if (!isSame) this.#topics = topics;
    return this.#topics;
  }

  /** The topics of every scope, as of the last sync. */
  known(): readonly WatchedTopic[] {
    return this.#topics;
  }

  #list(): string[] {
    const { root, layout } = this.#parts;
    const scopes = entriesOf(path.join(root, SCOPES)).filter((entry) => entry.isDirectory());
    const folders = [TOPICS, ...scopes.flatMap(({ name }) => [`${SCOPES}/${name}/${TOPICS}`])];
    return folders
      .flatMap((folder) => filesBelow(root, folder))
      .filter((file) => /\.md$/iu.test(file) && placeOf(file, layout).kind === 'topic')
      .sort();
  }
}

/** Deeper than this nobody keeps topics, and a loop of links would never end. */
const MAX_DEPTH = 6;

function filesBelow(root: string, folder: string, depth = 0): string[] {
  return entriesOf(path.join(root, folder)).flatMap((entry) => {
    if (entry.name.startsWith('.')) return [];
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return depth < MAX_DEPTH ? filesBelow(root, file, depth + 1) : [];
    return entry.isFile() ? [file] : [];
  });
}

function stampOf(file: string): string | undefined {
  const stat = ignoringMissing(() => fs.lstatSync(file, { throwIfNoEntry: false }));
  return stat?.isFile() === true ? `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}` : undefined;
}

function readText(file: string): string | undefined {
  return ignoringMissing(() => fs.readFileSync(file, 'utf8'));
}
