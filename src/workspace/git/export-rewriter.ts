import { must } from '../../model/errors.ts';
import { parseQuotedPath, serializeQuotedPath, type ExportToken } from './export-stream.ts';

/** Returns the bytes without what is to be erased; the same object or equal bytes when there is nothing. */
export type ReplaceBytes = (bytes: Buffer) => Buffer;

/** All commits are imported below this one name; which of them every ref needs is worked out afterwards. */
export const REWRITE_REFERENCE = 'refs/mneme/rewrite';

export interface ExportedCommit {
  readonly mark: string;
  readonly original: string;
  readonly parents: readonly string[];
}

export interface RenamedPath {
  readonly from: string;
  readonly to: string;
}

type Section = 'blob' | 'commit' | 'reset' | 'tag' | 'other';

/** The words that begin a command; all others continue the one before. */
const SECTIONS: Readonly<Record<string, Section>> = {
  blob: 'blob',
  commit: 'commit',
  reset: 'reset',
  tag: 'tag',
  feature: 'other',
  progress: 'other',
  done: 'other',
};

/** Takes a fast-export stream token by token and gives it back without what is to be erased. */
export class ExportRewriter {
  readonly commits: ExportedCommit[] = [];
  readonly #replace: ReplaceBytes;
  /** Bytes as latin1, because a path need not be valid UTF-8. */
  readonly #targets = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  #section: Section = 'other';
  #mark = '';
  #original = '';
  #parents: string[] = [];
  #blobCount = 0;
  #changedBlobs = 0;
  #changedMessages = 0;

  constructor(replace: ReplaceBytes) {
    this.#replace = replace;
  }

