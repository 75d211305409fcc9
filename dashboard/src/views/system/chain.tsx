import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { showProblem } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import type { Query } from '../../api/query.ts';
import { Card, Command, Empty, Loaded, plural, Time } from '../../ui/parts.tsx';
import { bytes } from './growth.tsx';

type Stats = Output<'chain stats'>;
type Verified = Output<'chain verify'>;

/** Provable history: signed entries that nobody changes unseen. */
export function ChainCard({ query }: { readonly query: Query<Stats> }): JSX.Element {
  return (
    <Card title="Provable history">
      <Loaded query={query}>
        {(stats) => (stats.entries === 0 ? <NoChain isOn={stats.isEnabled} /> : <Chain stats={stats} />)}
      </Loaded>
    </Card>
  );
}

function NoChain({ isOn }: { readonly isOn: boolean }): JSX.Element {
  return (
    <Empty isSmall icon="calm" title={isOn ? 'Nothing is entered yet' : 'Switched off'}>
      <p>Signed entries prove later what was said and decided, and that nobody changed it since.</p>
      <Command>{isOn ? 'mneme chain stats' : 'mneme config set chain.enabled true'}</Command>
    </Empty>
  );
}

function Chain({ stats }: { readonly stats: Stats }): JSX.Element {
  const [verified, setVerified] = useState<Verified | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const verify = async (): Promise<void> => {
    setBusy(true);
    try {
      setVerified(await call('chain verify', {}));
    } catch (error) {
      showProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stack tight">
      <dl class="facts small">
        <dt>Entries</dt>
        <dd>
          {plural(stats.entries, 'entry', 'entries')}, {bytes(stats.bytes)}
          {stats.waiting === 0 ? '' : ` · ${plural(stats.waiting, 'note')} waiting`}
        </dd>
        <dt>Last</dt>
        <dd>
          <Time at={stats.last} />
        </dd>
        <dt>Anchored</dt>
        <dd>{stats.anchors.length === 0 ? 'nowhere yet' : plural(stats.anchors.length, 'time')}</dd>
        <dt>Head</dt>
        <dd class="path">{stats.head}</dd>
      </dl>
      <div class="row" aria-live="polite">
        <button type="button" class="button small" disabled={isBusy} onClick={() => void verify()}>
          {isBusy ? 'Verifying…' : 'Verify'}
        </button>
        {verified === undefined ? null : (
          <span class={verified.isWhole ? 'badge good' : 'badge bad'}>
            {verified.isWhole ? `whole: ${plural(verified.signatures, 'signature')} checked` : 'it was changed'}
          </span>
        )}
      </div>
      {[...stats.notes, ...(verified?.findings.map(({ message }) => message) ?? [])].map((note) => (
        <p key={note} class="notice">
          {note}
        </p>
      ))}
    </div>
  );
}
