import { isMnemeError, must } from '../model/errors.ts';
import { UlidFactory } from '../model/ids.ts';
import type { Config } from '../model/config/schema.ts';
import { parseActor, type Attribution, type Action } from '../model/mutation.ts';
import type { Clock } from '../platform/clock.ts';
import { nodeFileSystem, type FileSystem } from '../platform/fs.ts';
import type { Random } from '../platform/random.ts';
import type { Change, CommitResult } from '../workspace/door/request.ts';
import type { ConflictReport } from '../workspace/registries.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { findStatementTwin, type StatementPlanner } from './agents/statement.ts';
import {
  applyingEdits,
  chooseChanges,
  declinePart,
  describeFits,
  makeWay,
  markApplied,
  StaleChange,
  type Stamp,
} from './approval.ts';
import * as fileEdits from './file-edits.ts';
import { findClashes, findTwins } from './fingerprint.ts';
import { ProposalFolder, type ProposalFile } from './folder.ts';
import type { Fit } from './patch.ts';
import * as policy from './policy.ts';
import { isEntityMerge, proposalPath, waitingChanges, type Proposal, type ProposedChange } from './proposal.ts';
import { renderProposal, withDiffs, withHeader } from './render.ts';
import type {
  ApprovalDecision,
  Approved,
  ChangePreview,
  Decided,
  Decision,
  Listing,
  ProposalFilter,
  ProposalRequest,
  Proposed,
  Refusal,
} from './request.ts';
import { ReportedConflicts } from './conflict-report.ts';
import { draftProposal, makeChanges, scopeOfChanges, type WordMarker } from './requested-changes.ts';
import { isOpen, nextState, type ProposalEvent } from './state.ts';
import { Texts, findNewestMutation, previewChange, rebaseChange, versionsOf } from './texts.ts';

export interface ProposalsOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: Config;
  readonly fs?: FileSystem | undefined;
}

export interface ProposalWiring {
  /** Makes changes of a statement. */
  readonly planStatement: StatementPlanner;
  /** Marks an agent's words in files that speak for the user. */
  readonly markWords: WordMarker;
  /** Changes of the pages that show proposals, once these are as given; written in the same mutation. */
  readonly planPages: (after: readonly Proposal[]) => Promise<readonly Change[]>;
}

/** The entry of a step in the history. */
interface HistoryLine extends Attribution {
  readonly action: Action;
  readonly summary: string;
}

/**
 * Every change that waits for a yes: one file each, one way to decide. A decision and what it does to the memory are
 * one mutation, so neither can be there without the other.
 */
export class Proposals {
  readonly #workspace: Workspace;
  readonly #clock: Clock;
  readonly #ulids: UlidFactory;
  readonly #rules: policy.ReviewRules;
  readonly #folder: ProposalFolder;
  readonly #texts: Texts;
  #wiring: ProposalWiring | undefined;
  readonly #conflicts: ReportedConflicts;

  constructor({ workspace, clock, random, config, fs = nodeFileSystem }: ProposalsOptions) {
    this.#workspace = workspace;
    this.#clock = clock;
    this.#ulids = new UlidFactory((length) => random.bytes(length));
    this.#rules = policy.reviewRules(config);
    this.#folder = new ProposalFolder(workspace.paths.repositories.workspace.workTree, fs);
    this.#texts = new Texts(workspace, fs);
    this.#conflicts = new ReportedConflicts(this.#texts, (request) => this.propose(request));
  }

  list(filter: ProposalFilter = {}): Listing {
    return this.#folder.list(filter);
  }

  /** By id or the beginning of one. */
  get(id: string): Proposal {
    return this.#folder.get(id).proposal;
  }

  /** Where its file lies, from the workspace down. */
  pathOf(id: string): string {
    return this.#folder.get(id).path;
  }

  /** Adds what is known only above this folder. */
  wire(wiring: ProposalWiring): void {
    this.#wiring = wiring;
  }