  get counts(): { readonly blobs: number; readonly changedBlobs: number; readonly changedMessages: number } {
    return { blobs: this.#blobCount, changedBlobs: this.#changedBlobs, changedMessages: this.#changedMessages };
  }

  get renamedPaths(): RenamedPath[] {
    return [...this.#targets]
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => ({ from: fromLatin1(from).toString('utf8'), to: fromLatin1(to).toString('utf8') }));
  }

  get hasErased(): boolean {
    return this.#changedBlobs + this.#changedMessages > 0 || [...this.#targets].some(([from, to]) => from !== to);
  }

  /** The token to pass on; undefined drops it. */
  rewrite(token: ExportToken): ExportToken | undefined {
    if (token.kind === 'line') return this.#rewriteLine(token);
    if (this.#section === 'tag') return undefined;
    const bytes = changed(this.#replace, token.bytes);
    if (this.#section === 'blob') this.#changedBlobs += bytes === undefined ? 0 : 1;
    else this.#changedMessages += bytes === undefined ? 0 : 1;
    return bytes === undefined ? token : { kind: 'data', bytes };
  }

  /** Where a path's content goes. Two paths that become equal are kept apart by a number. */
  pathTarget(path: Buffer): Buffer {
    const from = path.toString('latin1');
    let to = this.#targets.get(from);
    if (to === undefined) {
      const replaced = changed(this.#replace, path);
      to = this.#freePath(replaced === undefined ? from : safePath(replaced.toString('latin1')), from);
      this.#targets.set(from, to);
    }
    return fromLatin1(to);
  }

  #freePath(wanted: string, owner: string): string {
    for (let number = 1; ; number += 1) {
      const candidate = number === 1 ? wanted : wanted.replace(/(\.[^./]*)?$/, `-${number}$1`);
      const present = this.#owners.get(candidate);
      if (present !== undefined && present !== owner) continue;
      this.#owners.set(candidate, owner);
      return candidate;
    }
  }

  #rewriteLine(token: ExportToken): ExportToken | undefined {
    const { bytes } = token;
    const space = bytes.indexOf(0x20);
    const word = bytes.toString('latin1', 0, space === -1 ? bytes.length : space);
    const rest = space === -1 ? Buffer.alloc(0) : bytes.subarray(space + 1);
    this.#enterSection(word);
    if (this.#section === 'tag') return undefined;
    switch (word) {
      case 'commit':
      case 'reset':
        return line(`${word} ${REWRITE_REFERENCE}`);
      case 'author':
      case 'committer':
        return this.#rewriteIdentity(token);
      case 'M':
        return this.#rewriteModification(rest);
      case 'D':
        return line(Buffer.concat([Buffer.from('D '), serializeQuotedPath(this.pathTarget(parseQuotedPath(rest)))]));
      default:
        this.#remember(word, rest.toString('latin1'));
        return token;
    }
  }

  #enterSection(word: string): void {
    const section = SECTIONS[word];
    if (section === undefined) return;
    this.#closeCommit();
    this.#section = section;
    if (section === 'blob') this.#blobCount += 1;
  }

  #remember(word: string, value: string): void {
    if (word === 'mark') this.#mark = value;
    else if (word === 'original-oid') this.#original = value;
    else if ((word === 'from' || word === 'merge') && this.#section === 'commit') this.#parents.push(value);
  }

  #closeCommit(): void {
    if (this.#section === 'commit') {
      this.commits.push({ mark: this.#mark, original: this.#original, parents: this.#parents });
    }
    this.#parents = [];
  }

  /** `author NAME <ADDRESS> SECONDS ZONE` */
  #rewriteIdentity(token: ExportToken): ExportToken {
    const { bytes } = token;
    const nameStart = bytes.indexOf(0x20) + 1;
    const timeStart = bytes.lastIndexOf('> ') + 1;
    const name = changed(this.#replace, bytes.subarray(nameStart, timeStart));
    if (name === undefined) return token;
    this.#changedMessages += 1;
    return line(Buffer.concat([bytes.subarray(0, nameStart), safeIdentity(name), bytes.subarray(timeStart)]));
  }

  /** `MODE REFERENCE PATH` */
  #rewriteModification(rest: Buffer): ExportToken {
    const pathStart = rest.indexOf(0x20, rest.indexOf(0x20) + 1) + 1;
    const path = this.pathTarget(parseQuotedPath(rest.subarray(pathStart)));
    return line(Buffer.concat([Buffer.from('M '), rest.subarray(0, pathStart), serializeQuotedPath(path)]));
  }
}

/** undefined when there was nothing to replace. */
export function changed(replace: ReplaceBytes, bytes: Buffer): Buffer | undefined {
  const replaced = replace(bytes);
  return replaced === bytes || replaced.equals(bytes) ? undefined : replaced;
}

/** `NAME <ADDRESS>` again, whatever the replacement did to the brackets. */
export function safeIdentity(identity: Buffer): Buffer {
  const text = identity.toString('latin1');
  const match = /^(.*) <(.*)>$/s.exec(text);
  const clean = (part: string): string => part.replaceAll(/[<>\n\0]/g, '').trim();
  return fromLatin1(`${clean(match?.[1] ?? text)} <${clean(match?.[2] ?? '')}>`);
}

/** A replacement must not make a part of a path empty, or special to git. */
function safePath(path: string): string {
  const parts = path.replaceAll('\0', '').split('/');
  return parts.map((part) => (/^(?:\.{0,2}|\.git)$/i.test(part) ? 'erased' : part)).join('/');
}

function fromLatin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function line(content: string | Buffer): ExportToken {
  return { kind: 'line', bytes: typeof content === 'string' ? Buffer.from(content) : content };
}

/** Original commit → rewritten commit, from the marks fast-import wrote down. */
export function mapCommits(commits: readonly ExportedCommit[], marks: string): Map<string, string> {
  const byMark = new Map<string, string>();
  for (const row of marks.split('\n')) {
    const [mark = '', commit = ''] = row.split(' ');
    if (mark !== '') byMark.set(mark, commit);
  }
  return new Map(commits.map(({ mark, original }) => [original, must(byMark.get(mark), `commit ${original}`)]));
}

/** The first commits that changed on every line of history: any copy that has one of them has the erased text. */
export function firstChanged(commits: readonly ExportedCommit[], rewritten: ReadonlyMap<string, string>): string[] {
  const originals = new Map(commits.map(({ mark, original }) => [mark, original]));
  const isChanged = (original: string): boolean => (rewritten.get(original) ?? original) !== original;
  return commits
    .filter(
      ({ original, parents }) => isChanged(original) && !parents.some((mark) => isChanged(originals.get(mark) ?? '')),
    )
    .map(({ original }) => original);
}
