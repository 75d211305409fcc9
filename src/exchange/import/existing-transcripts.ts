import path from 'node:path';
import { nodeFileSystem } from '../../platform/fs.ts';
import { parseTranscript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { readPacked } from '../../workspace/packed.ts';
import { walkFiles } from './log-files.ts';

/** Enough of a session's id to find its files by name. */
const PREFIX_CHARACTERS = 8;

const TRANSCRIPT_NAME = /^\d{4}-(.+)\.md(?:\.gz)?$/u;

export interface ExistingTurns {
  readonly turns: number;
  readonly parts: number;
}

/**
 * The transcripts in raw/ by session. The record of imports is this machine's own; transcripts may have come from
 * another through git, and must not be doubled when the same logs are imported here.
 */
export class ExistingTranscripts {
  readonly #root: string;
  readonly #byPrefix = new Map<string, string[]>();
  readonly #found = new Map<string, ExistingTurns | undefined>();

  constructor(root: string) {
    this.#root = root;
    for (const { name, relative } of walkFiles(path.join(root, 'conversations'))) {
      const rest = TRANSCRIPT_NAME.exec(name)?.[1];
      if (rest === undefined) continue;
      const prefix = rest.slice(0, PREFIX_CHARACTERS);
      const known = this.#byPrefix.get(prefix);
      if (known === undefined) this.#byPrefix.set(prefix, [relative]);
      else known.push(relative);
    }
  }

  /** As it was when this was made, however often a long session asks. */
  find(session: string): ExistingTurns | undefined {
    if (!this.#found.has(session)) this.#found.set(session, this.#read(session));
    return this.#found.get(session);
  }

  #read(session: string): ExistingTurns | undefined {
    let turns = 0;
    let parts = 0;
    for (const relative of this.#candidates(session)) {
      if (!path.basename(relative).slice('HHMM-'.length).startsWith(session)) continue;
      const text = readPacked(nodeFileSystem, path.join(this.#root, 'conversations', relative))?.toString('utf8');
      if (text === undefined) continue;
      const transcript = parseTranscript(parseDocument(text));
      if (transcript.frontmatter.session_id !== session) continue;
      parts += 1;
      turns = Math.max(turns, (transcript.frontmatter.first_turn ?? 1) - 1 + transcript.turns.length);
    }
    return parts === 0 ? undefined : { turns, parts };
  }

  /** The files whose names may begin with the session; behind a short one other words stand in the prefix. */
  #candidates(session: string): readonly string[] {
    if (session.length >= PREFIX_CHARACTERS) return this.#byPrefix.get(session.slice(0, PREFIX_CHARACTERS)) ?? [];
    return [...this.#byPrefix].flatMap(([prefix, files]) => (prefix.startsWith(session) ? files : []));
  }
}
