import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { placeOf } from '../../workspace/formats/layout.ts';
import type { Change } from '../../workspace/door/request.ts';
import { planFollowing } from '../../proposals/follow-rename.ts';
import { planRename, relinkFile, type RenamePlan } from '../../memory/graph/plans/rename.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { seesFile, seesProposal } from '../visible-to.ts';
import { describeWrite, type WriteResult } from '../commit-or-propose.ts';
import {
  attributionOf,
  entityField,
  isPerson,
  nameOf,
  scopeField,
  type EntityName,
  showWarnings,
} from './open-graph.ts';
import { proposeWrite, withinScope } from './write-plans.ts';

const input = z.strictObject({
  entity: entityField,
  name: z.string().trim().min(1).max(300).describe('What it is called from now on.'),
  nameOnly: z.boolean().default(false).describe('Leave its id and file as they are.'),
  dropOldName: z.boolean().default(false).describe('Do not keep the old name as an alias.'),
  scope: scopeField,
});

export type GraphRenameInput = z.input<typeof input>;

export interface RenameResult extends WriteResult {
  readonly entity: EntityName;
  readonly before: EntityName;
  /** Files whose links followed. */
  readonly linksIn: readonly string[];
  /** Proposals that wait for it under its new name now. */
  readonly proposalsFollowed?: readonly string[] | undefined;
  /** Where somebody other than a person wants it, and it therefore waits: the proposal. */
  readonly proposal?: string | undefined;
}

/** Links may be written while it is being renamed; what was is found by looking again. */
const MAX_ROUNDS = 3;

export const graphRename = defineVerb({
  name: 'graph rename',
  summary: 'Rename an entity; every link to it follows.',
  input,
  args: ['entity', 'name'],
  effect: 'write',
  async run(context, given): Promise<RenameResult> {
    const { graph, parts } = await context.parts.graph();
    const before = graph.get(given.entity, { scope: given.scope });
    const plan = planRename(parts, graph.network, {
      entity: before,
      name: given.name,
      isNameOnly: given.nameOnly,
      dropsOldName: given.dropOldName,
    });
    // Links in files of other scopes are updated too: refusing one would reveal that the file exists.
    const own = withinScope(context, plan.changes, given.scope);
    const isMoved = plan.path !== before.path;
    const following = isMoved ? relinkChanges(context, plan, before) : { changes: [], files: [] };
    refuseProtected(context, following.files);
    const was = nameOf(before);
    if (!isPerson(context.actor)) {
      const proposed = await proposeWrite(context, {
        title: `Rename ${before.name} to ${given.name}`,
        why: [`What somebody or something is called is for a person to say.`, ...plan.notes].join(' '),
        evidence: [before.path],
        changes: [...own, ...following.changes],
        trigger: 'graph rename',
      });
      return { entity: was, before: was, linksIn: [], ...proposed };
    }
    const result = await context.workspace.commit({
      ...attributionOf(context),
      action: isMoved ? 'RENAME' : 'EDIT',
      summary: `renamed ${before.name} to ${given.name}`,
      summaryScope: before.scope,
      changes: [...own, ...following.changes],
    });
    const late = isMoved ? await followLate(context, plan, before) : [];
    const waiting = isMoved ? await followProposals(context, plan, before) : { followed: [], warnings: [] };
    const { id, path } = plan;
    const written = describeWrite(result);
    return {
      entity: { id, type: before.type, name: given.name.trim(), path },
      before: was,
      linksIn: [...following.files, ...late].filter((file) => seesFile(context, file)),
      proposalsFollowed: waiting.followed.filter((id) => seesProposal(context, context.proposals.get(id))),
      ...written,
      files: written.files.filter((file) => seesFile(context, file.path)),
      warnings: [...plan.notes, ...written.warnings, ...waiting.warnings],
    };
  },
  cli: { options: { scope: { value: 'scope' } }, notes: showWarnings },
  render: async (view, output) => (await import('./render-changes.ts')).renderRenamed(view, output),
});

/** Updates pending proposals to the new name, and reports those that cannot follow. */
async function followProposals(
  context: OperationContext,
  plan: RenamePlan,
  before: EntityRecord,
): Promise<{ readonly followed: readonly string[]; readonly warnings: readonly string[] }> {
  const relink = (file: string, text: string): string => relinkFile(plan, file, text);
  const isMentionedIn = (text: string): boolean => mentions(text, before);
  const move = { from: before.path, to: plan.path, relink, isMentionedIn };
  const { changes, followed, left } = await planFollowing(context.workspace, move);
  if (changes.length > 0) {
    const summary = `proposals about ${before.name} followed`;
    await context.workspace.commit({ ...attributionOf(context), action: 'PROPOSE', summary, changes });
  }
  const warnings = left.map(
    ({ id, why }) => `Proposal ${id} still speaks of ${before.id} and cannot follow by itself: ${why}.`,
  );
  return { followed, warnings };
}

/** Every other file of the workspace with a link to it, and how it changes. */
function relinkChanges(
  context: OperationContext,
  plan: RenamePlan,
  entity: EntityRecord,
): { readonly changes: readonly Change[]; readonly files: readonly string[] } {
  const changes: Change[] = [];
  const files: string[] = [];
  const { homeIndex, layout } = context;
  const isText = (path: string): boolean =>
    /\.(?:md|markdown)$/iu.test(path) && placeOf(path, layout).kind !== 'generated';
  for (const { path } of homeIndex.files.list((key) => isText(key.path), ['workspace'])) {
    if (path === entity.path || path === plan.path) continue;
    const text = homeIndex.files.read({ source: 'workspace', path })?.text;
    if (text === undefined || !mentions(text, entity)) continue;
    const rewrite = (current: string): string => relinkFile(plan, path, current);
    if (rewrite(text) === text) continue;
    files.push(path);
    changes.push({ path, edit: (current) => (current === undefined ? undefined : rewrite(current)) });
  }
  return { changes, files };
}

/** A look that costs little: most files name nobody of this id. */
function mentions(text: string, { id, path }: EntityRecord): boolean {
  const folded = text.toLowerCase();
  const stem = path.replace(/^.*\//u, '').replace(/\.md$/iu, '');
  return (
    folded.includes(id.toLowerCase()) ||
    folded.includes(stem.toLowerCase()) ||
    folded.includes(encodeURI(stem).toLowerCase())
  );
}

function refuseProtected(context: OperationContext, files: readonly string[]): void {
  if (isPerson(context.actor)) return;
  const owned = files.find((file) => ['vault', 'identity'].includes(placeOf(file, context.layout).store));
  if (owned === undefined) return;
  throw new MnemeError('refused', `${owned} links to it and changes only by a person's hand.`, {
    hint: 'A person renames it: `mneme graph rename` without --as. Or give it an alias.',
  });
}

async function followLate(
  context: OperationContext,
  plan: RenamePlan,
  before: EntityRecord,
): Promise<readonly string[]> {
  const followed: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { graph } = await context.parts.graph();
    // A file of the old name that somebody made meanwhile is what links to it mean now.
    if (graph.network.record(before.path) !== undefined) break;
    const { changes, files } = relinkChanges(context, plan, before);
    if (changes.length === 0) break;
    await context.workspace.commit({
      ...attributionOf(context),
      summary: `links to ${before.name} followed`,
      changes,
    });
    followed.push(...files);
  }
  return followed;
}
