import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo, replaceRoute, route } from '../../app/route.ts';
import { Card, Command, Empty, Page, Problem, Skeleton, plural } from '../../ui/parts.tsx';
import { Filters, NO_FILTERS, readFilters, type FilterValues } from './filters.tsx';
import { HitCard } from './hit.tsx';

type Result = Output<'recall'>;

/** Fast typing asks once; a pause as short as this is not felt. */
const DEBOUNCE_MS = 140;
const PAGE = 20;

export function Search(): JSX.Element {
  const [text, setText] = useState(route.value.query.get('q') ?? '');
  const [filters, setFilters] = useState<FilterValues>(readFilters(route.value.query));
  const [limit, setLimit] = useState(PAGE);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    replaceRoute(linkTo('memory', '', { q: text, ...filters }));
    setLimit(PAGE);
  }, [text, filters]);
  const query = useQuery('recall', inputOf(text, filters, limit), { debounceMs: DEBOUNCE_MS, on: ['mutation'] });
  return (
    <Page title="Search" lead="By words and by meaning, in everything remembered: facts, days, and what was said.">
      <div class="stack">
        <input
          ref={field}
          data-search-field
          class="input search-field"
          type="search"
          aria-label="Search the memory"
          placeholder="When do we deploy?"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter')
              document.querySelector<HTMLElement>('[data-list-item]')?.focus();
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <Filters values={filters} onChange={setFilters} />
      </div>
      {text.trim() === '' ? (
        <Hints onPick={setText} />
      ) : (
        <Results
          query={query}
          hasFilters={JSON.stringify(filters) !== JSON.stringify(NO_FILTERS)}
          onMore={limit < MAX_SHOWN ? () => setLimit(limit + PAGE) : undefined}
          limit={limit}
        />
      )}
    </Page>
  );
}

const MAX_SHOWN = 100;

function inputOf(text: string, filters: FilterValues, limit: number): Input<'recall'> | undefined {
  if (text.trim() === '') return undefined;
  const { store, trust, since, until, at, speaker, archived } = filters;
  return {
    query: text,
    limit,
    ...(store === '' ? {} : { stores: [store] }),
    ...(trust === '' ? {} : { trust: [trust] }),
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
    ...(at === '' ? {} : { at }),
    ...(speaker === '' ? {} : { speakers: [speaker] }),
    ...(archived === '' ? {} : { archived: true }),
  } as Input<'recall'>;
}

function Hints({ onPick }: { readonly onPick: (text: string) => void }): JSX.Element {
  const examples = ['What did we decide last week?', 'How do we release?', 'Who works with Anna?'];
  return (
    <Card>
      <Empty icon="search" title="Ask in plain words">
        <p>
          Dates and names in the question count: “last Tuesday”, “what did Anna say”. Words in quotation marks must be
          there.
        </p>
        <div class="row centre">
          {examples.map((example) => (
            <button key={example} type="button" class="button small" onClick={() => onPick(example)}>
              {example}
            </button>
          ))}
        </div>
      </Empty>
    </Card>
  );
}

function Results({
  query: { data, error, isLoading, reload },
  hasFilters,
  onMore,
  limit,
}: {
  readonly query: ReturnType<typeof useQuery<'recall'>>;
  readonly hasFilters: boolean;
  readonly onMore: (() => void) | undefined;
  readonly limit: number;
}): JSX.Element {
  return (
    <div class="stack" aria-busy={isLoading}>
      <div aria-live="polite" class="small faint row apart">
        <span>{data === undefined ? ' ' : summaryOf(data)}</span>
        {isLoading ? <span>Searching…</span> : null}
      </div>
      {error === undefined ? null : <Problem error={error} retry={reload} />}
      {data === undefined && error === undefined ? <Skeleton lines={6} /> : null}
      {data?.notes.map((note) => (
        <p key={note} class="notice">
          {note}
        </p>
      ))}
      {data?.hits.length === 0 ? (
        <Card>
          <Empty icon="search" title="Nothing remembered answers that">
            <p>
              {hasFilters ? 'The filters may leave it out. ' : ''}Try fewer or other words. What you expected may not
              have been learned yet:
            </p>
            <Command>mneme learn extract</Command>
          </Empty>
        </Card>
      ) : null}
      {data?.hits.map((hit) => (
        <HitCard key={`${hit.id} ${hit.startLine}`} hit={hit} />
      ))}
      {onMore !== undefined && (data?.hits.length ?? 0) >= limit ? (
        <button type="button" class="button" onClick={onMore}>
          Show more
        </button>
      ) : null}
    </div>
  );
}

function summaryOf({ hits, tookMs, mode }: Result): string {
  return `${plural(hits.length, 'hit')} · ${Math.round(tookMs)} ms · ${mode}`;
}
