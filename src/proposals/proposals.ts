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
import { applyingEdits, chooseChanges, describeFits, markApplied, StaleChange, type Stamp } from './approval.ts';
import { findNewestMutation } from './bases.ts';
import { draftProposal } from './draft.ts';
import { conflictEdits, planConflictMarks } from './conflict-marks.ts';
import { editedFile, movedOnError, overtakenError, staleError } from './file-edits.ts';
import { findClashes, findOpenTwin, findRejectedTwin } from './fingerprint.ts';
import { ProposalFolder, type ProposalFile } from './folder.ts';
import type { Fit, Versions } from './patch.ts';
import * as policy from './policy.ts';
import { previewChange, rebaseChange } from './preview.ts';
import { proposalPath, waitingChanges, type Proposal, type ProposedChange } from './proposal.ts';
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
} from './request.ts';
import { ReportedConflicts } from './reported-conflicts.ts';
import { makeChanges, scopeOfChanges, type WordMarker } from './requested-changes.ts';
import { isOpen, nextState, type ProposalEvent } from './state.ts';
import { Texts } from './texts.ts';

export interface ProposalsOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly random: Random;
  readonly config: Config;
  readonly fs?: FileSystem | undefined;
}

/** How a step appears in the history. */
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
  #planStatement: StatementPlanner | undefined;
  #markWords: WordMarker | undefined;
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
    const { files, problems } = this.#folder.readAll();
    const states = filter.state === undefined ? undefined : [filter.state].flat();
    const proposals = files
      .map((file) => file.proposal)
      .filter((proposal) => states?.includes(proposal.state) ?? true)
      .filter((proposal) => filter.kind === undefined || proposal.kind === filter.kind)
      .filter((proposal) => filter.actor === undefined || proposal.actor === filter.actor);
    return { proposals, problems };
  }

  /** By id or the beginning of one. */
  get(id: string): Proposal {
    return this.#folder.get(id).proposal;
  }

  /** Where its file lies, from the workspace down. */
  pathOf(id: string): string {
    return this.#folder.get(id).path;
  }

  /** How statements become changes: told by whoever knows the stores. */
  keepStatementsBy(planner: StatementPlanner): void {
    this.#planStatement = planner;
  }

  /** How an agent's words are told from the user's in files that speak for the user. */
  markWordsBy(marker: WordMarker): void {
    this.#markWords = marker;
  }

  /** Files a change for somebody to decide on, unless the same is waiting or was rejected already. */
  async propose(request: ProposalRequest): Promise<Proposed> {
    parseActor(request.actor);
    policy.assertMayPropose(request.actor, request.changes, this.#rules);
    const { statement } = request;
    const changes = statement === undefined ? await makeChanges(this.#texts, request, this.#markWords) : [];
    const scope = scopeOfChanges(changes, request.scope);
    const { proposals } = this.list();
    const twins =
      statement === undefined ? diffTwins(proposals, changes) : findStatementTwin(proposals, statement, scope);
    if (twins.open !== undefined) return this.#notFiled('already-open', twins.open);
    if (twins.rejected !== undefined && request.evenIfRejected !== true) {
      return this.#notFiled('rejected-before', twins.rejected);
    }
    const clashes = findClashes(proposals, changes).map((clash) => clash.id);
    const known = (request.conflictsWith ?? []).map((id) => this.get(id).id);
    const trust = policy.trustOfProposer(request.actor, request.trust);
    const nowMs = this.#clock.now();
    const base = await findNewestMutation(this.#workspace.git.workspace);
    const conflictsWith = [...new Set([...known, ...clashes])];
    const drafted = { id: this.#ulids.next(nowMs), nowMs, base, changes, conflictsWith };
    return this.#file(draftProposal({ ...request, scope, trust }, drafted));
  }

  /** What each waiting change would do to the files as they are now. */
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
    const edited = decision.edited === undefined ? file : editedFile(file, decision.edited);
    nextState(edited.proposal.state, 'approve', edited.proposal.id);
    if (edited.proposal.statement !== undefined) return this.#keepStatement(file, edited, decision);
    const chosen = chooseChanges(edited.proposal, decision.only);
    policy.assertMayApprove(edited.proposal, chosen, decision.actor, this.#rules);
    try {
      return await this.#apply(file, edited, chosen, decision);
    } catch (error) {
      if (!(error instanceof StaleChange)) throw error;
      // A slip in the approver's own edit says nothing about the proposal as it was made.
      if (decision.edited === undefined) await this.#markStale(file, error.message);
      throw staleError(file.proposal.id, error.message);
    }
  }

  async reject(id: string, decision: Decision & { readonly why: string }): Promise<Decided> {
    const file = this.#folder.get(id);
    policy.assertMayReject(file.proposal, decision.actor);
    return this.#decide(file, 'reject', decision, { action: 'REJECT', approval: 'rejected' });
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
    if (isEntityMerge(proposal)) throw movedOnError(proposal.id);
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

  /** The door's conflict handler: files the choice that a merge could not make. */
  fileConflict(report: ConflictReport): void {
    this.#conflicts.add(report);
  }

  /** Waits until every reported conflict is filed; to be called before the workspace closes. Returns what failed. */
  settle(): Promise<readonly string[]> {
    return this.#conflicts.settle();
  }

  #notFiled(outcome: 'already-open' | 'rejected-before', proposal: Proposal): Proposed {
    const { id } = proposal;
    return { outcome, id, path: this.pathOf(id), proposal, mutation: undefined, redactions: [], warnings: [] };
  }

  async #file(proposal: Proposal): Promise<Proposed> {
    const path = proposalPath(proposal.id, proposal.scope);
    const result = await this.#workspace.commit({
      actor: proposal.actor,
      action: 'PROPOSE',
      approval: 'pending',
      trigger: proposal.trigger,
      session: proposal.session,
      summary: proposal.title,
      changes: [
        { path, content: renderProposal(proposal), base: undefined },
        ...conflictEdits(this.#folder, proposal.id, proposal.conflictsWith),
      ],
    });
    const { redactions, warnings } = result;
    // Somebody may have filed the opposite in the same moment: whoever comes second sees the other.
    const clashes = findClashes(this.list().proposals, proposal.changes).map(({ id }) => id);
    await this.markConflicts(proposal.id, clashes);
    // As written, since the door may have taken secrets out of it.
    const written = this.get(proposal.id);
    const filed = { id: written.id, path, proposal: written, mutation: mutationOf(result), redactions, warnings };
    // What a statement conflicts with is known only to whoever filed it, who then asks for the rest.
    return written.statement === undefined
      ? this.approveTrusted({ outcome: 'filed', ...filed })
      : { outcome: 'filed', ...filed };
  }

  /** Says on both sides that proposals cannot stand together; what is marked already, or declined, is left alone. */
  async markConflicts(id: string, others: readonly string[]): Promise<readonly string[]> {
    const { request, added } = planConflictMarks(this.#folder, id, others);
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

  async #apply(
    file: ProposalFile,
    edited: ProposalFile,
    chosen: readonly ProposedChange[],
    decision: ApprovalDecision,
  ): Promise<Approved> {
    const { proposal } = edited;
    const versions = await this.#texts.versions(chosen);
    const fits = new Map<number, Fit>();
    // What was added to either file since was not weighed, and would stay behind in the one that is given up.
    const isExactOnly = isEntityMerge(proposal);
    const edits = chosen.flatMap((change) =>
      applyingEdits(change, versionsOf(versions, change).base, fits, isExactOnly),
    );
    const verdict = { ...this.#stamp(decision), rejectsRest: decision.rest === 'reject' };
    const { text, state } = markApplied(edited.text, proposal, chosen, verdict);
    const numbers = chosen.map((change) => change.number);
    const part = state === 'applied' && decision.only === undefined ? '' : ` (change ${numbers.join(', ')})`;
    const line = this.#line(proposal, decision, {
      action: proposal.kind === 'merge' ? 'MERGE' : 'COMMIT',
      approval: policy.isPerson(decision.actor) ? 'approved' : 'auto',
      summary: `accepted proposal ${proposal.id}${part}: ${proposal.title}`,
    });
    const result = await this.#commit(file, text, edits, { ...line, actor: policy.committerOf(proposal, line.actor) });
    const warnings = [...result.warnings, ...describeFits(chosen, fits)];
    const { files, redactions } = result;
    return { id: proposal.id, state, mutation: mutationOf(result), applied: numbers, files, redactions, warnings };
  }

  /** What is remembered, and that it was agreed to, are one mutation: neither can be there without the other. */
  async #keepStatement(
    file: ProposalFile,
    { proposal, text }: ProposalFile,
    decision: ApprovalDecision,
  ): Promise<Approved> {
    const plan = must(this.#planStatement, 'what keeps statements');
    const { changes, id: item, notes } = await plan(proposal, decision.override ?? {});
    policy.assertMayApprove(proposal, changes, decision.actor, this.#rules);
    const { text: decided, state } = markApplied(text, proposal, [], { ...this.#stamp(decision), rejectsRest: false });
    const line = this.#line(proposal, decision, {
      action: 'COMMIT',
      approval: policy.isPerson(decision.actor) ? 'approved' : 'auto',
      summary: `accepted proposal ${proposal.id}: ${proposal.title}`,
    });
    const actor = policy.committerOf(proposal, line.actor);
    const result = await this.#commit(file, decided, changes, { ...line, actor });
    const { files, redactions, warnings } = result;
    const mutation = mutationOf(result);
    return {
      id: proposal.id,
      state,
      mutation,
      applied: [],
      files,
      redactions,
      warnings: [...notes, ...warnings],
      item,
    };
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
  #commit(file: ProposalFile, text: string, edits: readonly Change[], line: HistoryLine): Promise<CommitResult> {
    const { id } = file.proposal;
    const edit = (current: string | undefined): string => {
      if (current !== file.text) throw overtakenError(id, current);
      return text;
    };
    return this.#workspace.commit({ ...line, changes: [{ path: file.path, edit }, ...edits] });
  }
}

function isEntityMerge({ kind, trigger }: Proposal): boolean {
  return kind === 'merge' && trigger === 'graph merge';
}

function versionsOf(versions: ReadonlyMap<number, Versions>, change: ProposedChange): Versions {
  return must(versions.get(change.number), 'the text of a change');
}

function diffTwins(proposals: readonly Proposal[], changes: readonly ProposedChange[]) {
  return { open: findOpenTwin(proposals, changes), rejected: findRejectedTwin(proposals, changes) };
}

function mutationOf(result: CommitResult): string {
  return must(result.mutation, 'the mutation of a change');
}
