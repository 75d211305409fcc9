import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { storeName } from '../../text/names.ts';

export interface FilterValues {
  readonly store: string;
  readonly trust: string;
  readonly since: string;
  readonly until: string;
  readonly speaker: string;
  readonly archived: string;
  readonly [name: string]: string;
}

export const NO_FILTERS: FilterValues = {
  store: '',
  trust: '',
  since: '',
  until: '',
  speaker: '',
  archived: '',
};

export const STORES = [
  'core',
  'episodic',
  'semantic',
  'procedural',
  'vault',
  'journal',
  'reference',
  'topic',
  'identity',
  'meta',
];
export const TRUST = ['user', 'agent', 'tool', 'import', 'external'];

export function readFilters(query: URLSearchParams): FilterValues {
  const entries = Object.keys(NO_FILTERS).map((key) => [key, query.get(key) ?? ''] as const);
  return { ...NO_FILTERS, ...Object.fromEntries(entries) };
}

export function Filters({
  values,
  onChange,
}: {
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}): JSX.Element {
  const used = Object.values(values).filter((value) => value !== '').length;
  const [isOpen, setOpen] = useState(used > 0);
  const set = (name: string, value: string): void => onChange({ ...values, [name]: value });
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Filters{used === 0 ? '' : ` (${used})`}</summary>
      <div class="filters">
        <Choice
          name="Kind"
          label={storeName}
          value={values.store}
          options={STORES}
          onPick={(value) => set('store', value)}
        />
        <Choice
          name="Whose words"
          label={trustName}
          value={values.trust}
          options={TRUST}
          onPick={(value) => set('trust', value)}
        />
        <TextField name="Said by" value={values.speaker} onPick={(value) => set('speaker', value)} />
        <DateField name="From" value={values.since} onPick={(value) => set('since', value)} />
        <DateField name="To" value={values.until} onPick={(value) => set('until', value)} />
        <label class="check">
          <input
            type="checkbox"
            checked={values.archived !== ''}
            onChange={(event) => set('archived', event.currentTarget.checked ? 'yes' : '')}
          />
          Archive too
        </label>
        {used === 0 ? null : (
          <button type="button" class="button quiet small" onClick={() => onChange(NO_FILTERS)}>
            Clear
          </button>
        )}
      </div>
    </details>
  );
}

function Choice({
  name,
  label,
  value,
  options,
  onPick,
}: {
  readonly name: string;
  readonly label: (option: string) => string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onPick: (value: string) => void;
}): JSX.Element {
  return (
    <label class="field">
      {name}
      <select class="input" value={value} onChange={(event) => onPick(event.currentTarget.value)}>
        <option value="">any</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {label(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

export function trustName(trust: string): string {
  return (
    { user: 'yours', agent: 'the agent’s', tool: 'a tool’s', import: 'imported', external: 'from outside' }[trust] ??
    trust
  );
}

interface FieldProps {
  readonly name: string;
  readonly value: string;
  readonly onPick: (value: string) => void;
}

function DateField({ name, value, onPick }: FieldProps): JSX.Element {
  return (
    <label class="field">
      {name}
      <input class="input" type="date" value={value} onChange={(event) => onPick(event.currentTarget.value)} />
    </label>
  );
}

function TextField({ name, value, onPick }: FieldProps): JSX.Element {
  return (
    <label class="field">
      {name}
      <input
        class="input"
        type="text"
        value={value}
        placeholder="anyone"
        onChange={(event) => onPick(event.currentTarget.value)}
      />
    </label>
  );
}
