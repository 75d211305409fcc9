import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Input, Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { now, shortDay } from '../../app/clock.ts';
import { knownOn, linkTo, replaceRoute, route } from '../../app/route.ts';
import { Card, Command, Empty, Page, Problem, Skeleton, plural } from '../../ui/parts.tsx';
import { readableLinks, storeName } from '../../text/names.ts';
import { isTurn, Statement } from '../../ui/statement.tsx';
import { Marked } from '../../ui/taught.tsx';
import { Facets } from './facets.tsx';
import { Filters, NO_FILTERS, readFilters, type FilterValues } from './filters.tsx';
import { excerptOf, onePerMemory, subjectOfHit, type Hit } from './hits.ts';
import { Suggestions } from './suggestions.tsx';
import { useTyped } from './typed.ts';

type Result = Output<'recall'>;

/** Fast typing asks once; a pause as short as this is not felt. */
const DEBOUNCE_MS = 140;

export function Search(): JSX.Element {
  const { query: parameters } = route.value;
  const text = parameters.get('q') ?? '';
  const filters = readFilters(parameters);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const typed = useTyped(text);
  const [limit, setLimit] = useState<number | undefined>(undefined);
  useEffect(() => setLimit(undefined), [text]);
  const query = useQuery('recall', inputOf(filters, typed.words, typed.input, limit), {
    debounceMs: DEBOUNCE_MS,
    on: ['mutation'],
  });
  const narrow = (changes: Readonly<Record<string, string>>): void => {
    replaceRoute(linkTo('memory', '', { ...Object.fromEntries(parameters), ...changes }));
  };
  return (
    <Page title="Search" lead="By words and by meaning, in everything remembered.">
      <div class="stack">
        <input
          ref={field}
          data-search-field
          class="input search-field"
          type="search"
          aria-label="Search the memory"
          placeholder="When do we deploy?  person:Anna  kind:facts  before:2026-06"
          dir="auto"
          value={text}
          onInput={(event) => narrow({ q: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown' || event.key === 'Enter')
              document.querySelector<HTMLElement>('[data-list-item]')?.focus();
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
        <Suggestions
          text={text}
          onPick={(q) => {
            narrow({ q });
            field.current?.focus();
          }}
        />
        {typed.problems.map((problem) => (
          <p key={problem} class="notice">
            {problem}
          </p>
        ))}
        <Filters values={filters} onChange={narrow} />
      </div>
      {text.trim() === '' ? (
        <Hints onPick={(q) => narrow({ q })} />
      ) : (
        <>
          <Named text={typed.words} />
          {typed.words.trim() === '' ? (
            <p class="small faint">Now type what you are looking for.</p>
          ) : (
            <Results
              query={query}
              text={typed.words}
              hasFilters={JSON.stringify(filters) !== JSON.stringify(NO_FILTERS) || typed.words !== text}
              onNarrow={narrow}
              onMore={limit === undefined ? () => setLimit(MAX_ASKED) : undefined}
            />
          )}
        </>
      )}
    </Page>
  );
}

const MAX_NAMED = 5;

/** People and things whose names begin with what is typed, while it is typed. */
function Named({ text }: { readonly text: string }): JSX.Element | null {
  const { data } = useQuery('graph list', {}, { on: ['mutation'] });
  const last = text.trim().split(/\s+/u).at(-1)?.toLowerCase() ?? '';
  if (last.length < 2) return null;
  const found = (data?.entities ?? []).filter(({ name, aliases }) =>
    [name, ...aliases].some((one) =>
      one
        .toLowerCase()
        .split(/\s+/u)
        .some((word) => word.startsWith(last)),
    ),
  );
  if (found.length === 0) return null;
  return (
    <nav class="row" aria-label="People and things">
      {found.slice(0, MAX_NAMED).map(({ id, name, type }) => (
        <a key={id} class="button small" href={linkTo('memory/about', id)}>
          {name} <span class="faint">{type}</span>
        </a>
      ))}
    </nav>
  );
}

/** More than a person reads; the home's own `search.max_results` may allow fewer, and the answer then says so. */
const MAX_ASKED = 60;

function inputOf(
  { store, trust, since, until, speaker, archived }: FilterValues,
  words: string,
  typed: Partial<Input<'recall'>>,
  limit: number | undefined,
): Input<'recall'> | undefined {
  if (words.trim() === '') return undefined;
  const at = knownOn.value;
  return {
    query: words.trimEnd(),
    // Behind a blank the last word is whole.
    ...(words.endsWith(' ') ? {} : { prefix: true }),
    ...(limit === undefined ? {} : { limit }),
    ...(store === '' ? {} : { stores: [store] }),
    ...(trust === '' ? {} : { trust: [trust] }),
    ...(since === '' ? {} : { since }),
    ...(until === '' ? {} : { until }),
    ...(at === '' ? {} : { at }),
    ...(speaker === '' ? {} : { speakers: [speaker] }),
    ...(archived === '' ? {} : { archived: true }),
    ...typed,
  } as Input<'recall'>;
}

function Hints({ onPick }: { readonly onPick: (text: string) => void }): JSX.Element {
  const examples = ['What did we decide last week?', 'How do we release?', 'Who works with Anna?'];
  return (
    <Card>
      <Empty icon="search" title="Ask in plain words">
        <p>
          Dates and names in the question count: “last Tuesday”, “what did Anna say”. Words in quotation marks must be
          there, and <code>person:</code>, <code>kind:</code>, <code>by:</code>, <code>origin:</code>,{' '}
          <code>before:</code> and <code>after:</code> narrow it.
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
  text,
  hasFilters,
  onNarrow,
  onMore,
}: {
  readonly query: ReturnType<typeof useQuery<'recall'>>;
  readonly text: string;
  readonly hasFilters: boolean;
  readonly onNarrow: (changes: Readonly<Record<string, string>>) => void;
  readonly onMore: (() => void) | undefined;
}): JSX.Element {
  const found = onePerMemory(data?.hits ?? []);
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
      <Facets hits={found} onNarrow={onNarrow} />
      {found.map((hit) => (
        <HitStatement key={`${hit.id} ${hit.startLine}`} hit={hit} text={text} />
      ))}
      {onMore === undefined || found.length === 0 ? null : (
        <button type="button" class="button small" onClick={onMore}>
          Look for more
        </button>
      )}
    </div>
  );
}

function HitStatement({ hit, text }: { readonly hit: Hit; readonly text: string }): JSX.Element {
  const { session, turn } = hit.provenance;
  const isSaid = turn !== null && isTurn(hit.id);
  const parts = [
    isSaid ? '' : subjectOfHit(hit),
    hit.speaker ?? '',
    isSaid ? '' : storeName(hit.store),
    hit.time === null ? '' : shortDay(hit.time, now.value),
    hit.superseded === true ? 'no longer' : '',
  ];
  return (
    <article class="hit">
      <Statement
        id={hit.id}
        path={hit.path}
        text={hit.words}
        trust={hit.wordsTrust}
        isEnded={hit.superseded === true}
        link={
          hit.store === 'journal' && session !== null ? linkTo('time/talk', session, { turn: turn ?? '' }) : undefined
        }
        meta={
          <span title={hit.why}>
            {parts.filter((part) => part !== '').join(' · ')}
            {isSaid && session !== null ? (
              <>
                , in{' '}
                <a href={linkTo('time/talk', session, { turn: turn ?? '' })} dir="auto">
                  {hit.title}
                </a>
              </>
            ) : null}
          </span>
        }
      >
        <Marked text={excerptOf(readableLinks(hit.words), text)} words={text} areBeginnings />
      </Statement>
    </article>
  );
}

function summaryOf({ hits, tookMs }: Result): string {
  return `${plural(onePerMemory(hits).length, 'memory', 'memories')} · ${Math.round(tookMs)} ms`;
}
