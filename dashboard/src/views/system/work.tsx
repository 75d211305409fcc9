import type { JSX } from 'preact';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { useQuery, type Query } from '../../api/query.ts';
import { Card, Command, Empty, Loaded, Page, Time, Together, WriteButton } from '../../ui/parts.tsx';
import { BackgroundCard } from './background.tsx';

type Job = Output<'jobs list'>['jobs'][number];

/** The work that runs without being asked: learning, jobs with their times, and the costs of models. */
export function Work(): JSX.Element {
  const background = useQuery('status', {}, { on: ['mutation', 'job'] });
  const jobs = useQuery('jobs list', {}, { on: ['job'] });
  const costs = useQuery('costs', { by: 'purpose', forecast: true }, { on: ['job'] });
  return (
    <Page title="Jobs and costs" lead="What is being learned, what runs by itself and when, and what it costs.">
      <Together queries={[background, jobs, costs]}>
        <BackgroundCard query={background} />
        <JobsCard query={jobs} />
        <CostsCard query={costs} />
      </Together>
    </Page>
  );
}

function JobsCard({ query }: { readonly query: Query<Output<'jobs list'>> }): JSX.Element {
  return (
    <Card title="What runs by itself">
      <Loaded query={query} lines={8}>
        {({ hasDaemon, jobs }) => (
          <div class="stack tight">
            {hasDaemon ? null : (
              <p class="notice">
                Nothing starts these at their times. <Command>mneme daemon service install</Command>
              </p>
            )}
            <div class="table-scroll" tabIndex={0} role="region" aria-label="Jobs">
              <table class="jobs">
                <thead>
                  <tr>
                    <th scope="col">Job</th>
                    <th scope="col">Last</th>
                    <th scope="col">Next</th>
                    <th scope="col">
                      <span class="visually-hidden">Run</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {jobs.map((job) => (
                    <JobRow key={job.name} job={job} />
                  ))}
                </tbody>
              </table>
            </div>
          </div>
        )}
      </Loaded>
    </Card>
  );
}

function JobRow({ job }: { readonly job: Job }): JSX.Element {
  const { name, summary, last, next, off } = job;
  return (
    <tr>
      <td>
        <span class="strong">{name}</span>
        <div class="small soft">{summary}</div>
        {last === null || last.summary === '' ? null : <div class="tiny faint">{last.summary}</div>}
      </td>
      <td class="small">
        {last === null ? (
          <span class="faint">never</span>
        ) : (
          <>
            <span class={`badge ${last.state === 'failed' ? 'bad' : last.state === 'running' ? 'warn' : 'good'}`}>
              {last.state}
            </span>{' '}
            <Time at={last.started} />
          </>
        )}
      </td>
      <td class="small">{off === null ? <Time at={next} /> : <span class="faint">off: {off}</span>}</td>
      <td>
        <WriteButton kind="small" isBusy={last?.state === 'running'} onClick={() => void runJob(name)}>
          Run
          <span class="visually-hidden"> {name}</span>
        </WriteButton>
      </td>
    </tr>
  );
}

async function runJob(job: string): Promise<void> {
  await act(
    () => call('jobs run', { job }),
    ({ summary }) => ({ text: `${job}: ${summary === '' ? 'done' : summary}` }),
  );
}

function CostsCard({ query }: { readonly query: Query<Output<'costs'>> }): JSX.Element {
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
              <div class="table-scroll" tabIndex={0} role="region" aria-label="Costs">
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
