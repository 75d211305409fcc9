import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Output } from '../../api/call.ts';
import { forgetIt } from '../../api/memory.ts';
import { keepFromFading } from '../../api/pin.ts';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { fadingWords, storeName } from '../../text/names.ts';
import { readableLine } from '../../text/readable.ts';
import { FilterField } from '../../ui/filter-field.tsx';
import { Empty, Loaded, Page, Time, WriteButton } from '../../ui/parts.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';

type FadingMemory = Output<'decay next'>['memories'][number];
const MAX_LISTED = 200;
const ROW = 62;

/** The memories that step back next, soonest first, each with a way to keep it or to let it go now. */
export function Fading(): JSX.Element {
  const [filter, setFilter] = useState('');
  const query = useQuery('decay next', { limit: MAX_LISTED }, { on: ['mutation', 'job'] });
  const wanted = filter.trim().toLowerCase();
  return (
    <Page
      title="What fades next"
      lead="What nobody uses becomes dormant: it is told no more, and can still be found. Kept is what you pin."
    >
      <FilterField label="Find among them" value={filter} onChange={setFilter} />
      <Loaded query={query} lines={8}>
        {({ memories }) => {
          const found = memories.filter(({ text }) => text.toLowerCase().includes(wanted));
          if (found.length === 0) {
            return (
              <Empty icon="calm" title={memories.length === 0 ? 'Nothing is about to fade' : 'None of them says that'}>
                <p>What is used stays. What nobody needs slowly steps back, and can always be found again.</p>
              </Empty>
            );
          }
          return (
            <VirtualList
              label="What fades next"
              items={found}
              rowHeight={ROW}
              keyOf={({ id, path }) => `${path} ${id}`}
              render={(memory) => <Row memory={memory} />}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}

function Row({ memory }: { readonly memory: FadingMemory }): JSX.Element {
  const { id, path, text, store, dormantFrom } = memory;
  const { words, about } = fadingWords(memory);
  return (
    <div class="row apart fixed fading-row">
      <div class="grow">
        <a class="pick-line clip" href={linkTo('memory/item', id)} data-list-item dir="auto">
          {readableLine(words)}
        </a>
        <div class="tiny faint">
          {[about, storeName(store)].filter((part) => part !== '').join(' · ')} · dormant <Time at={dormantFrom} />
        </div>
      </div>
      <WriteButton kind="small" onClick={() => void keepFromFading(id, path)}>
        Keep
      </WriteButton>
      <WriteButton kind="small quiet" onClick={() => void forgetIt({ id, path, text })}>
        Forget now
      </WriteButton>
    </div>
  );
}
