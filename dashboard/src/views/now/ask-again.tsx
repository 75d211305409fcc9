import type { JSX } from 'preact';
import type { Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { because } from '../../text/because.ts';
import { readableLinks } from '../../text/names.ts';
import { readableLine } from '../../text/readable.ts';
import { Loaded } from '../../ui/parts.tsx';

type Asked = Output<'context show'>;
type Difference = NonNullable<Asked['recompiled']>['difference']['items'][number];

/** The same request, compiled from what is known now: what it would be told, and what it would not be told any more. */
export function AskAgain({ id }: { readonly id: string }): JSX.Element {
  const query = useQuery('context show', { receipt: id, now: true }, { on: ['mutation'] });
  return (
    <section class="again" aria-label="Asked again">
      <Loaded query={query} lines={3}>
        {({ recompiled, texts }) => {
          if (recompiled === null) return null;
          const told = recompiled.difference.items.filter(({ before, after }) => before?.included !== after?.included);
          const added = told.filter(({ after }) => after?.included === true);
          const gone = told.filter(({ before }) => before?.included === true);
          if (added.length + gone.length === 0) return <p>Asked again today, it would be told the same.</p>;
          return (
            <>
              <p class="small soft">Asked again today, this would change:</p>
              <ul class="stack tight">
                {added.map((item) => (
                  <Line key={item.id} item={item} text={texts[item.id]} isAdded />
                ))}
                {gone.map((item) => (
                  <Line key={item.id} item={item} text={texts[item.id]} isAdded={false} />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

interface LineProps {
  readonly item: Difference;
  readonly text: string | undefined;
  readonly isAdded: boolean;
}

function Line({ item, text, isAdded }: LineProps): JSX.Element {
  const why = isAdded ? '' : because(item.after?.reason ?? 'no longer in the memory');
  return (
    <li class={isAdded ? 'diff-line add' : 'diff-line cut'}>
      <span class="sign" aria-label={isAdded ? 'now told' : 'no longer told'}>
        {isAdded ? '+' : '−'}
      </span>
      <span dir="auto">
        {text === undefined ? (item.path.split('/').at(-1) ?? item.path) : readableLine(readableLinks(text))}
        {why === '' ? null : <span class="tiny"> · {why}</span>}
      </span>
    </li>
  );
}
