import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import { isMutationId } from '../model/ids.ts';
import { nodeFileSystem, type FileSystem } from '../platform/fs.ts';
import { stampText } from '../workspace/known-files.ts';
import { scopeOfPath } from '../workspace/formats/layout.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import { parseProposal } from './parse.ts';
import { PROPOSALS_FOLDER, proposalPath, type Proposal } from './proposal.ts';
import type { Listing, ProposalFilter } from './request.ts';

export interface ProposalFile {
  readonly proposal: Proposal;
  readonly text: string;
  /** Where it lies, from the workspace down. */
  readonly path: string;
}

/** A file in the folder that needs a person's attention. */
export interface FolderProblem {
  readonly path: string;
  readonly message: string;
}

interface ReadFile {
  readonly stamp: string;
  readonly file: ProposalFile | undefined;
  readonly findings: readonly string[];
}

/** The proposals as they are on disk. Decided ones stay for ever, so a file is parsed again only when it changed. */
export class ProposalFolder {
  readonly #root: string;
  readonly #fs: FileSystem;
  #cache = new Map<string, ReadFile>();

  constructor(workTree: string, fs: FileSystem = nodeFileSystem) {
    this.#root = workTree;
    this.#fs = fs;
  }

  /** Every proposal, oldest first, and what stands in the folder without being one. */
  readAll(): { readonly files: readonly ProposalFile[]; readonly problems: readonly FolderProblem[] } {
    const fresh = new Map<string, ReadFile>();
    const problems: FolderProblem[] = [];
    for (const folder of this.#folders()) {
      for (const name of this.#fs.list(path.join(this.#root, folder))) {
        const file = `${folder}/${name}`;
        const read = this.#read(file);
        if (read === undefined) continue;
        fresh.set(file, read);
        for (const message of read.findings) problems.push({ path: file, message });
      }
    }
    this.#cache = fresh;
    const files = [...fresh.values()]
      .flatMap((read) => (read.file === undefined ? [] : [read.file]))
      .sort((one, other) => (one.proposal.id < other.proposal.id ? -1 : 1));
    return { files, problems: problems.sort((one, other) => (one.path < other.path ? -1 : 1)) };
  }

  /** The proposals that a filter lets through, oldest first. */
  list(filter: ProposalFilter): Listing {
    const { files, problems } = this.readAll();
    const states = filter.state === undefined ? undefined : [filter.state].flat();
    const proposals = files
      .map((file) => file.proposal)
      .filter((proposal) => states?.includes(proposal.state) ?? true)
      .filter((proposal) => filter.kind === undefined || proposal.kind === filter.kind)
      .filter((proposal) => filter.actor === undefined || proposal.actor === filter.actor);
    return { proposals, problems };
  }

  /** One proposal by its id or the beginning of it. */
  get(idOrPrefix: string): ProposalFile {
    const prefix = idOrPrefix.trim().toUpperCase();
    if (prefix === '') throw new MnemeError('usage', 'Which proposal? Name its id.', { hint: LIST_HINT });
    if (isMutationId(prefix)) {
      for (const folder of this.#folders()) {
        const named = this.#read(`${folder}/${prefix}.md`)?.file;
        if (named !== undefined) return named;
      }
    }
    const { files, problems } = this.readAll();
    const matches = files.filter((file) => file.proposal.id.startsWith(prefix));
    const [match, another] = matches;
    if (match === undefined) {
      const problem = problems.find((found) => found.path === proposalPath(prefix));
      const why = problem === undefined ? '' : ` Its file ${problem.message}.`;
      throw new MnemeError('not-found', `There is no proposal ${idOrPrefix}.${why}`, { hint: LIST_HINT });
    }
    if (another === undefined) return match;
    const ids = matches.slice(0, 5).map((file) => file.proposal.id);
    throw new MnemeError('usage', `${matches.length} proposals begin with ${prefix}: ${ids.join(', ')}.`, {
      hint: 'Write more of the id.',
    });
  }

  /** The shared one, and each scope's own. */
  #folders(): string[] {
    const scopes = this.#fs.list(path.join(this.#root, SCOPES_FOLDER)).sort();
    return [PROPOSALS_FOLDER, ...scopes.map((scope) => `${SCOPES_FOLDER}/${scope}/${PROPOSALS_FOLDER}`)];
  }

  #read(relative: string): ReadFile | undefined {
    const full = path.join(this.#root, relative);
    const name = relative;
    const stamp = this.#fs.stamp(full);
    if (stamp === undefined) return undefined;
    const known = this.#cache.get(name);
    const now = stampText(stamp);
    if (known?.stamp === now) return known;
    const bytes = this.#fs.read(full);
    if (bytes === undefined) return undefined;
    const decoded = decodeText(bytes);
    if (decoded.kind === 'binary') return { stamp: now, file: undefined, findings: [`is no text: ${decoded.reason}`] };
    const { proposal, findings } = parseProposal(decoded.text, path.posix.basename(name, '.md'));
    if (proposal === undefined) return { stamp: now, file: undefined, findings };
    // The folder has the last word on whose it is: a header is easily changed.
    const folder = scopeOfPath(relative);
    const own = folder === 'shared' ? proposal : { ...proposal, scope: folder };
    return { stamp: now, file: { proposal: own, text: decoded.text, path: relative }, findings };
  }
}

const SCOPES_FOLDER = 'memory/scopes';

const LIST_HINT = '`mneme proposals` lists them.';
