import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { keepFromFading } from '../../api/pin.ts';
import { useQuery, type Query } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { fadingWords, storeName } from '../../text/names.ts';
import { Card, Empty, Loaded, Page, plural, Time, Together, WriteButton } from '../../ui/parts.tsx';
import { ChainCard } from './chain.tsx';
import { bytes, GrowthCard } from './growth.tsx';

export function Health(): JSX.Element {
  const decay = useQuery('decay status', {}, { on: ['mutation', 'job'] });
  const growth = useQuery('growth', { days: 30 }, { on: ['mutation'] });
  const status = useQuery('status', {}, { on: ['mutation', 'job'] });
  const fading = useQuery('decay next', { limit: 5 }, { on: ['mutation', 'job'] });
  const chain = useQuery('chain stats', {}, { on: ['job', 'session'] });
  return (
    <Page title="System" lead="What fades, how the memory grows, and whether everything is in step.">
      <Together queries={[decay, growth, status, fading, chain]}>
        <div class="columns even">
          <div class="stack">
            <DecayCard query={decay} />
            <GrowthCard query={growth} />
          </div>
          <div class="stack">
            <FadingCard query={fading} />
            <IndexCard query={status} />
            <ChainCard query={chain} />
          </div>
        </div>
      </Together>
    </Page>
  );
}

const STATUS_WORDS = [
  ['active', 'Active', 'told when it fits'],
  ['fading', 'Fading', 'told less readily'],
  ['dormant', 'Dormant', 'only when asked for'],
  ['faint', 'Faint', 'may be put away'],
] as const;

function DecayCard({ query }: { readonly query: Query<Output<'decay status'>> }): JSX.Element {
  return (
    <Card title="How memories fade">
      <Loaded query={query}>
        {({ enabled, total, used, candidates, proposal, doubtful }) => (
          <div class="stack">
            {enabled ? null : <p class="notice">Fading is switched off: everything stays as it is.</p>}
            <StackedBar total={total} />
            <dl class="facts small">
              {STATUS_WORDS.map(([key, name, meaning]) => (
                <>
                  <dt key={key}>
                    <span class={`dot ${key}`} /> {name}
                  </dt>
                  <dd>
                    {total[key].toLocaleString('en')} <span class="faint">· {meaning}</span>
                  </dd>
                </>
              ))}
              <dt>Ever used</dt>
              <dd>{used.toLocaleString('en')}</dd>
            </dl>
            {proposal === null ? (
              candidates === 0 ? null : (
                <p class="small soft">
                  {plural(candidates, 'memory', 'memories')} could be put away; it will be proposed, never just done.
                </p>
              )
            ) : (
              <p class="small">
                <a href={linkTo('inbox', proposal)}>A proposal to put some away</a> waits for you.
              </p>
            )}
            {doubtful.length === 0 ? null : (
              <details>
                <summary>Facts that are not sure ({doubtful.length})</summary>
                <ul class="rows small">
                  {doubtful.map(({ id, path, text }) => (
                    <li key={id}>
                      <a href={linkTo('memory/files', path)}>{text}</a>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function StackedBar({ total }: { readonly total: Output<'decay status'>['total'] }): JSX.Element {
  const sum = Math.max(
    1,
    STATUS_WORDS.reduce((count, [key]) => count + total[key], 0),
  );
  return (
    <div class="stacked" role="img" aria-label={STATUS_WORDS.map(([key, name]) => `${name}: ${total[key]}`).join(', ')}>
      {STATUS_WORDS.map(([key]) => (
        <i key={key} class={key} style={{ width: `${(total[key] / sum) * 100}%` }} />
      ))}
    </div>
  );
}

function FadingCard({ query }: { readonly query: Query<Output<'decay next'>> }): JSX.Element {
  return (
    <Card title="What fades next" note={<a href={linkTo('memory/fading')}>all of it</a>}>
      <Loaded query={query}>
        {({ memories }) =>
          memories.length === 0 ? (
            <Empty isSmall icon="calm" title="Nothing is about to fade">
              <p>What is used stays. What nobody needs slowly steps back, and can always be found again.</p>
            </Empty>
          ) : (
            <ul class="rows">
              {memories.map((memory) => (
                <li key={memory.id} class="row apart fixed">
                  <div class="grow">
                    <a class="pick-line clip" href={linkTo('memory/item', memory.id)} data-list-item dir="auto">
                      {fadingWords(memory).words}
                    </a>
                    <div class="tiny faint">
                      {[fadingWords(memory).about, storeName(memory.store)].filter((part) => part !== '').join(' · ')} ·
                      dormant <Time at={memory.dormantFrom} />
                    </div>
                  </div>
                  <WriteButton kind="small" onClick={() => void keepFromFading(memory.id, memory.path)}>
                    Keep
                  </WriteButton>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function IndexCard({ query }: { readonly query: Query<Output<'status'>> }): JSX.Element {
  return (
    <Card title="In step">
      <Loaded query={query}>
        {({ index, git }) => (
          <div class="stack tight">
            <dl class="facts small">
              <dt>Index</dt>
              <dd>
                {index.problem === null ? (
                  <span class={index.isFresh ? 'badge good' : 'badge warn'}>
                    {index.isFresh ? 'fresh' : 'catching up'}
                  </span>
                ) : (
                  <span class="badge bad">cannot be used</span>
                )}{' '}
                {plural(index.passages, 'passage')} of {plural(index.documents, 'file')}, {bytes(index.bytes)}
              </dd>
              {index.models.map(({ model, coverage }) => (
                <>
                  <dt key={model}>Meaning</dt>
                  <dd>
                    {model}, {Math.round(coverage * 100)} %
                  </dd>
                </>
              ))}
              <dt>Git</dt>
              <dd>{git.waiting.length === 0 ? <span class="badge good">in step</span> : git.waiting.join(' ')}</dd>
            </dl>
            {index.problem === null ? null : (
              <p class="notice">
                {index.problem} Searching still works, more slowly. Mend it with <code>mneme index rebuild</code>.
              </p>
            )}
            {index.dirty === null ? null : <p class="small soft">{index.dirty}</p>}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
