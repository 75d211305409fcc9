import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useQuery } from '../../api/query.ts';
import { linkTo } from '../../app/route.ts';
import { FilterField } from '../../ui/filter-field.tsx';
import { Command, Empty, Loaded, Page, plural } from '../../ui/parts.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';

const ROW = 58;

/** Everybody and everything that has a page of its own. */
export function People(): JSX.Element {
  const [filter, setFilter] = useState('');
  const query = useQuery('graph list', {}, { on: ['mutation'] });
  const wanted = filter.trim().toLowerCase();
  return (
    <Page title="People and things" lead="Everybody and everything the memory has a page for.">
      <FilterField label="Find somebody or something" value={filter} onChange={setFilter} />
      <Loaded query={query} lines={8}>
        {({ entities }) => {
          const found = entities
            .filter(({ name, type, aliases }) =>
              [name, type, ...aliases].some((text) => text.toLowerCase().includes(wanted)),
            )
            .toSorted((one, other) => other.relations - one.relations);
          if (found.length === 0) {
            return (
              <Empty icon="people" title={entities.length === 0 ? 'Nobody is known yet' : 'Nobody is called that'}>
                <p>People and things come from conversations by themselves. You can also begin with one:</p>
                <Command>mneme graph add Anna --type person</Command>
              </Empty>
            );
          }
          return (
            <VirtualList
              label="People and things"
              items={found}
              rowHeight={ROW}
              keyOf={({ path }) => path}
              render={({ id, name, type, relations }) => (
                <a class="pick" href={linkTo('memory/about', id)} data-list-item dir="auto">
                  <span class="clip-line strong">{name}</span>
                  <span class="tiny faint">
                    {type}
                    {relations === 0 ? '' : ` · ${plural(relations, 'connection')}`}
                  </span>
                </a>
              )}
            />
          );
        }}
      </Loaded>
    </Page>
  );
}
