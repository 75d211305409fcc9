import { elapsedMs } from '../../platform/clock.ts';
import type { OperationContext } from '../../operations/context.ts';
import { deviceOf, openPostgres } from '../../search-index/open-index.ts';
import type { HomeIndex } from '../../search-index/home-index.ts';
import { JobQueue } from './job-queue.ts';
import { WriterLease } from './writer-lease.ts';

/** The right to write, for a home whose settings ask for it; undefined where everybody writes. */
export function openWriterLease({ parts }: HomeIndex): WriterLease | undefined {
  const { index } = parts.config;
  return index.engine === 'postgres' && index.postgres_writer_lease ? leaseOf(parts) : undefined;
}

export function leaseOf(parts: HomeIndex['parts']): WriterLease {
  return new WriterLease({
    server: () => openPostgres(parts).server,
    device: deviceOf(parts),
    elapsedMs,
  });
}

/** The queue of the machines that share a memory; undefined where there is one machine. */
export function openJobQueue({ homeIndex, config: { index } }: OperationContext): JobQueue | undefined {
  if (index.engine !== 'postgres') return undefined;
  const url = homeIndex.parts.readVariable(index.postgres_url_env);
  if (url === undefined || index.postgres_namespace === null) return undefined;
  return new JobQueue({ url, schema: index.postgres_schema, namespace: index.postgres_namespace });
}
