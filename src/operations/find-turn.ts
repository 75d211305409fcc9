import { MnemeError } from '../model/errors.ts';
import { chunkFile } from '../search-index/chunk/chunk-file.ts';
import { liveLogPath } from '../search-index/chunk/turns.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import { parseTranscript } from '../workspace/formats/transcript.ts';
import { packedName } from '../workspace/packed.ts';
import { assertNoSymlinkEscape } from '../workspace/safety/paths.ts';
import type { OperationContext } from './context.ts';

/** A whole conversation, or one turn of it, as it stands in the file. */
export interface TurnText {
  readonly path: string;
  readonly text: string;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}

const TURN = /^(?<session>[^#\s/]+)#(?<turn>t\d+)$/u;
const SESSION = /^ses_[A-Za-z0-9]+$/u;
const TRANSCRIPT = /\.md(?:\.gz)?$/iu;

/** Whether what a person typed names a turn (`ses_a1b2#t12`) or a session. */
export function looksLikeTurnId(text: string): boolean {
  return TURN.test(text) || SESSION.test(text);
}

export async function findTurn(context: OperationContext, target: string): Promise<TurnText> {
  const { session = target, turn } = TURN.exec(target)?.groups ?? {};
  const paths = transcriptsOf(context, session);
  if (turn === undefined) return wholeSession(context, session, paths);
  for (const path of paths) {
    const text = await readTranscript(context, path);
    const found = parseTranscript(parseDocument(text)).turns.find(({ id }) => id === turn);
    if (found !== undefined) return { path, text, startLine: found.startLine, endLine: found.endLine };
  }
  return findLiveTurn(context, session, target) ?? missing(target);
}

/** The text of a transcript by its path in raw/; undefined when there is none. */
export async function findTranscript({ homeIndex }: OperationContext, path: string): Promise<string | undefined> {
  const isInside = path.startsWith('conversations/') && path.split('/').every((name) => name !== '' && name !== '..');
  if (!isInside || path.includes('\0')) return undefined;
  await assertNoSymlinkEscape(homeIndex.files.roots.raw, path);
  const { files } = homeIndex;
  // An old transcript is packed, and still known by its plain name.
  return (files.read({ source: 'raw', path }) ?? files.read({ source: 'raw', path: packedName(path) }))?.text;
}

async function readTranscript(context: OperationContext, path: string): Promise<string> {
  return (await findTranscript(context, path)) ?? missing(path);
}

/** The whole of a conversation by any id it may have been given; undefined when there is none of this name. */
export async function findSession(context: OperationContext, session: string): Promise<TurnText | undefined> {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u.test(session)) return undefined;
  const paths = transcriptsOf(context, session);
  return paths.length === 0 ? undefined : wholeSession(context, session, paths);
}

/**
 * The session's id is part of the file's name, also of every part of a long one. What stands beside it may look the
 * same, so the file has the last word.
 */
function transcriptsOf({ homeIndex }: OperationContext, session: string): string[] {
  const names = (path: string): boolean => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    return TRANSCRIPT.test(name) && `-${name.replace(TRANSCRIPT, '')}-`.replaceAll(/[-.]/gu, '-').includes(wanted);
  };
  const wanted = `-${session.replaceAll(/[-.]/gu, '-')}-`;
  const says = (path: string): boolean => {
    const text = homeIndex.files.read({ source: 'raw', path })?.text ?? '';
    return /^session_id: *["']?([^\s"']+)/mu.exec(text)?.[1] === session;
  };
  return homeIndex.files
    .list(({ path }) => names(path), ['raw'])
    .map(({ path }) => path)
    .filter(says)
    .sort();
}

async function wholeSession(context: OperationContext, session: string, paths: readonly string[]): Promise<TurnText> {
  const [path] = paths;
  if (path === undefined) return missing(session);
  // A conversation that was resumed, or is very long, has parts; whoever names it means all of it.
  const texts = await Promise.all(paths.map((each) => readTranscript(context, each)));
  return { path, text: texts.join('\n'), startLine: undefined, endLine: undefined };
}

/** A session that is still going on is a log, whose lines are not for reading. */
function findLiveTurn(
  { homeIndex, chunkContext }: OperationContext,
  session: string,
  id: string,
): TurnText | undefined {
  const file = homeIndex.files.read({ source: 'live', path: liveLogPath(session) });
  const passages = file === undefined ? [] : (chunkFile({ ...file, hash: file.oid }, chunkContext)?.passages ?? []);
  const own = passages.filter((passage) => passage.id === id);
  if (file === undefined || own.length === 0) return undefined;
  const text = own.map((passage) => passage.text).join('\n');
  return { path: file.path, text: `${own[0]?.speaker ?? ''}: ${text}\n`, startLine: undefined, endLine: undefined };
}

function missing(what: string): never {
  throw new MnemeError('not-found', `No conversation here has ${what}.`, {
    hint: 'Ids of turns stand in the hits of `mneme recall --json`.',
  });
}
