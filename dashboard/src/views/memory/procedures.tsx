import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo, route } from '../../app/route.ts';
import { Card, Command, Empty, Loaded, Page, plural, Time } from '../../ui/parts.tsx';
import { Split } from '../../ui/split.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';

type Summary = Output<'procedure list'>[number];
type Run = Output<'procedure runs'>['runs'][number];
const ROW = 66;
const MAX_RUNS = 20;

/** The procedures of the memory, and the outcome of each run. */
export function Procedures(): JSX.Element {
  const query = useQuery('procedure list', {}, { on: ['mutation'] });
  return (
    <Page title="Procedures" lead="What the memory knows how to do, and how it went each time." isWide>
      <Loaded query={query} lines={6}>
        {(procedures) => (procedures.length === 0 ? <NoProcedure /> : <List procedures={procedures} />)}
      </Loaded>
    </Page>
  );
}

function NoProcedure(): JSX.Element {
  return (
    <Empty icon="topics" title="No procedure is known yet">
      <p>What was done the same way several times is proposed as one. You can also write one down:</p>
      <Command>mneme procedure learn</Command>
    </Empty>
  );
}

function List({ procedures }: { readonly procedures: readonly Summary[] }): JSX.Element {
  const picked = route.value.rest;
  const shown = procedures.find(({ path }) => path === picked) ?? procedures[0];
  return (
    <Split
      isPicked={picked !== ''}
      back="memory/procedures"
      backLabel="Procedures"
      list={
        <VirtualList
          label="Procedures"
          items={procedures}
          rowHeight={ROW}
          keyOf={({ path }) => path}
          current={procedures.findIndex((one) => one === shown)}
          render={(one) => (
            <a
              class="pick"
              href={linkTo('memory/procedures', one.path)}
              aria-current={one === shown}
              data-list-item
              dir="auto"
            >
              <span class="clip-line strong">{one.name}</span>
              <span class="row tiny faint">
                {one.status === 'active' ? null : <span class="badge warn">{one.status}</span>}
                <span>
                  {plural(one.steps, 'step')} · {howItGoes(one)}
                </span>
              </span>
            </a>
          )}
        />
      }
    >
      {shown === undefined ? null : <Procedure key={shown.path} summary={shown} />}
    </Split>
  );
}

function howItGoes({ executions, successRate }: Summary): string {
  if (executions === 0) return 'not run yet';
  return `${plural(executions, 'run')}${successRate === null ? '' : `, ${Math.round(successRate * 100)} % succeeded`}`;
}

function Procedure({ summary }: { readonly summary: Summary }): JSX.Element {
  const query = useQuery('procedure show', { name: summary.path }, { on: ['mutation'] });
  return (
    <article class="stack wide-gap">
      <header class="row apart">
        <h2 class="asked" dir="auto">
          {summary.name}
        </h2>
        <a class="button small" href={linkTo('memory/files', summary.path)}>
          Source
        </a>
      </header>
      <Loaded query={query} lines={6}>
        {({ trigger, preconditions, stepList, errorHandling, notes, findings }) => (
          <div class="stack">
            {trigger === '' ? null : (
              <p class="soft" dir="auto">
                When: {trigger}
              </p>
            )}
            {findings.map(({ message }) => (
              <p key={message} class="notice">
                {message}
              </p>
            ))}
            <Lines title="Before" lines={preconditions} />
            <section class="prose" aria-label="Steps">
              <ol>
                {stepList.map(({ order, description, condition }) => (
                  <li key={order} dir="auto">
                    {description}
                    {condition === undefined ? null : <span class="faint"> if {condition}</span>}
                  </li>
                ))}
              </ol>
            </section>
            <Lines title="If something goes wrong" lines={errorHandling} />
            <Lines title="Notes" lines={notes} />
          </div>
        )}
      </Loaded>
      <Runs procedure={summary.path} />
    </article>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <section class="stack tight" aria-label={title}>
      <h3 class="eyebrow">{title}</h3>
      <ul class="prose">
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </section>
  );
}

const OUTCOME_CLASS: Readonly<Record<string, string>> = { succeeded: 'good', failed: 'bad', interrupted: 'warn' };

function Runs({ procedure }: { readonly procedure: string }): JSX.Element {
  const query = useQuery('procedure runs', { procedure, limit: MAX_RUNS }, { on: ['mutation', 'job'] });
  return (
    <Card title="Runs">
      <Loaded query={query} lines={3}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p class="faint">It has not been run yet.</p>
          ) : (
            <ul class="rows">
              {runs.map((run) => (
                <li key={run.run}>
                  <OneRun run={run} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function OneRun({ run }: { readonly run: Run }): JSX.Element {
  return (
    <details>
      <summary>
        <span class={`badge ${OUTCOME_CLASS[run.status] ?? ''}`}>{run.status}</span> <Time at={run.started} />{' '}
        <span class="faint">
          {plural(run.steps.length, 'step')}
          {run.question === null ? '' : ` · waits: ${run.question.text}`}
        </span>
      </summary>
      <ol class="small stack tight">
        {run.steps.map(({ step, what, outcome, error }) => (
          <li key={step} class="row">
            <span class={`badge ${OUTCOME_CLASS[outcome] ?? ''}`}>{outcome}</span>
            <span class="grow" dir="auto">
              {what}
              {error === null ? '' : ` (${error})`}
            </span>
          </li>
        ))}
      </ol>
      {run.mutation === null ? null : (
        <a class="small" href={linkTo('time/changes', run.mutation)}>
          What it changed
        </a>
      )}
    </details>
  );
}
