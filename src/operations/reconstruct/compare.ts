import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  type KindCount,
  type Probe,
  countByExtractor,
  isAnswered,
  parseProbes,
  probesFrom,
} from '../../maintain/reconstruct/compare-items.ts';
import type { DerivedItem } from '../../maintain/reconstruct/derived-items.ts';
import { MnemeError } from '../../model/errors.ts';
import { changesBetween } from '../../workspace/git/objects.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { recall } from '../search/recall.ts';
import { withBothSides, type BothSides } from './prepare.ts';
import { branchOf } from './places.ts';

const input = z.strictObject({
  name: z.string().trim().min(1),
  probes: z
    .string()
    .trim()
    .min(1)
    .optional()
    .describe('A file of questions, one JSON object a line: {"question": …, "expect": […]}.'),
  limit: z.number().int().min(0).max(100_000).default(20).describe('Statements to list on each side.'),
});

export type CompareInput = z.input<typeof input>;

export interface ListedItem {
  readonly id: string;
  readonly path: string;
  readonly extractor: string;
  readonly text: string;
}

export interface ProbeScore {
  readonly from: 'file' | 'generated';
  readonly questions: number;
  /** Share of the questions whose answer is among the first hits in what is known now, and in what was found. */
  readonly before: number | null;
  readonly after: number | null;
  /** Questions that only one of the two answers. */
  readonly lost: readonly string[];
  readonly won: readonly string[];
}

export interface ReconstructionComparison {
  readonly name: string;
  readonly branch: string;
  readonly sessions: { readonly done: number; readonly total: number };
  readonly isComplete: boolean;
  readonly counts: Readonly<Record<string, KindCount>>;
  readonly same: number;
  readonly gone: { readonly count: number; readonly shown: readonly ListedItem[] };
  readonly added: { readonly count: number; readonly shown: readonly ListedItem[] };
  /** Files that differ from where it began, as `git diff` between the two shows them. */
  readonly files: readonly string[];
  readonly probes: ProbeScore;
}

export const compareReconstruction = defineVerb({
  name: 'reconstruct compare',
  summary: 'What a reconstruction found beside what is known, and which of the two answers better.',
  input,
  args: ['name'],
  effect: 'read',
  run: (context, given): Promise<ReconstructionComparison> =>
    withBothSides(context, given.name, async (sides): Promise<ReconstructionComparison> => {
      const { record, comparison, before, after, done } = sides;
      const { same, gone, added } = comparison;
      const listed = (items: readonly DerivedItem[]): { count: number; shown: ListedItem[] } => ({
        count: items.length,
        shown: items.slice(0, given.limit).map(toListed),
      });
      const git = context.workspace.git.workspace;
      const changed = await changesBetween(git, record.base, `refs/heads/${branchOf(record.name)}`);
      return {
        name: record.name,
        branch: branchOf(record.name),
        sessions: { done, total: record.sessions.length },
        isComplete: done >= record.sessions.length,
        counts: countByExtractor(before, after),
        same: same.length,
        gone: listed(gone),
        added: listed(added),
        files: changed.map((change) => change.path),
        probes: await scoreProbes(context, sides, given.probes),
      };
    }),
  http: { omit: ['probes'], isLong: true },
  cli: { path: 'learn reconstruct compare', formerly: ['reconstruct compare'], options: { probes: { value: 'file' } } },
  render: async (view, output) => (await import('./render.ts')).renderComparison(view, output),
});

function toListed({ id, path: file, extractor, text }: DerivedItem): ListedItem {
  return { id, path: file, extractor, text };
}

async function scoreProbes(
  context: OperationContext,
  { scratch, before, after }: BothSides,
  file: string | undefined,
): Promise<ProbeScore> {
  const nameOf = (at: string): string | undefined =>
    scratch.entities.findByPath(at)?.name ?? context.entities.findByPath(at)?.name;
  await Promise.all([scratch.entities.sync(), context.entities.sync()]);
  const probes = file === undefined ? probesFrom([...before, ...after], nameOf) : readProbes(file);
  const [known, found] = [await answeredBy(context, probes), await answeredBy(scratch, probes)];
  const share = (answered: ReadonlySet<Probe>): number | null =>
    probes.length === 0 ? null : Math.round((answered.size / probes.length) * 1000) / 1000;
  const only = (one: ReadonlySet<Probe>, other: ReadonlySet<Probe>): string[] =>
    [...one].filter((probe) => !other.has(probe)).map(({ question }) => question);
  return {
    from: file === undefined ? 'generated' : 'file',
    questions: probes.length,
    before: share(known),
    after: share(found),
    lost: only(known, found),
    won: only(found, known),
  };
}

function readProbes(file: string): Probe[] {
  const full = path.resolve(file);
  if (!fs.existsSync(full)) throw new MnemeError('not-found', `There is no file ${full}.`);
  return parseProbes(fs.readFileSync(full, 'utf8'), file);
}

/** Only knowledge answers: a transcript says the same whatever was learned from it. */
const ANSWERING: readonly ('semantic' | 'episodic' | 'procedural' | 'core')[] = [
  'semantic',
  'episodic',
  'procedural',
  'core',
];

async function answeredBy(context: OperationContext, probes: readonly Probe[]): Promise<Set<Probe>> {
  const answered = new Set<Probe>();
  for (const probe of probes) {
    const { hits } = await recall.run(context, recall.input.parse({ query: probe.question, stores: [...ANSWERING] }));
    if (
      isAnswered(
        probe,
        hits.map(({ text }) => text),
      )
    )
      answered.add(probe);
  }
  return answered;
}
