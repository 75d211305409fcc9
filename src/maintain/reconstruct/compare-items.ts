import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { parseJson } from '../../model/records.ts';
import { kindOfPath, type Layout } from '../../workspace/formats/layout.ts';
import { parseDocument, serializeDocument } from '../../workspace/markdown/document.ts';
import { appendBlock, appendToSection } from '../../workspace/markdown/edit.ts';
import { withoutFinalEol } from '../../workspace/markdown/lines.ts';
import { type DerivedItem, sayingOf, withoutItems } from './derived-items.ts';

export interface ItemPair {
  readonly before: DerivedItem;
  readonly after: DerivedItem;
}

/** The result of a reconstruction compared with present knowledge. */
export interface ItemComparison {
  readonly same: readonly ItemPair[];
  /** Known now, and not found again. */
  readonly gone: readonly DerivedItem[];
  readonly added: readonly DerivedItem[];
}

/** Pairs what both say; each statement has one partner at most. */
export function compareItems(before: readonly DerivedItem[], after: readonly DerivedItem[]): ItemComparison {
  const known = Map.groupBy(before, sayingOf);
  const used = new Map<string, number>();
  const same: ItemPair[] = [];
  const added: DerivedItem[] = [];
  for (const item of after) {
    const saying = sayingOf(item);
    const taken = used.get(saying) ?? 0;
    const partner = known.get(saying)?.[taken];
    if (partner === undefined) {
      added.push(item);
      continue;
    }
    used.set(saying, taken + 1);
    same.push({ before: partner, after: item });
  }
  const paired = new Set(same.map((pair) => pair.before));
  return { same, gone: before.filter((item) => !paired.has(item)), added };
}

export interface KindCount {
  readonly before: number;
  readonly after: number;
}

/** Counts the statements of each extractor on both sides. */
export function countByExtractor(
  before: readonly DerivedItem[],
  after: readonly DerivedItem[],
): Record<string, KindCount> {
  const names = [...new Set([...before, ...after].map(({ extractor }) => extractor))].toSorted();
  const count = (items: readonly DerivedItem[], name: string): number =>
    items.filter(({ extractor }) => extractor === name).length;
  return Object.fromEntries(names.map((name) => [name, { before: count(before, name), after: count(after, name) }]));
}

/** A file as taking over a reconstruction would leave it. */
export interface MergedText {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string;
}

interface MergeSources {
  readonly layout: Layout;
  /** The file as it is now; undefined when there is none. */
  readonly readNow: (path: string) => string | undefined;
  /** The file as the reconstruction has it. */
  readonly readThen: (path: string) => string | undefined;
}

/**
 * The files with what was found anew, and without what was not found again. What both say stays to the byte, with the id
 * under which it is known; everything that no extractor wrote is not touched at all.
 */
export function mergeItems(comparison: ItemComparison, { layout, readNow, readThen }: MergeSources): MergedText[] {
  const paths = [...new Set([...comparison.gone, ...comparison.added].map(({ path }) => path))].toSorted();
  return paths.flatMap((path): MergedText[] => {
    const added = comparison.added.filter((item) => item.path === path);
    const gone = comparison.gone.filter((item) => item.path === path).map(({ id }) => id);
    const before = readNow(path);
    const after =
      before === undefined
        ? readThen(path)
        : withItems(withoutItems(path, before, kindOfPath(path, layout), gone), added);
    return after === undefined || after === before ? [] : [{ path, before, after }];
  });
}

/** Each below the heading it has in the reconstruction; entries of a day bring theirs along. */
function withItems(text: string, items: readonly DerivedItem[]): string {
  let document = parseDocument(text);
  for (const { section, raw } of items) {
    const source = withoutFinalEol(raw);
    document = section === undefined ? appendBlock(document, source) : appendToSection(document, section, source);
  }
  return serializeDocument(document);
}

/** A question, and words that a right answer holds. */
export interface Probe {
  readonly question: string;
  readonly expect: readonly string[];
}

const probeSchema = z.object({
  question: z.string().trim().min(1),
  expect: z.union([
    z
      .string()
      .min(1)
      .transform((word) => [word]),
    z.array(z.string().min(1)).min(1),
  ]),
});

/** JSON lines: `{"question": "Where does Vera live?", "expect": ["Graz"]}`. */
export function parseProbes(text: string, file: string): Probe[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  return lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => {
      const parsed = probeSchema.safeParse(parseJson(line));
      if (parsed.success) return parsed.data;
      throw new MnemeError('usage', `${file}:${number} is no probe.`, {
        hint: 'One a line: {"question": "Where does Vera live?", "expect": ["Graz"]}',
      });
    });
}

const MAX_PROBES = 200;

/**
 * Questions made of what is known: a property that both sides, or one of them, state of somebody or something. What
 * both were told to keep asks nothing about either.
 */
export function probesFrom(items: readonly DerivedItem[], nameOf: (path: string) => string | undefined): Probe[] {
  const probes = new Map<string, Probe>();
  for (const { path, text, meta } of items) {
    const [attribute, value] = [asText(meta, 'attribute'), asText(meta, 'value')];
    const name = nameOf(path);
    if (attribute === undefined || value === undefined || name === undefined || text.startsWith('~~')) continue;
    const question = `What is the ${attribute.replaceAll(/[_-]+/gu, ' ')} of ${name}?`;
    probes.set(`${question}\n${value}`, { question, expect: [value] });
  }
  return [...probes.values()].slice(0, MAX_PROBES);
}

function asText(meta: DerivedItem['meta'], key: string): string | undefined {
  const value: unknown = Object.entries(meta).find(([name]) => name === key)?.[1];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether one of the answers holds all that was expected. */
export function isAnswered({ expect }: Probe, answers: readonly string[]): boolean {
  return answers.some((answer) => {
    const said = answer.toLowerCase();
    return expect.every((word) => said.includes(word.toLowerCase()));
  });
}
