/**
 * One of several processes that write to one home at the same time: numbered blocks, not waiting for one another.
 *
 *   node writer.ts '{"home": …, "name": "w1", "mutations": 250}'
 */
import { openWorkspace } from '../support/home.ts';
import { blockLine, endWithParent, note } from './ledger.ts';
import { SHARED_FILES } from './worker.ts';

export interface WriterOptions {
  readonly home: string;
  readonly name: string;
  readonly mutations: number;
}

async function main({ home, name, mutations }: WriterOptions): Promise<void> {
  endWithParent();
  const workspace = await openWorkspace(home);
  note({ type: 'ready' });
  await Promise.all(
    Array.from({ length: mutations }, async (_, number) => {
      const token = `${name}-n${number}`;
      const file = SHARED_FILES[number % SHARED_FILES.length] ?? SHARED_FILES[0];
      note({ type: 'attempt', token, kind: 'append', files: [file] });
      const changes = [{ path: file, edit: (text = '') => `${text}${blockLine(token)}\n` }];
      const session = `ses_${name}`;
      const { mutation = '' } = await workspace.commit({ actor: `bot:${name}`, summary: token, session, changes });
      note({ type: 'acknowledged', token, mutation });
    }),
  );
  const { postponed } = await workspace.close();
  if (postponed.length > 0) throw new Error(postponed.join('; '));
}

if (import.meta.main) await main(JSON.parse(process.argv[2] ?? '{}') as WriterOptions);
