import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { isoDay, now } from '../../app/clock.ts';
import { knownOn, linkTo } from '../../app/route.ts';
import { addedWords } from '../../text/readable.ts';
import { Loaded, Time } from '../../ui/parts.tsx';

type LogEntry = Output<'log'>['entries'][number];
const DAY_MS = 86_400_000;
const MAX_SHOWN = 5;
/** Proposing is not learning, undoing is the opposite, and what was done outside waits for an answer first. */
const NOT_LEARNED = /^(?:REVERT|PROPOSE|REJECT|WITHDRAW|DEFER|REBASE|INIT|FORGET|ARCHIVE)$/u;
/** That a home was made, or a record was kept of a decision, is nothing that was learned. */
const RECORDS = /^(?:memory\/meta\/|\.)/u;

/** Additions to the memory since the start of yesterday. */
export function Learned(): JSX.Element | null {
  const since = isoDay(new Date(now.value.getTime() - DAY_MS));
  const log = useQuery('log', knownOn.value === '' ? { since, limit: 40, full: true } : undefined, {
    on: ['mutation'],
  });
  return (
    <section class="stack tight learned" aria-label="Learned since yesterday">
      <h2 class="eyebrow">Learned since yesterday</h2>
      <Loaded query={log} lines={3}>
        {({ entries }) => {
          const learned = withoutUndone(entries).flatMap(wordsOf);
          if (learned.length === 0) return <p class="small faint">Nothing new.</p>;
          return (
            <ul class="stack tight">
              {learned.slice(0, MAX_SHOWN).map(({ entry, words }) => (
                <li key={`${entry.commit} ${words}`} class="small">
                  <a class="pick-line" href={linkTo('time/changes', entry.mutations[0] ?? entry.commit)} dir="auto">
                    {words}
                  </a>{' '}
                  <span class="faint tiny">
                    <Time at={entry.time} />
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

function wordsOf(entry: LogEntry): readonly { readonly entry: LogEntry; readonly words: string }[] {
  const isRecord = entry.files.every(({ path }) => RECORDS.test(path));
  if (entry.action === null || NOT_LEARNED.test(entry.action) || isRecord || entry.diff === null) return [];
  if (entry.actor.startsWith('system:init')) return [];
  const [words] = addedWords(entry.diff);
  return words === undefined ? [] : [{ entry, words }];
}

/** A change and what took it back cancel each other. */
function withoutUndone(entries: readonly LogEntry[]): readonly LogEntry[] {
  const undone = new Set(
    entries
      .filter(({ action }) => action === 'REVERT')
      .flatMap(({ trigger, summary }) => `${trigger ?? ''} ${summary}`.match(/\b[0-9A-HJKMNP-TV-Z]{26}\b/gu) ?? []),
  );
  return entries.filter(({ mutations }) => !mutations.some((mutation) => undone.has(mutation)));
}
