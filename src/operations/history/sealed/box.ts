import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../../model/errors.ts';
import { replaceFile } from '../../../platform/fs.ts';
import { Git } from '../../../workspace/git/git.ts';
import { attemptRemote, remoteError } from '../../../workspace/git/remote.ts';
import type { Eraser } from '../../../workspace/registries.ts';
import { open, seal } from './seal.ts';

/** The remote's one branch: a row of sealed git bundles, each with what the one before it lacks. */
const BRANCH = 'refs/heads/mneme-sealed';
const REMOTE = 'origin';
const README = `This branch holds a Mneme memory, sealed with age (https://age-encryption.org).
Each .age file is a git bundle. With the key: age -d -i KEY -o 1.bundle 000001.age, then git fetch 1.bundle, in order.
`;
/** Git's messages when another writer was faster. */
const OVERTAKEN = /rejected|non-fast-forward|fetch first|stale info|failed to lock|cannot lock/iu;
const SEALED_NAME = /^\d{6}\.age$/u;

export function sealedFolder(state: string): string {
  return path.join(state, 'sealed');
}

/** Both copies are made of what the remote has, and hold the memory in the clear: an erasure removes them. */
export function createSealedEraser(state: string): Eraser {
  return {
    name: 'copies of sealed remotes',
    erase() {
      const isThere = fs.existsSync(sealedFolder(state));
      fs.rmSync(sealedFolder(state), { recursive: true, force: true });
      return Promise.resolve({ where: 'copies of sealed remotes', occurrences: isThere ? 1 : 0 });
    },
  };
}

export interface BoxParts {
  readonly state: string;
  readonly url: string;
  readonly branch: string;
  /** The private keys that decrypt, newest first. */
  readonly identities: readonly string[];
  /** For whom everything is sealed that is sent from here. */
  readonly recipients: readonly string[];
}

/**
 * A remote that sees only cipher text. The mirror is the repository it would be in the clear: the memory is exchanged with that
 * one as with any remote, and what it got is sealed and sent.
 */
export class SealedBox {
  readonly mirror: Git;
  readonly #box: Git;
  readonly #parts: BoxParts;

  private constructor(parts: BoxParts, box: Git, mirror: Git) {
    this.#parts = parts;
    this.#box = box;
    this.mirror = mirror;
  }

  static async open(parts: BoxParts): Promise<SealedBox> {
    const folder = sealedFolder(parts.state);
    const box = await openRepository(path.join(folder, 'box.git'));
    const mirror = await openRepository(path.join(folder, 'mirror.git'));
    const known = await box.attempt(['remote', 'get-url', REMOTE]);
    const url = known.stdout.toString('utf8').trim();
    if (known.code === 0 && url !== parts.url) {
      // Another remote: what is known of the old one says nothing about it.
      fs.rmSync(folder, { recursive: true, force: true });
      return SealedBox.open(parts);
    }
    if (known.code !== 0) await box.bytes(['remote', 'add', REMOTE, parts.url]);
    return new SealedBox(parts, box, mirror);
  }

  /** Fetches and opens what others sealed; afterwards the mirror is what the remote holds. */
  async receive(): Promise<void> {
    const args = ['fetch', '--quiet', '--no-auto-maintenance', REMOTE, `+${BRANCH}:${BRANCH}`];
    const result = await attemptRemote(this.#box, args, { remote: REMOTE });
    const isEmpty = /couldn't find remote ref/iu.test(result.stderr);
    if (result.code !== 0 && !isEmpty) throw remoteError(args, result, REMOTE);
    if (isEmpty) await this.#box.attempt(['update-ref', '-d', BRANCH]);
    const names = await this.#names();
    for (const name of names) await this.#openOne(name);
    const last = names.at(-1);
    const heads = `refs/heads/${this.#parts.branch}`;
    if (last === undefined) await this.mirror.attempt(['update-ref', '-d', heads]);
    else await this.mirror.bytes(['update-ref', heads, refOf(last)]);
  }

  /** Seals what the mirror got since, and sends it; false when somebody else was quicker. */
  async send(nowMs: number): Promise<boolean> {
    const names = await this.#names();
    const last = names.at(-1);
    const tip = `refs/heads/${this.#parts.branch}`;
    const has = await this.mirror.attempt(['rev-parse', '--verify', '--quiet', tip]);
    if (has.code !== 0) return true;
    const commit = has.stdout.toString('utf8').trim();
    if (last !== undefined && (await this.mirror.text(['rev-parse', refOf(last)])) === commit) return true;
    if (last !== undefined) await this.#assertShutsNobodyOut(last);
    const name = `${String(names.length + 1).padStart(6, '0')}.age`;
    const sealed = await this.#sealOne(tip, last === undefined ? undefined : refOf(last));
    await this.#add(name, sealed, nowMs);
    const result = await attemptRemote(this.#box, ['push', '--quiet', REMOTE, `${BRANCH}:${BRANCH}`], {
      remote: REMOTE,
    });
    if (result.code === 0) {
      await this.mirror.bytes(['update-ref', refOf(name), commit]);
      return true;
    }
    if (OVERTAKEN.test(result.stderr)) return false;
    throw remoteError(['push'], result, REMOTE);
  }