  /** Files a change for somebody to decide on, unless the same is waiting or was rejected already. */
  async propose(request: ProposalRequest): Promise<Proposed> {
    parseActor(request.actor);
    policy.assertMayPropose(request.actor, request.changes, this.#rules);
    const { statement } = request;
    const changes = statement === undefined ? await makeChanges(this.#texts, request, this.#wiring?.markWords) : [];
    const scope = scopeOfChanges(changes, request.scope);
    const replaced = (request.replaces ?? []).map((id) => this.#folder.get(id));
    const proposals = this.list().proposals.filter(({ id }) => !request.replaces?.includes(id));
    const twins =
      statement === undefined ? findTwins(proposals, changes) : findStatementTwin(proposals, statement, scope);
    if (twins.open !== undefined) return this.#notFiled('already-open', twins.open);
    if (twins.rejected !== undefined && request.evenIfRejected !== true) {
      return this.#notFiled('rejected-before', twins.rejected);
    }
    const conflicts = [
      ...(request.conflictsWith ?? []).map((one) => this.get(one)),
      ...findClashes(proposals, changes),
    ];
    const trust = policy.trustOfProposer(request.actor, request.trust);
    const nowMs = this.#clock.now();
    const base = await findNewestMutation(this.#workspace.git.workspace);
    const conflictsWith = [...new Set(conflicts.map(({ id }) => id))];
    const drafted = { id: this.#ulids.next(nowMs), nowMs, base, changes, conflictsWith };
    return this.#file(draftProposal({ ...request, scope, trust }, drafted), replaced);
  }

  /** Previews the effect of each pending change on the present files. */
  async preview(id: string): Promise<ChangePreview[]> {
    const changes = waitingChanges(this.get(id));
    const versions = await this.#texts.versions(changes);
    return changes.map((change) => previewChange(change, versionsOf(versions, change)));
  }

  /**
   * Applies the proposal, or the chosen part of it. A proposal that no longer fits is marked stale and refused with a
   * conflict, as is one that somebody else decided at the same moment.
   */
  async approve(id: string, decision: ApprovalDecision): Promise<Approved> {
    const file = this.#folder.get(id);
    const edited = decision.edited === undefined ? file : fileEdits.editedFile(file, decision.edited);
    nextState(edited.proposal.state, 'approve', edited.proposal.id);
    if (edited.proposal.statement !== undefined) return this.#keepStatement(file, edited, decision);
    const chosen = chooseChanges(edited.proposal, decision.only);
    policy.assertMayApprove(edited.proposal, chosen, decision.actor, this.#rules);
    try {
      return await this.#applyChanges(file, edited, chosen, decision);
    } catch (error) {
      if (!(error instanceof StaleChange)) throw error;
      // A slip in the approver's own edit says nothing about the proposal as it was made.
      if (decision.edited === undefined) await this.#markStale(file, error.message);
      throw fileEdits.staleError(file.proposal.id, error.message);
    }
  }

  /** Declines it, or only the changes of these numbers: the others go on waiting then. */
  async reject(id: string, decision: Refusal): Promise<Decided> {
    const file = this.#folder.get(id);
    policy.assertMayReject(file.proposal, decision.actor);
    const part = declinePart(file, decision.only);
    const line = { action: 'REJECT', approval: 'rejected' } as const;
    if (part === undefined) return this.#decide(file, 'reject', decision, line);
    const summary = `declined a part of proposal ${file.proposal.id} — ${decision.why}`;
    const { mutation } = await this.#commit(file, part, [], this.#line(file.proposal, decision, { ...line, summary }));
    return { id: file.proposal.id, state: file.proposal.state, mutation };
  }

  /** Takes back what one proposed oneself. */
  async withdraw(id: string, decision: Decision): Promise<Decided> {
    const file = this.#folder.get(id);
    policy.assertMayWithdraw(file.proposal, decision.actor);
    return this.#decide(file, 'withdraw', decision, { action: 'REJECT', approval: '—' });
  }

  /** Leaves it for the next reflection. */
  async defer(id: string, decision: Decision): Promise<Decided> {
    const file = this.#folder.get(id);
    policy.assertMayPostpone(file.proposal, decision.actor);
    return this.#decide(file, 'defer', decision, { action: 'PROPOSE', approval: 'pending' });
  }

  /** Makes the waiting changes anew from the present files; where both sides wrote, the new diff keeps both. */
  async rebase(id: string, decision: Decision): Promise<Decided> {
    const file = this.#folder.get(id);
    const { proposal, text } = file;
    policy.assertMayPostpone(proposal, decision.actor);
    if (isEntityMerge(proposal)) throw fileEdits.movedOnError(proposal.id);
    const state = nextState(proposal.state, 'rebase', proposal.id);
    const versions = await this.#texts.versions(waitingChanges(proposal));
    const changes = proposal.changes.map((change) =>
      change.state === 'waiting' ? rebaseChange(proposal.id, change, versionsOf(versions, change)) : change,
    );
    const base = await findNewestMutation(this.#workspace.git.workspace);
    const undecided = { decided: null, decidedBy: null, reason: decision.why ?? null };
    const rebased = withHeader(withDiffs(text, changes), { state, changes, base, ...undecided });
    const summary = `rebased proposal ${proposal.id}: ${proposal.title}`;
    const line = this.#line(proposal, decision, { action: 'PROPOSE', approval: 'pending', summary });
    const { mutation } = await this.#commit(file, rebased, [], line);
    return { id: proposal.id, state, mutation };
  }

  /** Withdraws what nobody decided on in time. */
  async withdrawExpired(): Promise<Decided[]> {
    const now = this.#clock.now();
    const decided: Decided[] = [];
    for (const file of this.#folder.readAll().files) {
      const { state, expires } = file.proposal;
      if (!isOpen(state) || expires === undefined || !(Date.parse(expires) <= now)) continue;
      const decision = { actor: 'system:proposals', why: `expired ${expires}` };
      decided.push(await this.#decide(file, 'withdraw', decision, { action: 'REJECT', approval: '—' }));
    }
    return decided;
  }

  /** The write path's conflict handler: files the choice that a merge could not make. */
  fileConflict(report: ConflictReport): void {
    this.#conflicts.add(report);
  }

  /** Waits until every reported conflict is filed; to be called before the workspace closes. Returns what failed. */
  settle(): Promise<readonly string[]> {
    return this.#conflicts.settle();
  }

  #notFiled(outcome: 'already-open' | 'rejected-before', proposal: Proposal): Proposed {
    const path = this.pathOf(proposal.id);
    return { outcome, id: proposal.id, path, proposal, mutation: undefined, redactions: [], warnings: [] };
  }

  async #file(proposal: Proposal, replaced: readonly ProposalFile[]): Promise<Proposed> {
    const path = proposalPath(proposal.id, proposal.scope);
    const { actor, trigger, session, title } = proposal;
    const stamp = this.#stamp({ actor, why: 'a newer one takes its place' });
    const withdrawn = replaced.map((file) => makeWay(file, actor, stamp));
    const pages = await this.#planPages([...withdrawn.map((file) => file.after.proposal), proposal]);
    const result = await this.#workspace.commit({
      actor,
      action: 'PROPOSE',
      approval: 'pending',
      trigger,
      session,
      summary: title,
      changes: [
        ...withdrawn.map(({ before, after }) => fileEdits.replaceFile(before, after.text)),
        { path, content: renderProposal(proposal), base: undefined },
        ...fileEdits.conflictEdits(this.#folder, proposal.id, proposal.conflictsWith),
        ...pages,
      ],
      generates: pages.map((page) => page.path),
    });
    const { redactions, warnings } = result;
    // An opposite proposal may have been filed at the same moment: the second one sees the first.
    const clashes = findClashes(this.list().proposals, proposal.changes).map(({ id }) => id);
    await this.markConflicts(proposal.id, clashes);
    // As written, since the write path may have taken secrets out of it.
    const written = this.get(proposal.id);
    const filed = { id: written.id, path, proposal: written, mutation: mutationOf(result), redactions, warnings };
    // The conflicts of a statement are known only to its caller, who then asks for the rest.
    return written.statement === undefined
      ? this.approveTrusted({ outcome: 'filed', ...filed })
      : { outcome: 'filed', ...filed };
  }

  async #planPages(after: readonly Proposal[]): Promise<readonly Change[]> {
    return (await this.#wiring?.planPages(after)) ?? [];
  }

  /** Says on both sides that proposals cannot stand together; what is marked already, or declined, is left alone. */
  async markConflicts(id: string, others: readonly string[]): Promise<readonly string[]> {
    const { request, added } = fileEdits.planConflictMarks(this.#folder, id, others);
    if (request !== undefined) await this.#workspace.commit(request);
    return added;
  }

  /** Lets what a trusted agent is sure of happen at once, where mneme.yaml allows it and nothing speaks against it. */
  async approveTrusted(filed: Proposed): Promise<Proposed> {
    if (!policy.mayAutoApprove(this.get(filed.id), this.#rules)) return filed;
    try {
      const why = 'a trusted agent was sure of it';
      const approved = await this.approve(filed.id, { actor: policy.AUTO_APPROVER, why });
      const warnings = [...filed.warnings, ...approved.warnings];
      return { ...filed, outcome: 'applied', proposal: this.get(filed.id), mutation: approved.mutation, warnings };
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      const warnings = [...filed.warnings, `It was not approved by itself: ${error.message}`];
      return { ...filed, outcome: 'filed', proposal: this.get(filed.id), warnings };
    }
  }

  async #applyChanges(
    file: ProposalFile,
    edited: ProposalFile,
    chosen: readonly ProposedChange[],
    decision: ApprovalDecision,
  ): Promise<Approved> {
    const versions = await this.#texts.versions(chosen);
    const fits = new Map<number, Fit>();
    // Later additions to either file were not weighed, and would stay behind in the file that is merged away.
    const isExactOnly = isEntityMerge(edited.proposal);
    const edits = chosen.flatMap((change) =>
      applyingEdits(change, versionsOf(versions, change).base, fits, isExactOnly),
    );
    const approved = await this.#apply(file, edited, { chosen, edits }, decision);
    return { ...approved, warnings: [...approved.warnings, ...describeFits(chosen, fits)] };
  }

  async #keepStatement(file: ProposalFile, edited: ProposalFile, decision: ApprovalDecision): Promise<Approved> {
    const { planStatement } = must(this.#wiring, 'what keeps statements');
    const { changes: edits, id: item, notes } = await planStatement(edited.proposal, decision.override ?? {});
    policy.assertMayApprove(edited.proposal, edits, decision.actor, this.#rules);
    const whole = { ...decision, only: undefined, rest: undefined };
    const approved = await this.#apply(file, edited, { chosen: [], edits }, whole);
    return { ...approved, warnings: [...notes, ...approved.warnings], item };
  }

  /** Writes the changes and the approval in one mutation: neither can be there without the other. */
  async #apply(
    file: ProposalFile,
    { proposal, text: before }: ProposalFile,
    { chosen, edits }: { readonly chosen: readonly ProposedChange[]; readonly edits: readonly Change[] },
    decision: ApprovalDecision,
  ): Promise<Approved> {
    const verdict = { ...this.#stamp(decision), rejectsRest: decision.rest === 'reject' };
    const { text, state } = markApplied(before, proposal, chosen, verdict);
    const applied = chosen.map((change) => change.number);
    const part = state === 'applied' && decision.only === undefined ? '' : ` (change ${applied.join(', ')})`;
    const line = this.#line(proposal, decision, {
      action: proposal.kind === 'merge' ? 'MERGE' : 'COMMIT',
      approval: policy.isPerson(decision.actor) ? 'approved' : 'auto',
      summary: `accepted proposal ${proposal.id}${part}: ${proposal.title}`,
    });
    const actor = policy.committerOf(proposal, line.actor);
    const result = await this.#commit(file, text, edits, { ...line, actor });
    const { files, redactions, warnings } = result;
    return { id: proposal.id, state, mutation: mutationOf(result), applied, files, redactions, warnings };
  }

  async #markStale(file: ProposalFile, reason: string): Promise<void> {
    const { id, state } = file.proposal;
    const text = withHeader(file.text, { state: nextState(state, 'go-stale', id), reason });
    const summary = `proposal ${id} no longer fits — ${reason}`;
    const line = { action: 'PROPOSE', approval: 'pending', summary } as const;
    await this.#commit(file, text, [], this.#line(file.proposal, { actor: 'system:proposals' }, line));
  }

  async #decide(
    file: ProposalFile,
    event: ProposalEvent,
    decision: Decision,
    line: Pick<HistoryLine, 'action' | 'approval'>,
  ): Promise<Decided> {
    const { id, title, state } = file.proposal;
    const next = nextState(state, event, id);
    const text = withHeader(file.text, { state: next, ...this.#stamp(decision) });
    const summary = `${next} proposal ${id} — ${decision.why ?? title}`;
    const attribution = this.#line(file.proposal, decision, { ...line, summary });
    const { mutation } = await this.#commit(file, text, [], attribution);
    return { id, state: next, mutation };
  }

  #stamp({ actor, why }: Decision): Stamp {
    return { decided: new Date(this.#clock.now()).toISOString(), decidedBy: actor, reason: why ?? null };
  }

  #line(
    proposal: Proposal,
    decision: Decision,
    line: Pick<HistoryLine, 'action' | 'approval' | 'summary'>,
  ): HistoryLine {
    const actor = parseActor(decision.actor);
    return { ...line, actor, trigger: `proposal ${proposal.id}`, session: decision.session };
  }

  /** Writes the proposal's new text and whatever it applies as one mutation, if nobody touched it since it was read. */
  async #commit(file: ProposalFile, text: string, edits: readonly Change[], line: HistoryLine): Promise<CommitResult> {
    const pages = await this.#planPages([fileEdits.fileWith(file, text).proposal]);
    const generates = pages.map(({ path }) => path);
    const changes = [fileEdits.replaceFile(file, text), ...edits, ...pages];
    const result = await this.#workspace.commit({ ...line, changes, generates });
    // The decision was about the other files.
    return { ...result, files: result.files.filter(({ path }) => !generates.includes(path)) };
  }
}

function mutationOf(result: CommitResult): string {
  return must(result.mutation, 'the mutation of a change');
}
