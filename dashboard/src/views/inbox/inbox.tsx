import type { JSX } from 'preact';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { heldIds } from '../../api/later.ts';
import { useQuery } from '../../api/query.ts';
import { linkHere, linkTo, route } from '../../app/route.ts';
import { actorName, originOf, plainTitle } from '../../text/names.ts';
import { Command, Empty, Loaded, Page, plural, Time, WriteButton } from '../../ui/parts.tsx';
import { Split } from '../../ui/split.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { AlertCard, OutsideEdits, type Waiting } from './alerts.tsx';
import { Decision } from './decision.tsx';
import { isContested, OPEN_STATES, type Proposal } from './proposal.ts';

/** One thing to decide. */
type Entry =
  | { readonly kind: 'outside'; readonly id: 'outside'; readonly edits: Waiting['externalEdits'] }
  | { readonly kind: 'alert'; readonly id: string; readonly alert: Waiting['alerts'][number] }
  | { readonly kind: 'proposal'; readonly id: string; readonly proposal: Proposal };

const ROW = 68;

export function Inbox(): JSX.Element {
  const isDecided = route.value.query.get('show') === 'decided';
  const proposals = useQuery('proposals list', isDecided ? { state: 'all' } : {}, { on: ['proposal', 'mutation'] });
  const alerts = useQuery('audit alerts', {}, { on: ['alert', 'mutation'] });
  return (
    <Page
      title="Inbox"
      lead={isDecided ? 'What was decided, and why.' : 'Nothing here has happened yet. You decide.'}
      isWide
      tools={
        <a class="button small" href={linkTo('inbox', '', { show: isDecided ? '' : 'decided' })}>
          {isDecided ? 'What waits' : 'Decided'}
        </a>
      }
    >
      <Loaded query={proposals} lines={6}>
        {(known) => (
          <>
            {known.problems.map((problem) => (
              <p key={problem} class="notice">
                {problem}
              </p>
            ))}
            <Entries
              entries={isDecided ? decided(known.proposals) : waiting(known.proposals, alerts.data)}
              all={known.proposals}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function waiting(proposals: readonly Proposal[], alerts: Waiting | undefined): readonly Entry[] {
  const held = heldIds.value;
  const isShown = ({ references }: { readonly references: readonly string[] }): boolean =>
    !references.some((reference) => held.has(reference));
  const edits = alerts?.externalEdits.filter(isShown) ?? [];
  return [
    ...(alerts?.alerts ?? [])
      .filter(isShown)
      .map((alert): Entry => ({ kind: 'alert', id: alert.references[0] ?? alert.path, alert })),
    ...(edits.length === 0 ? [] : [{ kind: 'outside', id: 'outside', edits } as const]),
    ...proposals
      .filter(({ id }) => !held.has(id))
      .map((proposal): Entry => ({ kind: 'proposal', id: proposal.id, proposal })),
  ];
}

function decided(proposals: readonly Proposal[]): readonly Entry[] {
  return proposals
    .filter(({ state }) => !OPEN_STATES.has(state))
    .map((proposal): Entry => ({ kind: 'proposal', id: proposal.id, proposal }))
    .toReversed();
}

function Entries({
  entries,
  all,
}: {
  readonly entries: readonly Entry[];
  readonly all: readonly Proposal[];
}): JSX.Element {
  const picked = route.value.rest;
  if (entries.length === 0) return <NothingWaits />;
  const at = Math.max(
    0,
    entries.findIndex(({ id }) => id === picked),
  );
  const shown = entries[at];
  const next = (entries[at + 1] ?? entries[at - 1])?.id;
  return (
    <Split
      isPicked={picked !== ''}
      back="inbox"
      backLabel="Inbox"
      list={
        <>
          <VirtualList
            label="Decisions"
            items={entries}
            rowHeight={ROW}
            keyOf={({ id }) => id}
            current={at}
            render={(entry) => <Row entry={entry} all={all} isCurrent={entry.id === shown?.id} />}
          />
          <ApproveSafe entries={entries} all={all} />
        </>
      }
    >
      {shown === undefined ? null : <Shown key={shown.id} entry={shown} all={all} next={next} />}
    </Split>
  );
}

interface ShownProps {
  readonly entry: Entry;
  readonly all: readonly Proposal[];
  readonly next: string | undefined;
}

function Shown({ entry, all, next }: ShownProps): JSX.Element {
  if (entry.kind === 'outside') return <OutsideEdits edits={entry.edits} />;
  if (entry.kind === 'alert') return <AlertCard alert={entry.alert} />;
  return <Decision id={entry.id} all={all} next={next} />;
}

interface RowProps {
  readonly entry: Entry;
  readonly all: readonly Proposal[];
  readonly isCurrent: boolean;
}

function Row({ entry, all, isCurrent }: RowProps): JSX.Element {
  const { title, note, badge } = describe(entry, all);
  return (
    <a
      class="pick"
      href={`${linkHere({})}`.replace(/^#\/inbox[^?]*/u, `#/inbox/${entry.id}`)}
      aria-current={isCurrent}
      data-list-item
      dir="auto"
    >
      <span class="clip-line">{title}</span>
      <span class="row tiny faint">
        {badge === undefined ? null : <span class="badge warn">{badge}</span>}
        {note}
      </span>
    </a>
  );
}

function describe(entry: Entry, all: readonly Proposal[]): { title: string; note: JSX.Element; badge?: string } {
  if (entry.kind === 'outside') {
    return {
      title: 'Were these edits yours?',
      note: <span>{plural(entry.edits.length, 'file')} edited outside Mneme</span>,
    };
  }
  if (entry.kind === 'alert') {
    return { title: `${entry.alert.path} was changed`, note: <Time at={entry.alert.timeMs} />, badge: 'look' };
  }
  const { proposal } = entry;
  const note = (
    <>
      <span>{actorName(proposal.actor)}</span>
      <Time at={proposal.created} />
    </>
  );
  const title = plainTitle(proposal.statement?.content ?? proposal.title);
  const badge = badgeOf(proposal, all);
  return badge === undefined ? { title, note } : { title, note, badge };
}

function badgeOf(proposal: Proposal, all: readonly Proposal[]): string | undefined {
  if (!OPEN_STATES.has(proposal.state)) return proposal.state;
  if (isContested(proposal, all)) return 'either or';
  if (originOf(proposal.trust) === 'outside') return 'from outside';
  if (proposal.state !== 'pending') return proposal.state === 'stale' ? 'out of date' : 'for later';
  return undefined;
}

/** All at once only where nothing says otherwise and nobody outside is taken at their word. */
function ApproveSafe({
  entries,
  all,
}: {
  readonly entries: readonly Entry[];
  readonly all: readonly Proposal[];
}): JSX.Element | null {
  const safe = entries.flatMap((entry) =>
    entry.kind === 'proposal' && entry.proposal.state === 'pending' && badgeOf(entry.proposal, all) === undefined
      ? [entry.id]
      : [],
  );
  if (safe.length < 2) return null;
  const approveAll = (): void =>
    void act(
      () => call('approve', { ids: safe }),
      (approved: Output<'approve'>) => ({
        text: `${plural(approved.length, 'proposal')} approved.`,
        hint: approved.flatMap(({ warnings }) => warnings)[0],
        mutations: approved.map(({ mutation }) => mutation),
      }),
    );
  return (
    <WriteButton kind="small" onClick={approveAll}>
      Approve the {safe.length} that nothing contradicts
    </WriteButton>
  );
}

function NothingWaits(): JSX.Element {
  return (
    <Empty icon="calm" title="Nothing waits for you">
      <p>
        Sub-agents never write: they propose. Reflections, merges of two people who are one, and what would fade into
        the archive come here too, before anything changes.
      </p>
      <Command>mneme learn reflect</Command>
    </Empty>
  );
}
