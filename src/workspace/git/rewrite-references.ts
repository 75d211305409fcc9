import { MnemeError } from '../../model/errors.ts';
import { changed, safeIdentity, type RenamedPath, type ReplaceBytes } from './export-rewriter.ts';
import type { Git } from './git.ts';

export interface Reference {
  readonly name: string;
  readonly object: string;
  readonly type: string;
}

/** All refs that hold a value of their own. */
export async function readReferences(git: Git): Promise<Reference[]> {
  const output = await git.text(['for-each-ref', '--format=%(refname) %(objectname) %(objecttype) %(symref)']);
  return output
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([name, , , target]) => name !== undefined && name !== '' && (target ?? '') === '')
    .map(([name = '', object = '', type = '']) => ({ name, object, type }));
}

const SIGNATURE = /^-----BEGIN (?:PGP|SSH|SIGNED)/m;

/** Makes annotated tags anew where their commit or their own text changed. */
export class TagRewriter {
  readonly #git: Git;
  readonly #replace: ReplaceBytes;
  readonly #commits: ReadonlyMap<string, string>;
  #changedMessages = 0;

  constructor(git: Git, replace: ReplaceBytes, commits: ReadonlyMap<string, string>) {
    this.#git = git;
    this.#replace = replace;
    this.#commits = commits;
  }

  get changedMessages(): number {
    return this.#changedMessages;
  }

  /** Returns what a reference to `object` must point to. */
  async target(object: string, type: string): Promise<string> {
    if (type === 'commit') return this.#commits.get(object) ?? object;
    if (type === 'tag') return this.#rewriteTag(object);
    throw new MnemeError('conflict', `A ref leads to the ${type} ${object}, which cannot be searched.`, {
      hint: 'Find it with `git for-each-ref` and delete that ref first.',
    });
  }

  async #rewriteTag(object: string): Promise<string> {
    const bytes = await this.#git.bytes(['cat-file', 'tag', object]);
    const headEnd = bytes.indexOf('\n\n');
    const head = bytes.toString('latin1', 0, headEnd === -1 ? bytes.length : headEnd).split('\n');
    const message = headEnd === -1 ? Buffer.alloc(0) : bytes.subarray(headEnd + 2);
    const field = (name: string): string =>
      head.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '';
    const target = await this.target(field('object'), field('type'));
    const newHead = head.map((line) => this.#rewriteHeadLine(line, target));
    const newMessage = changed(this.#replace, message);
    if (newMessage === undefined && newHead.join('\n') === head.join('\n')) return object;
    if (newMessage !== undefined) this.#changedMessages += 1;
    const text = withoutSignature((newMessage ?? message).toString('latin1'));
    const input = Buffer.from(`${newHead.join('\n')}\n\n${text}`, 'latin1');
    return this.#git.text(['hash-object', '-t', 'tag', '-w', '--stdin'], { input });
  }

  #rewriteHeadLine(line: string, target: string): string {
    if (line.startsWith('object ')) return `object ${target}`;
    if (line.startsWith('tag ')) return `tag ${referenceTarget(line.slice('tag '.length), this.#replace)}`;
    if (!line.startsWith('tagger ')) return line;
    const nameEnd = line.lastIndexOf('> ') + 1;
    const name = changed(this.#replace, Buffer.from(line.slice('tagger '.length, nameEnd), 'latin1'));
    return name === undefined ? line : `tagger ${safeIdentity(name).toString('latin1')}${line.slice(nameEnd)}`;
  }
}

/** A signature vouches for the text as it was. */
function withoutSignature(message: string): string {
  const start = message.search(SIGNATURE);
  return start === -1 ? message : message.slice(0, start);
}

/** A ref's name without what is to be erased (bytes as latin1), in characters that git accepts in one. */
function referenceTarget(name: string, replace: ReplaceBytes): string {
  const replaced = changed(replace, Buffer.from(name, 'latin1'));
  if (replaced === undefined) return name;
  const parts = replaced.toString('utf8').split('/');
  const safe = parts.map(
    (part) => part.replaceAll(/-*[^\p{L}\p{N}_-]+-*/gu, '-').replaceAll(/^-+|-+$/g, '') || 'erased',
  );
  return Buffer.from(safe.join('/'), 'utf8').toString('latin1');
}

export interface ReferencePlan {
  /** For `update-ref --stdin`, each with the value it expects to find. */
  readonly commands: readonly string[];
  /** Renamed within the transaction. */
  readonly renamedReferences: readonly RenamedPath[];
  /** To be renamed by `git branch`, which takes HEAD and the branch's settings along. */
  readonly renamedBranches: readonly RenamedPath[];
}

const BRANCHES = 'refs/heads/';

export async function planReferences(
  references: readonly Reference[],
  tags: TagRewriter,
  replace: ReplaceBytes,
): Promise<ReferencePlan> {
  const taken = new Set(references.map(({ name }) => name));
  const commands: string[] = [];
  const renamedReferences: RenamedPath[] = [];
  const renamedBranches: RenamedPath[] = [];
  for (const { name, object, type } of references) {
    const target = await tags.target(object, type);
    const newName = freeName(name, toText(referenceTarget(toLatin1(name), replace)), taken);
    if (newName === name) {
      if (target !== object) commands.push(`update ${name} ${target} ${object}`);
    } else if (name.startsWith(BRANCHES)) {
      if (target !== object) commands.push(`update ${name} ${target} ${object}`);
      renamedBranches.push({ from: name.slice(BRANCHES.length), to: newName.slice(BRANCHES.length) });
    } else {
      commands.push(`create ${newName} ${target}`, `delete ${name} ${object}`);
      renamedReferences.push({ from: name, to: newName });
    }
  }
  return { commands, renamedReferences, renamedBranches };
}

function freeName(name: string, wanted: string, taken: Set<string>): string {
  if (wanted === name) return name;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? wanted : `${wanted}-${number}`;
    if (taken.has(candidate)) continue;
    taken.add(candidate);
    return candidate;
  }
}

function toLatin1(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function toText(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
