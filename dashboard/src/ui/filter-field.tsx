import type { JSX } from 'preact';

interface Props {
  /** Says what is found, and stands in the empty field. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Narrows the list below it while somebody types; `/` leads to it. */
export function FilterField({ label, value, onChange }: Props): JSX.Element {
  return (
    <input
      class="input"
      type="search"
      aria-label={label}
      placeholder={label}
      data-search-field
      dir="auto"
      value={value}
      onInput={(event) => onChange(event.currentTarget.value)}
    />
  );
}
