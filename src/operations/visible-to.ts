import type { Config } from '../model/config/schema.ts';
import { MnemeError } from '../model/errors.ts';
import { nameOfActor, roleOf, type Actor } from '../model/mutation.ts';
import { isScope, scopeFolder, type Scope } from '../model/provenance.ts';
import type { Proposal } from '../proposals/proposal.ts';
import {
  type Layout,
  linesOfOthers,
  scopeOfFile,
  scopeOfPath,
  storeOfPath,
  withoutOthers,
} from '../workspace/formats/layout.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import type { HomeIndex } from '../search-index/home-index.ts';

/** The caller of an operation: an operation's context is one. */
export interface Requester {
  readonly actor: Actor;
  /** The one scope beside `shared` that a client, a token or a session is bound to. */
  readonly confinedTo?: Scope | undefined;
  readonly config: Pick<Config, 'agents'>;
}

/** The content a caller may see, and where they may write. The one place where that is decided. */
export interface Visibility {
  /** Whether views of the whole home are open to them: everybody's history, proposals, conversations. */
  readonly seesHome: boolean;
  /** Whether something that belongs to `owner` may be shown to them at all. */
  readonly sees: (owner: Scope) => boolean;
  /** The scope a call works in: the one it names, else their own. It sees that one and what is shared. */
  readonly enter: (named: string | undefined) => Scope;
  /** The same for writing: who is confined reads what is shared and does not add to it. */
  readonly enterToWrite: (named: string | undefined) => Scope;
}

export function visibleTo(requester: Requester): Visibility {
  const { confinedTo } = requester;
  const open = openScopes(requester);
  const sees = (owner: Scope): boolean => open === 'every' || owner === 'shared' || open.includes(owner);
  const enter = (named: string | undefined): Scope => {
    const scope = named ?? confinedTo ?? 'shared';
    if (!isScope(scope)) {
      throw new MnemeError('usage', `"${scope}" is no scope.`, {
        hint: 'Use shared, or user:NAME, project:NAME, channel:NAME, agent:NAME.',
      });
    }
    if (sees(scope)) return scope;
    throw new MnemeError('refused', `${describe(requester)} does not see ${scope}.`, {
      hint: confinedTo === undefined ? 'A person can let it in: `mneme agents scope`.' : 'Leave out the scope.',
    });
  };
  const enterToWrite = (named: string | undefined): Scope => {
    const scope = enter(named);
    if (scope !== 'shared' || confinedTo === undefined || confinedTo === 'shared') return scope;
    throw new MnemeError('refused', `${describe(requester)} writes into ${confinedTo}, not into what is shared.`, {
      hint: `Leave out the scope to keep it in ${confinedTo}; what all should know is for a person or the main agent to write.`,
    });
  };
  return { seesHome: open === 'every', sees, enter, enterToWrite };
}

/** People and the main agent go where they name; others where they were let in. */
function openScopes({ actor, confinedTo, config }: Requester): 'every' | readonly Scope[] {
  if (confinedTo !== undefined) return [confinedTo];
  const role = roleOf(actor);
  if (role === 'human' || role === 'main') return 'every';
  const name = nameOfActor(actor);
  const own = `agent:${name.toLowerCase()}`;
  const granted = Object.hasOwn(config.agents.scopes, name) ? (config.agents.scopes[name] ?? []) : [];
  return [own, ...granted].filter(isScope);
}

function describe({ actor, confinedTo }: Requester): string {
  return confinedTo === undefined ? actor : `Who is confined to ${confinedTo}`;
}

/**
 * Whether a proposal may be shown. People and the main agent see all of them; confined to a scope, those of that scope. Sub-agents
 * see what they proposed themselves, in scopes that are open to them.
 */
export function seesProposal(
  requester: Requester,
  { scope = 'shared', actor }: Pick<Proposal, 'scope' | 'actor'>,
): boolean {
  const { sees, seesHome } = visibleTo(requester);
  if (seesHome) return true;
  if (!isScope(scope) || !sees(scope)) return false;
  const role = roleOf(requester.actor);
  return role === 'human' || role === 'main' ? scope !== 'shared' : actor === requester.actor;
}

