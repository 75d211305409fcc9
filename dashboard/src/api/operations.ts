/** What this page asks of the API: inputs as they are sent, outputs as the operations declare them. */
import type { AuditLine } from '../../../src/audit/line.ts';
import type { Acknowledged } from '../../../src/operations/audit.ts';
import type { ShownReceipt, ShowReceiptInput } from '../../../src/operations/briefing/receipts.ts';
import type { AlertList } from '../../../src/operations/browse/alerts.ts';
import type { FadingList } from '../../../src/operations/browse/fading.ts';
import type { FileList, FileText, MeasuredText } from '../../../src/operations/browse/files.ts';
import type { GateDecisions } from '../../../src/operations/browse/gate-log.ts';
import type { GraphPage } from '../../../src/operations/browse/graph-page.ts';
import type { Growth } from '../../../src/operations/browse/growth.ts';
import type { ProposalList, ShownProposal } from '../../../src/operations/browse/proposals.ts';
import type { ReceiptList } from '../../../src/operations/browse/receipts.ts';
import type { SavedFile, SaveFileInput } from '../../../src/operations/browse/save-file.ts';
import type { SessionHistory, TranscriptPage } from '../../../src/operations/browse/sessions.ts';
import type { TimelineDays } from '../../../src/operations/browse/timeline.ts';
import type { DecayStatusReport } from '../../../src/operations/decay/status.ts';
import type { EntityList } from '../../../src/operations/graph/list.ts';
import type { ShownEntity } from '../../../src/operations/graph/show.ts';
import type { Timeline } from '../../../src/operations/graph/timeline.ts';
import type { FoundPath, Neighbours } from '../../../src/operations/graph/walk.ts';
import type { MemoryDiff } from '../../../src/operations/history/diff.ts';
import type { Log } from '../../../src/operations/history/log.ts';
import type { Learned } from '../../../src/operations/history/when.ts';
import type { Costs } from '../../../src/operations/reasoner/costs.ts';
import type { ApproveInput, RejectInput } from '../../../src/operations/reflect/decide.ts';
import type { Remembered, RememberInput } from '../../../src/operations/remember.ts';
import type { RollbackInput, RollbackResult } from '../../../src/operations/rollback.ts';
import type { RecallInput, RecallResult } from '../../../src/operations/search/recall.ts';
import type { Status } from '../../../src/operations/status.ts';
import type { CoreEdited, ShownCore } from '../../../src/operations/stores/core.ts';
import type { Pinned, PinInput } from '../../../src/operations/stores/pin.ts';
import type { ListedTopic, ShownTopic } from '../../../src/operations/topics/list.ts';
import type { TestedTopics } from '../../../src/operations/topics/test.ts';
import type { WhyResult } from '../../../src/operations/why.ts';
import type { Approved, Decided } from '../../../src/proposals/request.ts';
import type { JobList } from '../../../src/runtime/jobs/job-operations.ts';

export interface Me {
  readonly name: string;
  readonly role: 'owner' | 'main' | 'proposer' | 'reader';
  readonly actor: string;
  readonly canWrite: boolean;
  readonly canPropose: boolean;
  readonly home: string;
  readonly version: string;
  readonly timeZone: string;
}

type Nothing = Readonly<Record<string, never>>;
/** Not known to this page: shown as it comes. */
export type ChainStatus = Readonly<Record<string, unknown>>;

export interface Operations {
  me: [Nothing, Me];
  login: [{ token: string }, Me];
  logout: [Nothing, Nothing];
  status: [Nothing, Status];
  remember: [RememberInput, Remembered];
  recall: [RecallInput, RecallResult];
  why: [{ id?: string }, WhyResult];
  pin: [PinInput, Pinned];
  'context list': [{ limit?: number; before?: string }, ReceiptList];
  'context show': [ShowReceiptInput, ShownReceipt];
  'proposals list': [{ state?: string }, ProposalList];
  'proposals show': [{ id: string }, ShownProposal];
  'proposals rebase': [{ id: string }, Decided];
  approve: [ApproveInput & { edited?: string }, readonly Approved[]];
  reject: [RejectInput, readonly Decided[]];
  audit: [{ file?: string; actor?: string; since?: string; until?: string; text?: string; limit?: number }, readonly AuditLine[]];
  'audit alerts': [Nothing, AlertList];
  'audit ack': [{ references: readonly string[]; isMine: boolean }, Acknowledged];
  rollback: [RollbackInput, RollbackResult];
  log: [
    { path?: string; actor?: string; since?: string; until?: string; text?: string; limit?: number; full?: boolean },
    Log,
  ];
  diff: [{ from: string; to: string }, MemoryDiff];
  when: [{ text: string }, Learned];
  timeline: [{ until?: string; days?: number }, TimelineDays];
  'session history': [{ limit?: number; before?: string; query?: string }, SessionHistory];
  'session transcript': [{ session: string; around?: string; from?: number; limit?: number }, TranscriptPage];
  'core show': [Nothing, ShownCore];
  'core edit': [{ id: string; text?: string }, CoreEdited];
  'files list': [{ under?: string }, FileList];
  'files read': [{ path: string; at?: string }, FileText];
  'files save': [SaveFileInput, SavedFile];
  'files preview': [{ text: string }, MeasuredText];
  'graph page': [{ after?: number; limit?: number; at?: string }, GraphPage];
  'graph list': [{ limit?: number }, EntityList];
  'graph show': [{ entity: string; at?: string }, ShownEntity];
  'graph neighbours': [{ entity: string; depth?: number }, Neighbours];
  'graph path': [{ from: string; to: string }, FoundPath];
  'graph timeline': [{ entity: string }, Timeline];
  'topics list': [{ session?: string }, { readonly topics: readonly ListedTopic[] }];
  'topics show': [{ name: string }, ShownTopic];
  'topics test': [{ message: string; all?: boolean }, TestedTopics];
  'topics log': [{ limit?: number; topic?: string }, GateDecisions];
  'decay status': [Nothing, DecayStatusReport];
  'decay next': [{ limit?: number }, FadingList];
  growth: [{ days?: number }, Growth];
  'jobs list': [Nothing, JobList];
  'jobs run': [{ job: string }, { readonly summary: string }];
  costs: [{ by?: string; forecast?: boolean }, Costs];
  'chain status': [Nothing, ChainStatus];
}

/** Everything else is a GET. */
export const POSTS: ReadonlySet<keyof Operations> = new Set<keyof Operations>([
  'login',
  'logout',
  'remember',
  'recall',
  'pin',
  'proposals rebase',
  'approve',
  'reject',
  'audit ack',
  'rollback',
  'core edit',
  'files preview',
  'topics test',
  'jobs run',
]);
export const PUTS: ReadonlySet<keyof Operations> = new Set<keyof Operations>(['files save']);
