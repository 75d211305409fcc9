import type { JSX } from 'preact';
import { storeName } from '../../text/names.ts';
import { trustName } from './filters.tsx';
import type { Hit } from './hits.ts';

interface Facet {
  readonly label: string;
  readonly count: number;
  readonly narrow: Readonly<Record<string, string>>;
}

const MAX_SPEAKERS = 4;

/** Of what kind, by whom and whose words the memories found are; each narrows the search to those. */
export function Facets({
  hits,
  onNarrow,
}: {
  readonly hits: readonly Hit[];
  readonly onNarrow: (changes: Readonly<Record<string, string>>) => void;
}): JSX.Element | null {
  const groups = [
    facetsOf(
      hits,
      ({ store }) => store,
      (store) => ({ label: storeName(store), narrow: { store } }),
    ),
    facetsOf(
      hits,
      ({ wordsTrust }) => wordsTrust,
      (trust) => ({ label: trustName(trust), narrow: { trust } }),
    ),
    facetsOf(
      hits,
      ({ speaker }) => speaker ?? '',
      (speaker) => ({ label: speaker, narrow: { speaker } }),
    ).slice(0, MAX_SPEAKERS),
  ].filter(({ length }) => length > 1);
  if (groups.length === 0) return null;
  return (
    <div class="facets" role="group" aria-label="Narrow the search">
      {groups.map((facets, index) => (
        <span key={index} class="row">
          {facets.map(({ label, count, narrow }) => (
            <button key={label} type="button" class="facet" onClick={() => onNarrow(narrow)}>
              {label} <span class="faint">{count}</span>
            </button>
          ))}
        </span>
      ))}
    </div>
  );
}

function facetsOf(
  hits: readonly Hit[],
  valueOf: (hit: Hit) => string,
  describe: (value: string) => Omit<Facet, 'count'>,
): readonly Facet[] {
  const groups = [...Map.groupBy(hits, valueOf)].filter(([value]) => value !== '');
  return groups
    .map(([value, members]): Facet => Object.assign({ count: members.length }, describe(value)))
    .toSorted((one, other) => other.count - one.count);
}
