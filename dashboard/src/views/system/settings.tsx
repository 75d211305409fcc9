import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { act } from '../../api/act.ts';
import { call, type Output } from '../../api/call.ts';
import { useQuery } from '../../api/query.ts';
import { route, linkTo } from '../../app/route.ts';
import { useDraft } from '../../app/drafts.ts';
import { FilterField } from '../../ui/filter-field.tsx';
import { Card, Empty, Loaded, Page, plural, WriteButton } from '../../ui/parts.tsx';
import { Split } from '../../ui/split.tsx';

type Setting = Output<'config get'>['values'][number];

/** Every setting with what it means, what it may be, and what it is. */
export function Settings(): JSX.Element {
  const query = useQuery('config get', {}, { on: ['mutation'] });
  const [filter, setFilter] = useState('');
  return (
    <Page title="Settings" lead="What each one does, what it may be, and what you changed." isWide>
      <FilterField label="Find a setting" value={filter} onChange={setFilter} />
      <Loaded query={query} lines={10}>
        {({ values }) => <Sections values={values} filter={filter.trim().toLowerCase()} onChanged={query.reload} />}
      </Loaded>
    </Page>
  );
}

interface SectionsProps {
  readonly values: readonly Setting[];
  readonly filter: string;
  readonly onChanged: () => void;
}

const CHANGED = 'changed';

function Sections({ values, filter, onChanged }: SectionsProps): JSX.Element {
  const found = values.filter(({ key, description }) => `${key} ${description}`.toLowerCase().includes(filter));
  const sections = [...Map.groupBy(found, ({ key }) => key.split('.')[0] ?? '')];
  const changed = found.filter(({ isDefault }) => !isDefault);
  const picked = route.value.rest === '' && filter !== '' ? (sections[0]?.[0] ?? '') : route.value.rest;
  const shown =
    picked === CHANGED || picked === '' ? changed : (sections.find(([name]) => name === picked)?.[1] ?? found);
  if (found.length === 0) return <Empty icon="system" title="No setting is called that" />;
  return (
    <Split
      isPicked={route.value.rest !== '' || filter !== ''}
      back="system/settings"
      backLabel="Settings"
      list={
        <nav class="settings-list" aria-label="Settings">
          <Pick name={CHANGED} count={changed.length} isCurrent={shown === changed} />
          {sections.map(([name, members]) => (
            <Pick key={name} name={name} count={members.length} isCurrent={members === shown} />
          ))}
        </nav>
      }
    >
      <Card title={shown === changed ? 'What you changed' : picked} note={plural(shown.length, 'setting')}>
        {shown.length === 0 ? <p class="faint">Everything is as it comes.</p> : null}
        <ul class="rows">
          {shown.map((setting) => (
            <li key={setting.key}>
              <OneSetting key={JSON.stringify(setting.value)} setting={setting} onChanged={onChanged} />
            </li>
          ))}
        </ul>
      </Card>
    </Split>
  );
}

interface PickProps {
  readonly name: string;
  readonly count: number;
  readonly isCurrent: boolean;
}

function Pick({ name, count, isCurrent }: PickProps): JSX.Element {
  return (
    <a class="pick row apart" href={linkTo('system/settings', name)} aria-current={isCurrent} data-list-item>
      <span>{name === CHANGED ? 'What you changed' : name.replaceAll('_', ' ')}</span>
      <span class="tiny faint">{count}</span>
    </a>
  );
}

function typed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function OneSetting({
  setting: { key, value, default: standard, isDefault, allowed, description },
  onChanged,
}: {
  readonly setting: Setting;
  readonly onChanged: () => void;
}): JSX.Element {
  const [words, setWords, drop] = useDraft(`setting ${key}`, typed(value));
  const change = async (run: () => Promise<unknown>, text: string): Promise<void> => {
    const done = await act(run, () => ({ text }));
    if (done === undefined) return;
    drop();
    onChanged();
  };
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault();
        void change(() => call('config set', { key, value: words.trim() }), `${key} is now ${words.trim()}.`);
      }}
    >
      <label class="stack tight">
        <span class="path">{key}</span>
        <span class="small">{description}</span>
        <input
          class="input"
          value={words}
          spellcheck={false}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      <div class="row apart tiny faint">
        <span>
          {allowed} · comes as {typed(standard) === '' ? 'nothing' : typed(standard)}
        </span>
        <span class="row">
          {isDefault ? null : (
            <WriteButton
              kind="small quiet"
              onClick={() => void change(() => call('config unset', { key }), `${key} is back to what it comes as.`)}
            >
              As it comes
            </WriteButton>
          )}
          {words === typed(value) ? null : (
            <WriteButton
              kind="small primary"
              onClick={() =>
                void change(() => call('config set', { key, value: words.trim() }), `${key} is now ${words.trim()}.`)
              }
            >
              Save
            </WriteButton>
          )}
        </span>
      </div>
    </form>
  );
}
