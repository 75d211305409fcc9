import { trustOfBlocks } from '../../compile/attribute.ts';
import { SPOKEN_FOR_USER } from '../../compile/told-trust.ts';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { chunkFile } from '../../search-index/chunk/chunk-file.ts';
import { itemDefaults } from '../../workspace/formats/defaults.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import { locateBlocks } from '../../workspace/formats/sections.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { markAgentWords } from '../agent-words.ts';
import type { OperationContext } from '../context.ts';

/** The effect of a change on the words that a file attributes to the user. */
export interface UserWords {
  readonly hadAny: boolean;
  readonly adds: boolean;
  readonly removes: boolean;
}

type Parts = Pick<OperationContext, 'chunkContext' | 'layout'>;

/** A file's text, and the path it has it under: where a text stands says how it is told. */
interface Standing {
  readonly path: string;
  readonly text: string | undefined;
}

export function compareUserWords(parts: Parts, before: Standing, after: Standing): UserWords {
  const old = userWords(parts, before);
  const fresh = userWords(parts, after);
  return { hadAny: old.length > 0, adds: isMore(fresh, old), removes: isMore(old, fresh) };
}

/** Rejects words attributed to the user by any other actor. */
export function assertNoForgedWords(
  context: Parts & Pick<OperationContext, 'actor'>,
  path: string,
  before: string | undefined,
  after: string,
): void {
  if (roleOf(context.actor) === 'human' || SPOKEN_FOR_USER.has(kindOfPath(path, context.layout))) return;
  if (!compareUserWords(context, { path, text: before }, { path, text: after }).adds) return;
  throw new MnemeError('refused', `An agent cannot say in ${path} that the user said something.`, {
    hint: 'Leave out `trust: user` and `source: user-explicit`; what the user said is changed by a proposal.',
  });
}

function userWords({ chunkContext, layout }: Parts, { path, text }: Standing): string[] {
  if (text === undefined) return [];
  const kind = kindOfPath(path, layout);
  if (!SPOKEN_FOR_USER.has(kind)) {
    const passages = chunkFile({ source: 'workspace', path, text, hash: '' }, chunkContext)?.passages ?? [];
    return passages.filter(({ trust }) => trust === 'user').map((passage) => passage.text);
  }
  // The index knows only what such a file usually holds; what an agent is told goes by the blocks themselves.
  const document = parseDocument(text);
  const trusts = trustOfBlocks(locateBlocks(document), itemDefaults(kind, document.frontmatter?.values));
  return document.blocks
    .filter((_block, at) => trusts[at] === 'user')
    .map(({ raw }) => raw.replaceAll(/<!--[\s\S]*?-->/gu, '').trim())
    .filter((words) => words !== '');
}

/** Whether something is left of `all` when every one of `taken` is taken out once. */
function isMore(all: readonly string[], taken: readonly string[]): boolean {
  const left = [...all];
  for (const one of taken) {
    const at = left.indexOf(one);
    if (at !== -1) left.splice(at, 1);
  }
  return left.length > 0;
}

/** A file's new text as whoever writes it may have it stand: an agent's words marked as such, and never as the user's. */
export function asTheirs(
  context: Pick<OperationContext, 'actor' | 'layout' | 'chunkContext'>,
  path: string,
  before: string | undefined,
  after: string,
): string {
  const text = markAgentWords({ actor: context.actor, layout: context.layout, path }, before, after);
  assertNoForgedWords(context, path, before, text);
  return text;
}
