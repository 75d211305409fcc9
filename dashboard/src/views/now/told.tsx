import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { readableLinks } from '../../text/names.ts';
import { readableLine } from '../../text/readable.ts';
import { Bar, Card, Command, Empty, Loaded, plural, Time, Trust } from '../../ui/parts.tsx';

type Receipts = Output<'context list'>['receipts'];
type Told = Output<'context show'>['stored'];
type Texts = Output<'context show'>['texts'];
type Silence = NonNullable<Output<'context show'>['silence']>;
type Item = Told['receipt']['items'][number];

const TAG_NAMES: Readonly<Record<string, string>> = {
  system: 'The host’s own words',
  identity: 'Who it is',
  core: 'Core memory',
  projects: 'Projects',
  recent: 'Recent days',
  notices: 'Notices',
  topics: 'Topics',
  subscriptions: 'Files that topics brought',
  procedures: 'How things are done',
  memory: 'Remembered about the message',
  history: 'The conversation',
};

/** What an agent was told: the latest, or one picked from those before. */
export function ToldCard({ receipts }: { readonly receipts: Receipts }): JSX.Element {
  const [picked, setPicked] = useState<string | undefined>(undefined);
  const [latest] = receipts;
  if (latest === undefined) {
    return (
      <Card title="What your agent was told">
        <Empty icon="today" title="No agent has asked yet">
          <p>
            Connect one, and every prompt it gets from here leaves a receipt: what went in, what stayed out, and why.
          </p>
          <Command>mneme install claude-code</Command>
          <p class="small">Or see what it would be told:</p>
          <Command>mneme context "when do we deploy?"</Command>
        </Empty>
      </Card>
    );
  }
  const shown = receipts.find(({ id }) => id === picked) ?? latest;
  return (
    <Card
      title="What your agent was told"
      note={<Time at={shown.clock} />}
      tools={
        <select
          class="input compact"
          aria-label="Which prompt"
          value={shown.id}
          onChange={(event) => setPicked(event.currentTarget.value)}
        >
          {receipts.map(({ id, message, event }) => (
            <option key={id} value={id}>
              {message === '' ? (event === 'session-start' ? 'A session began' : 'A briefing') : message.slice(0, 50)}
            </option>
          ))}
        </select>
      }
    >
      <Receipt id={shown.id} />
    </Card>
  );
}

function Receipt({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery('context show', { receipt: id });
  return (
    <Loaded query={query} lines={8}>
      {({ stored, texts, silence }) => <ReceiptBody told={stored} texts={texts} silence={silence} />}
    </Loaded>
  );
}

interface ReceiptBodyProps {
  readonly told: Told;
  readonly texts: Texts;
  readonly silence: Silence | null;
}

function ReceiptBody({ told: { receipt, prompt, tokens, budget }, texts, silence }: ReceiptBodyProps): JSX.Element {
  const included = receipt.items.filter((item) => item.included);
  const leftOut = receipt.items.filter((item) => !item.included);
  const groups = [...Map.groupBy(included, ({ tag }) => tag)];
  return (
    <div class="stack">
      {receipt.message === '' ? null : <blockquote class="asked">{receipt.message}</blockquote>}
      <div class="stack tight">
        <div class="row apart small soft">
          <span>
            {plural(included.length, 'memory', 'memories')} told
            {leftOut.length === 0 ? '' : `, ${leftOut.length} left out`}
          </span>
          <span>
            {tokens.toLocaleString('en')} of {budget.toLocaleString('en')} tokens
          </span>
        </div>
        <Bar share={tokens / Math.max(1, budget)} label="Share of the budget used" />
        {receipt.decision === null || silence !== null ? null : <p class="small soft">{receipt.decision.reason}</p>}
      </div>
      {silence === null ? null : <Silent silence={silence} items={receipt.items} />}
      {groups.map(([tag, items]) => (
        <section key={tag} class="stack tight">
          <h3>{TAG_NAMES[tag] ?? tag}</h3>
          <ul class="rows">
            {items.map((item, index) => (
              <ItemLine key={`${item.id} ${index}`} item={item} text={texts[item.id]} />
            ))}
          </ul>
        </section>
      ))}
      {leftOut.length === 0 ? null : (
        <details>
          <summary>Left out, and why ({leftOut.length})</summary>
          <ul class="rows">
            {leftOut.slice(0, 40).map((item, index) => (
              <ItemLine key={`${item.id} ${index}`} item={item} text={texts[item.id]} />
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>The prompt, word for word</summary>
        <pre class="source" tabIndex={0} aria-label="The prompt">
          {prompt === '' ? '(nothing was told)' : prompt}
        </pre>
      </details>
    </div>
  );
}

interface SilentProps {
  readonly silence: Silence;
  readonly items: readonly Item[];
}

/** Why nothing was added, in the words of `mneme why`. */
function Silent({ silence: { summary, closest }, items }: SilentProps): JSX.Element {
  return (
    <section class="stack tight">
      <p>{summary}</p>
      {closest.length === 0 ? null : (
        <>
          <h3>Closest</h3>
          <ul class="rows">
            {closest.map(({ id, line }) => {
              const item = items.find((one) => one.id === id);
              if (item === undefined) return null;
              return (
                <li key={id}>
                  <a class="said" href={placeOf(item)} data-list-item>
                    {readableLine(line)}
                  </a>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}

function placeOf({ id, path, session, turn }: Item): string {
  return session !== null && turn !== null
    ? linkTo('time/talk', session, { turn })
    : linkTo('memory/files', path.replace(/#.*$/u, ''), { item: id });
}

interface ItemLineProps {
  readonly item: Item;
  readonly text: string | undefined;
}

/** What it says, then where it stands and why it is here. */
function ItemLine({ item, text }: ItemLineProps): JSX.Element {
  const words = text === undefined ? '' : readableLine(readableLinks(text));
  return (
    <li>
      <a class={words === '' ? 'path' : 'said'} href={placeOf(item)} data-list-item>
        {words === '' ? item.path : words}
      </a>
      <div class="row apart tiny faint">
        <span class="origin">
          {words === '' ? null : <span class="path">{item.path}</span>}
          {item.reason === 'included' ? null : <span>{item.reason}</span>}
        </span>
        <span class="row">
          {item.score === null ? null : <span>score {item.score.toFixed(2)}</span>}
          <span>{plural(item.tokens, 'token')}</span>
          <Trust level={item.trust} />
        </span>
      </div>
    </li>
  );
}
