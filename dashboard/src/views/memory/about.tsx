import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { now, shortDay } from '../../app/clock.ts';
import { knownOn, linkTo, route } from '../../app/route.ts';
import { Markdown } from '../../text/markdown.tsx';
import { Loaded, Page } from '../../ui/parts.tsx';
import { Statement } from '../../ui/statement.tsx';
import { Learned } from './learned-from.tsx';
import { LocalGraph } from './local-graph.tsx';
import { Scrubber } from './scrubber.tsx';

type Shown = Output<'graph show'>;
type Fact = Shown['facts'][number];

/** A person, a project or a thing: what holds, what held before, and how each was learned. */
export function About(): JSX.Element {
  const entity = route.value.rest;
  const trueOn = route.value.query.get('true') ?? '';
  const query = useQuery(
    'graph show',
    {
      entity,
      all: true,
      ...(knownOn.value === '' ? {} : { knownAt: knownOn.value }),
      ...(trueOn === '' ? {} : { at: trueOn }),
    },
    { on: ['mutation'] },
  );
  return (
    <Page
      title={query.data?.entity.name ?? '…'}
      lead={query.data === undefined ? undefined : leadOf(query.data)}
      isWide
      tools={
        <a class="button small" href={linkTo('memory/files', query.data?.entity.path ?? '')}>
          Source
        </a>
      }
    >
      <Scrubber entity={entity} />
      <Loaded query={query} lines={8}>
        {(shown) => <Body shown={shown} />}
      </Loaded>
    </Page>
  );
}

function leadOf({ entity, aliases, status }: Shown): string {
  return [entity.type, status ?? '', aliases.length === 0 ? '' : `also called ${aliases.join(', ')}`]
    .filter((part) => part !== '')
    .join(' · ');
}

function Body({ shown }: { readonly shown: Shown }): JSX.Element {
  const { facts, tasks, decisions, relations, entity } = shown;
  const held = facts
    .filter(({ holds }) => !holds)
    .toSorted((one, other) => ((one.until ?? '') < (other.until ?? '') ? 1 : -1));
  return (
    <div class="about-columns">
      <div class="stack wide-gap">
        {shown.summary === '' ? null : <Markdown text={shown.summary} />}
        <Section title="What holds" isEmpty={!facts.some(({ holds }) => holds)} empty="Nothing is known yet.">
          {facts
            .filter(({ holds }) => holds)
            .map((fact, index) => (
              <FactLine key={fact.id ?? index} fact={fact} path={entity.path} />
            ))}
        </Section>
        {tasks.length === 0 ? null : (
          <Section title="Tasks">
            {tasks.map((task, index) => (
              <Unfolding key={task.id ?? index} {...task} path={entity.path} meta={noteOfTask(task)} />
            ))}
          </Section>
        )}
        {decisions.length === 0 ? null : (
          <Section title="Decisions">
            {decisions.map((decision, index) => (
              <Unfolding
                key={decision.id ?? index}
                {...decision}
                path={entity.path}
                meta={decision.date === null ? '' : shortDay(decision.date, now.value)}
              />
            ))}
          </Section>
        )}
        {held.length === 0 ? null : (
          <Section title="What held before">
            {held.map((fact, index) => (
              <FactLine key={fact.id ?? index} fact={fact} path={entity.path} />
            ))}
          </Section>
        )}
      </div>
      <div class="stack wide-gap">
        <LocalGraph name={entity.name} relations={relations} />
        <Mentions mentions={shown.mentions} />
      </div>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly isEmpty?: boolean;
  readonly empty?: string;
  readonly children: JSX.Element[];
}

function Section({ title, isEmpty = false, empty = '', children }: SectionProps): JSX.Element {
  return (
    <section class="stack tight" aria-label={title}>
      <h2 class="eyebrow">{title}</h2>
      {isEmpty ? <p class="faint">{empty}</p> : children}
    </section>
  );
}

function FactLine({ fact, path }: { readonly fact: Fact; readonly path: string }): JSX.Element {
  const { id, text, trust, holds, from, until, learned } = fact;
  const day = (date: string | null): string => (date === null ? '' : shortDay(date, now.value));
  const span = until === null ? (from === null ? '' : `since ${day(from)}`) : `${day(from)} – ${day(until)}`;
  const meta = [span, learned === null ? '' : `learned ${day(learned)}`].filter((part) => part !== '').join(' · ');
  return <Unfolding id={id} path={path} text={text} trust={trust} isEnded={!holds} meta={meta} />;
}

function noteOfTask({ status, due }: Shown['tasks'][number]): string {
  return due === null ? status : `${status} · due ${shortDay(due, now.value)}`;
}

interface UnfoldingProps {
  /** null for what a person wrote without a mark: nothing is known of how it came to be. */
  readonly id: string | null;
  readonly path: string;
  readonly text: string;
  readonly trust?: string;
  readonly isEnded?: boolean;
  readonly meta: string;
}

/** A statement that unfolds into the turn that taught it. */
function Unfolding({ id, path, text, trust = 'user', isEnded = false, meta }: UnfoldingProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const how =
    id === null ? null : (
      <button type="button" class="link tiny" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        how?
      </button>
    );
  return (
    <div class="stack tight">
      <Statement
        id={id ?? ''}
        path={path}
        text={text}
        trust={trust}
        isEnded={isEnded}
        isFixed={id === null}
        meta={
          <>
            {meta}
            {meta === '' || how === null ? '' : ' · '}
            {how}
          </>
        }
      />
      {isOpen && id !== null ? <Learned id={id} /> : null}
    </div>
  );
}

function Mentions({ mentions }: Pick<Shown, 'mentions'>): JSX.Element | null {
  if (mentions.length === 0) return null;
  return (
    <Section title="Last mentioned">
      {mentions.map(({ session, turn, date, text }) => (
        <p key={`${session}#${turn}`} dir="auto">
          {text} <span class="tiny faint">{shortDay(date, now.value)}</span>
        </p>
      ))}
    </Section>
  );
}
