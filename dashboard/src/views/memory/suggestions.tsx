import type { JSX } from 'preact';
import { useQuery } from '../../api/query.ts';
import { storeName } from '../../text/names.ts';
import { completeTyped, lastTyped, type SearchKey } from '../../text/typed-search.ts';
import { STORES, TRUST, trustName } from './filters.tsx';
import { peopleCalled } from './typed.ts';

const MAX_SHOWN = 8;

/** Values for the filter that is being typed, such as `kind:` or `person:jo`. */
export function Suggestions({
  text,
  onPick,
}: {
  readonly text: string;
  readonly onPick: (text: string) => void;
}): JSX.Element | null {
  const typed = lastTyped(text);
  const people = useQuery('graph list', typed?.key === 'person' ? {} : undefined);
  if (typed === undefined) return null;
  const { key, value } = typed;
  const options =
    key === 'person'
      ? peopleCalled(value, people.data?.entities ?? []).map(({ name }) => name)
      : namesFor(key).filter((name) => name.toLowerCase().startsWith(value.toLowerCase()));
  const others = options.slice(0, MAX_SHOWN);
  if (others.length === 0) return null;
  return (
    <div class="facets" role="group" aria-label={`Values for ${key}`}>
      {others.map((name) => (
        <button key={name} type="button" class="facet" onClick={() => onPick(completeTyped(text, key, name))}>
          {key}:{name}
        </button>
      ))}
    </div>
  );
}

function namesFor(key: SearchKey): readonly string[] {
  if (key === 'kind') return STORES.map(storeName);
  if (key === 'origin') return TRUST.map(trustName);
  return [];
}
