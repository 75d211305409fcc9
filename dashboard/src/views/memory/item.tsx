import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo, route } from '../../app/route.ts';
import { because } from '../../text/because.ts';
import { readableLinks, storeName } from '../../text/names.ts';
import { readableLine } from '../../text/readable.ts';
import { Loaded, Page, plural, Time, Trust } from '../../ui/parts.tsx';
import { Statement } from '../../ui/statement.tsx';
import { Learned } from './learned-from.tsx';

type Remembered = Extract<Output<'why'>, { remembered: unknown }>['remembered'];
const MAX_PROMPTS = 8;

/** One memory: its words, where they come from, when they were told, and its source. */
export function Item(): JSX.Element {
  const id = route.value.rest;
  const query = useQuery('why', { id }, { on: ['mutation'] });
  return (
    <Page title="A memory">
      <Loaded query={query} lines={6}>
        {(answer) => ('remembered' in answer ? <Body remembered={answer.remembered} /> : null)}
      </Loaded>
    </Page>
  );
}

function Body({ remembered }: { readonly remembered: Remembered }): JSX.Element {
  const { id, path, text, trust, store, prompted, fading, contradictedBy, time } = remembered;
  return (
    <div class="stack wide-gap">
      <div class="item-words">
        <Statement
          id={id}
          path={path}
          text={text}
          trust={trust}
          meta={
            <>
              <Trust level={trust} /> · {storeName(store)} · <Time at={time} />
            </>
          }
        >
          {readableLine(readableLinks(text))}
        </Statement>
      </div>
      {contradictedBy.length === 0 ? null : (
        <section class="notice" aria-label="Something says otherwise">
          {contradictedBy.map((one) => (
            <p key={one.proposal}>
              A proposal says otherwise: <a href={linkTo('inbox', one.proposal)}>{one.text}</a>
            </p>
          ))}
        </section>
      )}
      <section class="stack tight" aria-label="How it was learned">
        <h2 class="eyebrow">How it was learned</h2>
        <Learned id={id} />
      </section>
      <section class="stack tight" aria-label="When it was told">
        <h2 class="eyebrow">When it was told</h2>
        {prompted.length === 0 ? <p class="faint">No prompt came near it yet.</p> : null}
        <ul class="rows">
          {prompted.slice(0, MAX_PROMPTS).map(({ receipt, message, included, reason, time: at }) => (
            <li key={receipt}>
              <a class="pick-line" href={linkTo('now', receipt)} dir="auto">
                {message === '' ? 'A session began' : message}
              </a>
              <div class="tiny faint">
                {included ? 'told' : because(reason)} · <Time at={at} />
              </div>
            </li>
          ))}
        </ul>
      </section>
      <section class="stack tight" aria-label="How it fades">
        <h2 class="eyebrow">How it fades</h2>
        <p class="soft">
          {fading.keeps ?? `It is ${fading.status}; used ${plural(fading.uses, 'time')}.`}{' '}
          {fading.becomes.slice(0, 1).map(({ status, at }) => (
            <span key={status}>
              Unused, it becomes {status} <Time at={at} />.
            </span>
          ))}
        </p>
      </section>
      <details>
        <summary>Source</summary>
        <dl class="facts small">
          <dt>File</dt>
          <dd>
            <a class="path" href={linkTo('memory/files', path, { line: String(remembered.startLine) })}>
              {path}:{remembered.startLine}
            </a>
          </dd>
          <dt>Id</dt>
          <dd class="path">{id}</dd>
          <dt>Source</dt>
          <dd>{remembered.provenance.source}</dd>
        </dl>
      </details>
    </div>
  );
}
