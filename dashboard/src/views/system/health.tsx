import type { JSX } from 'preact';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { keepFromFading } from '../../api/pin.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { Card, Command, Empty, Loaded, Page, plural, Time, WriteButton } from '../../ui/parts.tsx';
import { BackgroundCard } from './background.tsx';
import { ChainCard } from './chain.tsx';
import { bytes, GrowthCard } from './growth.tsx';

export function Health(): JSX.Element {
  return (
    <Page title="System" lead="What fades, how the memory grows, whether everything is in step, and what it costs.">
      <div class="columns even">
        <div class="stack">
          <DecayCard />
          <GrowthCard />
          <IndexCard />
          <ChainCard />
        </div>
        <div class="stack">
          <FadingCard />
          <BackgroundCard />
          <JobsCard />
          <CostsCard />
        </div>
      </div>
    </Page>
  );
}

const STATUS_WORDS = [
  ['active', 'Active', 'told when it fits'],
  ['fading', 'Fading', 'told less readily'],
  ['dormant', 'Dormant', 'only when asked for'],
  ['faint', 'Faint', 'may be put away'],
] as const;

function DecayCard(): JSX.Element {
  const query = useQuery('decay status', {}, { on: ['mutation', 'job'] });
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

function FadingCard(): JSX.Element {
  const query = useQuery('decay next', { limit: 8 }, { on: ['mutation', 'job'] });
  return (
    <Card title="What fades next">
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
                    <a class="pick-line clip" href={linkTo('memory/files', memory.path)} data-list-item>
                      {memory.text}
                    </a>
                    <div class="tiny faint">
                      {memory.store} · dormant <Time at={memory.dormantFrom} />
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

function IndexCard(): JSX.Element {
  const query = useQuery('status', {}, { on: ['mutation', 'job'] });
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

function JobsCard(): JSX.Element {
  const query = useQuery('jobs list', {}, { on: ['job'] });
  return (
    <Card title="What runs by itself">
      <Loaded query={query}>
        {({ hasDaemon, jobs }) => (
          <div class="stack tight">
            {hasDaemon ? null : (
              <p class="notice">
                Nobody runs these at their times. <Command>mneme daemon service install</Command>
              </p>
            )}
            <ul class="rows">
              {jobs.map((job) => (
                <li key={job.name} class="row apart fixed">
                  <div class="grow">
                    <span class="strong">{job.name}</span>{' '}
                    {job.last === null ? null : (
                      <span class={`badge ${job.last.state === 'failed' ? 'bad' : ''}`}>{job.last.state}</span>
                    )}
                    <div class="small soft">{job.summary}</div>
                    <div class="tiny faint">
                      {job.last === null ? 'has not run yet' : <Time at={job.last.started} />}
                      {job.last === null || job.last.summary === '' ? '' : ` · ${job.last.summary}`}
                      {job.next === null ? '' : ' · next '}
                      {job.next === null ? null : <Time at={job.next} />}
                      {job.off === null ? '' : ` · off: ${job.off}`}
                    </div>
                  </div>
                  <WriteButton
                    kind="small"
                    isBusy={job.last?.state === 'running'}
                    onClick={() => void runJob(job.name)}
                  >
                    Run
                  </WriteButton>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

async function runJob(job: string): Promise<void> {
  await act(
    () => call('jobs run', { job }),
    ({ summary }) => ({ text: `${job}: ${summary === '' ? 'done' : summary}` }),
  );
}

function CostsCard(): JSX.Element {
  const query = useQuery('costs', { by: 'purpose', forecast: true }, { on: ['job'] });
  return (
    <Card title="What models cost">
      <Loaded query={query}>
        {({ rows, total, forecast }) =>
          rows.length === 0 ? (
            <Empty isSmall icon="calm" title="Nothing so far">
              <p>Everything here is done on this machine. A language model can be set, with a cap per day.</p>
              <Command>mneme learn reasoner</Command>
            </Empty>
          ) : (
            <div class="stack tight">
              <div class="table-scroll">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">For</th>
                      <th scope="col" class="number">
                        Calls
                      </th>
                      <th scope="col" class="number">
                        Tokens
                      </th>
                      <th scope="col" class="number">
                        US$
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {[...rows, total].map((row) => (
                      <tr key={row.name}>
                        <td>{row.name}</td>
                        <td class="number">{row.calls.toLocaleString('en')}</td>
                        <td class="number">{(row.tokensIn + row.tokensOut).toLocaleString('en')}</td>
                        <td class="number">{row.usd.toFixed(2)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
              {forecast === null ? null : (
                <p class="small soft">
                  At this pace {forecast.usdPerMonth.toFixed(2)} US$ a month, never more than{' '}
                  {forecast.maxUsdPerMonth.toFixed(2)}.
                </p>
              )}
            </div>
          )
        }
      </Loaded>
    </Card>
  );
}
