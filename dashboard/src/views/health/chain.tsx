import type { JSX } from 'preact';
import { ApiError } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { Card, Loaded } from '../../ui/parts.tsx';

/** Provable history; the card is not there where the server does not know of it. */
export function ChainCard(): JSX.Element | null {
  const query = useQuery('chain status', {}, { on: ['job'] });
  const isUnknown = query.error instanceof ApiError && query.error.status === 404;
  if (isUnknown || (query.data === undefined && query.error === undefined)) return null;
  return (
    <Card title="Provable history">
      <Loaded query={query}>
        {(status) => (
          <dl class="facts small">
            {Object.entries(status)
              .filter(([, value]) => typeof value !== 'object')
              .map(([key, value]) => (
                <>
                  <dt key={key}>{key.replaceAll(/(?=[A-Z])/gu, ' ').toLowerCase()}</dt>
                  <dd>{typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)}</dd>
                </>
              ))}
          </dl>
        )}
      </Loaded>
    </Card>
  );
}
