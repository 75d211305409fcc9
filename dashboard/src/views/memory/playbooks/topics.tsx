import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../../api/call.ts';
import { useQuery } from '../../../api/query.ts';
import { linkTo, route } from '../../../app/route.ts';
import { because } from '../../../text/because.ts';
import { Markdown } from '../../../text/markdown.tsx';
import { Card, Command, Empty, Loaded, Page, plural, Time } from '../../../ui/parts.tsx';
import { TryMessage } from './try-message.tsx';

type Listed = Output<'topics list'>['topics'];
type Decisions = Output<'topics log'>['decisions'];

export function Topics(): JSX.Element {
  const list = useQuery('topics list', {}, { on: ['mutation'] });
  return (
    <Page
      title="Playbooks"
      lead="Playbooks that come when they are needed: which fired, which stayed away, and why."
      isWide
    >
      <TryMessage />
      <div class="columns side">
        <Loaded query={list} lines={6}>
          {({ topics }) => <TopicList topics={topics} />}
        </Loaded>
        <div class="stack">
          {route.value.rest === '' ? null : <TopicCard key={route.value.rest} name={route.value.rest} />}
          <GateLog topic={route.value.rest} />
        </div>
      </div>
    </Page>
  );
}

function TopicList({ topics }: { readonly topics: Listed }): JSX.Element {
  if (topics.length === 0) {
    return (
      <Card>
        <Empty isSmall icon="topics" title="No topic yet">
          <p>A topic is a file with triggers and a playbook. When a message calls for it, the agent is told.</p>
          <Command>mneme topics new deploy</Command>
        </Empty>
      </Card>
    );
  }
  return (
    <div class="card">
      <nav class="card-body pad-small" aria-label="Topics">
        {topics.map((topic) => (
          <a
            key={topic.path}
            class="pick"
            href={linkTo('memory/playbooks', topic.name)}
            aria-current={topic.name === route.value.rest}
            data-list-item
          >
            <div class="row apart">
              <span class="strong">{topic.title}</span>
              {topic.isEnabled ? null : <span class="badge">off</span>}
              {topic.findings.length === 0 ? null : (
                <span class="badge warn">{plural(topic.findings.length, 'problem')}</span>
              )}
            </div>
            <div class="small soft clip">{topic.description}</div>
            <div class="tiny faint">
              {topic.activation} · {topic.priority} · {topic.triggers.join(', ')}
            </div>
          </a>
        ))}
      </nav>
    </div>
  );
}

function TopicCard({ name }: { readonly name: string }): JSX.Element {
  const query = useQuery('topics show', { name }, { on: ['mutation'] });
  return (
    <Loaded query={query}>
      {(topic) => (
        <Card
          title={topic.title}
          note={`${topic.activation} · ${topic.priority}`}
          tools={
            <a class="button small" href={linkTo('memory/files', topic.path)}>
              Open file
            </a>
          }
        >
          <div class="stack">
            {topic.findings.map((finding) => (
              <p key={finding} class="notice">
                {finding}
              </p>
            ))}
            <ul class="row small">
              {topic.triggers.map((trigger, index) => (
                <li key={index} class="badge accent">
                  {describeTrigger(trigger)}
                </li>
              ))}
            </ul>
            <Markdown text={topic.body} />
          </div>
        </Card>
      )}
    </Loaded>
  );
}

function describeTrigger(trigger: Readonly<Record<string, unknown>> & { readonly type: string }): string {
  const { type, ...rest } = trigger;
  const words = Object.values(rest).flatMap((value) =>
    typeof value === 'string'
      ? [value]
      : Array.isArray(value)
        ? value.filter((one): one is string => typeof one === 'string')
        : [],
  );
  return words.length === 0 ? type : `${type}: ${words.slice(0, 3).join(', ')}`;
}

function GateLog({ topic }: { readonly topic: string }): JSX.Element {
  const [limit, setLimit] = useState(30);
  const query = useQuery('topics log', { limit, ...(topic === '' ? {} : { topic }) }, { on: ['receipt', 'session'] });
  return (
    <Card title="What was decided" note={topic === '' ? 'all topics' : topic}>
      <Loaded query={query}>
        {({ decisions, hasMore }) =>
          decisions.length === 0 ? (
            <Empty isSmall icon="topics" title="Nothing was decided yet">
              <p>Every time a message is looked at, it is noted here which topics came and which did not.</p>
            </Empty>
          ) : (
            <>
              <DecisionList decisions={decisions} />
              {hasMore ? (
                <button type="button" class="button quiet small" onClick={() => setLimit(limit + 50)}>
                  Earlier decisions
                </button>
              ) : null}
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function DecisionList({ decisions }: { readonly decisions: Decisions }): JSX.Element {
  return (
    <ul class="rows">
      {decisions.map((decision) => (
        <li key={decision.id}>
          <div class="row">
            <span class={decision.outcome === 'active' ? 'badge good' : 'badge'}>
              {decision.outcome === 'active' ? 'told' : 'left out'}
            </span>
            <a class="strong" href={linkTo('memory/playbooks', decision.topic)} data-list-item>
              {decision.topic}
            </a>
            <span class="tiny faint">
              <Time at={decision.timestamp} />
              {decision.gate === null
                ? ''
                : ` · the gate said ${decision.gate ? 'yes' : 'no'}${decision.by === null ? '' : ` (${decision.by})`}`}
              {decision.wasUseful === null ? '' : decision.wasUseful ? ' · it was of use' : ' · it was of no use'}
            </span>
          </div>
          {decision.message === null || decision.receipt === null ? null : (
            <a class="pick-line quoted" href={linkTo('now', decision.receipt)} dir="auto">
              {decision.message}
            </a>
          )}
          <div class="small soft">{because(decision.reason)}</div>
        </li>
      ))}
    </ul>
  );
}
