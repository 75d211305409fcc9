import type { Scope } from '../../model/provenance.ts';
import type { IndexView } from '../../search-index/port.ts';
import { parseEntity } from '../../workspace/formats/entity.ts';
import { visibleText } from '../../workspace/formats/metadata.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { cutText } from '../compaction/cut-text.ts';
import { quoteLine } from '../fence.ts';
import { formOf, UNSCORED, type Piece } from '../piece.ts';
import type { Notice, World } from '../world.ts';
import { trustOf, withoutMark } from './files.ts';

/** As many as a person works on; a longer list says nothing. */
const MAX_PROJECTS = 12;
const SUMMARY_CHARACTERS = 240;
const LINE_CHARACTERS = 80;

/** P1: what is being worked on, by name, so that the list stays as it is as long as the work does. */
export async function projectPieces(world: World, view: IndexView, scopes: readonly Scope[]): Promise<Piece[]> {
  const active = (await world.listActiveEntities()).filter(({ scope }) => scopes.includes(scope));
  const sorted = [...active].sort((left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0));
  const pieces: Piece[] = [];
  for (const [position, { id, name, path, scope }] of sorted.slice(0, MAX_PROJECTS).entries()) {
    const text = await world.readFile(path);
    if (text === undefined) continue;
    const summary = quoteLine(visibleText(parseEntity(parseDocument(withoutMark(text)), path).summary));
    const trust = trustOf(await view.readDocument({ source: 'workspace', path }));
    const mark = trust === 'user' ? '' : `[${trust === 'agent' ? trust : `${trust}, untrusted`}] `;
    const tell = (chars: number): string =>
      `- ${quoteLine(name)}${summary === '' ? '' : `: ${mark}${cutText(summary, chars)}`}`;
    const origin = { id, path, source: null, session: null, turn: null, time: null, trust, scope } as const;
    const forms = [
      formOf('full', () => tell(SUMMARY_CHARACTERS)),
      formOf('line', () => tell(LINE_CHARACTERS)),
      formOf('link', () => `- ${quoteLine(name)}`),
    ] as const;
    pieces.push({ tag: 'projects', origin, forms, said: summary, position, ...UNSCORED });
  }
  return pieces;
}

/** P1 at the start of a session: what waits for a person. */
export async function noticePieces(world: World, scope: Scope): Promise<Piece[]> {
  return (await world.listNotices(scope)).map(noticePiece);
}

function noticePiece({ id, path, text, trust = 'user' }: Notice, position: number): Piece {
  const origin = {
    id,
    path,
    source: null,
    session: null,
    turn: null,
    time: null,
    trust,
    scope: 'shared',
  } as const;
  const forms = [formOf('full', () => `- ${quoteLine(text)}`)] as const;
  return { tag: 'notices', origin, forms, said: text, position, ...UNSCORED };
}
