import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { judge } from '../../api/memory.ts';
import { useQuery } from '../../api/query.ts';
import { now, shortDay } from '../../app/clock.ts';
import { linkTo } from '../../app/route.ts';
import { because, decisionWords } from '../../text/because.ts';
import { nameOfEvent, originOf, ORIGIN_WORDS, readableLinks, type Origin } from '../../text/names.ts';
import { readableLine } from '../../text/readable.ts';
import { Loaded, plural, Time, WriteButton } from '../../ui/parts.tsx';
import { Statement } from '../../ui/statement.tsx';
import { AskAgain } from './ask-again.tsx';

type Shown = Output<'context show'>;
type Item = Shown['stored']['receipt']['items'][number];

const TAG_NAMES: Readonly<Record<string, string>> = {
  system: 'The host’s own words',
  identity: 'Who it is',
  core: 'Core memory',
  projects: 'Projects',
  recent: 'Recent days',
  notices: 'Notices',
  topics: 'Playbooks',
  subscriptions: 'Files that playbooks brought',
  procedures: 'How things are done',
  memory: 'Remembered about the message',
  history: 'The conversation',
};
const MAX_LEFT_OUT = 8;

/** One prompt: as the model read it, and what was left out, with why. */
export function Told({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery('context show', { receipt: id }, { on: ['receipt'] });
  return (
    <Loaded query={query} lines={10}>
      {(shown) => <Body shown={shown} />}
    </Loaded>
  );
}

function Body({ shown }: { readonly shown: Shown }): JSX.Element {
  const [isAsking, setAsking] = useState(false);
  const { receipt, tokens, budget, prompt } = shown.stored;
  const included = receipt.items.filter((item) => item.included);
  const leftOut = receipt.items.filter((item) => !item.included).toSorted((one, other) => likely(other) - likely(one));
  return (
    <article class="told">
      <header class="told-head">
        <h2 class="asked" dir="auto">
          {receipt.message === '' ? nameOfEvent(receipt.event) : receipt.message}
        </h2>
        <div class="row apart small faint">
          <span class="row">
            <Time at={receipt.clock} />
            {receipt.session === null ? null : <a href={linkTo('time/talk', receipt.session)}>in its conversation</a>}
          </span>
          <button type="button" class="button small" aria-pressed={isAsking} onClick={() => setAsking(!isAsking)}>
            Ask again
          </button>
        </div>
      </header>
      {isAsking ? <AskAgain id={receipt.id} /> : null}
      <div class="told-columns">
        <section class="stack" aria-label="As the model read it">
          <Ribbon items={included} tokens={tokens} budget={budget} />
          {shown.silence === null ? null : <Silent shown={shown} />}
          <Groups items={included} texts={shown.texts} message={receipt.message} />
          {prompt === '' ? null : (
            <details>
              <summary>Word for word</summary>
              <pre class="source" tabIndex={0} aria-label="The prompt">
                {prompt}
              </pre>
            </details>
          )}
        </section>
        {leftOut.length === 0 ? null : (
          <section class="left-out" aria-label="Nearest that were left out">
            <h3 class="eyebrow">Nearest that were left out</h3>
            <ul>
              {leftOut.slice(0, MAX_LEFT_OUT).map((item, index) => (
                <li key={`${item.id} ${index}`}>
                  <ItemStatement item={item} text={shown.texts[item.id]} message={receipt.message} />
                </li>
              ))}
            </ul>
            {leftOut.length > MAX_LEFT_OUT ? (
              <p class="tiny faint">and {leftOut.length - MAX_LEFT_OUT} that were further away</p>
            ) : null}
          </section>
        )}
      </div>
    </article>
  );
}

function likely(item: Item): number {
  return item.chance ?? item.score ?? 0;
}

/** The share of the available room that each origin used. */
function Ribbon({
  items,
  tokens,
  budget,
}: {
  readonly items: readonly Item[];
  readonly tokens: number;
  readonly budget: number;
}): JSX.Element {
  const room = Math.max(1, budget, tokens);
  const origins = [...new Set(items.map(({ trust }) => originOf(trust)))];
  return (
    <div class="stack tight">
      <div class="ribbon" role="img" aria-label={`${tokens} of ${budget} tokens`}>
        {items.map((item, index) => (
          <i
            key={index}
            class={originOf(item.trust)}
            title={plural(item.tokens, 'token')}
            style={{ width: `${(item.tokens / room) * 100}%` }}
          />
        ))}
      </div>
      <div class="row apart tiny faint">
        <span class="row">
          {origins.map((origin: Origin) => (
            <span key={origin} class={`origin-mark ${origin}`}>
              {ORIGIN_WORDS[origin]}
            </span>
          ))}
        </span>
        <span>
          {tokens.toLocaleString('en')} of {plural(budget, 'token')}
        </span>
      </div>
    </div>
  );
}

interface GroupsProps {
  readonly items: readonly Item[];
  readonly texts: Shown['texts'];
  readonly message: string;
}

function Groups({ items, texts, message }: GroupsProps): JSX.Element {
  return (
    <>
      {[...Map.groupBy(items, ({ tag }) => tag)].map(([tag, members]) => (
        <section key={tag} class="stack tight">
          <h3 class="eyebrow">{TAG_NAMES[tag] ?? tag}</h3>
          {members.map((item, index) => (
            <ItemStatement key={`${item.id} ${index}`} item={item} text={texts[item.id]} message={message} />
          ))}
        </section>
      ))}
    </>
  );
}

interface ItemProps {
  readonly item: Item;
  readonly text: string | undefined;
  readonly message: string;
}

function ItemStatement({ item, text, message }: ItemProps): JSX.Element {
  const [kind, name] = item.id.split(':');
  if (kind === 'topic' && name !== undefined) return <Playbook item={item} name={name} />;
  const words = text === undefined ? '' : readableLine(readableLinks(text));
  return (
    <Statement
      id={item.id}
      path={item.path}
      text={text ?? ''}
      trust={item.trust}
      prompt={message}
      link={words === '' ? linkTo('memory/files', item.path.replace(/#.*$/u, '')) : undefined}
      meta={[sourceWords(item), because(item.reason)].filter((part) => part !== '').join(' · ')}
    >
      {words === '' ? wholeFile(item) : words}
    </Statement>
  );
}

/** Core memory is told as one piece: the file is what was told. */
function wholeFile({ path, tag }: Item): string {
  return tag === 'core' ? 'All of core memory' : (path.split('/').at(-1) ?? path).replace(/\.md$/u, '');
}

function sourceWords({ session, time, path, source }: Item): string {
  const when = time === null ? '' : `, ${shortDay(time, now.value)}`;
  if (path === 'MEMORY.md') return 'core memory';
  if (session !== null) return `said${when}`;
  return `${source === 'user-explicit' ? 'you told it' : 'learned'}${when}`;
}

function Playbook({ item, name }: { readonly item: Item; readonly name: string }): JSX.Element {
  return (
    <div class={`statement ${originOf(item.trust)}`}>
      <a class="words" href={linkTo('memory/playbooks', name)} data-list-item>
        {name}
      </a>
      <div class="meta">
        <span class="about">{because(item.reason)}</span>
      </div>
    </div>
  );
}

/** Why nothing was told, and what to do about it. */
function Silent({ shown: { silence, stored, texts } }: { readonly shown: Shown }): JSX.Element | null {
  if (silence === null) return null;
  const { decision, items, message } = stored.receipt;
  const closest = silence.closest.flatMap(({ id }) => items.find((item) => item.id === id) ?? []);
  return (
    <section class="silence stack tight" aria-label="Why nothing was told">
      <h3>Nothing was told</h3>
      <p title={silence.summary}>{decision === null ? silence.summary : decisionWords(decision.reason)}</p>
      {closest.length === 0 ? (
        <p class="soft small">Nothing in the memory comes near to it.</p>
      ) : (
        <>
          <p class="soft small">Closest to it:</p>
          {closest.map((item) => (
            <div key={item.id} class="row apart fixed">
              <div class="grow">
                <ItemStatement item={item} text={texts[item.id]} message={message} />
              </div>
              <WriteButton kind="small" onClick={() => void judge(item, 'always')}>
                Tell it anyway
              </WriteButton>
            </div>
          ))}
        </>
      )}
    </section>
  );
}
