import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { askEarly, useQuery } from '../../api/query.ts';
import { dayName } from '../../app/clock.ts';
import { knownOn, linkTo, route } from '../../app/route.ts';
import { nameOfEvent } from '../../text/names.ts';
import { Command, Empty, Loaded, Page, Time } from '../../ui/parts.tsx';
import { Split } from '../../ui/split.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { Learned } from './learned.tsx';
import { RememberBox } from './remember.tsx';
import { Told } from './told.tsx';

type Receipt = Output<'context list'>['receipts'][number];
const PAGE = 60;
const LATEST = 'last';
const MAX_LISTED = 200;
const ROW = 64;
const DAY_MS = 86_400_000;

/** The prompts and the latest of them do not wait for each other, and neither waits for the page. */
export function askForNow(): void {
  askEarly('context list', { limit: PAGE });
  askEarly('context show', { receipt: LATEST });
}

export function Now(): JSX.Element {
  const [limit, setLimit] = useState(PAGE);
  const day = knownOn.value;
  const before = day === '' ? {} : { before: firstIdAfter(day) };
  const told = useQuery('context list', { limit, ...before }, { on: ['receipt'] });
  const picked = route.value.rest;
  return (
    <Page
      title="Now"
      lead={day === '' ? 'What your agent was told, and why.' : `What your agent was told until ${dayName(day)}.`}
      isWide
    >
      <Loaded query={told} lines={8}>
        {({ receipts, next }) => {
          const shown = picked === '' ? receipts[0]?.id : picked;
          return (
            <Split
              isPicked={picked !== ''}
              back="now"
              backLabel="Prompts"
              list={
                <>
                  <RememberBox />
                  {receipts.length === 0 ? null : (
                    <VirtualList
                      label="Prompts"
                      items={receipts}
                      rowHeight={ROW}
                      keyOf={({ id }) => id}
                      current={receipts.findIndex(({ id }) => id === shown)}
                      onEnd={next !== null && limit < MAX_LISTED ? () => setLimit(MAX_LISTED) : undefined}
                      render={(receipt) => <Row receipt={receipt} isCurrent={receipt.id === shown} />}
                    />
                  )}
                  <Learned />
                </>
              }
            >
              {shown === undefined ? (
                <NothingTold />
              ) : (
                <Told key={shown} id={picked === '' && day === '' ? LATEST : shown} />
              )}
            </Split>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** Receipts have ids that begin with their time; the first one that could be made on the day after. */
function firstIdAfter(day: string): string {
  const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  let rest = Date.parse(`${day}T00:00:00`) + DAY_MS;
  let id = '';
  for (let count = 0; count < 10; count += 1) {
    id = (digits[rest % 32] ?? '0') + id;
    rest = Math.floor(rest / 32);
  }
  return id;
}

function Row({ receipt, isCurrent }: { readonly receipt: Receipt; readonly isCurrent: boolean }): JSX.Element {
  const { id, message, event, clock, included } = receipt;
  return (
    <a class="pick" href={linkTo('now', id)} aria-current={isCurrent} data-list-item dir="auto">
      <span class="clip-line">{message === '' ? nameOfEvent(event) : message}</span>
      <span class="row tiny faint">
        <Time at={clock} />
        <span>{included === 0 ? 'nothing told' : `${included} told`}</span>
      </span>
    </a>
  );
}

function NothingTold(): JSX.Element {
  return (
    <Empty icon="now" title="No agent has asked yet">
      <p>Connect one. Every prompt it gets from here leaves a receipt: what went in, what stayed out, and why.</p>
      <Command>mneme install claude-code</Command>
      <p class="small">Or see what it would be told:</p>
      <Command>mneme context "when do we deploy?"</Command>
    </Empty>
  );
}