  /**
   * Puts one bundle, sealed for whom it is meant now, in the place of all that were sent. False when somebody else sent
   * meanwhile: then theirs has to be taken first.
   */
  async reseal(nowMs: number): Promise<boolean> {
    const before = await this.#box.attempt(['rev-parse', '--verify', '--quiet', BRANCH]);
    const tip = `refs/heads/${this.#parts.branch}`;
    const sealed = await this.#sealOne(tip, undefined);
    const commit = await this.#commit('000001.age', sealed, undefined, nowMs);
    const expected = before.code === 0 ? before.stdout.toString('utf8').trim() : '';
    const args = ['push', '--quiet', `--force-with-lease=${BRANCH}:${expected}`, REMOTE, `${commit}:${BRANCH}`];
    const result = await attemptRemote(this.#box, args, { remote: REMOTE });
    if (result.code === 0) {
      await this.#box.bytes(['update-ref', BRANCH, commit]);
      await this.mirror.bytes(['update-ref', refOf('000001.age'), tip]);
      return true;
    }
    if (OVERTAKEN.test(result.stderr)) return false;
    throw remoteError(['push'], result, REMOTE);
  }

  /** A box encrypted for fewer keys than the last one would leave a gap in the series that others cannot pass. */
  async #assertShutsNobodyOut(last: string): Promise<void> {
    const before = countRecipients(await this.#box.bytes(['cat-file', 'blob', `${BRANCH}:${last}`]));
    const now = this.#parts.recipients.length;
    if (now >= before) return;
    throw new MnemeError('refused', `${last} was sealed for ${before} keys, and this machine would seal for ${now}.`, {
      hint: 'Add the public keys of your other machines (`mneme sync keys add`); or, where somebody is to be left out, `mneme sync keys reseal`.',
    });
  }

  async #names(): Promise<string[]> {
    const listed = await this.#box.attempt(['ls-tree', '--name-only', BRANCH]);
    if (listed.code !== 0) return [];
    return listed.stdout
      .toString('utf8')
      .split('\n')
      .filter((name) => SEALED_NAME.test(name))
      .sort();
  }

  async #openOne(name: string): Promise<void> {
    const blob = await this.#box.text(['rev-parse', `${BRANCH}:${name}`]);
    const known = await this.mirror.attempt(['config', '--get', settingOf(name)]);
    if (known.stdout.toString('utf8').trim() === blob) return;
    const bundle = await open(
      this.#parts.identities,
      await this.#box.bytes(['cat-file', 'blob', blob]),
      `${name} at the remote`,
    );
    const file = path.join(sealedFolder(this.#parts.state), 'incoming.bundle');
    replaceFile(file, bundle);
    try {
      const branch = `refs/heads/${this.#parts.branch}`;
      await this.mirror.bytes([
        'fetch',
        '--quiet',
        '--no-auto-maintenance',
        file,
        `+${branch}:${refOf(name)}`,
        '+refs/tags/*:refs/tags/*',
      ]);
      await this.mirror.bytes(['config', settingOf(name), blob]);
    } finally {
      fs.rmSync(file, { force: true });
    }
  }

  async #sealOne(tip: string, since: string | undefined): Promise<Uint8Array> {
    const file = path.join(sealedFolder(this.#parts.state), 'outgoing.bundle');
    try {
      await this.mirror.bytes([
        'bundle',
        'create',
        '--quiet',
        file,
        tip,
        '--tags',
        ...(since === undefined ? [] : [`^${since}`]),
      ]);
      return await seal(this.#parts.recipients, fs.readFileSync(file));
    } finally {
      fs.rmSync(file, { force: true });
    }
  }

  async #add(name: string, bytes: Uint8Array, nowMs: number): Promise<void> {
    const parent = await this.#box.attempt(['rev-parse', '--verify', '--quiet', BRANCH]);
    const before = parent.code === 0 ? parent.stdout.toString('utf8').trim() : undefined;
    await this.#box.bytes(['update-ref', BRANCH, await this.#commit(name, bytes, before, nowMs)]);
  }

  async #commit(name: string, bytes: Uint8Array, parent: string | undefined, nowMs: number): Promise<string> {
    const write = (input: Uint8Array | string): Promise<string> =>
      this.#box.text(['hash-object', '-w', '--stdin'], { input: Buffer.from(input) });
    const before =
      parent === undefined ? `100644 blob ${await write(README)}\tREADME` : await this.#box.text(['ls-tree', parent]);
    const tree = await this.#box.text(['mktree'], { input: `${before}\n100644 blob ${await write(bytes)}\t${name}\n` });
    const date = `${Math.floor(nowMs / 1000)} +0000`;
    const person = { NAME: 'Mneme', EMAIL: 'mneme@localhost', DATE: date };
    const env = Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((role) =>
        Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
      ),
    );
    const parents = parent === undefined ? [] : ['-p', parent];
    return this.#box.text(['commit-tree', tree, ...parents, '-m', `sealed ${name}`], { env });
  }
}

/** The header of an age file has one line for each key, and ends with `---`. */
function countRecipients(sealed: Buffer): number {
  const header = sealed.subarray(0, sealed.indexOf('\n---')).toString('latin1');
  return header.split('\n').filter((line) => line.startsWith('-> ')).length;
}

function refOf(name: string): string {
  return `refs/sealed/${name.replace('.age', '')}`;
}

async function openRepository(folder: string): Promise<Git> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const git = new Git({ gitDir: folder, workTree: folder });
  // Its branch is one that nobody pushes to: git refuses to move the one a repository is on.
  if (!fs.existsSync(path.join(folder, 'HEAD'))) {
    await git.bytes(['init', '--quiet', '--template=', '--object-format=sha1', '--initial-branch=unused']);
  }
  return git;
}

/** Where the mirror notes which bundle it opened. */
function settingOf(name: string): string {
  return `mneme.sealed${name.replace('.age', '')}`;
}
