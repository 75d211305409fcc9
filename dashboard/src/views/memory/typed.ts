import type { Input, Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { storeName } from '../../text/names.ts';
import { dayBefore, optionFor, parseTyped } from '../../text/typed-search.ts';
import { STORES, TRUST, trustName } from './filters.tsx';

type Entity = Output<'graph list'>['entities'][number];
type Narrowed = Partial<Input<'recall'>>;

export interface Typed {
  readonly words: string;
  readonly input: Narrowed;
  /** Filters that mean nothing here, in words. */
  readonly problems: readonly string[];
}

/** The words of the search field, as the server is asked for them. */
export function useTyped(text: string): Typed {
  const { words, filters } = parseTyped(text);
  const needsPeople = filters.some(({ key }) => key === 'person');
  const { data } = useQuery('graph list', needsPeople ? {} : undefined, { on: ['mutation'] });
  const input: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const { key, value } of filters) {
    if (value === '') continue;
    if (key === 'by') input['speakers'] = [value];
    if (key === 'after') input['since'] = value;
    if (key === 'before') input['until'] = dayBefore(value);
    if (key === 'kind') choose('stores', value, STORES, storeName);
    if (key === 'origin') choose('trust', value, TRUST, trustName);
    if (key === 'person' && data !== undefined) {
      const [found] = peopleCalled(value, data.entities);
      if (found === undefined) problems.push(`The memory has no page for “${value}”.`);
      else input['entities'] = [found.id];
    }
  }
  function choose(name: string, value: string, options: readonly string[], nameOf: (option: string) => string): void {
    const option = optionFor(value, options, nameOf);
    if (option === undefined) problems.push(`“${value}” is none of: ${options.map(nameOf).join(', ')}.`);
    else input[name] = [option];
  }
  return { words, input, problems };
}

/** Those whose names begin like it, the best connected first; an exact name before all others. */
export function peopleCalled(value: string, entities: readonly Entity[]): readonly Entity[] {
  const wanted = value.toLowerCase();
  const namesOf = ({ name, aliases }: Entity): readonly string[] => [name, ...aliases].map((one) => one.toLowerCase());
  const isExact = (entity: Entity): number => Number(namesOf(entity).includes(wanted));
  return entities
    .filter((entity) =>
      namesOf(entity).some(
        (name) => name.startsWith(wanted) || name.split(/\s+/u).some((word) => word.startsWith(wanted)),
      ),
    )
    .toSorted((one, other) => isExact(other) - isExact(one) || other.relations - one.relations);
}
