import { locateMemory } from '../../memory/archive/locate.ts';
import { memoryHash } from '../../memory/archive/plan-archive.ts';
import { MnemeError } from '../../model/errors.ts';
import { DOCUMENT_SOURCES, type DocumentSource } from '../../search-index/passage.ts';
import { createByteEraser, type EraseBytes } from '../../workspace/erase/matcher.ts';
import { placeOf } from '../../workspace/formats/layout.ts';
import type { OperationContext } from '../context.ts';
import type { PendingPlan, PlannedItem } from './plan-file.ts';
import { erasedTexts } from './reach.ts';
import { NO_MEMORIES, listTurns } from './target.ts';

/** A memory that nobody chose and that would lose words. */
interface Bystander {
  /** In the list; undefined for what the list did not show. */
  readonly number: number | undefined;
  readonly place: string;
  readonly text: string;
}

const MAX_NAMED = 5;
const MAX_CHARS = 120;

/**
 * Words are erased wherever they stand, so erasing one memory can maim another that says the same and more. Whoever
 * chose some of a list chose to keep the rest of it whole.
 */
export function assertNoBystanders(context: OperationContext, plan: PendingPlan, chosen: readonly number[]): void {
  const items = chosen.flatMap((number) => plan.items[number - 1] ?? []);
  const erase = createByteEraser(erasedTexts(items.flatMap(({ pieces }) => pieces)), '');
  const listed = plan.items.flatMap((item, index): (Bystander & { readonly item: PlannedItem })[] => {
    if (chosen.includes(index + 1)) return [];
    const hurt = item.pieces.find((piece) => isTouched(piece, erase));
    return hurt === undefined ? [] : [{ number: index + 1, place: item.path, text: hurt, item }];
  });
  const isListed = (path: string, line: string): boolean =>
    listed.some(({ item }) => item.path === path && item.pieces.some((piece) => isSameText(piece, line)));
  const unlisted = touchedOutside(context, items, erase).filter(({ path, text }) => !isListed(path, text));
  const bystanders: Bystander[] = [
    ...listed,
    ...unlisted.map(({ path, line, text }) => ({ number: undefined, place: `${path}:${line}`, text })),
  ];
  if (bystanders.length > 0) throw refusal(plan.code, chosen, bystanders);
}

function refusal(code: string, chosen: readonly number[], bystanders: readonly Bystander[]): MnemeError {
  const named = bystanders.slice(0, MAX_NAMED).map(({ number, place, text }) => {
    const which = number === undefined ? place : `number ${number}`;
    return `${which} ("${excerpt(text)}")`;
  });
  const more = bystanders.length > MAX_NAMED ? ` and ${bystanders.length - MAX_NAMED} more` : '';
  const numbers = bystanders.flatMap(({ number }) => number ?? []);
  const all = [...chosen, ...numbers].toSorted((left, right) => left - right).join(',');
  const choose = numbers.length === 0 ? [] : [`Choose those too: mneme forget --confirm ${code} --only ${all}`];
  return new MnemeError(
    'refused',
    `Memories that were not chosen would lose the same words: ${named.join(', ')}${more}. Nothing was erased.`,
    {
      hint: [
        ...choose,
        'Forget the chosen one without --permanently: it is archived and the others stay whole.',
        'Or add --also-inside to take the words out of the others for good as well.',
      ].join('\n'),
    },
  );
}

interface TouchedLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** Lines of memories and conversations that hold the words and belong to none of the chosen ones. */
function touchedOutside(
  context: OperationContext,
  chosen: readonly PlannedItem[],
  erase: EraseBytes,
): readonly TouchedLine[] {
  const { homeIndex, layout } = context;
  const isMemory = (source: DocumentSource, path: string): boolean =>
    source !== 'workspace' || !NO_MEMORIES.has(placeOf(path, layout).kind);
  return DOCUMENT_SOURCES.flatMap((source) =>
    homeIndex.files
      .list(({ path }) => isMemory(source, path), [source])
      .flatMap(({ path }) => {
        const text = homeIndex.files.read({ source, path })?.text;
        if (text === undefined || !isTouched(text, erase)) return [];
        const own = chosen.filter((item) => item.source === source && item.path === path);
        const parts = source === 'workspace' ? workspaceParts(context, path, text, own) : turnParts(source, text, own);
        return parts.flatMap((part) => touchedLines(path, part, erase));
      }),
  );
}

/** Whole lines of a file, the first of which is the given one. */
interface Part {
  readonly start: number;
  readonly text: string;
}

/** The parts of a file that remain around the chosen memories. */
function workspaceParts(
  { layout }: OperationContext,
  path: string,
  text: string,
  own: readonly PlannedItem[],
): readonly Part[] {
  if (own.some(({ kind }) => kind === 'file')) return [];
  const ranges = own
    .flatMap(({ id }) => locateMemory(path, text, id, placeOf(path, layout).kind) ?? [])
    .toSorted((left, right) => left.startLine - right.startLine);
  const lines = text.split('\n');
  const parts: Part[] = [];
  let start = 1;
  for (const { startLine, endLine } of ranges) {
    parts.push({ start, text: lines.slice(start - 1, startLine - 1).join('\n') });
    start = endLine + 1;
  }
  return [...parts, { start, text: lines.slice(start - 1).join('\n') }];
}

/** Only what was said: the title of a transcript is made from its first words, and goes with them. */
function turnParts(
  source: Exclude<DocumentSource, 'workspace'>,
  text: string,
  own: readonly PlannedItem[],
): readonly Part[] {
  const chosen = new Set(own.map(({ hash }) => hash));
  return listTurns(source, text)
    .filter((turn) => !chosen.has(memoryHash(turn.text)))
    .map((turn) => ({ start: turn.startLine, text: turn.text }));
}

function touchedLines(path: string, { start, text }: Part, erase: EraseBytes): readonly TouchedLine[] {
  if (!isTouched(text, erase)) return [];
  const touched = text
    .split('\n')
    .map((line, index) => ({ path, line: start + index, text: line.trim() }))
    .filter((line) => isTouched(line.text, erase));
  // Words that go over several lines stand in none of them.
  return touched.length === 0 ? [{ path, line: start, text }] : touched;
}

function isTouched(text: string, erase: EraseBytes): boolean {
  const bytes = Buffer.from(text, 'utf8');
  return erase(bytes) !== bytes;
}

function isSameText(piece: string, line: string): boolean {
  return piece.trim() !== '' && (line.includes(piece) || piece.includes(line));
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim();
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1)}…`;
}
