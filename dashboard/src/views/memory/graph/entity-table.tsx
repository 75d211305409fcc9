import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Scene } from './scene.ts';

const MAX_SHOWN = 200;

export function EntityTable({
  scene,
  selected,
  onSelect,
}: {
  readonly scene: Scene;
  readonly selected: string | undefined;
  readonly onSelect: (path: string) => void;
}): JSX.Element {
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = scene.nodes.filter(
    ({ name, type }) => wanted === '' || name.toLowerCase().includes(wanted) || type === wanted,
  );
  return (
    <div class="card">
      <div class="card-body pad-top stack tight">
        <input
          class="input"
          type="search"
          aria-label="Find somebody or something"
          placeholder="Find somebody or something"
          data-search-field
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <div class="table-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Type</th>
                <th scope="col" class="number">
                  Relations
                </th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, MAX_SHOWN).map(({ path, name, type, degree }) => (
                <tr key={path}>
                  <td>
                    <button
                      type="button"
                      class="link"
                      data-list-item
                      aria-pressed={path === selected}
                      onClick={() => onSelect(path)}
                    >
                      {name}
                    </button>
                  </td>
                  <td>{type}</td>
                  <td class="number">{degree}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {found.length > MAX_SHOWN ? (
          <p class="tiny faint">{found.length - MAX_SHOWN} more; type a part of the name.</p>
        ) : null}
      </div>
    </div>
  );
}
