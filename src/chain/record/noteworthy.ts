import { hash } from 'node:crypto';
import path from 'node:path';
import { PROPOSALS_FOLDER } from '../../proposals/proposal.ts';
import { parseProposal } from '../../proposals/parse.ts';
import type { JournalRecord } from '../../workspace/journal/record.ts';
import type { NotedItem } from './queue.ts';

/** The files that define the agent and its user. */
const IDENTITY_FILES = new Set(['SOUL.md', 'IDENTITY.md', 'USER.md']);

/** S4's milestones: reflections after which the evolution so far is entered, the first ones soon, the later ones rarely. */
export const MILESTONES: readonly number[] = [10, 25, 50, 100];

/** Finds the parts of a mutation to enter, for every author and every way of writing. */
export function findNoteworthy(record: JournalRecord): NotedItem[] {
  if (record.repository === 'raw') return transcriptsOf(record);
  return record.repository === 'workspace' ? [...identitiesOf(record), ...approvalsOf(record)] : [];
}

function transcriptsOf({ id, files, contents }: JournalRecord): NotedItem[] {
  return files.flatMap(({ path: file, offset }, index): NotedItem[] => {
    const words = offset === undefined ? contents[index] : undefined;
    if (words === undefined || !isTranscriptPath(file)) return [];
    return [{ type: 'transcript', path: file, sha256: hash('sha256', words), ref: { mutation: id } }];
  });
}

export function isTranscriptPath(file: string): boolean {
  return file.startsWith('conversations/') && file.endsWith('.md');
}

function identitiesOf({ id, files, contents }: JournalRecord): NotedItem[] {
  return files.flatMap(({ path: file }, index): NotedItem[] => {
    const text = IDENTITY_FILES.has(file) ? contents[index]?.toString('utf8') : undefined;
    return text === undefined ? [] : [{ type: 'identity', text, ref: { mutation: id } }];
  });
}

const APPROVING: ReadonlySet<string> = new Set(['COMMIT', 'MERGE']);

function approvalsOf(record: JournalRecord): NotedItem[] {
  if (!APPROVING.has(record.action) || record.trigger?.startsWith('proposal ') !== true) return [];
  const index = record.files.findIndex((one) => one.path.startsWith(`${PROPOSALS_FOLDER}/`));
  const file = record.files[index];
  const text = record.contents[index]?.toString('utf8');
  if (file === undefined || text === undefined) return [];
  const ref = { mutation: record.id };
  const { proposal } = parseProposal(text, path.basename(file.path, '.md'));
  const scope = proposal?.scope;
  const number = proposal?.kind === 'reflection' ? Number(/\d+/u.exec(record.session ?? '')?.[0]) : Number.NaN;
  const isMilestone = MILESTONES.includes(number);
  const milestone = `Reflection ${number} was approved: ${proposal?.title ?? ''}`;
  return [
    { type: 'proposal', text, ref, ...(scope === undefined ? {} : { scope }) },
    ...(isMilestone ? [{ type: 'milestone' as const, text: milestone, ref }] : []),
  ];
}
