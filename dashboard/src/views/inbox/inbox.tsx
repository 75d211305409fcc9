import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { heldIds } from '../../api/later.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo, route } from '../../app/route.ts';
import { Card, Command, Empty, Loaded, Page, plural, Time, WriteButton } from '../../ui/parts.tsx';
import { AlertCards } from './alerts.tsx';
import { ProposalView } from './proposal.tsx';

type Proposals = Output<'proposals list'>['proposals'];

export function Inbox(): JSX.Element {
  const [state, setState] = useState<'waiting' | 'all'>('waiting');
  const query = useQuery('proposals list', state === 'all' ? { state: 'all' } : {}, { on: ['proposal', 'mutation'] });
  return (
    <Page
      title="Inbox"
      lead="Nothing here has happened yet. Read it, take all or part of it, change it, or say no and why."
      isWide
      tools={
        <div class="tabs" role="group" aria-label="Which proposals">
          <button type="button" aria-pressed={state === 'waiting'} onClick={() => setState('waiting')}>
            Waiting
          </button>
          <button type="button" aria-pressed={state === 'all'} onClick={() => setState('all')}>
            All
          </button>
        </div>
      }
    >
      <AlertCards />
      <Loaded query={query} lines={6}>
        {({ proposals: known, problems }) => {
          const proposals = known.filter(({ id }) => !heldIds.value.has(id));
          return (
            <>
              {problems.map((problem) => (
                <p key={problem} class="notice">
                  {problem}
                </p>
              ))}
              {proposals.length === 0 ? (
                <NothingWaits />
              ) : (
                <List proposals={state === 'all' ? proposals.toReversed() : proposals} />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function NothingWaits(): JSX.Element {
  return (
    <Card>
      <Empty icon="calm" title="Nothing waits for you">
        <p>
          Sub-agents never write: they propose. Reflections, merges of two people who are one, and what would fade into
          the archive come here too, as a diff you can read.
        </p>
        <Command>mneme learn reflect</Command>
      </Empty>
    </Card>
  );
}

function List({ proposals }: { readonly proposals: Proposals }): JSX.Element {
  const picked = proposals.find(({ id }) => id === route.value.rest) ?? proposals[0];
  const waiting = proposals.filter(({ state }) => state === 'pending');
  return (
    <div class="columns side">
      <div class="card">
        <nav class="card-body pad-small" aria-label="Proposals">
          {proposals.map((proposal) => (
            <a
              key={proposal.id}
              class="pick"
              href={linkTo('inbox', proposal.id)}
              aria-current={proposal.id === picked?.id}
              data-list-item
            >
              <div class="strong">{proposal.title}</div>
              <div class="row tiny faint">
                <span
                  class={`badge ${proposal.state === 'pending' ? 'accent' : proposal.state === 'stale' ? 'warn' : ''}`}
                >
                  {proposal.state === 'pending' ? proposal.kind : proposal.state}
                </span>
                <Time at={proposal.created} />
                <span>{plural(proposal.changes.length, 'file')}</span>
              </div>
            </a>
          ))}
          {waiting.length > 1 ? (
            <div class="row pad-small">
              <WriteButton kind="small" onClick={() => void approveAll(waiting.map(({ id }) => id))}>
                Approve all {waiting.length}
              </WriteButton>
            </div>
          ) : null}
        </nav>
      </div>
      {picked === undefined ? null : <ProposalView key={picked.id} id={picked.id} />}
    </div>
  );
}

async function approveAll(ids: readonly string[]): Promise<void> {
  await act(
    () => call('approve', { ids: [...ids] }),
    (approved) => ({
      text: `${plural(approved.length, 'proposal')} approved.`,
      hint: approved.flatMap(({ warnings }) => warnings)[0],
      mutations: approved.map(({ mutation }) => mutation),
    }),
  );
}
