import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { act } from '../api/act.ts';
import { call } from '../api/call.ts';
import { useQuery } from '../api/query.ts';
import { readOnlyReason } from '../api/session.ts';
import { readableLine } from '../text/readable.ts';
import { Icon, type IconName } from '../ui/icons.tsx';
import { linkToMemory } from '../ui/statement.tsx';
import { isHelpOpen, isPaletteOpen } from './keys.ts';
import { go, linkHere, linkTo } from './route.ts';
import { nextTheme } from './theme.ts';

interface Choice {
  readonly icon: IconName;
  readonly label: string;
  readonly note: string;
  readonly run: () => void;
}

const VIEWS: readonly (readonly [string, IconName, string, string])[] = [
  ['now', 'now', 'Now', 'what the agent was told'],
  ['inbox', 'inbox', 'Inbox', 'what needs your decision'],
  ['memory', 'search', 'Search the memory', ''],
  ['memory/people', 'people', 'People and things', ''],
  ['memory/playbooks', 'topics', 'Playbooks', ''],
  ['memory/procedures', 'topics', 'Procedures', 'with their runs'],
  ['memory/fading', 'history', 'What fades next', ''],
  ['memory/files', 'files', 'Files', ''],
  ['memory/graph', 'graph', 'The whole graph', ''],
  ['time', 'time', 'Timeline', 'day by day'],
  ['time/changes', 'history', 'Changes', 'with undo'],
  ['time/compare', 'history', 'Compare two dates', ''],
  ['system', 'system', 'System', 'health'],
  ['system/work', 'system', 'Jobs and costs', 'what is being learned'],
  ['system/control', 'system', 'Control', 'pause, private, never learned, feedback'],
  ['system/settings', 'system', 'Settings', ''],
];
const MAX_FOUND = 6;
const DEBOUNCE_MS = 120;

export function Palette(): JSX.Element {
  const [text, setText] = useState('');
  const [picked, setPicked] = useState(0);
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  const choices = useChoices(text.trim());
  const close = (): void => {
    isPaletteOpen.value = false;
  };
  const run = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    close();
    choice.run();
  };
  const move = (step: number): void =>
    setPicked(Math.max(0, Math.min(choices.length - 1, Math.min(picked, choices.length - 1) + step)));
  const at = Math.min(picked, choices.length - 1);
  return (
    <dialog ref={box} class="palette" aria-label="Go to anything" onClose={close}>
      <input
        class="palette-field"
        role="combobox"
        aria-label="Go to anything"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={at < 0 ? undefined : `palette-${at}`}
        placeholder="Go to a place, a person, a memory …"
        dir="auto"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setPicked(0);
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Enter') run(choices[at]);
          else return;
          event.preventDefault();
        }}
      />
      <ul id="palette-list" role="listbox" aria-label="Where to">
        {choices.map((choice, index) => (
          <li
            key={`${choice.label} ${index}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onPointerMove={() => setPicked(index)}
            onClick={() => run(choice)}
          >
            <Icon name={choice.icon} />
            <span class="clip-line" dir="auto">
              {choice.label}
            </span>
            <span class="note">{choice.note}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

function useChoices(text: string): readonly Choice[] {
  const people = useQuery('graph list', {}, { on: ['mutation'] });
  const found = useQuery('recall', text.length < 3 ? undefined : { query: text, limit: MAX_FOUND, prefix: true }, {
    debounceMs: DEBOUNCE_MS,
  });
  const wanted = text.toLowerCase();
  const views = VIEWS.filter(([, , label, note]) => `${label} ${note}`.toLowerCase().includes(wanted)).map(
    ([view, icon, label, note]): Choice => ({ icon, label, note, run: () => go(linkTo(view)) }),
  );
  if (text === '') return [...views, ...COMMANDS];
  const entities = (people.data?.entities ?? [])
    .filter(({ name, aliases }) => [name, ...aliases].some((one) => one.toLowerCase().includes(wanted)))
    .slice(0, MAX_FOUND)
    .map(({ id, name, type }): Choice => ({
      icon: 'people',
      label: name,
      note: type,
      run: () => go(linkTo('memory/about', id)),
    }));
  const memories = (found.data?.hits ?? []).map(({ id, words }): Choice => ({
    icon: 'memory',
    label: readableLine(words),
    note: '',
    run: () => go(linkToMemory(id)),
  }));
  const commands = COMMANDS.filter(({ label }) => label.toLowerCase().includes(wanted));
  return [...entities, ...views, ...commands, searchFor(text), ...memories, ...rememberIt(text)];
}

const COMMANDS: readonly Choice[] = [
  { icon: 'sun', label: 'Change the colours', note: 'light, dark, as the system', run: nextTheme },
  { icon: 'help', label: 'Keyboard shortcuts', note: '?', run: () => (isHelpOpen.value = true) },
  { icon: 'today', label: 'Back to what is known today', note: '', run: () => go(linkHere({ known: '' })) },
];

function searchFor(text: string): Choice {
  return { icon: 'search', label: `Search for “${text}”`, note: '', run: () => go(linkTo('memory', '', { q: text })) };
}

function rememberIt(text: string): readonly Choice[] {
  if (readOnlyReason.value !== undefined || !text.includes(' ')) return [];
  const run = (): void =>
    void act(
      () => call('remember', { text }),
      ({ mutation, warnings }) => ({ text: 'Remembered.', hint: warnings[0], mutation }),
    );
  return [{ icon: 'pencil', label: `Remember “${text}”`, note: '', run }];
}