interface FileRequester extends Requester {
  readonly layout: Layout;
  readonly homeIndex: HomeIndex;
}

/** The owner of a workspace file: from its folder, or its frontmatter. */
export function ownerOfFile({ homeIndex }: Pick<FileRequester, 'homeIndex'>, path: string): Scope {
  const folder = scopeOfPath(path);
  if (folder !== 'shared') return folder;
  const text = homeIndex.files.read({ source: 'workspace', path })?.text;
  return text === undefined ? folder : scopeOfFile(folder, parseDocument(text));
}

/** Whether a workspace file may be shown. */
export function seesFile(requester: FileRequester, path: string): boolean {
  const visible = visibleTo(requester);
  if (visible.seesHome) return true;
  // The owner of a deleted file can no longer be determined.
  const isThere = requester.homeIndex.files.read({ source: 'workspace', path }) !== undefined;
  return isThere && !isMeta(requester, path) && visible.sees(ownerOfFile(requester, path));
}

/** The audit log, proposals and the like lie in the shared tree and tell of every scope. */
export function isMeta({ layout }: Pick<FileRequester, 'layout'>, path: string): boolean {
  // Some file systems find a file by its name in any case.
  return [path, path.toLowerCase()].some((name) => storeOfPath(name, layout) === 'meta');
}

/** Refuses as if there were no such file: that there is one would be an answer too. */
export function assertSeesFile(requester: FileRequester, path: string): void {
  if (seesFile(requester, path)) return;
  throw noSuchFile(path);
}

/** The same words for a file that does not exist and for one that may not be seen. */
export function noSuchFile(path: string): MnemeError {
  return new MnemeError('not-found', `There is no ${path} in the workspace.`, {
    hint: 'Paths are relative to the workspace, such as memory/episodes/2026-02-16.md.',
  });
}

/** Refuses a change, or the proposal of one, of a file that the requester does not see, or in a scope they do not write into. */
export function assertMayTouch(requester: FileRequester, path: string): void {
  const visible = visibleTo(requester);
  // First, so that a file in a scope that is closed to them is refused in the same words whether it is there or not.
  visible.enterToWrite(scopeOfPath(path));
  const isThere = requester.homeIndex.files.read({ source: 'workspace', path }) !== undefined;
  if (isThere ? !seesFile(requester, path) : !visible.seesHome && isMeta(requester, path)) throw noSuchFile(path);
}

/** A confined caller changes the files of their own scope and no others. */
export function assertMayChange({ confinedTo }: Pick<Requester, 'confinedTo'>, path: string): void {
  if (confinedTo === undefined || scopeOfPath(path) === confinedTo) return;
  throw new MnemeError('refused', `Who is confined to ${confinedTo} does not change ${path}.`, {
    hint: confinedTo === 'shared' ? undefined : `Its own files lie under ${scopeFolder(confinedTo)}.`,
  });
}

/** The lines, from 1, of items that are marked as another scope's; all of them where the text as a whole is. */
export function foreignLines({ seesHome, sees }: Visibility, text: string): ReadonlySet<number> {
  return seesHome ? new Set() : linesOfOthers(text, sees);
}

/** The text without items that are marked as another scope's, as if they had never been there. */
export function hideForeignItems({ seesHome, sees }: Visibility, text: string): string {
  return seesHome ? text : withoutOthers(text, sees);
}

/** The bytes of a file that are left when items of other scopes are hidden. */
export function visibleSize(requester: FileRequester, path: string, size: number): number {
  const visible = visibleTo(requester);
  const text = visible.seesHome ? undefined : requester.homeIndex.files.read({ source: 'workspace', path })?.text;
  return text === undefined || foreignLines(visible, text).size === 0
    ? size
    : Buffer.byteLength(hideForeignItems(visible, text));
}

/** Whether somebody may be told what was asked in a scope: what was asked outside of all of them is between those two. */
export function seesPrompt(requester: Requester, askedIn: Scope | undefined): boolean {
  const { seesHome, sees } = visibleTo(requester);
  return seesHome || (askedIn !== undefined && askedIn !== 'shared' && sees(askedIn));
}
