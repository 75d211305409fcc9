import type { ComponentType, JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { showProblem } from '../api/act.ts';
import { connect, connection, pulseAll, type Connection } from '../api/live.ts';
import { login, me, readOnlyReason } from '../api/session.ts';
import { useWaiting } from '../api/waiting.ts';
import { Icon, Mark } from '../ui/icons.tsx';
import { Problem, Skeleton } from '../ui/parts.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { Now } from '../views/now/now.tsx';
import { Help } from './help.tsx';
import { isHelpOpen, isPaletteOpen, PLACES } from './keys.ts';
import { KnownBanner, KnownOn } from './known.tsx';
import { Palette } from './palette.tsx';
import { isView, linkTo, route, type Place } from './route.ts';
import { nextTheme, theme } from './theme.ts';

type View = ComponentType;
/** The sections of a place; the first is the place itself. */
const SECTIONS: Readonly<Partial<Record<Place, readonly (readonly [string, string])[]>>> = {
  memory: [
    ['memory', 'Search'],
    ['memory/people', 'People and things'],
    ['memory/graph', 'Graph'],
    ['memory/playbooks', 'Playbooks'],
    ['memory/procedures', 'Procedures'],
    ['memory/fading', 'Fading'],
    ['memory/files', 'Files'],
  ],
  time: [
    ['time', 'Timeline'],
    ['time/changes', 'Changes'],
    ['time/compare', 'Compare'],
  ],
  system: [
    ['system', 'Health'],
    ['system/work', 'Jobs and costs'],
    ['system/control', 'Control'],
    ['system/settings', 'Settings'],
  ],
};

export function Shell(): JSX.Element {
  const { view } = route.value;
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // Before the view's own effects: those may put the focus into a field.
  useLayoutEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    window.scrollTo(0, 0);
    // Screen-reader users should be where the new view begins.
    main.current?.focus({ preventScroll: true });
  }, [view]);
  return (
    <>
      <a class="skip-link" href="#main" onClick={(event) => skip(event, main.current)}>
        Skip to content
      </a>
      <div class="shell" inert={login.value === 'expired'}>
        <Sidebar />
        <main id="main" class="main" ref={main} tabIndex={-1}>
          <Banner />
          <Sections />
          <CurrentView view={view} />
        </main>
      </div>
      <Toasts />
      {isHelpOpen.value ? <Help /> : null}
      {isPaletteOpen.value ? <Palette /> : null}
    </>
  );
}

/** The address says where the page is; a jump inside it must not change that. */
function skip(event: Event, main: HTMLElement | null): void {
  event.preventDefault();
  main?.focus();
}

/** At the side of a desk, at the foot of a phone. */
function Sidebar(): JSX.Element {
  const waiting = useWaiting();
  const { place: current } = route.value;
  return (
    <header class="sidebar">
      <div class="sidebar-head">
        <a class="brand" href={linkTo('now')}>
          <Mark /> Mneme
        </a>
        <ConnectionState />
      </div>
      <button type="button" class="go-to" onClick={() => (isPaletteOpen.value = true)}>
        <Icon name="search" />
        <span>Go to …</span>
        <kbd>⌘K</kbd>
      </button>
      <nav class="nav" aria-label="Places">
        {PLACES.map(({ place, label, key }) => (
          <a
            key={place}
            href={linkTo(place)}
            aria-current={place === current ? 'page' : undefined}
            title={`g then ${key}`}
          >
            <Icon name={place} />
            <span>{label}</span>
            {place === 'inbox' && waiting > 0 ? (
              <span class="count">
                {waiting > 999 ? '999+' : waiting}
                <span class="visually-hidden"> waiting</span>
              </span>
            ) : null}
          </a>
        ))}
      </nav>
      <KnownOn />
      <SidebarFoot />
    </header>
  );
}

function SidebarFoot(): JSX.Element {
  const icons = { system: 'screen', light: 'sun', dark: 'moon' } as const;
  return (
    <div class="sidebar-foot">
      <div class="home-path" title={me.value?.home ?? undefined}>
        {me.value?.home}
      </div>
      <div class="sidebar-tools">
        <button type="button" class="button quiet small" onClick={nextTheme} title="Change the colours">
          <Icon name={icons[theme.value]} />
          <span>{theme.value === 'system' ? 'As the system' : theme.value === 'light' ? 'Light' : 'Dark'}</span>
        </button>
        <button
          type="button"
          class="button quiet small"
          onClick={() => (isHelpOpen.value = true)}
          title="Keyboard shortcuts (?)"
        >
          <Icon name="help" />
          <span>Keys</span>
        </button>
      </div>
    </div>
  );
}

const STATES: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

function ConnectionState(): JSX.Element {
  return (
    <div class="connection" data-state={connection.value}>
      <span>{STATES[connection.value]}</span>
    </div>
  );
}

function Banner(): JSX.Element {
  const state = connection.value;
  const reason = readOnlyReason.value;
  return (
    <>
      <div aria-live="polite" class="visually-hidden">
        {state === 'offline' || state === 'reconnecting' ? 'The connection to Mneme is lost. Trying again.' : ''}
      </div>
      {state === 'offline' ? (
        <div class="banner">
          <strong>Offline.</strong> What you see may be out of date; your edits are kept on this page. If Mneme was
          stopped, start it with <code>mneme dashboard</code>.
          <button type="button" class="button small" onClick={retryNow}>
            Try now
          </button>
        </div>
      ) : null}
      {reason === undefined ? null : (
        <div class="banner">
          <strong>Read only.</strong> {reason}
        </div>
      )}
      <KnownBanner />
    </>
  );
}

function retryNow(): void {
  connect();
  pulseAll();
}

function Sections(): JSX.Element | null {
  const { place, view } = route.value;
  const sections = SECTIONS[place];
  if (sections === undefined) return null;
  return (
    <nav class="sections" aria-label={place}>
      {sections.map(([name, label]) => (
        <a key={name} href={linkTo(name)} aria-current={name === view ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** The views that are here: the first always, the others once they were loaded. */
let views: Readonly<Record<string, View>> = { now: Now };

export async function loadView(view: string): Promise<void> {
  if (view in views) return;
  const { OTHER_VIEWS } = await import('../views/others.ts');
  views = { now: Now, ...OTHER_VIEWS };
}

/** While nothing else is to be done: then every view opens without waiting, also when the server has gone. */
function loadOthers(): void {
  const later = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 1000));
  // A view that could not be loaded says so when it is opened.
  later(() => void loadView('others').catch(showProblem));
}

function CurrentView({ view: asked }: { readonly view: string }): JSX.Element {
  const view = isView(asked) ? asked : 'now';
  const [error, setError] = useState<unknown>(undefined);
  const [round, setRound] = useState(0);
  useEffect(() => {
    setError(undefined);
    loadView(view).then(() => {
      setRound((before) => before + 1);
      loadOthers();
    }, setError);
  }, [view]);
  // Never the view before in its place: it would read the address of this one.
  const Component = views[view];
  if (Component !== undefined) return <Component key={view} />;
  if (error === undefined) return <Skeleton lines={6} />;
  return <Problem error={error} retry={() => window.location.reload()} key={round} />;
}
