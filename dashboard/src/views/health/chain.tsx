import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pulses } from '../../api/live.ts';
import { Card } from '../../ui/parts.tsx';

type ChainStatus = Readonly<Record<string, unknown>>;

/** Provable history; the card is not there where the server does not know of it. */
export function ChainCard(): JSX.Element | null {
  const status = useChainStatus();
  if (status === undefined) return null;
  const plain = Object.entries(status).filter(([, value]) => typeof value !== 'object');
  return (
    <Card title="Provable history">
      <dl class="facts small">
        {plain.map(([key, value]) => (
          <>
            <dt key={key}>{key.replaceAll(/(?=[A-Z])/gu, ' ').toLowerCase()}</dt>
            <dd>{typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)}</dd>
          </>
        ))}
      </dl>
    </Card>
  );
}

/** Not through the typed client: which of its routes a server has is the server's affair. */
function useChainStatus(): ChainStatus | undefined {
  const [status, setStatus] = useState<ChainStatus | undefined>(undefined);
  const pulse = pulses.job.value;
  useEffect(() => {
    const abort = new AbortController();
    const ask = async (): Promise<void> => {
      const response = await fetch('/api/v1/chain/status', { signal: abort.signal });
      if (response.ok) setStatus((await response.json()) as ChainStatus);
    };
    // A server without a chain, or none at all, leaves the card out; the connection's state is shown elsewhere.
    ask().catch(() => setStatus(undefined));
    return () => abort.abort();
  }, [pulse]);
  return status;
}
